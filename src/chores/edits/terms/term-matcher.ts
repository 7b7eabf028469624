import { articleBefore } from "./inflections.ts";
import { type Neighbours, writtenNeighbours } from "./seen-neighbours.ts";

/** One occurrence of a term in raw text. */
export interface TermMatch {
  start: number;
  end: number;
  /** The end of the occurrence itself, if `end` includes a space that the replacement moves. */
  wordEnd: number;
  /** The text of the occurrence. */
  found: string;
  /** The new text, with line break and case preserved. */
  replacement: string;
  /** The match is an article before an occurrence, which the new words change. */
  isArticle?: true;
  /** The visible word is longer: marks of emphasis or of a link split it. */
  isCut?: true;
}

export interface TermOptions {
  /**
   * `exact`: only the case of the term. `as-written`: also capitalized, for a lower-case term. `any`: any case, which the
   * replacement keeps.
   */
  letterCase: "exact" | "as-written" | "any";
  wholeWord: boolean;
}

export interface TermMatcher {
  /** Quick test of a whole file: false means that it certainly has no occurrence. */
  mayOccurIn(text: string): boolean;
  /** All occurrences in a text, in order. Word boundaries depend on the neighbors, by default those in the text itself. */
  matches(text: string, neighbours?: Neighbours): TermMatch[];
  /** The article directly before an occurrence if the new words need the other one: `a webhook`, `an event`. */
  articleOf(text: string, match: TermMatch): TermMatch | null;
  /**
   * Whether an occurrence is part of a longer name together with the visible text next to it (`Vue.js`, `C++`, `ASP.NET`), if
   * only whole words match.
   */
  isPartOfName(text: string, match: TermMatch, neighbours?: Neighbours): boolean;
}

// A line break inside a paragraph, with quote marks that may begin the next line.
const GAP = String.raw`(?:(?:[^\S\r\n]|&nbsp;)+|[^\S\r\n]*\r?\n(?:[^\S\r\n]*>)*[^\S\r\n]*)`;
const WRITTEN_GAP = /(?:\s|&nbsp;)(?:[\s>]|&nbsp;)*/g;
const WORD = /[\p{L}\p{M}\p{N}_]/u;
// Scripts that write words without spaces between them, so that word boundaries are invisible.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const HANGUL = /\p{Script=Hangul}/u;

/**
 * Finds `from` in raw Markdown: the words may be on two lines, and with `wholeWord` the edges must be word boundaries by
 * Unicode's rules. Between scripts that do not mix (`Harborは`), in scripts without spaces, and before a Korean particle
 * every position is a boundary. So is a punctuation character: `key:` is found in `key:value`, and in code `.md` in
 * `page.md`; but `+` and `#` belong to the word before them, so `C++` is not found in `C++11`. Linear in the text: the
 * expression only backtracks in white space.
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

  // "Harbor" to "Harbor Cloud": occurrences of the new term stay, also when the same replacement runs again.
  const isInNew = to.toLowerCase().includes(from.toLowerCase());
  const writtenFlags = anyCase && !isOtherCase(from, to) ? "giu" : "gu";
  const written = isInNew ? new RegExp(to.trim().split(/\s+/).map(maybeEscaped).join(GAP), writtenFlags) : null;

  return {
    mayOccurIn: (text) => quick.test(text),
    articleOf,
    matches(text, neighbours = writtenNeighbours(text)) {
      const kept = written === null ? [] : rangesOf(text, written);
      let index = 0;
      const found: TermMatch[] = [];
      expression.lastIndex = 0;
      for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
        const at = match.index;
        const stop = at + match[0].length;
        const edges = options.wholeWord ? edgesOf(match[0], neighbours, { start: at, end: stop }) : "whole";
        if (edges === "none") {
          expression.lastIndex = at + 1;
          continue;
        }
        while ((kept[index]?.end ?? Infinity) <= at) index += 1;
        if ((kept[index]?.start ?? Infinity) <= at) continue;
        const cased = caseOf(match[0], { from, to, letterCase: options.letterCase });
        if (cased === null) continue;
        const whole = { start: at, end: stop, wordEnd: stop, found: match[0], replacement: cased };
        found.push(edges === "cut" ? { ...whole, isCut: true } : withLineBreak(text, whole));
      }
      return found;
    },
    isPartOfName(text, { start, wordEnd, found }, neighbours = writtenNeighbours(text)) {
      if (!options.wholeWord) return false;
      if (BEGINS_WITH_SIGN.test(found) && isSpacedWord(lastOf(neighbours.before(start).text))) return true;
      const behind = neighbours.after(wordEnd).text;
      return (
        NAME_GOES_ON.test(behind) ||
        (SPELT_WITH_SIGN.test(found) && isSpacedWord(firstOf(behind.replace(/^[*_]+/, ""))))
      );
    },
  };
}

function rangesOf(text: string, expression: RegExp): { start: number; end: number }[] {
  return [...text.matchAll(expression)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

// Emphasis, links and quotation marks may be between the article and the term.
const ARTICLE =
  /(?<![\p{L}\p{N}'’\\-]|[\p{L}\p{N}\\]_{1,3})(an?)(?=(?:(?:[^\S\r\n]|&nbsp;)+|[^\S\r\n]*\r?\n[^\S\r\n]*)[*_"“‘'`[]{0,3}$)/iu;
const ARTICLE_REACH = 24;

function articleOf(text: string, match: TermMatch): TermMatch | null {
  const from = Math.max(0, match.start - ARTICLE_REACH);
  const article = ARTICLE.exec(text.slice(from, match.start));
  const found = article?.[1];
  if (!article || found === undefined) return null;
  const requested = articleBefore(match.replacement);
  // If the author's article already deviates from the rule for the old words, it is kept.
  if (requested === null || requested === found.toLowerCase() || articleBefore(match.found) !== found.toLowerCase())
    return null;
  const replacement = found.startsWith("A") ? capitalise(requested) : requested;
  const start = from + article.index;
  const end = start + found.length;
  return { start, end, wordEnd: end, found, replacement, isArticle: true };
}

// A sentence continues after a space or with a capital; key combinations are joined with a single plus (`Ctrl+C`).
const NAME_GOES_ON = /^(?:\.\p{Ll}|\+\+|[+#](?:[\s.,;:!?)\]"'’”]|$))/u;
// `.NET` after a letter is the end of a longer name, `ASP.NET`; a comma or a hyphen does not start a name.
const BEGINS_WITH_SIGN = /^[.#+@][\p{L}\p{N}]/u;
const SPELT_WITH_SIGN = /[\p{L}\p{N}][+#]+$/u;

/** Whether both edges of an occurrence are word boundaries; `cut` if only markup separates them. */
function edgesOf(
  found: string,
  neighbours: Neighbours,
  { start, end }: { start: number; end: number },
): "whole" | "cut" | "none" {
  const [first, last] = [firstOf(found), lastOf(found)];
  const before = neighbours.before(start);
  const behind = neighbours.after(end);
  const [seenBefore, seenBehind] = [lastOf(before.text), firstOf(behind.text)];
  const startsWord = isEdge(seenBefore, first);
  const endsWord = SPELT_WITH_SIGN.test(found) ? !isSpacedWord(seenBehind) : isEdge(last, seenBehind, true);
  if (startsWord && endsWord) return "whole";
  return (startsWord || before.isBeyondMarkup) && (endsWord || behind.isBeyondMarkup) ? "cut" : "none";
}

