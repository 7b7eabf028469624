import { bodyBelowFrontMatter } from "#docs/front-matter.ts";
import { humansOnly } from "#docs/humans-only.ts";
import { safeFeatures } from "#docs/markup/allowed-html.ts";
import { type HtmlAttribute, htmlTokens } from "#docs/markup/html-tokens.ts";
import { withoutLabels, withoutSyntaxOfTools } from "./tool-syntax.ts";
import { pageWords, type PlacedWord } from "./page-words.ts";

/**
 * Words that a program reads in a page's source: all except addresses, formulas, names of tags and attributes, and
 * parts that are left out of Markdown for agents. `classes` are those in the page's styles; other class names may form
 * a sentence.
 */
export function machineWords(source: string, classes: ReadonlySet<string> = new Set()): PlacedWord[] {
  const body = bodyBelowFrontMatter(source) ?? source;
  const linesAbove = source.slice(0, source.length - body.length).split("\n").length - 1;
  const prose = withoutLabels(withoutSyntaxOfTools(withoutImports(withoutHumansOnly(body))))
    .replaceAll(FENCE, (_, before: string, marks: string, info: string) => blank(before + marks) + wordsOfFence(info))
    .replaceAll(/\$\$[\s\S]{1,2000}?\$\$|\$[^$\n]{1,300}\$/g, wordsOfFormula)
    .replaceAll(/=\{\{[^{}]{0,500}\}\}/g, (value, at: number, text: string) =>
      text.slice(Math.max(0, at - 5), at).endsWith("style") && !/\/[*/]/.test(value) ? blank(value) : value,
    )
    .replaceAll(/\]\((?:<[^<>\s]*>|[^()\s<]*)/g, (destination) => `] ${blank(destination.slice(2))}`)
    .replaceAll(
      /^( {0,3}\[[^\]\n]{1,300}\]:[ \t]*)(\S+)/gm,
      (_, label: string, address: string) => label + blank(address),
    )
    .replaceAll(/<([a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>]{1,2000})>/gi, " $1 ")
    .replaceAll(HEADING_ID, (mark, id: string, at: number, text: string) =>
      id.length <= MAX_FREE_ID || isDerived(id, text.slice(text.lastIndexOf("\n", at) + 1, at)) ? blank(mark) : mark,
    );
  let text = "";
  for (const token of htmlTokens(prose)) {
    // The tokenizer drops comments; the text between two tokens is kept for its words and line numbers.
    text += gap(prose, text.length, token.start);
    if (token.kind === "text") text += prose.slice(token.start, token.end);
    else {
      const attributes = token.kind === "open" ? token.attributes : [];
      text += wordsOfTag(prose.slice(token.start, token.end), { from: token.start, attributes, classes });
    }
  }
  text += prose.slice(text.length);
  return pageWords(text).map(({ line, ...word }) => ({ ...word, line: line + linesAbove }));
}

/** Escaped in MDX. */
const HEADING_ID = /\\?\{#([^\s{}\\]{1,300})\\?\}(?=[ \t]*$)/gm;
const MAX_FREE_ID = 60;

/** Whether the words of an id are those of its heading. */
function isDerived(id: string, heading: string): boolean {
  const partsOf = (text: string) =>
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z]+|[^\P{L}a-z]+/gu) ?? [];
  const known = new Set(partsOf(heading));
  return partsOf(id).every((part) => known.has(part));
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");

function withoutHumansOnly(body: string): string {
  let kept = "";
  for (const [start, end] of humansOnly(body)) kept += body.slice(kept.length, start) + blank(body.slice(start, end));
  return kept + body.slice(kept.length);
}

const IMPORT = /^import[ \t]+(?:([\w$]{1,100})|\{([\w$,\s]{1,500})\})[ \t]+from[ \t]+["'][^"'\n]{1,500}["'];?[ \t]*$/gm;

/** Blanks out imports of names that the page uses; others may be words. */
function withoutImports(body: string): string {
  const known = new Map<string, number>();
  for (const [name] of body.matchAll(/[\w$]+/g)) known.set(name, (known.get(name) ?? 0) + 1);
  return body.replaceAll(IMPORT, (statement, name: string | undefined, names = "") => {
    const all = name === undefined ? [...(names as string).matchAll(/[\w$]+/g)].map(([each]) => each) : [name];
    return name !== undefined || all.every((each) => (known.get(each) ?? 0) > 1) ? blank(statement) : statement;
  });
}

