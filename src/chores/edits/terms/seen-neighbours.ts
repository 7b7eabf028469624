import type { Nodes, Root } from "mdast";
import { decodeReferences } from "#docs/links/url-ranges.ts";

/** The character that a reader sees beside a place in the source; a space where no text is beside it. */
export interface Neighbour {
  character: string;
  /** The mark of emphasis or of a link stands between. */
  isBeyondMarkup: boolean;
}

/** What a reader sees directly before and directly behind an offset of the source. */
export interface Neighbours {
  before(offset: number): Neighbour;
  behind(offset: number): Neighbour;
  /** The first few characters behind, across marks of emphasis and of links. */
  textBehind(offset: number): string;
}

/** A text of the page and the one that it is read together with, across marks of emphasis and of links. */
interface TextPiece {
  start: number;
  end: number;
  value: string;
  previous: TextPiece | null;
  next: TextPiece | null;
}

const TRANSPARENT = new Set<Nodes["type"]>(["emphasis", "strong", "delete", "link", "linkReference"]);
const REFERENCE = /&(?:#[xX]?[\da-fA-F]{1,7}|[A-Za-z][A-Za-z\d]{1,31});/;
const REFERENCE_BEFORE = new RegExp(`${REFERENCE.source}$`);
const REFERENCE_BEHIND = new RegExp(`^${REFERENCE.source}`);
const MAX_REFERENCE = 34;
const FEW = 4;
const ESCAPES = /\\([!-/:-@[-`{-~])/g;
const PUNCTUATION = /^[!-/:-@[-`{-~]/;
const NOTHING: Neighbour = { character: " ", isBeyondMarkup: false };

/** The source itself, where nothing is known of its markup: an underscore may be a mark of emphasis. */
export function looseNeighbours(source: string): Neighbours {
  const loose = (character: string) => (character === "_" ? NOTHING : { character, isBeyondMarkup: false });
  return {
    before: (offset) => loose(characterBefore(source, offset)),
    behind: (offset) => loose(characterAt(source, offset)),
    textBehind: (offset) => source.slice(offset, offset + FEW),
  };
}

/** The source itself, which is what readers see of labels and values. */
export function writtenNeighbours(source: string): Neighbours {
  return {
    before: (offset) => ({ character: characterBefore(source, offset), isBeyondMarkup: false }),
    behind: (offset) => ({ character: characterAt(source, offset), isBeyondMarkup: false }),
    textBehind: (offset) => source.slice(offset, offset + FEW),
  };
}

/** What readers see of a page's texts, without marks of emphasis and escapes; elsewhere the source itself. */
export function seenNeighbours(source: string, root: Root): Neighbours {
  const pieces = textPieces(root);
  const written = writtenNeighbours(source);
  const seenAt = (from: number, end: number) => seenFrom(source.slice(from, Math.min(end, from + MAX_REFERENCE)));
  const seenBefore = (start: number, to: number) => seenUpTo(source.slice(Math.max(start, to - MAX_REFERENCE), to));
  return {
    before(offset) {
      const piece = pieceAround(pieces, offset, "start");
      if (piece === null) return written.before(offset);
      if (piece.start < offset) return { character: seenBefore(piece.start, offset), isBeyondMarkup: false };
      const { previous } = piece;
      if (previous === null) return NOTHING;
      const isBeyondMarkup = previous.end < piece.start;
      return { character: seenBefore(previous.start, previous.end), isBeyondMarkup };
    },
    behind(offset) {
      const piece = pieceAround(pieces, offset, "end");
      if (piece === null) return written.behind(offset);
      if (offset < piece.end) return { character: seenAt(offset, piece.end), isBeyondMarkup: false };
      const { next } = piece;
      if (next === null) return NOTHING;
      return { character: seenAt(next.start, next.end), isBeyondMarkup: piece.end < next.start };
    },
    textBehind(offset) {
      let piece = pieceAround(pieces, offset, "end");
      if (piece === null) return written.textBehind(offset);
      let text = "";
      for (let at = offset; piece !== null && text.length < FEW; piece = piece.next) {
        at = Math.max(at, piece.start);
        text += readable(source.slice(at, Math.min(piece.end, at + FEW * MAX_REFERENCE)));
      }
      return text.slice(0, FEW);
    },
  };
}

/** A text without escapes and character references, as a reader would see it. */
export function readable(text: string): string {
  return /[&\\]/.test(text) ? decodeReferences(text.replaceAll(ESCAPES, "$1")) : text;
}

/** Texts of a page that are written otherwise than they are read. */
export function recodedTexts(source: string, root: Root): { start: number; end: number; value: string }[] {
  return textPieces(root).filter(({ start, end, value }) => source.slice(start, end) !== value);
}

function textPieces(root: Root): TextPiece[] {
  const pieces: TextPiece[] = [];
  let last: TextPiece | null = null;
  const visit = (node: Nodes): void => {
    if (node.type === "text") {
      const [start, end] = [node.position?.start.offset, node.position?.end.offset];
      if (start === undefined || end === undefined) return;
      const piece: TextPiece = { start, end, value: node.value, previous: last, next: null };
      if (last !== null) last.next = piece;
      pieces.push(piece);
      last = piece;
      return;
    }
    const isTransparent = TRANSPARENT.has(node.type);
    if (!isTransparent) last = null;
    if ("children" in node) for (const child of node.children) visit(child);
    if (!isTransparent) last = null;
  };
  visit(root);
  return pieces;
}

/** The text around an offset; between two of them the one that begins, or the one that ends there. */
function pieceAround(pieces: readonly TextPiece[], offset: number, edge: "start" | "end"): TextPiece | null {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const piece = pieces[middle] as TextPiece;
    if (edge === "start" ? piece.start <= offset : piece.start < offset) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low - 1];
  return piece !== undefined && offset <= piece.end ? piece : null;
}

function seenFrom(text: string): string {
  if (text.startsWith("\\") && PUNCTUATION.test(text.slice(1))) return text.charAt(1);
  const [reference] = REFERENCE_BEHIND.exec(text) ?? [];
  return characterAt(reference === undefined ? text : decodeReferences(reference), 0);
}

function seenUpTo(text: string): string {
  const [reference] = REFERENCE_BEFORE.exec(text) ?? [];
  const seen = reference === undefined ? text : decodeReferences(reference);
  return characterBefore(seen, seen.length);
}

function characterAt(text: string, offset: number): string {
  return String.fromCodePoint(text.codePointAt(offset) ?? 32);
}

function characterBefore(text: string, offset: number): string {
  if (offset === 0) return " ";
  const low = text.charCodeAt(offset - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && offset > 1;
  return isPair ? text.slice(offset - 2, offset) : (text[offset - 1] ?? " ");
}
