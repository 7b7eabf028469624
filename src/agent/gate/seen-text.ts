import { parse, walk } from "css-tree";
import { bodyBelowFrontMatter } from "#docs/front-matter.ts";
import { safeFeatures } from "#docs/markup/allowed-html.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";

/**
 * What of a rendered page people surely see, and what of its source machines read. Tricks that hide words are without
 * number, so none is listed: an element counts as seen as long as its author styled nothing that could hide it.
 */

// Layout and typography. Not colours, positions, overflow, opacity, transformations: text can be made unseen by each.
const HARMLESS =
  /^(?:--.*|text-(?:align|decoration|transform|wrap)|margin|padding|border|(?:margin|padding|border)-(?!image)[a-z-]+|border-radius|float|clear|vertical-align|list-style(?:-[a-z]+)?|font-(?:weight|style|family|variant)|gap|row-gap|column-gap|grid(?:-[a-z-]+)?|flex(?:-[a-z]+)?|order|(?:align|justify|place)-(?:items|content|self)|columns|column-count|table-layout|border-collapse|aspect-ratio|object-(?:fit|position)|cursor|white-space|word-break|overflow-wrap|box-shadow|transition(?:-[a-z-]+)?)$/;
const SIZED = /^(?:font-size|line-height|(?:min-|max-)?(?:width|height))$/;
const SHOWN_AS =
  /^(?:block|inline|inline-block|flex|inline-flex|grid|inline-grid|table(?:-[a-z]+)?|list-item|contents)$/;

function isHarmless(property: string, value: string): boolean {
  const name = property.trim().toLowerCase();
  const text = value.trim().toLowerCase();
  if (/-\d{3}/.test(text)) return false; // far outside of the page
  if (name === "display") return SHOWN_AS.test(text);
  if (SIZED.test(name)) return !/^0?\.?0*(?:[a-z%]*|\.\d+(?:px|pt))$/.test(text) && !/^[01]px$/.test(text);
  return HARMLESS.test(name);
}

/** Classes that the page's styles give more than layout and typography. */
export function doubtfulClasses(css: string): Set<string> {
  const classes = new Set<string>();
  if (css === "") return classes;
  walk(parse(css, { parseValue: false }), {
    visit: "Rule",
    enter(rule) {
      let isDoubtful = false;
      walk(rule.block, (node) => {
        if (node.type === "Declaration") {
          const value = node.value.type === "Raw" ? node.value.value : "";
          isDoubtful ||= !isHarmless(node.property, value);
        }
      });
      if (!isDoubtful) return;
      walk(rule.prelude, (node) => {
        if (node.type === "ClassSelector") classes.add(node.name.replaceAll("\\", ""));
      });
    },
  });
  return classes;
}

const VOID = new Set([
  "area",
  "br",
  "col",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
  "path",
  "circle",
  "rect",
]);
const SAID = new Set(["alt", "title"]);

/** Words of a rendered page that people surely see, or are told by a screen reader, in order. */
export function seenWords({ html, css }: { html: string; css: string }): string[] {
  const doubtful = doubtfulClasses(css);
  const isUnsure = (attributes: readonly { name: string; value: string | null }[]) =>
    attributes.some(({ name, value }) => {
      if (name === "hidden" || (name === "aria-hidden" && value === "true")) return true;
      if (name === "class") return (value ?? "").split(/\s+/).some((each) => doubtful.has(each));
      if (name !== "style") return false;
      const declarations = (value ?? "").split(";").filter((each) => each.trim() !== "");
      return declarations.some((each) => !isHarmless(each.replace(/:.*/s, ""), each.replace(/^[^:]*:/s, "")));
    });
  let text = "";
  let unsure: { name: string; depth: number } | null = null;
  for (const token of htmlTokens(html)) {
    if (token.kind === "text") {
      if (unsure === null) text += token.text;
      continue;
    }
    const name = token.name.toLowerCase();
    if (unsure !== null) {
      if (name !== unsure.name) continue;
      if (token.kind === "close") unsure.depth -= 1;
      else if (!token.selfClosing) unsure.depth += 1;
      if (unsure.depth === 0) unsure = null;
      continue;
    }
    text += INLINE.has(name) ? "" : " ";
    if (token.kind === "close") continue;
    for (const { name: attribute, value } of token.attributes) if (SAID.has(attribute)) text += ` ${value ?? ""} `;
    // Words in a drawing may lie outside of it, have its colour, or stand in parts that are never drawn.
    const isDoubtful = name === "svg" || isUnsure(token.attributes);
    if (!token.selfClosing && !VOID.has(name) && isDoubtful) unsure = { name, depth: 1 };
  }
  return wordsOf(text).map(({ word }) => word);
}

const INLINE = new Set(
  "a abbr b bdi bdo code del dfn em i ins kbd mark q s samp small span strong sub sup u var wbr".split(" "),
);

