import { type TextRange } from "#docs/nodes.ts";
import { decodeNamedCharacterReference } from "decode-named-character-reference";

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/** Decodes character references. */
export function decodeReferences(text: string): string {
  return text.replaceAll(ENTITY, (...match: (string | undefined)[]) => {
    const [written = "", decimal, hexadecimal, name] = match;
    if (name !== undefined) return decodeNamedCharacterReference(name) || written;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : "\uFFFD";
  });
}

const decodeDestination = (raw: string): string => decodeReferences(raw.replaceAll(ESCAPE, "$1"));

/**
 * The range of the destination of a Markdown link, image or definition in its source; null when it has no destination of
 * its own (`[text][label]`) or the range is ambiguous. `from` and `to` bound the node; `url` is what the parser read.
 */
export function destinationRange(source: string, node: { from: number; to: number; url: string }): TextRange | null {
  const { from, to, url } = node;
  const text = source.slice(from, to);
  if (text.startsWith("<") && text.endsWith(">")) return { start: from + 1, end: to - 1 };
  // From last to first: a link's text may contain an image with its own destination, and rarely the reverse.
  const openings = [...text.matchAll(/\](?:\(|:)[ \t\r\n>]*/g)].reverse();
  for (const opening of openings) {
    const start = opening.index + opening[0].length;
    for (const end of destinationEnds(text, start)) {
      const [first, last] = text[start] === "<" ? [start + 1, end - 1] : [start, end];
      if (sameUrl(text.slice(first, last), url)) return { start: from + first, end: from + last };
    }
  }
  return null;
}

function sameUrl(raw: string, url: string): boolean {
  if (raw === url || decodeDestination(raw) === url) return true;
  try {
    return decodeURI(decodeDestination(raw)) === decodeURI(url);
  } catch {
    return false;
  }
}

/** Possible ends of a destination that starts at `start`: at `>`, at white space, or before the closing parenthesis. */
function destinationEnds(text: string, start: number): number[] {
  if (text[start] === "<") {
    const end = text.indexOf(">", start);
    return end === -1 ? [] : [end + 1];
  }
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === "\\") index += 1;
    else if (/\s/.test(character)) return [index];
    else if (character === "(") depth += 1;
    else if (character === ")" && depth > 0) depth -= 1;
    else if (character === ")") return [index];
  }
  return [text.length];
}
