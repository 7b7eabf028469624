import { createAgentTools } from "#agent/toolbox/tools.ts";
import type { DialectName } from "#docs/dialect.ts";
import { parseWithMicromark } from "#docs/in-process-parser.ts";
import { type MarkdownParser, parserOf } from "#docs/parser.ts";
import { renderFile } from "#docs/render/render-file.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { parseInDialect } from "#docs/syntax/syntax.ts";
import { type Docs, loadDocs } from "#docs/tree/page-tree.ts";
import type { ToolResult } from "#tools/tool.ts";
import { createAgentBench } from "./agent-bench.ts";
import { sharedContent } from "./shared-content.ts";
import { createTestSnapshot } from "./snapshot.ts";

/** A parser that reads the syntax of other tools, in this process. */
export const dialectParser: MarkdownParser = {
  parse: (source, format, dialect: DialectName = "native") =>
    Promise.resolve(parseInDialect(parseWithMicromark, source, { format, dialect })),
};

/** A site of a tool, and the same after `move_to_docs_json`. */
export interface MovedSite {
  before: Docs;
  after: Docs;
  result: ToolResult;
  files: Record<string, string>;
  /** What readers see of each page, by its address. */
  pages: { route: string; before: ShownPage; after: ShownPage | null }[];
}

export interface ShownPage {
  title: string;
  text: string;
  headings: string[];
  links: string[];
  code: string[];
  callouts: string[];
}

export async function moveSite(files: Record<string, string>): Promise<MovedSite> {
  const base = createTestSnapshot(files);
  const before = await loadDocs(base);
  const bench = createAgentBench(createAgentTools(), files, { parser: parserOf(dialectParser, before.config) });
  const result = await bench.run("move_to_docs_json", {});
  const after = await loadDocs(bench.tree);
  const pages: MovedSite["pages"] = [];
  for (const route of before.pages.keys()) {
    const now = after.pages.has(route) ? route : after.redirects.match(route)?.location;
    const shown = await shownPage(before, base, route);
    if (shown !== null)
      pages.push({ route, before: shown, after: now === undefined ? null : await shownPage(after, bench.tree, now) });
  }
  return { before, after, result, files: await bench.contents(), pages };
}

/** Compares by what distinguishes pages for readers; the drawing of components is the same code. */
export async function shownPage(docs: Docs, snapshot: Snapshot, route: string): Promise<ShownPage | null> {
  const page = docs.pages.get(route);
  const content = sharedContent();
  const rendered =
    page && (await renderFile((input) => content.render(input), { owner: "t", path: page.path, snapshot, docs }));
  if (!page || !rendered) return null;
  const all = (pattern: RegExp) => [...rendered.html.matchAll(pattern)].map(([, found = ""]) => found);
  const resolved = (href: string) => {
    const [, path = "", rest = ""] = /^([^?#]*)([^]*)$/.exec(href) ?? [];
    const own = path === "" ? route : path;
    const inside = docs.bases.find((each) => own.startsWith(`${each}/`) && docs.pages.has(own.slice(each.length)));
    const address = inside === undefined ? own : own.slice(inside.length);
    const target = docs.pages.get(address) ?? docs.pages.get(docs.aliases.get(address) ?? "");
    return (target?.route ?? docs.assets.get(address)?.version ?? address) + rest;
  };
  return {
    title: page.title,
    text: rendered.text.replaceAll(/\s+/g, " ").trim(),
    headings: rendered.headings.map(({ depth, text, id }) => `${depth} ${text} #${id}`),
    links: all(/ (?:href|src)="([^"]*)"/g).map(resolved),
    code: all(/<pre[^>]*>([^]*?)<\/pre>/g).map((code) => code.replace(' class="language-text"', "")),
    callouts: all(/class="(callout callout-\w+|tabs|accordion|card|step)"/g),
  };
}
