import { articleBefore } from "./inflections.ts";

/** One occurrence of a term in raw text. */
export interface TermMatch {
  start: number;
  end: number;
  /** The occurrence's own end, where `end` takes in a space that the replacement moves. */
  wordEnd: number;
  /** The occurrence as it stands in the text. */
  found: string;
  /** What is to stand there in place of it, line break and case carried over. */
  replacement: string;
  /** The article before an occurrence, which the new words need another one of. */
  isArticle?: true;
}

export interface TermOptions {
  /**
   * `exact`: the term's own case alone. `as-written`: for a lower-case term also capitalised. `any`: whatever case,
   * carried over.
   */
  letterCase: "exact" | "as-written" | "any";
  wholeWord: boolean;
}

export interface TermMatcher {
  /** Quick test of a whole file: false means that there is surely no occurrence. */
  mayOccurIn(text: string): boolean;
  /** All occurrences in a text, in order. */
  matches(text: string): TermMatch[];
  /** The article directly before an occurrence where the new words need the other one: `a webhook`, `an event`. */
  articleOf(text: string, match: TermMatch): TermMatch | null;
  /** Whether an occurrence is a name of its own with what follows it (`Vue.js`), when whole words are asked for. */
  isPartOfName(text: string, match: TermMatch): boolean;
}

// A line break inside a paragraph, with the quote marks that the next line may begin with.
const GAP = String.raw`(?:(?:[^\S\r\n]|&nbsp;)+|[^\S\r\n]*\r?\n(?:[^\S\r\n]*>)*[^\S\r\n]*)`;
const WRITTEN_GAP = /(?:\s|&nbsp;)(?:[\s>]|&nbsp;)*/g;
const WORD = /[\p{L}\p{M}\p{N}_]/u;
// Scripts that write words without spaces between them, so that a word's edge cannot be seen.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const HANGUL = /\p{Script=Hangul}/u;

/**
 * Finds `from` in raw Markdown: words may stand on two lines, and with `wholeWord` the edges must be edges of words in
 * the sense of Unicode. Between scripts that do not mix (`Harborは`), in scripts without spaces, and before a Korean
 * particle every edge counts. Linear in the text: the expression has no choice but in white space.
 */
export function createTermMatcher(from: string, to: string, options: TermOptions): TermMatcher {
  const words = from.trim().split(/\s+/);
  const source = words.map((word) => escapeExpression(word)).join(GAP);
  const isLowerCase = from === from.toLowerCase() && from !== from.toUpperCase();
  const anyCase = options.letterCase === "any" || (options.letterCase === "as-written" && isLowerCase);
  const expression = new RegExp(source, anyCase ? "giu" : "gu");
  const quick = new RegExp(
    words.map((word) => escapeExpression(word)).join(String.raw`(?:[\s>]|&nbsp;)+`),
    anyCase ? "iu" : "u",
  );

  // "Harbor" with "Harbor Cloud": what has the new term already is left, also when the same is asked for again.
  const isInNew = to.toLowerCase().includes(from.toLowerCase());
  const writtenFlags = anyCase && !isOtherCase(from, to) ? "giu" : "gu";
  const written = isInNew ? new RegExp(to.trim().split(/\s+/).map(escapeExpression).join(GAP), writtenFlags) : null;

  return {
    mayOccurIn: (text) => quick.test(text),
    articleOf,
    matches(text) {
      const kept = written === null ? [] : rangesOf(text, written);
      let index = 0;
      const found: TermMatch[] = [];
      expression.lastIndex = 0;
      for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
        const at = match.index;
        const stop = at + match[0].length;
        if (options.wholeWord && !(isEdge(text, at) && isEdge(text, stop, true))) {
          expression.lastIndex = at + 1;
          continue;
        }
        while ((kept[index]?.end ?? Infinity) <= at) index += 1;
        if ((kept[index]?.start ?? Infinity) <= at) continue;
        const cased = caseOf(match[0], { from, to, letterCase: options.letterCase });
        if (cased === null) continue;
        found.push(withLineBreak(text, { start: at, end: stop, wordEnd: stop, found: match[0], replacement: cased }));
      }
      return found;
    },
    // A sentence goes on after a space or with a capital.
    isPartOfName: (text, { wordEnd }) => options.wholeWord && /^\.\p{Ll}/u.test(text.slice(wordEnd, wordEnd + 3)),
  };
}

