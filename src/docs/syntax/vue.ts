import { readFrontMatter } from "#docs/front-matter.ts";
import type { InlineRule } from "./inline-rule.ts";
import { matchesInProse } from "./lines.ts";
import type { Marks } from "./markers.ts";
import { type Rewritten, Rewriter, unchanged } from "./rewriter.ts";

/** A script of the page has no visible content. */
export const script: InlineRule = {
  sign: "<script",
  pattern: String.raw`^<script(?=[\s>])[^>]{0,500}>[^]{0,50000}?<\/script>[ \t]{0,20}$`,
  replace: () => "",
  isEverywhere: true,
};

/** `:src="withBase('/a.png')"` and `:src="'/a.png'"`: the attribute of a tag is bound to a literal. */
export const boundLiteral: InlineRule = {
  sign: ":",
  pattern: String.raw`(?<=\s):(?<name>[\w-]{1,60})=(?<quote>["'])[ \t]{0,4}(?:withBase\([ \t]{0,4})?(?<inner>["'])(?<literal>[^"'\n]{0,1000})\k<inner>[ \t]{0,4}\)?[ \t]{0,4}\k<quote>`,
  replace({ name = "", quote = "", literal = "" }, { source, index }) {
    const before = source.slice(Math.max(0, index - MAX_TAG), index);
    const tag = before.slice(Math.max(0, before.lastIndexOf("<")));
    const isInTag = /^<[A-Za-z]/.test(tag) && !tag.replaceAll(/"[^"]*"|'[^']*'/g, "").includes(">");
    return isInTag ? `${name}=${quote}${literal}${quote}` : null;
  },
  isEverywhere: true,
};

const MAX_TAG = 5_000;

const EXPRESSION = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`|\$?(?:page\.)?frontmatter\.([\w.]+))\s*$/;

/** `{{ "literal" }}` and `{{ $frontmatter.title }}`; other expressions are shown as written. */
export const interpolation: InlineRule = {
  sign: "{{",
  pattern: String.raw`\{\{(?<expression>[^{}\n]{1,500})\}\}`,
  replace({ expression = "" }, { source }) {
    const [, double, single, template, path] = EXPRESSION.exec(expression) ?? [];
    const literal = double ?? single ?? template;
    if (literal !== undefined) return asText(literal);
    if (path === undefined) return null;
    let value: unknown = readFrontMatter(source).attributes;
    for (const key of path.split("."))
      value =
        typeof value === "object" && value !== null && Object.hasOwn(value, key)
          ? Object.entries(value).find(([name]) => name === key)?.[1]
          : undefined;
    return typeof value === "string" || typeof value === "number" ? asText(String(value)) : "";
  },
};

const asText = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

const OUTLINE = /^[ \t]{0,3}\[\[toc\]\][ \t]{0,20}$/gim;

/** `[[toc]]` of VitePress: the place of a table of contents in the text, which needs the ids of headings. */
export function readOutline(source: string, marks: Marks): Rewritten {
  if (!/\[\[toc\]\]/i.test(source)) return unchanged(source);
  const text = new Rewriter(source);
  let done = 0;
  for (const { index, 0: line } of matchesInProse(source, OUTLINE)) {
    text.copy(done, index);
    marks.whole(text, { name: "TOCInline" }, { prefix: "", at: index });
    done = index + line.length;
  }
  text.copy(done, source.length);
  return text.result();
}
