import { nodesOf } from "./nodes.ts";
import type { Root } from "mdast";

export type TextEncoding = "UTF-8" | "UTF-16" | "Windows-1252";

/** A file's text. It keeps a UTF-8 byte order mark, which offsets count. */
export interface DecodedText {
  text: string;
  encoding: TextEncoding;
}

/**
 * Decodes text by its bytes: UTF-16 by its byte order mark, which PowerShell's `>` writes, or by its zeros; Windows-1252,
 * which includes Latin-1, if it is not valid UTF-8. `isCut`: the bytes are the start of a file and may end inside a character.
 */
export function decodeText(bytes: Uint8Array, { isCut = false } = {}): DecodedText {
  const name = utf16Of(bytes);
  if (name !== null) {
    return { text: new TextDecoder(name).decode(bytes, { stream: isCut }), encoding: "UTF-16" };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
    return { text, encoding: "UTF-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
  }
}

const SAMPLE_BYTES = 1_024;

/**
 * The order of the bytes in a UTF-16 text. Without a mark, the zeros decide: they are one byte of each character in Latin
 * script, and the other byte of a few characters such as `─` (U+2500).
 */
function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const most = Math.max(even, odd);
  if (most <= Math.max(1, sample.length / 4) || Math.min(even, odd) > most / 4) return null;
  return even < odd ? "utf-16le" : "utf-16be";
}

/** The message to authors of a text that is not UTF-8; null if it is. */
export function encodingProblem({ encoding }: Pick<DecodedText, "encoding">): string | null {
  switch (encoding) {
    case "UTF-8":
      return null;
    case "UTF-16":
      return "The file is UTF-16 text: it is shown, and agent jobs cannot edit it. Save it as UTF-8.";
    case "Windows-1252":
      return "The file is not UTF-8. It is read as Windows-1252, which is wrong for text of other encodings, and agent jobs cannot edit it. Save it as UTF-8.";
  }
}

const MARK = "\uFEFF";

export const withoutByteOrderMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text);

/** Parsers drop a byte order mark before they count; this adjusts offsets to count it, as all other code does. */
export function countByteOrderMark(root: Root, source: string): void {
  if (!source.startsWith(MARK)) return;
  for (const node of nodesOf(root)) {
    for (const point of [node.position?.start, node.position?.end]) {
      if (point?.offset !== undefined) point.offset += 1;
    }
  }
  if (root.position) root.position.start.offset = 0;
}
