import type { InlineRule } from "./inline-rule.ts";

/** The title of the window. */
const windowTitle: InlineRule = {
  sign: "{{#title",
  pattern: String.raw`(?<!\\)\{\{#title[ \t]{1,4}[^{}\n]{1,300}\}\}`,
  replace: () => "",
  isEverywhere: true,
};

const ATTRIBUTE = String.raw`(?:[#.][\w:.-]{1,100}|[\w-]{1,40}=[\w.-]{1,100})`;

/** `## Title { #id .class }`: on our pages the id has a meaning. */
const headingAttributes: InlineRule = {
  sign: "{",
  pattern: String.raw`(?<=[ \t])\{[ \t]{0,4}(?<list>${ATTRIBUTE}(?:[ \t]{1,4}${ATTRIBUTE}){0,9})[ \t]{0,4}\}(?=[ \t]{0,20}\r?$)`,
  replace({ list = "" }, { source, index }) {
    const line = source.slice(source.lastIndexOf("\n", index - 1) + 1, index);
    if (!/^\s{0,3}#{1,6}\s/.test(line)) return null;
    const id = /(?:^|\s)#(\S+)/.exec(list)?.[1];
    return id === undefined ? "" : `{#${id}}`;
  },
  isEverywhere: true,
};

/** TeX of a book with `mathjax-support`: its brackets have two backslashes, and those within it are doubled. */
const tex: InlineRule = {
  sign: "\\\\",
  pattern: String.raw`(?<!\\)\\\\\((?<within>[^\n]{1,1000}?)(?<!\\)\\\\\)|^[ \t]{0,3}\\\\\[(?<display>[^]{1,5000}?)\\\\\]`,
  replace({ within, display = "" }) {
    const single = (text: string) => text.trim().replaceAll("\\\\", "\\");
    // Four dollars on both sides delimit a formula within a line.
    return within === undefined ? ["$$", single(display), "$$"].join("\n") : ["$$$$", "$$$$"].join(single(within));
  },
  isEverywhere: true,
};

/** `<i class="fas fa-print"></i>` of Font Awesome. */
const icon: InlineRule = {
  sign: "<i class=",
  pattern: String.raw`<i class="(?:fa[srb]?|fa-(?:solid|regular|brands)) fa-(?<icon>[\w-]{1,60})"[^<>\n]{0,200}><\/i>`,
  replace: ({ icon: name = "" }) => `<Icon icon="${name}" />`,
  isEverywhere: true,
};

export const bookRules: readonly InlineRule[] = [windowTitle, headingAttributes, tex, icon];

/** `\{{#include a.rs}}` in code stands for itself. */
export const unescapedBraces = (code: string): string => code.replaceAll(String.raw`\{{#`, "{{#");

/**
 * The lines of a block of code that readers see at first: Rust's without those that begin with `# `, those of other languages
 * without the prefix of the block (`python,hidelines=~`).
 */
export function withoutHiddenLines(code: string, { language, info }: { language: string; info: string }): string {
  const prefix = /(?:^|[\s,])hidelines=([^\s,]{1,20})/.exec(info)?.[1];
  if (language !== "rust") {
    if (prefix === undefined) return code;
    return code
      .split("\n")
      .filter((line) => !line.trimStart().startsWith(prefix))
      .join("\n");
  }
  if (!/^[ \t]*#/m.test(code)) return code;
  const lines = code.split("\n").filter((line) => !/^\s*#(?: |$)/.test(line));
  return lines.map((line) => line.replace(/^(\s*)##/, "$1#")).join("\n");
}
