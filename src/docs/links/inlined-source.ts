import { componentNamed } from "#docs/components/registry.ts";
import { Fences } from "#docs/fences.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { importPath, snippetPaths } from "#docs/hrefs.ts";
import { withoutAlias } from "#docs/page-rules.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { spelledAsIn, stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { readFormat } from "#docs/syntax/format.ts";
import { type Including, putIncludesIn } from "#docs/syntax/includes.ts";
import { composed, Rewriter, type Rewritten, unchanged } from "#docs/syntax/rewriter.ts";
import { decodeText, withoutByteOrderMark } from "#docs/text-encoding.ts";
import { type Docs, pathInRepository } from "#docs/tree/page-tree.ts";

// As on the page, which names what is beyond them.
const MAX_INCLUDES = 100;
const MAX_INCLUDE_DEPTH = 12;
const MAX_CHARACTERS = 20_000_000;
const GOES_ON = "> The page is longer: its Markdown ends here, after 20 million characters.";

/** A site whose files a page may include. */
export interface IncludingSite {
  docs: Pick<Docs, "config" | "contentRoot">;
  snapshot: Snapshot;
  /** Regular files without credentials, by path in the repository. */
  files: { has(path: string): boolean };
}

interface WrittenPage {
  /** In the repository. */
  path: string;
  format: MarkdownFormat;
}

/**
 * Inlines the files that a page includes, as programs read it in Markdown: files of other tools' includes, and snippets
 * without parameters. Imports of inlined files are removed.
 */
export async function inlinedSource(site: IncludingSite, page: WrittenPage, source: string): Promise<Rewritten> {
  const { docs } = site;
  const { dialect } = docs.config;
  const whole = dialect === "native" ? unchanged(source) : await putFilesIn(site, page, source);
  if (readFormat(page.format, dialect) !== "mdx") return whole;
  const path = stripContentRoot(page.path, docs.contentRoot) ?? page.path;
  const part = { body: whole.source, path, budget: { left: MAX_INCLUDES } };
  return composed(whole, await putSnippetsIn(site, part, 0));
}

function putFilesIn({ docs, files, snapshot }: IncludingSite, page: WrittenPage, source: string): Promise<Rewritten> {
  const including: Including = {
    dialect: docs.config.dialect,
    contentRoot: docs.contentRoot,
    rules: docs.config.rules,
    readsValues: false,
    async read(written) {
      const path = spelledAsIn(files, written);
      const bytes = files.has(path) ? await snapshot.read(path) : null;
      return bytes === null || bytes.length > MAX_CHARACTERS ? null : decodeText(bytes).text;
    },
    warn: () => undefined, // the page itself contains it
  };
  return putIncludesIn(source, page.path, including);
}

interface Part {
  body: string;
  /** Relative to the content root. */
  path: string;
  budget: { left: number };
}

async function putSnippetsIn(site: IncludingSite, part: Part, depth: number): Promise<Rewritten> {
  const imported = new Map<string, string>();
  const fences = new Fences();
  const kept: { line: string; start: number; isCode: boolean }[] = [];
  let start = 0;
  for (const line of part.body.split("\n")) {
    const isCode = fences.covers(line);
    const statement = isCode ? null : /^import\s+([A-Z]\w*)\s+from\s+["']([^"'\n]+)["'];?\s*$/.exec(line);
    const target = statement && importPath(withoutAlias(statement[2] ?? "", site.docs.config.rules), part.path);
    if (statement && target !== null && /\.(?:mdx?|markdown)$/i.test(target)) imported.set(statement[1] ?? "", target);
    else kept.push({ line, start, isCode });
    start += line.length + 1;
  }

  const text = new Rewriter(part.body);
  let size = 0;
  for (const { line, start, isCode } of kept) {
    const tag = isCode ? null : /^\s*<([A-Z]\w*)(?:\s+(\w+)=["']([^"'\n]+)["'])?\s*\/>\s*$/.exec(line);
    const [, name = "", attribute, value = ""] = tag ?? [];
    const isInclude = attribute !== undefined && componentNamed(name)?.includes === attribute;
    const choices = isInclude ? snippetPaths(value) : attribute === undefined ? [imported.get(name) ?? ""] : [];
    const content = await readPart(site, choices, { budget: part.budget, depth });
    const next = content ?? line;
    if (size + next.length > MAX_CHARACTERS) {
      text.add(`${next.slice(0, MAX_CHARACTERS - size)}\n\n${GOES_ON}`, start);
      break;
    }
    size += next.length + 1;
    if (content === null) text.copy(start, start + line.length);
    else text.add(content, start);
    text.add("\n", start);
  }
  return text.result();
}

async function readPart(
  site: IncludingSite,
  choices: readonly string[],
  { budget, depth }: { budget: Part["budget"]; depth: number },
): Promise<string | null> {
  const fileOf = (choice: string) => spelledAsIn(site.files, pathInRepository(site.docs, choice));
  const found = choices.find((choice) => choice !== "" && site.files.has(fileOf(choice)));
  if (found === undefined || depth >= MAX_INCLUDE_DEPTH || budget.left <= 0) return null;
  budget.left -= 1;
  const bytes = await site.snapshot.read(fileOf(found));
  if (bytes === null) return null;
  const source = withoutByteOrderMark(decodeText(bytes).text);
  const body = source.slice(readFrontMatter(source).bodyStart).trim();
  return (await putSnippetsIn(site, { body, path: found, budget }, depth + 1)).source.trim();
}