/** A word and the line that it stands in, from 1. */
export interface PlacedWord {
  word: string;
  line: number;
}

// A letter is a word in these scripts, also behind Latin letters: markup between them must not change the words. `scx`, as
// scripts share marks such as the ー of コード.
const LETTER_WORD = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]`;
const WORD = new RegExp(
  String.raw`(?=[\p{L}\p{N}])(?:${LETTER_WORD}|(?:(?!${LETTER_WORD})[\p{L}\p{N}])(?:(?!${LETTER_WORD})[\p{L}\p{M}\p{N}])*)`,
  "gu",
);

/** Words in lower case; marks of Markdown within a word are no ends of it. Letters of scripts without blanks are words each. */
function wordsOf(text: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const plain = decoded(line).replaceAll(/[*_`~\\'’]/g, "");
    for (const [word] of plain.matchAll(WORD)) words.push({ word: word.toLowerCase(), line: index + 1 });
  }
  return words;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };
const decoded = (line: string) =>
  line
    .replaceAll(/&#(x[\da-f]{1,4}|\d{1,5});/gi, (_, code: string) => String.fromCharCode(Number(`0${code}`)))
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");

/** Attributes whose values are no words. */
const NO_WORDS =
  /^(?:class|className|style|href|src|srcset|sizes|d|points|viewBox|transform|id|icon|iconType|color|rel|target|for)$/i;

/** Attributes that HTML writes without a value. */
const SWITCHES =
  /^(?:controls|autoplay|loop|muted|playsinline|allowfullscreen|hidden|default|reversed|open|nowrap|download)$/i;

/** What a frame's page may do, as names alone. */
const isFeatures = (name: string, value: string) =>
  name === "allow" && !/[a-z*'"]\s+[a-z]/i.test(value) && safeFeatures(value).leftOut.length === 0;

/** Numbers, colours and the keywords of drawings, which make no sentence. */
const DRAWN =
  /^(?:(?:#[\da-f]{3,8}|url\(#[\w-]+\)|(?:(?:rotate|translate|scale|matrix|skew[xy]|rgba?)\()?[-+\d.,%]+(?:px|em|rem)?\)?|none|currentcolor|round|square|butt|miter|bevel|evenodd|nonzero|userspaceonuse|objectboundingbox|xm(?:in|id|ax)ym(?:in|id|ax)|meet|slice|srgb|normal|img|true|false)(?:\s+|$))+$/i;

/**
 * Words that a program reads in a page's source: all but addresses, formulas, names of tags and attributes, and what the
 * surface for programs leaves out.
 */
export function machineWords(source: string): PlacedWord[] {
  const body = bodyBelowFrontMatter(source) ?? source;
  const linesAbove = source.slice(0, source.length - body.length).split("\n").length - 1;
  const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");
  const prose = body
    .replaceAll(/<Visibility\s[^<>]{0,300}humans[^<>]{0,300}>[\s\S]*?<\/Visibility>/g, blank)
    .replaceAll(/^ {0,3}(?:`{3}|~{3})[^\n]*$/gm, blank)
    .replaceAll(/\$\$[\s\S]{1,2000}?\$\$|\$[^$\n]{1,300}\$/g, blank)
    .replaceAll(/=\{\{[^{}]{0,500}\}\}/g, blank)
    .replaceAll(/\]\((?:<[^<>\n]*>|[^()\s]*)/g, (destination) => `] ${blank(destination.slice(2))}`)
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"')\]]+/gi, blank)
    .replaceAll(/^import\s[^\n]*$/gm, blank)
    .replaceAll(/\{#[^\s{}]{1,60}\}(?=[ \t]*$)/gm, blank);
  let text = "";
  for (const token of htmlTokens(prose)) {
    // Comments fall away there: what stands between two tokens is kept for the words and lines of it.
    text += gap(prose, text.length, token.start);
    if (token.kind === "text") text += prose.slice(token.start, token.end);
    else {
      const tag = prose.slice(token.start, token.end);
      const attributes = token.kind === "open" ? token.attributes : [];
      // A sentence may be written as names of attributes.
      const bare = attributes.filter(({ name, value }) => value === null && !SWITCHES.test(name));
      let kept = bare.length > 3 ? tag : blank(tag);
      for (const { name, value, start, end } of attributes) {
        if (value === null || NO_WORDS.test(name) || isFeatures(name, value) || DRAWN.test(value)) continue;
        const from = start - token.start;
        kept = kept.slice(0, from) + tag.slice(from, end - token.start) + kept.slice(end - token.start);
      }
      text += kept;
    }
  }
  text += prose.slice(text.length);
  return wordsOf(text).map(({ word, line }) => ({ word, line: line + linesAbove }));
}

/** What stands between two tokens, comments among it, without the marks of those. */
const gap = (prose: string, from: number, to: number) =>
  prose.slice(from, Math.max(from, to)).replaceAll(/<!--|-->/g, (mark) => " ".repeat(mark.length));
