import type { DialectName } from "#docs/dialect.ts";
import { abbreviations } from "./abbreviations.ts";
import { emoji, materialIcon, namedIcon } from "./icons.ts";
import { attributeList, critic, inserted, marked, pressedKeys, powers, tex } from "./python-markdown.ts";
import { dunderName } from "./references.ts";
import type { InlineRule } from "./inline-rule.ts";
import { matchesInProse } from "./lines.ts";
import { bookRules } from "./mdbook.ts";
import { composed, replaceMatches, type Rewritten, unchanged } from "./rewriter.ts";
import { boundLiteral, interpolation, script } from "./vue.ts";

/** Addresses, tags and escaped characters, in which nothing is treated as syntax. */
const PASSED_OVER = String.raw`\]\([^)\n]{0,1000}\)|<[^<>\n]{0,1000}>|\bhttps?:\/\/[^\s)>]{0,1000}|\\[!-/:-@[-\x60{-~]`;

/** A table of contents, which our pages always show next to the text. */
const outline: InlineRule = {
  sign: "[",
  pattern: String.raw`^[ \t]{0,3}\[(?:TOC|toc|\[toc\]|\[TOC\])\](?:\{[^}\n]{0,100}\})?[ \t]{0,20}$`,
  replace: () => "",
  isEverywhere: true,
};

/**
 * Ids of headings between the delimiters that the repositories of Vue set (`markdown.attrs`) and their translations keep,
 * because `{{` starts an expression there.
 */
const percentId: InlineRule = {
  sign: "%{#",
  pattern: String.raw`%\{(?<id>#[\w\-.:\u0080-\uFFFF]{1,200})\}%(?=[ \t]{0,20}\r?$)`,
  replace: ({ id }) => `{${id}}`,
  isEverywhere: true,
};

/** `[a](/a){target="_self"}` and `[a](/a){.class}` of markdown-it-attrs, which have no effect on our pages. */
const linkAttributes: InlineRule = {
  sign: "){",
  pattern: String.raw`(?<=\))\{(?:\.[\w-]|(?:target|rel|class|download|style)=)[^{}\n]{0,200}\}`,
  replace: () => "",
  isEverywhere: true,
};

const RULES: Partial<Record<DialectName, readonly InlineRule[]>> = {
  docusaurus: [emoji],
  vitepress: [percentId, linkAttributes, script, boundLiteral, interpolation, emoji],
  mkdocs: [dunderName, tex, outline, critic, materialIcon, attributeList, pressedKeys, emoji, inserted, marked, powers],
  gitbook: [...bookRules, namedIcon, emoji],
  plain: [emoji],
};

export function readInline(source: string, dialect: DialectName): Rewritten {
  let page = dialect === "mkdocs" ? abbreviations(source) : unchanged(source);
  for (const rule of RULES[dialect] ?? []) {
    if (!page.source.includes(rule.sign)) continue;
    const pattern = rule.isEverywhere ? `(?<found>${rule.pattern})` : `${PASSED_OVER}|(?<found>${rule.pattern})`;
    const { source: now } = page;
    const next = replaceMatches(now, matchesInProse(now, new RegExp(pattern, "gm")), ({ groups = {}, index }) =>
      groups["found"] === undefined ? null : rule.replace(groups, { source: now, index }),
    );
    page = composed(page, next);
  }
  return page;
}
