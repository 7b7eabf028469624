import type { Nodes, Root } from "mdast";

export type TextEncoding = "UTF-8" | "UTF-16" | "Windows-1252";

/** A file's text; a byte order mark of UTF-8 stays in it, since offsets count it. */
export interface DecodedText {
  text: string;
  encoding: TextEncoding;
}

/**
 * Text in the encoding that its bytes show: UTF-16 by its byte order mark, as PowerShell's `>` writes it; Windows-1252, of
 * which Latin-1 is a part, where they are no UTF-8. `isCut`: the bytes are the start of a file and may end within a character.
 */
export function decodeText(bytes: Uint8Array, { isCut = false } = {}): DecodedText {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const name = first === 0xff ? "utf-16le" : "utf-16be";
    return { text: new TextDecoder(name).decode(bytes, { stream: isCut }), encoding: "UTF-16" };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
    return { text, encoding: "UTF-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
  }
}

/** What an author is told of a text that is not UTF-8; null for one that is. */
export function encodingProblem({ encoding }: Pick<DecodedText, "encoding">): string | null {
  return encoding === "UTF-8"
    ? null
    : `The file is ${encoding} text: it is shown, and agent jobs cannot edit it. Save it as UTF-8.`;
}

const MARK = "\uFEFF";

export const withoutByteOrderMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text);

/** Parsers drop a byte order mark before they count; offsets are made to count it, as everybody else does. */
export function countByteOrderMark(root: Root, source: string): void {
  if (!source.startsWith(MARK)) return;
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const point of [node.position?.start, node.position?.end]) {
      if (point?.offset !== undefined) point.offset += 1;
    }
    if ("children" in node) open.push(...node.children);
  }
  if (root.position) root.position.start.offset = 0;
}
