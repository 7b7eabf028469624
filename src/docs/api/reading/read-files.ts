import { posix } from "node:path";
import { isJsonObject, type Json } from "#docs/json-document.ts";
import type { Place } from "#docs/problems.ts";
import { apiAddress } from "#docs/api/api-addresses.ts";
import { MAX_DOCUMENT_CHARACTERS, MAX_DOCUMENT_FILES } from "#docs/api/bounds.ts";
import { type FieldKind, fieldKind } from "#docs/api/field-kinds.ts";
import { parseFile } from "./parse-file.ts";
import { FILES_KEY } from "#docs/api/references.ts";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";

/** Reports a problem. A place that is a function is called only if the problem is kept, as finding a line takes time. */
export type Complain = (at: Place | (() => Place), message: string) => void;

/** The files of a description. */
export interface DescriptionFiles {
  /** Each file that was read or looked for, with `$ref`s into the whole document; null for a file that cannot be used. */
  files: Map<string, Json | null>;
  /** The `$ref`s that are followed, by their targets. */
  references: ReadonlyMap<string, WrittenReference>;
  lines: ReadonlyMap<string, DocumentLines>;
}

/** Reads a file and all files that its `$ref`s point to, directly or not. Stops at a limit and reports it. */
export async function readFiles(
  path: string,
  read: (path: string) => Promise<string | null>,
  complain: Complain,
): Promise<DescriptionFiles> {
  const files = new Map<string, Json | null>();
  /** Files to read, with the first `$ref` to each; grows while files are read. */
  const wanted = new Map<string, (() => Place) | null>([[path, null]]);
  const references = new Map<string, WrittenReference>();
  const lines = new Map<string, DocumentLines>();
  let left = MAX_DOCUMENT_CHARACTERS;
  for (const [from, firstReference] of wanted) {
    files.set(from, null);
    if (files.size > MAX_DOCUMENT_FILES) {
      complain({ path, line: null }, `Only the first ${MAX_DOCUMENT_FILES} files are read.`);
      break;
    }
    const text = await read(from);
    if (text === null) {
      const name = firstReference === null ? "such file" : `file ${from.slice(0, 200)}, to which this $ref points`;
      complain(firstReference ?? { path, line: null }, `There is no ${name}, or it is larger than Docent reads.`);
      continue;
    }
    left -= text.length;
    if (left < 0) {
      complain({ path: from, line: null }, "The files of the API are larger than 16 MB in all; this one is left out.");
      continue;
    }
    const parsed = parseFile(text);
    if (!parsed.ok) {
      complain({ path: from, line: parsed.line }, parsed.message);
      continue;
    }
    const places = createDocumentLines(text);
    lines.set(from, places);
    const value = withReferences(parsed.value, (reference, isData) => {
      const target = referenceTarget(reference, { from, root: path });
      const at = () => ({ path: from, line: places.ofValue(reference) });
      if ("problem" in target) {
        complain(at, target.problem);
        return reference;
      }
      if (target.file !== null && !wanted.has(target.file)) wanted.set(target.file, at);
      if (!isData && !references.has(target.reference)) references.set(target.reference, { from, reference, target });
      return target.reference;
    });
    files.set(from, value);
  }
  return { files, references, lines };
}

/** The target of a `$ref`: the file, null for the main one, and the place in the whole document. */
export interface Target {
  file: string | null;
  reference: string;
}

export interface WrittenReference {
  from: string;
  reference: string;
  target: Target;
}

function referenceTarget(
  reference: string,
  { from, root }: { from: string; root: string },
): Target | { problem: string } {
  const [place = "", pointer = ""] = reference.split(/#(.*)/s, 2);
  const address = apiAddress(root);
  if (address !== null) {
    if (place === "" || apiAddress(URL.parse(place, address)?.href ?? "") === address) {
      return { file: null, reference: `#${pointer}` };
    }
    return { problem: `$ref ${reference.slice(0, 200)} is not followed: of an address only its one document is read.` };
  }
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(place)) {
    return { problem: `$ref ${reference.slice(0, 200)} is not followed: only files of the site are read.` };
  }
  const file =
    place === "" ? from : posix.normalize(posix.join(place.startsWith("/") ? "" : posix.dirname(from), place));
  const inside = file.replace(/^\/+/, "");
  if (inside === ".." || inside.startsWith("../")) {
    return { problem: `$ref ${reference.slice(0, 200)} leads out of the site.` };
  }
  if (inside === root) return { file: null, reference: `#${pointer}` };
  const token = inside.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
  return { file: inside, reference: `#/${FILES_KEY}/${token}${pointer}` };
}

/** A `$ref` in data is not a reference, so it is not reported when it is broken. */
function withReferences(
  value: Json,
  change: (reference: string, isData: boolean) => string,
  at: { name: string; kind: FieldKind } = { name: "", kind: "part" },
): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withReferences(item, change, at));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [name, child] of Object.entries(value)) {
    copy[name] =
      name === "$ref" && typeof child === "string"
        ? change(child, at.kind === "data")
        : withReferences(child, change, { name, kind: fieldKind(name, child, at) });
  }
  return copy;
}

/** Finding names takes a second parser, which is some ten times as slow as the first. */
const MAX_PARSED_CHARACTERS = 500_000;

/** Finds the lines, counted from 1, of places in the text of a document. */
interface DocumentLines {
  /** Line of the last name of a path through the document, or of the last one that exists. */
  ofName(way: readonly string[]): number | null;
  /** Line of a value. Each further call for the same value finds its next occurrence. */
  ofValue(value: string): number | null;
}

function createDocumentLines(text: string): DocumentLines {
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