/** Whether there is a word boundary between two characters. `after`: the term ends here and other text follows. */
function isEdge(before: string, next: string, after = false): boolean {
  if (!WORD.test(before) || !WORD.test(next)) return true;
  if (UNSPACED.test(before) || UNSPACED.test(next)) return true;
  if (HANGUL.test(before) !== HANGUL.test(next)) return true;
  return after && HANGUL.test(before);
}

const isSpacedWord = (character: string) =>
  WORD.test(character) && !UNSPACED.test(character) && !HANGUL.test(character);
const firstOf = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 32);
const lastOf = (text: string) => /[^]$/u.exec(text)?.[0] ?? " ";

/** `to` in the case of the match; null when this spelling does not count as a match. */
function caseOf(
  found: string,
  { from, to, letterCase }: { from: string; to: string; letterCase: TermOptions["letterCase"] },
): string | null {
  const plain = found.replaceAll(WRITTEN_GAP, " ");
  const requested = from.trim().replace(/\s+/g, " ");
  if (plain === requested) return to;
  const isCapitalised = plain === capitalise(requested);
  if (isOtherCase(from, to)) return isCapitalised || letterCase === "any" ? to : null;
  if (isCapitalised) return capitalise(to);
  if (letterCase !== "any") return null;
  const hasLetters = plain.toLowerCase() !== plain.toUpperCase();
  if (hasLetters && plain === plain.toUpperCase() && plain.length > 1) return to.toUpperCase();
  if (hasLetters && plain === plain.toLowerCase()) return to.toLowerCase();
  return to;
}

/** Whether a replacement only changes capitals: then it is written exactly, whatever the case of the match. */
const isOtherCase = (from: string, to: string) => from.trim().toLowerCase() === to.trim().toLowerCase();

// An abbreviation with a period does not end the sentence.
const SENTENCE_ENDS = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr))[.!?…]["”’')]*\s+$/iu;

/** Whether a sentence or a heading begins after the visible text before a position; it is empty at the start of a block. */
export const beginsSentence = (before: string): boolean => before === "" || SENTENCE_ENDS.test(before);

/** The match at the start of a sentence: a lower-case phrase keeps the capital of the old words. */
export function withCapital(match: TermMatch): TermMatch {
  const { found, replacement } = match;
  const isCapital = firstOf(found) !== firstOf(found).toLowerCase();
  // A single word may be a name that is written in lower case, such as `npm`.
  const isPhrase = /^\p{Ll}[\p{Ll}\p{M}'’-]*\s[\p{Ll}\p{M}\s'’-]*$/u.test(replacement);
  if (!isCapital || !isPhrase || isOtherCase(found, replacement)) return match;
  return { ...match, replacement: capitalise(replacement) };
}

function capitalise(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** Keeps the spaces and line breaks inside the term if their number is the same; otherwise puts a line break anywhere. */
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

/** An expression for a word whose punctuation may be escaped in the text. */
const maybeEscaped = (word: string) =>
  Array.from(
    word,
    (character) => (/[!-/:-@[-`{-~]/.test(character) ? String.raw`\\?` : "") + escapeExpression(character),
  ).join("");

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => (character === "-" ? "\\x2d" : `\\${character}`));
}
