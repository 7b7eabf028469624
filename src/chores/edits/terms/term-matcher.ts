import { articleBefore } from "./inflections.ts";
import { type Neighbours, writtenNeighbours } from "./seen-neighbours.ts";

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
  /** Readers see a longer word, of which marks of emphasis or of a link cut a part off. */
  isCut?: true;
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
  /** All occurrences in a text, in order; the edges of words are judged on the neighbours, the text's own when absent. */
  matches(text: string, neighbours?: Neighbours): TermMatch[];
  /** The article directly before an occurrence where the new words need the other one: `a webhook`, `an event`. */
  articleOf(text: string, match: TermMatch): TermMatch | null;
  /**
   * Whether an occurrence is a name of its own with what readers see next to it (`Vue.js`, `C++`, `ASP.NET`), when whole
   * words are asked for.
   */
  isPartOfName(text: string, match: TermMatch, neighbours?: Neighbours): boolean;
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
 * particle every edge counts. A sign is an edge, so that `key:` is found in `key:value`, and in code `.md` in `page.md`;
 * but a word that ends with `+` or `#` is spelt with it, so `C++` is not found in `C++11`. Linear in the text: the expression
 * has no choice but in white space.
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

  // "Harbor" with "Harbor Cloud": occurrences of the new term are left, also when the same replacement runs again.
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

// Marks of emphasis, links and quotations may stand between the article and the term.
const ARTICLE =
  /(?<![\p{L}\p{N}'’\\-]|[\p{L}\p{N}\\]_{1,3})(an?)(?=(?:(?:[^\S\r\n]|&nbsp;)+|[^\S\r\n]*\r?\n[^\S\r\n]*)[*_"“‘'`[]{0,3}$)/iu;
const ARTICLE_REACH = 24;

function articleOf(text: string, match: TermMatch): TermMatch | null {
  const from = Math.max(0, match.start - ARTICLE_REACH);
  const article = ARTICLE.exec(text.slice(from, match.start));
  const found = article?.[1];
  if (!article || found === undefined) return null;
  const requested = articleBefore(match.replacement);
  // Where the author's article was not the one that the old words ask for, the author knows better.
  if (requested === null || requested === found.toLowerCase() || articleBefore(match.found) !== found.toLowerCase())
    return null;
  const replacement = found.startsWith("A") ? capitalise(requested) : requested;
  const start = from + article.index;
  const end = start + found.length;
  return { start, end, wordEnd: end, found, replacement, isArticle: true };
}

// A sentence goes on after a space or with a capital; keys are pressed together with one plus (`Ctrl+C`).
const NAME_GOES_ON = /^(?:\.\p{Ll}|\+\+|[+#](?:[\s.,;:!?)\]"'’”]|$))/u;
// `.NET` after a letter is the end of a longer name, `ASP.NET`; a comma or a hyphen does not start a name.
const BEGINS_WITH_SIGN = /^[.#+@][\p{L}\p{N}]/u;
const SPELT_WITH_SIGN = /[\p{L}\p{N}][+#]+$/u;

/** Whether both edges of an occurrence are edges of a word; `cut` where only markup makes them so. */
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

/** Whether a word's edge is between two characters. `after`: the term ends here and other text follows. */
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

/** `to` in the case of what was found; null when this spelling is not meant. */
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

/** A word whose signs may be escaped in the text. */
const maybeEscaped = (word: string) =>
  Array.from(
    word,
    (character) => (/[!-/:-@[-`{-~]/.test(character) ? String.raw`\\?` : "") + escapeExpression(character),
  ).join("");

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => (character === "-" ? "\\x2d" : `\\${character}`));
}
