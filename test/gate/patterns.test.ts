import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tokenizer } from "acorn";
import { analyse } from "scslre";
import { expect, it } from "vitest";

// Nothing interrupts a regular expression, and while it runs the server answers nobody. What this finds is a repeated
// character that two quantifiers can share out, or that a search starts anew at; src/lib/trim.ts is the usual way out.
// It reads literals alone: what is put together by `new RegExp` is for whoever writes it to keep linear.

/** Patterns that are slow on long texts, and why none gets there. */
const BOUNDED: Record<string, string> = {
  "clients/typescript/src/client.ts /\\/+$/": "the address that a client's own code gives it",
  "src/chores/edits/terms/term-edits.ts /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/": "a word with 300 characters on both sides",
  "src/features/visitors/searches/search-counter.ts /(?=\\S*\\d)(?=\\S*[a-z])[\\w+/=-]{24,}/i":
    "100 characters of a query",
  "src/docs/api/document-text.ts /!?\\[([^\\]]*)\\]\\([^)]*\\)/g": "2,000 characters of a description",
  "src/docs/api/document-text.ts /<[^>]*>/g": "2,000 characters of a description",
  "src/docs/tree/inline-text.ts /\\[([^\\]]*)\\]\\([^)]*\\)/g": "500 characters of a title",
  "src/docs/markup/code-meta.ts /([\\w-]+)=(?:\"([^\"]*)\"|'([^']*)'|\\{([^}]*)\\}|(\\S+))|\\{([\\d\\s,-]*)\\}|\"([^\"]*)\"(?!\\S)|'([^']*)'(?!\\S)|\\S+/g":
    "1,000 characters behind a fence",
};
/** Files whose patterns see no long text. */
const BOUNDED_FILES: Record<string, string> = {
  "src/agent/toolbox/near-moves.ts": "300 characters of a request",
  "src/docs/dialects/docusaurus/doc-sets.ts": "a name in a path of the repository",
  "src/docs/dialects/mkdocs/folder-entries.ts": "500 characters of an entry",
  "src/docs/dialects/reading/quick-pattern.ts": "500 characters of a pattern",
  "src/docs/dialects/summary.ts": "2,000 characters of a line",
  "src/docs/dialects/vitepress/": "a path of the repository, 500 characters of a rule",
  "src/rules/": "a prompt's sentences, each bounded, with single blanks",
  "src/kit/pages/browser-modules.ts": "our own modules",
  "src/docs/syntax/code.ts": "2,000 characters behind a fence, or of a line of code",
  "src/docs/syntax/containers.ts": "2,000 characters of a line",
  "src/docs/syntax/indented.ts": "2,000 characters of a line",
  "src/docs/syntax/include-syntax.ts": "200 characters in braces",
  "src/docs/syntax/include-parts.ts": "1,000 characters of a line",
  "src/features/people/audit-sentences.ts": "our own sentences",
  "src/features/sites/reference/guides.ts": "pages of our own documentation",
};

const key = (file: string, source: string, flags: string) => `${file} /${source}/${flags}`;

function slowPatterns(file: string, code: string): string[] {
  const slow: string[] = [];
  for (const token of tokenizer(stripTypeScriptTypes(code), { ecmaVersion: "latest", sourceType: "module" })) {
    if (token.type.label !== "regexp") continue;
    const { pattern, flags } = (token as typeof token & { value: { pattern: string; flags: string } }).value;
    if (analyse({ source: pattern, flags }).reports.length > 0) slow.push(key(file, pattern, flags));
  }
  return slow;
}

it("every pattern takes linear time, except those for short texts", async () => {
  const slow: string[] = [];
  for await (const file of glob("{src,clients/typescript/src}/**/*.ts")) {
    if (file.endsWith(".test.ts") || file.startsWith("src/testing/")) continue;
    slow.push(...slowPatterns(file, readFileSync(file, "utf8")));
  }
  const unknown = slow.filter((each) => !Object.keys(BOUNDED_FILES).some((start) => each.startsWith(start)));
  expect([...new Set(unknown)].toSorted()).toEqual(Object.keys(BOUNDED).toSorted());
}, 60_000);

it.each([
  ["of slashes at an end", "const trim = (path: string) => path.replace(/\\/+$/, '');"],
  ["of blanks that two quantifiers share", "export const heading = /^#+[ \\t]+(.+?)[ \\t]*$/;"],
  ["of exponential cost", "export const name = /^(?:[.-][\\w-]+)*\\.json$/;"],
])("finds a pattern %s", (_name, code) => expect(slowPatterns("a.ts", code)).toHaveLength(1));
