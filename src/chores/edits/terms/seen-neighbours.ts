import { nodeRange, type TextRange } from "#docs/nodes.ts";
import type { Nodes, Root } from "mdast";
import { decodeReferences } from "#docs/links/url-ranges.ts";
import { itself, rangeAround } from "./ranges.ts";

/** The visible text on one side of a position: a few characters, empty if no text is next to it. */
interface Side {
  text: string;
  /** Whether a mark of emphasis or of a link is in between. */
  isBeyondMarkup: boolean;
}

/** The visible text directly before and after an offset of the source. */
export interface Neighbours {
  before(offset: number): Side;
  /** Includes text beyond marks of emphasis and links. */
  after(offset: number): Side;
}

/** A text of the page and the text that it is part of, across marks of emphasis and links. */
interface TextPiece extends TextRange {
  value: string;
  previous: TextPiece | null;
  next: TextPiece | null;
}

const TRANSPARENT = new Set<Nodes["type"]>(["emphasis", "strong", "delete", "link", "linkReference"]);
/** The longest character reference, including `&` and `;`. */
const MAX_REFERENCE = 34;
const FEW = 4;
const ESCAPES = /\\([!-/:-@[-`{-~])/g;

/** Neighbors in the source itself, for labels and values, which readers see as written. */
export function writtenNeighbours(source: string): Neighbours {
  return {
    before: (offset) => ({ text: source.slice(Math.max(0, offset - FEW), offset), isBeyondMarkup: false }),
    after: (offset) => ({ text: source.slice(offset, offset + FEW), isBeyondMarkup: false }),
  };
}

/** Neighbors in the visible text of a page, without emphasis marks and escapes; elsewhere in the source itself. */
export function seenNeighbours(source: string, root: Root): Neighbours {
  const pieces = textPieces(root);
  const written = writtenNeighbours(source);
  const endOf = ({ start, end }: TextRange) => readable(source.slice(Math.max(start, end - MAX_REFERENCE), end));
  return {
    before(offset) {
      const piece = rangeAround(pieces, { start: offset, end: offset }, itself);
      if (piece === null) return written.before(offset);
      if (piece.start < offset) return { text: endOf({ start: piece.start, end: offset }), isBeyondMarkup: false };
      const { previous } = piece;
      return { text: previous ? endOf(previous) : "", isBeyondMarkup: previous !== null && previous.end < offset };
    },
    after(offset) {
      // Between two texts, the one that ends there decides, because it knows which text it is part of.
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

/** A text with escapes and character references decoded, as readers see it. */
export function readable(text: string): string {
  return /[&\\]/.test(text) ? decodeReferences(text.replaceAll(ESCAPES, "$1")) : text;
}

/** Texts of a page that contain escapes or character references. */
export function recodedTexts(source: string, root: Root): readonly { start: number; end: number; value: string }[] {
  return textPieces(root).filter(({ start, end, value }) => source.slice(start, end) !== value);
}

function textPieces(root: Root): TextPiece[] {
  const pieces: TextPiece[] = [];
  let last: TextPiece | null = null;
  const visit = (node: Nodes): void => {
    if (node.type === "text") {
      const range = nodeRange(node);
      if (range === null) return;
      const piece: TextPiece = { ...range, value: node.value, previous: last, next: null };
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