/** Code fences, also in quotes and lists, with their info strings. */
const FENCE = /^([ \t>*+-]{0,30}(?:\d{1,9}[.)][ \t]{1,9})?)(`{3,20}|~{3,20})([^\n]{0,1000})/gm;
/** Language, line ranges and known options of an info string; a title is visible. */
const OF_FENCES =
  /^[ \t]{0,20}\{[ \t]{0,4}\.[\w+-]{1,30}|^[ \t]{0,20}[a-z\d+#]{1,20}(?:[._-][a-z\d+#]{1,20})?(?=[\s{,:]|$)|\{[\d\s,-]{0,200}\}|\b(?:lines|wrap|expandable|twoslash|showLineNumbers|noCopy|copy)\b|[\w-]{1,40}(?==)/gi;

const wordsOfFence = (info: string) => info.replaceAll(OF_FENCES, blank);

/** Commands and variables of a formula are not words; text and comments in it are. */
function wordsOfFormula(formula: string): string {
  const plain = formula.replaceAll(/\\(?:begin|end)\{[a-z*]{1,20}\}|\\[a-z]{1,30}/gi, blank);
  const isSentence = /[a-z]{20}|(?:\p{L}{2,20}[^\p{L}\n]{1,3}){3}\p{L}{2}|[\p{scx=Han}\p{scx=Hiragana}]{4}/iu.test(
    plain,
  );
  return isSentence ? plain : blank(formula);
}

/** Attributes whose values are words only if they contain blanks. */
const NAMES =
  /^(?:href|src|srcset|sizes|d|points|viewBox|transform|id|name|icon|iconType|color|rel|target|for|htmlFor|key|slug|media)$/i;
/** Formats of srcset, sizes, paths of drawings and link relations. */
const LISTS: Record<string, RegExp> = {
  srcset: /^(?:\s*[^\s,]+(?:\s+[\d.]+[wxh])?\s*(?:,|$))*$/i,
  sizes: /^(?:[\d\s.,():+*/%-]|(?:min|max|width|height|and|or|not|auto|calc|px|r?em|[svdl]?v[wh]|ch)(?![a-z]))*$/i,
  media: /^(?:[\d\s.,():-]|(?:prefers-color-scheme|dark|light|min|max|width|and|screen|print|px|r?em)(?![a-z]))*$/i,
  d: /^[\s\d.,e+mlhvcsqtaz-]*$/i,
  rel: /^(?:(?:no(?:opener|referrer|follow)|external|sponsored|ugc)(?:\s+|$))*$/i,
};
/** A whole address or path. */
const ADDRESS = /^(?:[a-z][\w+.-]{1,20}:|\.{0,2}\/|#|\?)\S*$/i;

/** A value such as `center`, which is not a sentence. */
const isKeyword = (value: string) => /^[\w.-]{1,24}$/.test(value) && value.split(/[_.-]/).length < 4;

/** Boolean attributes of HTML. */
const SWITCHES =
  /^(?:controls|autoplay|loop|muted|playsinline|allowfullscreen|hidden|default|reversed|open|nowrap|download)$/i;

/** A frame's permissions policy that contains only known features. */
const isFeatures = (name: string, value: string) =>
  name === "allow" && !/[a-z*'"]\s+[a-z]/i.test(value) && safeFeatures(value).leftOut.length === 0;

/** Numbers, colors and keywords of drawings, which do not form a sentence. */
const DRAWN =
  /^(?:(?:#[\da-f]{3,8}|url\(#[\w-]+\)|(?:(?:rotate|translate|scale|matrix|skew[xy]|rgba?)\()?[-+\d.,%]+(?:px|em|rem)?\)?|none|currentcolor|round|square|butt|miter|bevel|evenodd|nonzero|userspaceonuse|objectboundingbox|xm(?:in|id|ax)ym(?:in|id|ax)|meet|slice|srgb|normal|img|true|false)(?:\s+|$))+$/i;

/** Fewer unknown class names than this are assumed to be another site's styles. */
const MANY_CLASSES = 5;

function hasNoWords(name: string, value: string, classes: ReadonlySet<string>): boolean {
  if (name === "class" || name === "className") {
    const unknown = value.split(/\s+/).filter((each) => each !== "" && !classes.has(each));
    return unknown.length < MANY_CLASSES && unknown.every((each) => each.split("-").length < MANY_CLASSES);
  }
  if (name === "style") return !/\/[*/]/.test(value);
  if (NAMES.test(name) && (!/\S\s+\S/.test(value) || LISTS[name.toLowerCase()]?.test(value) === true)) return true;
  return isKeyword(value) || ADDRESS.test(value) || isFeatures(name, value) || DRAWN.test(value);
}

interface Tag {
  /** Base of the attributes' offsets. */
  from: number;
  attributes: readonly HtmlAttribute[];
  classes: ReadonlySet<string>;
}

function wordsOfTag(tag: string, { from, attributes, classes }: Tag): string {
  // A sentence may be hidden in attribute names.
  const bare = attributes.filter(({ name, value }) => value === null && !SWITCHES.test(name));
  let kept = bare.length > 3 ? tag : blank(tag);
  for (const { name, value, start, end } of attributes) {
    if (value === null || hasNoWords(name, value, classes)) continue;
    kept = kept.slice(0, start - from) + tag.slice(start - from, end - from) + kept.slice(end - from);
  }
  return kept;
}

/** The text between two tokens, including comments but not their delimiters. */
const gap = (prose: string, from: number, to: number) =>
  prose.slice(from, Math.max(from, to)).replaceAll(/<!--|-->/g, (mark) => " ".repeat(mark.length));
