import { withoutByteOrderMark, decodeText } from "#docs/text-encoding.ts";
import { homePage, homePageMarkdown } from "#docs/markup/home-page.ts";
import { markdownLine, markdownWords } from "#docs/markup/markdown-line.ts";
import { Fences } from "#docs/fences.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { componentNamed } from "#docs/components/registry.ts";
import { pathInRepository, type Page } from "#docs/tree/page-tree.ts";
import { withoutAlias } from "#docs/page-rules.ts";
import { importPath, snippetPaths } from "#docs/hrefs.ts";
import { canonicalPath, spelledAsIn, stripContentRoot } from "#docs/routes.ts";
import { type Including, putIncludesIn } from "#docs/syntax/includes.ts";
import { readFormat } from "#docs/syntax/format.ts";
import { fillVariables } from "#docs/variables.ts";
import { readSource } from "./page-content.ts";
import { withoutHumansOnly } from "#docs/humans-only.ts";
import { markdownBelow } from "./base-path.ts";
import type { SiteProject } from "./site-project.ts";
import type { SiteVersion } from "./site-version.ts";

// As on the page, which names what is beyond them.
const MAX_INCLUDES = 100;
const MAX_INCLUDE_DEPTH = 12;
const MAX_CHARACTERS = 20_000_000;
const GOES_ON = "> The page is longer: its Markdown ends here, after 20 million characters.";

/**
 * A page as Markdown for text readers: title and description instead of the front matter, snippets without parameters
 * inlined, imports and human-only content removed. Everything else is as the author wrote it.
 */
export async function markdownOf(version: SiteVersion, page: Page, operation: string | null = null): Promise<string> {
  const source = await readSource(version, page);
  const { attributes, bodyStart } = readFrontMatter(source);
  const path = stripContentRoot(page.path, version.docs.contentRoot) ?? page.path;
  const { dialect } = version.docs.config;
  const home = homePage(attributes, dialect);
  const body = [...(home === null ? [] : [homePageMarkdown(home, page.title)]), source.slice(bodyStart).trim()]
    .join("\n\n")
    .trim();
  const isMdx = readFormat(page.format, dialect) === "mdx";
  const included = dialect === "native" ? body : await putFilesIn(version, page, body);
  const whole = isMdx
    ? await putSnippetsIn(version, { body: included, path, budget: { left: MAX_INCLUDES } }, 0)
    : included;
  const text = withoutHumansOnly(fillVariables(whole, version.docs.config.variables)).trim();
  const hasTitle = /^(?:#[ \t]|<h1[\s>])/.test(text) || /^[^\n]+\n=+[ \t]*(?:\n|$)/.test(text);
  const head = [
    ...(hasTitle ? [] : [`# ${markdownWords(page.title)}`]),
    ...(page.isDeprecated === true ? ["> **Deprecated**"] : []),
    ...(page.description === null ? [] : [`> ${markdownLine(page.description)}`]),
  ];
  const parts = hasTitle && head.length > 0 ? afterTitle(text, head) : [...head, text].join("\n\n");
  return `${[parts.trim(), ...(operation === null ? [] : [operation])].join("\n\n")}\n`;
}

/**
 * The Markdown of a page with links as they are outside of its site: below its base path, and to the pages of an
 * external site where they are published. Files stay here, since other tools may publish them under other names.
 */
export function markdownOutside({ address, externalSite }: SiteProject, { docs }: SiteVersion, text: string): string {
  if (externalSite === undefined) return markdownBelow(address?.base ?? "", text);
  const isFile = (path: string) => docs.assets.has(canonicalPath(path) ?? "");
  return markdownBelow((path) => (isFile(path) ? "" : externalSite), text);
}

/** Inserts the description below a title that the page itself begins with. */
function afterTitle(text: string, head: readonly string[]): string {
  const title = /^(?:#[^\n]*|<h1[^]*?<\/h1>|[^\n]+\n=+[^\n]*)/.exec(text)?.[0] ?? "";
  return [title, ...head, text.slice(title.length).trim()].join("\n\n");
}

/** Inlines the files that a page of another tool includes. */
async function putFilesIn({ docs, files, snapshot }: SiteVersion, page: Page, body: string): Promise<string> {
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
  return (await putIncludesIn(body, page.path, including)).source;
}

interface Part {
  body: string;
  path: string;
  budget: { left: number };
}

async function putSnippetsIn(version: SiteVersion, part: Part, depth: number): Promise<string> {
  const imported = new Map<string, string>();
  const lines = part.body.split("\n");
  const fences = new Fences();
  const kept: { line: string; isCode: boolean }[] = [];
  for (const line of lines) {
    const isCode = fences.covers(line);
    const statement = isCode ? null : /^import\s+([A-Z]\w*)\s+from\s+["']([^"'\n]+)["'];?\s*$/.exec(line);
    const target = statement && importPath(withoutAlias(statement[2] ?? "", version.docs.config.rules), part.path);
    if (statement && target !== null && /\.(?:mdx?|markdown)$/i.test(target)) imported.set(statement[1] ?? "", target);
    else kept.push({ line, isCode });
  }

  const out: string[] = [];
  let size = 0;
  for (const { line, isCode } of kept) {
    const tag = isCode ? null : /^\s*<([A-Z]\w*)(?:\s+(\w+)=["']([^"'\n]+)["'])?\s*\/>\s*$/.exec(line);
    const [, name = "", attribute, value = ""] = tag ?? [];
    const isInclude = attribute !== undefined && componentNamed(name)?.includes === attribute;
    const choices = isInclude ? snippetPaths(value) : attribute === undefined ? [imported.get(name) ?? ""] : [];
    const content = await readPart(version, choices, { budget: part.budget, depth });
    const next = content ?? line;
    if (size + next.length > MAX_CHARACTERS) {
      out.push(next.slice(0, MAX_CHARACTERS - size), "", GOES_ON);
      break;
    }
    size += next.length + 1;
    out.push(next);
  }
  return out.join("\n").trim();
}

async function readPart(
  version: SiteVersion,
  choices: readonly string[],
  { budget, depth }: { budget: Part["budget"]; depth: number },
): Promise<string | null> {
  const fileOf = (choice: string) => spelledAsIn(version.files, pathInRepository(version.docs, choice));
  const found = choices.find((choice) => choice !== "" && version.files.has(fileOf(choice)));
  if (found === undefined || depth >= MAX_INCLUDE_DEPTH || budget.left <= 0) return null;
  budget.left -= 1;
  const bytes = await version.snapshot.read(fileOf(found));
  if (bytes === null) return null;
  const source = withoutByteOrderMark(decodeText(bytes).text);
  const body = source.slice(readFrontMatter(source).bodyStart).trim();
  return putSnippetsIn(version, { body, path: found, budget }, depth + 1);
}
