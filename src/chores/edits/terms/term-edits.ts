import { nodeRange, type TextRange } from "#docs/nodes.ts";
import type { Heading, Nodes, Root } from "mdast";
import { parseDocument } from "yaml";
import { readFrontMatter } from "#docs/front-matter.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { type DollarFormulas, formulasIn } from "#docs/render/formulas/mark-formulas.ts";
import { trimEndOf } from "#lib/trim.ts";
import { editText, type TextEdit } from "#chores/edits/page-edits.ts";
import { createMailSpans, isMailAddress } from "./mail-addresses.ts";
import { itself, rangeAround } from "./ranges.ts";
import { beginsSentence, type TermMatch, type TermMatcher, type TermOptions, withCapital } from "./term-matcher.ts";
import { createPlaceFinder, type LeftPlace, type LeftTerm, NOT_SHOWN } from "./term-places.ts";
import { recodedTexts, seenNeighbours } from "./seen-neighbours.ts";
import { labelEdits } from "./reference-labels.ts";
import { frontMatterSpans, shownSpans, type TextSpan } from "./visible-text.ts";

export interface TermEdits {
  edits: TextEdit[];
  /** The visible words of edits in Markdown text, by their start offsets. */
  words: Map<number, string>;
  replaced: number;
  left: LeftTerm[];
}

const TITLE_KEYS = ["title", "sidebarTitle"];

export interface TermPage {
  source: string;
  root: Root;
  format: MarkdownFormat;
  formulas: DollarFormulas;
}

export interface TermEditOptions {
  includeCode: boolean;
  only?: "headings" | "titles" | undefined;
  /** `exact`: the new words are written as given, also at the start of a sentence. */
  letterCase?: TermOptions["letterCase"];
  /** Escape new words wherever they could be markup. */
  isEscaped?: boolean;
  /** Ranges in which the new words cannot be written. */
  refused?: readonly TextRange[];
}

