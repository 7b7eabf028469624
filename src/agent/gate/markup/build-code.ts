import type { Nodes, Root } from "mdast";
import { UNREADABLE_CODE, unsafeExpressionAt, unsafeModule } from "./unsafe-code.ts";

/** A piece of a Markdown page that some build treats as its own code. */
export interface BuildCode {
  offset: number;
  reason: string;
  /** Verbatim. */
  text: string;
}

const TEMPLATE = "A template that a build runs may not be added (write it as code)";
const ATTRIBUTES = "Attributes that a build would put on an element may not be added";
// Templates and comments of Vue, Liquid, Nunjucks, Jinja and Hugo; below, attribute lists of kramdown, attr_list,
// markdown-it-attrs.
const TEMPLATES = /\{\{|\{%|\{#(?=[\s-])/g;
const CLOSE = /\}\}|%\}|#\}/;
const ATTRIBUTE_LISTS =
  /\{[^{}\n]{0,300}(?<![\w-])(?:(?:on[a-z]{3,20}|style|href|src|srcdoc)\s{0,3}=|hidden\s{0,3}(?=[=}]))[^{}\n]{0,300}/gi;
// A tag with a slash after its name is text in CommonMark, but an element in Python-Markdown and browsers. So is
// a template with a slot's name in Vue.
const SLASHED_TAGS =
  /<template\s{1,9}#|<(?:(?:script|style|iframe|object|embed)\/|(?:a|area|audio|body|button|details|dialog|div|form|frame|image|img|input|link|math|meta|p|select|source|span|svg|table|td|textarea|video)\/[^<>\n]{0,300}=)/gi;
const SLASHED_TAG = "A tag that some builds read as HTML may not be added (write it as code)";
const MODULE =
  /(?<=^|\n)(?:import\s{0,9}(?:["']|[\w$*{},][\w$*{},\s]{0,300}from\s{0,9}["'])|export\s{1,9}(?:default|const|let|var|function|async|class|\{|\*)(?![\w-]))/g;
const MAX_LENGTH = 4_000;
/** Limit per kind and page; the rest counts as one more. */
const MAX_PLACES = 500;

/**
 * Parts of a Markdown page, outside of fences and inline code, that other builds run: templates, tags with a slash
 * after the name, imports and exports, JavaScript in braces (Docusaurus and others read `.md` as MDX), attribute lists.
 * Runs in linear time.
 */
export function buildCodeIn(root: Root, source: string, { mayImport, hasAttributeLists }: Build): BuildCode[] {
  const text = withoutCode(root, source);
  const places = (pattern: RegExp, read: (place: Place) => Omit<BuildCode, "offset">[]): BuildCode[] => {
    const matches = text
      .matchAll(pattern)
      .take(MAX_PLACES + 1)
      .toArray();
    return matches.flatMap(({ 0: match, index }, count) =>
      (count === MAX_PLACES
        ? [{ reason: UNREADABLE_CODE, text: "" }]
        : read({ match, offset: index, rest: text.slice(index, index + MAX_LENGTH) })
      ).map((found) => ({ offset: index, ...found })),
    );
  };
  const attributes = places(ATTRIBUTE_LISTS, ({ match }) => [{ reason: ATTRIBUTES, text: match }]);
  const taken = new Set(attributes.map(({ offset }) => offset));
  return [
    ...places(TEMPLATES, ({ rest }) => [{ reason: TEMPLATE, text: templateIn(rest) }]),
    ...attributes,
    ...places(SLASHED_TAGS, ({ rest }) => [{ reason: SLASHED_TAG, text: firstLine(rest) }]),
    ...places(MODULE, ({ rest }) =>
      unsafeModule(rest.slice(0, BLANK_LINE.exec(rest)?.index).trimEnd(), mayImport).map(({ reason, statement }) => ({
        reason,
        text: statement,
      })),
    ),
    ...places(BRACE, ({ offset, rest }) => {
      if (taken.has(offset) || (hasAttributeLists && isPlainList(rest))) return [];
      const found = unsafeExpressionAt(rest.slice(1));
      return found ? [{ reason: found.reason, text: throughBrace(rest, found.end + 1) }] : [];
    }),
  ].toSorted((a, b) => a.offset - b.offset);
}

interface Build {
  mayImport(specifier: string): boolean;
  /** Whether a list of attributes in braces is never JavaScript, as in MkDocs. */
  hasAttributeLists: boolean;
}

interface Place {
  match: string;
  offset: number;
  /** The page from the offset, truncated. */
  rest: string;
}

const BRACE = /(?<![\\{])\{(?![{%])/g;
const LIST = /^\{:?([^{}\n]{1,300})\}/;
const PLAIN_ATTRIBUTE = /^(?:[.#][\w-]+|(?:width|height)=["']?\d{1,4}(?:px|%)?["']?|loading=["']?lazy["']?)$/;
const BLANK_LINE = /\n[ \t]*\r?\n/;

function templateIn(rest: string): string {
  const close = CLOSE.exec(rest);
  return close ? rest.slice(0, close.index + 2) : firstLine(rest);
}

/** Whether a list has nothing but classes, an id, sizes and lazy loading. */
function isPlainList(rest: string): boolean {
  const items = LIST.exec(rest)?.[1]?.trim().split(/\s+/);
  return items?.every((item) => PLAIN_ATTRIBUTE.test(item)) === true;
}

/** The text through the brace that closes an expression. Words behind it are not part of the code. */
const throughBrace = (rest: string, end: number) =>
  rest.slice(0, end) + (/^[^{}\n]{0,300}\}?/.exec(rest.slice(end))?.[0] ?? "");

const firstLine = (text: string) => (text.split("\n", 1)[0] ?? "").slice(0, 300);

/** The page with fences, inline code and front matter blanked out. Indented code is kept: MDX does not support it. */
export function withoutCode(root: Root, source: string): string {
  let text = "";
  let at = 0;
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const start = node.position?.start.offset ?? 0;
    const isFence = node.type === "code" && /^[`~]{3}/.test(source.slice(start, start + 3));
    if (isFence || node.type === "inlineCode" || node.type === "yaml") {
      const end = node.position?.end.offset ?? start;
      text += source.slice(at, start) + source.slice(start, end).replaceAll(/[^\n]/g, " ");
      at = end;
    } else if ("children" in node) open.push(...(node.children as Nodes[]).toReversed());
  }
  return text + source.slice(at);
}
