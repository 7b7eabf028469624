import { escapeHtml } from "#docs/markup/html.ts";
import { isForPart } from "./attribute-lists.ts";
import type { InlineRule } from "./inline-rule.ts";

const ATTRIBUTE = String.raw`(?:[#.][\w:.-]+|[\w:@-]+=(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|[^\s"'{}]{1,500}))`;

/** `{ .class #id width=300 }`: on our pages, ids, the sizes of images and buttons have a meaning. Headings may be closed before it: `## Title ## {: #id }`. */
export const attributeList: InlineRule = {
  sign: "{",
  pattern: String.raw`(?:(?<empty>\[\]\(\))|(?<closing>[ \t]{1,4}#{1,6})(?=[ \t]))?[ \t]{0,4}\{:?[ \t]{0,4}(?<attributes>(?:${ATTRIBUTE}|annotate)(?:[ \t]{1,4}(?:${ATTRIBUTE}|[\w-]{1,40})){0,20})[ \t]{0,4}\}`,
  replace({ attributes = "", empty, closing = "" }, { source, index }) {
    const [, short, quoted] = /(?:^|\s)(?:#([\w:.-]+)|id=["']?([\w:.-]+))/.exec(attributes) ?? [];
    const id = short ?? quoted;
    if (empty !== undefined) return id === undefined ? "" : `<a id="${id}"></a>`;
    const line = source.slice(source.lastIndexOf("\n", index - 1) + 1, index);
    if (isForPart(line, ` ${attributes} `)) return null;
    return id !== undefined && /^\s{0,3}#{1,6}\s/.test(line) ? ` {#${id}}` : closing;
  },
  isEverywhere: true,
};

export const pressedKeys: InlineRule = {
  sign: "++",
  pattern: String.raw`\+\+(?<keys>(?:[\w-]{1,30}|"[^"\n]{1,30}")(?:\+(?:[\w-]{1,30}|"[^"\n]{1,30}")){0,6})\+\+`,
  replace: ({ keys: written = "" }) => written.split("+").map((key) => `<kbd>${keyName(key)}</kbd>`).join("+"), // oxfmt-ignore
};

function keyName(key: string): string {
  if (key.startsWith('"')) return escapeHtml(key.slice(1, -1));
  const words = key.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return escapeHtml(words.join(" "));
}

const doubled = (sign: string, tag: string): InlineRule => {
  const mark = sign.replace(/[$^+*]/g, String.raw`\$&`);
  return {
    sign,
    pattern: String.raw`${mark}(?<text>[^\s${mark[0]}${mark[1]}](?:[^\n]{0,500}?[^\s])?)${mark}`,
    replace: ({ text = "" }) => `<${tag}>${text}</${tag}>`,
  };
};

export const inserted = doubled("^^", "ins");

export const marked: InlineRule = {
  sign: "==",
  pattern: String.raw`(?<!=)==(?<text>[^\s=](?:[^\n=]{0,500}[^\s=])?)==(?!=)`,
  replace: ({ text = "" }) => `<mark>${text}</mark>`,
};

/** `H~2~O` and `x^2^`. */
export const powers: InlineRule = {
  sign: "",
  pattern: String.raw`(?<=[\w)])(?:\^(?<above>[^\s^~]{1,60})\^(?!\^)|~(?<below>[^\s~^]{1,60})~(?!~))`,
  replace: ({ above, below = "" }) => (above === undefined ? `<sub>${below}</sub>` : `<sup>${above}</sup>`),
};

const TAGS: Readonly<Record<string, string>> = { "+": "ins", "-": "del", "=": "mark" };

/** `{++added++}`, `{--gone--}`, `{~~old~>new~~}`, `{==marked==}`, `{>>a comment<<}`. */
export const critic: InlineRule = {
  sign: "{",
  pattern: String.raw`\{(?:(?<sign>[+=-])\k<sign>(?<revised>[^\n{}]{1,1000}?)\k<sign>\k<sign>|~~(?<old>[^\n{}]{0,500}?)~>(?<now>[^\n{}]{0,500}?)~~|>>[^\n{}]{0,1000}?<<)\}`,
  replace({ sign, revised = "", old, now = "" }) {
    if (sign !== undefined) return `<${TAGS[sign]}>${revised}</${TAGS[sign]}>`;
    return old === undefined ? "" : `<del>${old}</del><ins>${now}</ins>`;
  },
};

/** TeX between `\(` and `\)` or `\[` and `\]`, which Markdown reads as escaped brackets. */
export const tex: InlineRule = {
  sign: "\\",
  pattern: String.raw`\\\((?<within>[^\n]{1,1000}?)\\\)|^[ \t]{0,3}\\\[(?<display>[^]{1,5000}?)\\\]`,
  replace({ within, display = "" }) {
    // Four dollars on both sides delimit a formula within a line.
    return within === undefined ? ["$$", display.trim(), "$$"].join("\n") : ["$$$$", "$$$$"].join(within.trim());
  },
  isEverywhere: true,
};