/** The edits that replace a term in the visible text of one page, and the occurrences that stay. */
export function termEdits(
  { source, root, format, formulas }: TermPage,
  matcher: TermMatcher,
  { includeCode, only, letterCase = "exact", isEscaped = false, refused = [] }: TermEditOptions,
): TermEdits {
  const spans = shownSpans(source, root, { code: includeCode, formulas });
  const isRefused = within(refused);
  const isInFormula = within(formulasIn(source, formulas));
  const placeOf = createPlaceFinder(source, root);
  const mailSpan = createMailSpans(source, root, placeOf);
  const isWanted =
    only === undefined
      ? () => true
      : within(only === "titles" ? titleRanges(source, root) : headingRanges(source, root));
  /** The kind of place for an occurrence that is not visible text, or must not be replaced; null for one that may. */
  const placeToLeave = (match: TermMatch, span: TextSpan | null): LeftPlace | null => {
    if (span === null) return isInFormula(match) ? "in formulas" : placeOf(match);
    if (match.isCut) return "split by markup";
    if (isRefused(match)) return "where the new words cannot stand";
    if (!isWanted(match)) return "elsewhere on the same pages";
    if (span.place === "code") return null;
    if (isAddress(source, match, span)) return "in addresses";
    return matcher.isPartOfName(source, match, neighbours) ? "in longer names" : null;
  };
  const isAtStart = ({ start }: TermMatch, span: TextSpan): boolean => {
    if (span.place === "prose") return beginsSentence(neighbours.before(start).text);
    return span.place === "front-matter" && /^["']?$/.test(source.slice(span.start, start));
  };
  const edits: TextEdit[] = [];
  const left: LeftTerm[] = [];
  const words = new Map<number, string>();
  const inFrontMatter = new Map<TextSpan, TermMatch[]>();
  let replaced = 0;
  let last = 0;
  const neighbours = seenNeighbours(source, root);
  const matches = matcher.matches(source, neighbours);
  for (const { match: plain, span: shown, near } of withSpans(matches, spans)) {
    const span = shown ?? mailSpan(plain);
    const match = letterCase !== "exact" && span !== null && isAtStart(plain, span) ? withCapital(plain) : plain;
    const place = placeToLeave(match, span);
    if (span === null || place !== null) {
      left.push({ offset: match.start, place: place ?? "elsewhere on the same pages" });
      continue;
    }
    const article = span.place === "code" ? null : matcher.articleOf(source, match);
    if (span.place === "front-matter") {
      const isInside = article !== null && article.start >= span.start;
      inFrontMatter.set(span, [...(inFrontMatter.get(span) ?? []), ...(isInside ? [article] : []), match]);
      continue;
    }
    const text = writeIn(span, match.replacement, { source, format, isEscaped });
    if (text === null) {
      const isTarget = span.place === "mail-target";
      left.push({ offset: match.start, place: isTarget ? "in addresses" : NOT_SHOWN });
      continue;
    }
    if (article !== null && article.start >= last && isWords(near, article))
      edits.push({ start: article.start, end: article.end, text: article.replacement });
    last = match.wordEnd;
    if (span.place === "prose" || span.place === "image-alt") words.set(match.start, match.replacement);
    edits.push({ start: match.start, end: match.end <= span.end ? match.end : match.wordEnd, text });
    replaced += 1;
  }
  for (const [span, found] of inFrontMatter) {
    const edit = frontMatterEdit(source, span, found);
    const terms = found.filter((match) => !match.isArticle);
    if (edit !== null) {
      edits.push(edit);
      replaced += terms.length;
    } else
      left.push(
        ...terms.map(({ start }) => ({ offset: start, place: "in other front-matter keys and values" as const })),
      );
  }
  left.push(...recodedTerms({ source, root }, matcher, matches));
  const all = [...edits, ...labelEdits(source, root, edits)];
  return { edits: all.sort((a, b) => a.start - b.start), words, replaced, left };
}

/** Occurrences in order, each with the span that contains it, together with a few spans before it. */
function* withSpans(matches: readonly TermMatch[], spans: readonly TextSpan[]) {
  let index = 0;
  for (const match of matches) {
    while ((spans[index]?.end ?? Infinity) <= match.start) index += 1;
    const span = spans[index];
    const isWhole = span !== undefined && match.start >= span.start && match.wordEnd <= span.end;
    yield { match, span: isWhole ? span : null, near: spans.slice(Math.max(0, index - 3), index + 1) };
  }
}

/** Occurrences hidden by escapes or character references: one for each, at the start of its text. */
function recodedTerms(
  { source, root }: Pick<TermPage, "source" | "root">,
  matcher: TermMatcher,
  found: readonly TermMatch[],
): LeftTerm[] {
  let index = 0;
  return recodedTexts(source, root).flatMap(({ start, end, value }) => {
    while ((found[index]?.start ?? Infinity) < start) index += 1;
    const first = index;
    while ((found[index]?.start ?? Infinity) < end) index += 1;
    const hidden = Math.max(0, matcher.matches(value).length - (index - first));
    const place = "written with escapes or character references" as const;
    return Array.from({ length: hidden }, () => ({ offset: start, place }));
  });
}

function isWords(spans: readonly TextSpan[], { start, wordEnd }: TermMatch): boolean {
  const span = spans.find((each) => each.start <= start && wordEnd <= each.end);
  return span !== undefined && span.place !== "code" && span.place !== "front-matter";
}

/** Offsets of occurrences in visible text, without code: for forms of a term that the request does not include. */
export function shownMatches({ source, root, formulas }: TermPage, matcher: TermMatcher): number[] {
  if (!matcher.mayOccurIn(source)) return [];
  const neighbours = seenNeighbours(source, root);
  const matches = matcher.matches(source, neighbours);
  return [...withSpans(matches, shownSpans(source, root, { formulas }))]
    .filter(({ match, span }) => span !== null && !match.isCut && !isAddress(source, match, span))
    .filter(({ match }) => !matcher.isPartOfName(source, match, neighbours))
    .map(({ match }) => match.start);
}

const within =
  (ranges: readonly TextRange[]) =>
  ({ start, wordEnd }: TermMatch): boolean =>
    rangeAround(ranges, { start, end: wordEnd }, itself) !== null;

/** Headings below the page's title: a first heading that serves as the title counts as a title. */
function headingRanges(source: string, root: Root): TextRange[] {
  const title = headingAsTitle(source, root);
  const headingsIn = (node: Nodes): Nodes[] =>
    node.type === "heading" ? [node] : "children" in node ? node.children.flatMap(headingsIn) : [];
  return headingsIn(root)
    .filter((node) => node !== title)
    .flatMap((node) => nodeRange(node) ?? []);
}

function titleRanges(source: string, root: Root): TextRange[] {
  const heading = headingAsTitle(source, root);
  const range = heading && nodeRange(heading);
  return [...frontMatterSpans(source, TITLE_KEYS), ...(range === null ? [] : [range])];
}

/** The first heading of a page without a title in its front matter. */
function headingAsTitle(source: string, root: Root): Heading | null {
  if ("title" in readFrontMatter(source).attributes) return null;
  return (root.children.find((node) => node.type === "heading" && node.depth === 1) as Heading | undefined) ?? null;
}

/** The new words in the syntax of their place; null when they cannot be written there. */
function writeIn(
  span: TextSpan,
  text: string,
  { source, format, isEscaped }: { source: string; format: MarkdownFormat; isEscaped: boolean },
): string | null {
  if (isEscaped && (span.place === "prose" || span.place === "image-alt")) return escapeMarkdown(text);
  switch (span.place) {
    case "prose":
      return text.replaceAll(format === "mdx" ? /[<{}|]/g : /[<|]/g, "\\$&");
    case "html":
      return text.replaceAll("<", "&lt;");
    case "image-alt":
      return text.replaceAll(/[[\]\\]/g, "\\$&");
    case "link-title":
      return text.replaceAll(/["'()\\]/g, "\\$&");
    case "attribute": {
      const isString = source[span.start - 1] === '"' || source[span.start - 1] === "'";
      const isLiteral = !/=\s*["']$/.test(source.slice(Math.max(0, span.start - 20), span.start));
      if (isLiteral) return /["'`\\$\n]/.test(text) ? null : text;
      return isString ? text.replaceAll('"', "&quot;").replaceAll("'", "&apos;") : null;
    }
    case "mail-target":
      return isMailAddress(text) ? text : null;
    case "code":
    case "front-matter":
      return text;
  }
}

/** Escapes words so that they are read literally, also at the start of a line. */
const escapeMarkdown = (text: string) =>
  text.replaceAll(/[\\`*_[\]~&<{}|#]/g, "\\$&").replace(/^(?=[-+=>])|^\d{1,9}(?=[.)])/, "$&\\");

/**
 * YAML values keep their style if the new text allows it; otherwise the value is quoted. A marker stands in for each
 * occurrence while YAML parses the value, to find its position. Null when it is not part of the value, such as in a comment.
 */
function frontMatterEdit(source: string, span: TextSpan, matches: readonly TermMatch[]): TextEdit | null {
  const raw = source.slice(span.start, span.end);
  const withWords = (write: (match: TermMatch, index: number) => string) =>
    editText(
      raw,
      matches.map((match, index) => ({
        start: match.start - span.start,
        end: match.wordEnd - span.start,
        text: write(match, index),
      })),
    );
  const changed = withWords((match) => match.replacement);
  const after = readScalar(changed);
  const marked = /[\uE000\uE001]/.test(raw) ? null : readScalar(withWords((_match, index) => `\uE000${index}\uE001`));
  if (typeof marked !== "string" || marked.match(MARK)?.length !== matches.length) return null;
  const value = marked.replaceAll(MARK, (_mark, index: string) => oneLine(matches[Number(index)]?.replacement ?? ""));
  const isKept = typeof after === "string" && oneLine(after) === oneLine(value);
  if (isKept) return { start: span.start, end: span.end, text: changed };
  const lineEnd = raw.endsWith("\n") ? "\n" : "";
  return { start: span.start, end: span.end, text: JSON.stringify(value) + lineEnd };
}

const MARK = /\uE000(\d+)\uE001/g;
// Folded lines in a value are spaces.
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

function readScalar(raw: string): unknown {
  const document = parseDocument(`key: ${raw}`, { logLevel: "silent", prettyErrors: false });
  if (document.errors.length > 0) return null;
  const value: unknown = document.get("key");
  return value;
}

/** Whether the word around the match is an address, a domain or a path, which is not prose. */
function isAddress(source: string, match: TermMatch, span: TextSpan): boolean {
  let from = match.start;
  let to = match.wordEnd;
  const isEnd = (character: string) => /[\s"'`<>()[\]{}|*,;]/.test(character);
  while (from > span.start && match.start - from < 300 && !isEnd(source[from - 1] ?? " ")) from -= 1;
  while (to < span.end && to - match.wordEnd < 300 && !isEnd(source[to] ?? " ")) to += 1;
  if (from === match.start && to === match.wordEnd) return false;
  const token = trimEndOf(source.slice(from, to), ".:!?");
  if (token.replace(/^mailto:/i, "") === match.found && isMailAddress(match.found)) return false;
  if (token.length < match.wordEnd - from) return false;
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(token) ||
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(token) ||
    /^(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[:/]\S*)?$/.test(token) ||
    /^(?:\.{0,2}\/|~\/)[\w./-]+$/.test(token) ||
    /\/[\w-]+\.\w{1,5}$/.test(token)
  );
}
