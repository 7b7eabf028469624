import type { Nodes, Root } from "mdast";
import { decodeReferences } from "#docs/links/url-ranges.ts";
import { itself, type Range, rangeAround } from "./ranges.ts";

/** What a reader sees on one side of a place: a few characters at most, none where no text is next to it. */
interface Side {
  text: string;
  /** The mark of emphasis or of a link stands between. */
  isBeyondMarkup: boolean;
}

/** What a reader sees directly before and after an offset of the source. */
export interface Neighbours {
  before(offset: number): Side;
  /** Across marks of emphasis and of links. */
  after(offset: number): Side;
}

/** A text of the page and the one that it is read together with, across marks of emphasis and of links. */
interface TextPiece extends Range {
  value: string;
  previous: TextPiece | null;
  next: TextPiece | null;
}

const TRANSPARENT = new Set<Nodes["type"]>(["emphasis", "strong", "delete", "link", "linkReference"]);
/** The longest name of a character reference with its marks. */
const MAX_REFERENCE = 34;
const FEW = 4;
const ESCAPES = /\\([!-/:-@[-`{-~])/g;

/** The source itself, which is what readers see of labels and values. */
export function writtenNeighbours(source: string): Neighbours {
  return {
    before: (offset) => ({ text: source.slice(Math.max(0, offset - FEW), offset), isBeyondMarkup: false }),
    after: (offset) => ({ text: source.slice(offset, offset + FEW), isBeyondMarkup: false }),
  };
}

/** What readers see of a page's texts, without marks of emphasis and escapes; elsewhere the source itself. */
export function seenNeighbours(source: string, root: Root): Neighbours {
  const pieces = textPieces(root);
  const written = writtenNeighbours(source);
  const endOf = ({ start, end }: Range) => readable(source.slice(Math.max(start, end - MAX_REFERENCE), end));
  return {
    before(offset) {
      const piece = rangeAround(pieces, { start: offset, end: offset }, itself);
      if (piece === null) return written.before(offset);
      if (piece.start < offset) return { text: endOf({ start: piece.start, end: offset }), isBeyondMarkup: false };
      const { previous } = piece;
      return { text: previous ? endOf(previous) : "", isBeyondMarkup: previous !== null && previous.end < offset };
    },
    after(offset) {
      // Between two texts the one that ends there, which knows what it is read together with.
      const piece = rangeAround(pieces, { start: offset - 1, end: offset }, itself);
      if (piece === null) return written.after(offset);
      let text = "";
      for (let next: TextPiece | null = piece; next !== null && text.length < FEW; next = next.next) {
        const at = Math.max(offset, next.start);
        text += readable(source.slice(at, Math.min(next.end, at + FEW * MAX_REFERENCE)));
      }
      const isBeyondMarkup = offset === piece.end && piece.next !== null && piece.end < piece.next.start;
      return { text: text.slice(0, FEW), isBeyondMarkup };
    },
  };
}

/** A text without escapes and character references, as a reader would see it. */
export function readable(text: string): string {
  return /[&\\]/.test(text) ? decodeReferences(text.replaceAll(ESCAPES, "$1")) : text;
}

/** Texts of a page that are written with escapes or character references. */
export function recodedTexts(source: string, root: Root): readonly { start: number; end: number; value: string }[] {
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