function rangesOf(text: string, expression: RegExp): { start: number; end: number }[] {
  return [...text.matchAll(expression)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

// Marks of emphasis, links and quotations may stand between the article and the term.
const ARTICLE = /(?<![\p{L}\p{N}_'’-])(an?)(?=(?:(?:[^\S\r\n]|&nbsp;)+|[^\S\r\n]*\r?\n[^\S\r\n]*)[*_"“‘'`[]{0,3}$)/iu;
const ARTICLE_REACH = 24;

function articleOf(text: string, match: TermMatch): TermMatch | null {
  const from = Math.max(0, match.start - ARTICLE_REACH);
  const article = ARTICLE.exec(text.slice(from, match.start));
  const found = article?.[1];
  if (!article || found === undefined) return null;
  const wanted = articleBefore(match.replacement);
  // Where the author's article was not the one that the old words ask for, the author knows better.
  if (wanted === null || wanted === found.toLowerCase() || articleBefore(match.found) !== found.toLowerCase())
    return null;
  const replacement = found.startsWith("A") ? capitalise(wanted) : wanted;
  const start = from + article.index;
  const end = start + found.length;
  return { start, end, wordEnd: end, found, replacement, isArticle: true };
}

/** Whether `offset` is an edge of a word. `after`: the term ends here and other text follows. */
function isEdge(text: string, offset: number, after = false): boolean {
  const before = charBefore(text, offset);
  const next = String.fromCodePoint(text.codePointAt(offset) ?? 32);
  if (!WORD.test(before) || !WORD.test(next)) return true;
  if (UNSPACED.test(before) || UNSPACED.test(next)) return true;
  if (HANGUL.test(before) !== HANGUL.test(next)) return true;
  return after && HANGUL.test(before);
}

function charBefore(text: string, offset: number): string {
  if (offset === 0) return " ";
  const low = text.charCodeAt(offset - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && offset > 1;
  return isPair ? text.slice(offset - 2, offset) : (text[offset - 1] ?? " ");
}

/** `to` in the case of what was found; null when this spelling is not meant. */
function caseOf(
  found: string,
  { from, to, letterCase }: { from: string; to: string; letterCase: TermOptions["letterCase"] },
): string | null {
  const plain = found.replaceAll(WRITTEN_GAP, " ");
  const wanted = from.trim().replace(/\s+/g, " ");
  if (plain === wanted) return to;
  const isCapitalised = plain === capitalise(wanted);
  if (isOtherCase(from, to)) return isCapitalised || letterCase === "any" ? to : null;
  if (isCapitalised) return capitalise(to);
  if (letterCase !== "any") return null;
  const hasLetters = plain.toLowerCase() !== plain.toUpperCase();
  if (hasLetters && plain === plain.toUpperCase() && plain.length > 1) return to.toUpperCase();
  if (hasLetters && plain === plain.toLowerCase()) return to.toLowerCase();
  return to;
}

/** Whether a replacement changes capitals alone: then it stands as it is written, whatever the capitals of what was found. */
const isOtherCase = (from: string, to: string) => from.trim().toLowerCase() === to.trim().toLowerCase();

function capitalise(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** Keeps the spaces and line breaks inside the term, where there are as many; else a line break, wherever it fits. */
function withLineBreak(text: string, match: TermMatch): TermMatch {
  const found = text.slice(match.start, match.end);
  const gaps = found.match(WRITTEN_GAP) ?? [];
  const words = match.replacement.split(" ");
  if (gaps.length === words.length - 1) {
    const kept = words.map((word, index) => word + (gaps[index] ?? "")).join("");
    return { ...match, replacement: kept };
  }
  const breakAt = gaps.findIndex((gap) => gap.includes("\n"));
  const lineBreak = gaps[breakAt];
  if (lineBreak === undefined) return match;
  if (words.length > 1) {
    const split = Math.min(breakAt + 1, words.length - 1);
    return { ...match, replacement: words.slice(0, split).join(" ") + lineBreak + words.slice(split).join(" ") };
  }
  const followedBySpace = text[match.end] === " ";
  return followedBySpace ? { ...match, end: match.end + 1, replacement: match.replacement + lineBreak } : match;
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => (character === "-" ? "\\x2d" : `\\${character}`));
}
