import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";

/** Finding names takes a second parser, which is some ten times as slow as the first. */
const MAX_PARSED_CHARACTERS = 500_000;

/** Finds the lines of places in the text of a document, which counts from 1. */
export interface DocumentLines {
  /** Of the name at the end of a way through the document, or of the last one on it that is there. */
  ofName(way: readonly string[]): number | null;
  /** Of a value; asked for again, it is found where it stands next. */
  ofValue(value: string): number | null;
}

export function createDocumentLines(text: string): DocumentLines {
  const counter = new LineCounter();
  let root: Node | null | undefined;
  const offsets = new Map<string, number>();

  function find(value: string, from: number): number {
    for (let at = text.indexOf(value, from); at !== -1; at = text.indexOf(value, at + 1)) {
      if (!/[^\s"',\]}]/.test(text.charAt(at + value.length))) return at;
    }
    return -1;
  }

  return {
    ofName(way) {
      if (root === undefined) {
        const isSmall = text.length <= MAX_PARSED_CHARACTERS;
        const options = { lineCounter: counter, uniqueKeys: false, logLevel: "silent" } as const;
        root = isSmall ? (parseDocument(text, options).contents as Node | null) : null;
      }
      const offset = offsetOf(root, way);
      return offset === null ? null : counter.linePos(offset).line;
    },
    ofValue(value) {
      const at = find(value, offsets.get(value) ?? 0);
      if (at === -1) return null;
      offsets.set(value, at + value.length);
      return text.slice(0, at).split("\n").length;
    },
  };
}

function offsetOf(root: Node | null, way: readonly string[]): number | null {
  let node: unknown = root;
  let offset: number | null = null;
  for (const name of way) {
    if (isSeq(node)) {
      node = node.items[Number(name)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
      continue;
    }
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name) : undefined;
    if (pair === undefined) break;
    offset = (pair.key as Node).range?.[0] ?? offset;
    node = pair.value;
  }
  return offset;
}
