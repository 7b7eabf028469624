import type { DialectName } from "#docs/dialect.ts";
import { type PageRules, withoutAlias } from "#docs/page-rules.ts";
import { matchesInProse } from "./lines.ts";
import { composed, replaceMatches, type Rewritten, Rewriter, unchanged } from "./rewriter.ts";

const IMPORT =
  /(?:^|(?<=;[ \t]{0,4}))import\s{1,20}(?:(?<names>[^;'"]{1,2000}?)\s{1,20}from\s{1,20})?(?<quote>['"])(?<from>[^'"\n]{1,500})\k<quote>[ \t]{0,20};?[ \t]{0,20}(?=\r?$|import\s)/gm;

/**
 * Handles MDX of other tools that only works in their build: imports of packages, components and images, `require`, and HTML
 * comments and `{#id}`, which Docusaurus parses as Markdown.
 */
export function readMdx(source: string, dialect: DialectName, rules: Pick<PageRules, "pathAliases">): Rewritten {
  let page = unchanged(source);
  const pass = (expression: RegExp, replace: (match: RegExpExecArray) => string | null) => {
    page = composed(page, replaceMatches(page.source, matchesInProse(page.source, expression), replace));
  };
  if (dialect === "docusaurus") {
    page = readComments(source);
    pass(/\\?(\{#[\w\-.:\u0080-\uFFFF]{1,200}\})/g, ({ 0: whole, 1: id, index }) =>
      isAtEndOfHeading(page.source, index, index + whole.length) ? `\\${id}` : whole,
    );
  }
  // Fumadocs also marks headings that are steps, or that the table of contents has or omits.
  if (dialect === "fumadocs")
    pass(/[ \t]?\[(?:#(?<id>[\w\-.:\u0080-\uFFFF]{1,200})|step|!?toc)\](?!\(|\[)/g, ({ 0: whole, index, groups }) => {
      if (!isAtEndOfHeading(page.source, index, index + whole.length)) return whole;
      return groups?.["id"] === undefined ? "" : ` \\{#${groups["id"]}}`;
    });
  // The page has its table of contents beside it, as for [[toc]] of VitePress.
  if (dialect === "docusaurus") pass(/<TOCInline(?:\s[^<>]{0,300})?\/>/g, () => "");
  pass(IMPORT, ({ groups }) => importOf(groups?.["names"] ?? "", groups?.["from"] ?? "", rules));
  pass(
    /\b(?:require|useBaseUrl|withBase)\(\s*(?<quote>['"])(?<path>[^'"\n]{1,500})\k<quote>\s*\)(?:\.default)?/g,
    ({ groups }) => JSON.stringify(groups?.["path"] ?? ""),
  );
  return page;
}

/** Looks at the whole line, because the prose before an id may end with code. */
function isAtEndOfHeading(source: string, start: number, end: number): boolean {
  const line = source.lastIndexOf("\n", start - 1) + 1;
  return (
    /^ {0,3}#{1,6}[ \t]/.test(source.slice(line, start)) && /^[ \t]*\r?(?:\n|$)/.test(source.slice(end, end + 1_000))
  );
}

function readComments(source: string): Rewritten {
  const text = new Rewriter(source);
  let done = 0;
  for (const { index } of source.includes("<!--") ? matchesInProse(source, /<!--/g) : []) {
    if (index < done) continue;
    const end = source.indexOf("-->", index + 4);
    if (end === -1) break;
    text.copy(done, index);
    text.add("{/*", index);
    text.add(source.slice(index + 4, end).replaceAll("*/", "* /"), index);
    text.add("*/}", end);
    done = end + 3;
  }
  text.copy(done, source.length);
  return text.result();
}

/** Null for what can be imported; otherwise the replacement of the name on our page, or nothing. */
function importOf(names: string, from: string, rules: Pick<PageRules, "pathAliases">): string | null {
  const name = /^[A-Za-z_$][\w$]*$/.exec(names.trim())?.[0];
  const isOwn = /^(?:\.{1,2}\/|\/)/.test(from);
  // A name such as `@assets/` is a folder in tsconfig.json.
  if ((isOwn || /^[@~][\w-]*\//.test(from)) && /\.(?:png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|pdf|zip)$/i.test(from))
    return name === undefined ? "" : `export const ${name} = ${JSON.stringify(from)}`;
  const file = withoutAlias(from, rules);
  if (file !== from && /\.(?:mdx?|markdown)$/i.test(from)) return `import ${names} from ${JSON.stringify(file)};`;
  if (/\.(?:css|scss|sass|less)$/i.test(from)) return name === undefined ? "" : `export const ${name} = {}`;
  return isOwn && /\.(?:mdx?|markdown|json|jsx?|tsx?|mjs)$/i.test(from) ? null : "";
}
