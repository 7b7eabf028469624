import { homePage, homePageMarkdown } from "#docs/markup/home-page.ts";
import { markdownLine, markdownWords } from "#docs/markup/markdown-line.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { inlinedSource } from "#docs/links/inlined-source.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import { canonicalPath } from "#docs/routes.ts";
import { fillVariables } from "#docs/variables.ts";
import { readSource } from "./page-content.ts";
import { withoutHumansOnly } from "#docs/humans-only.ts";
import { markdownBelow } from "./base-path.ts";
import type { SiteProject } from "./site-project.ts";
import type { SiteVersion } from "./site-version.ts";

/**
 * A page as Markdown for text readers: title and description instead of the front matter, snippets without parameters
 * inlined, imports and human-only content removed. Everything else is as the author wrote it.
 */
export async function markdownOf(version: SiteVersion, page: Page, operation: string | null = null): Promise<string> {
  const source = await readSource(version, page);
  const { attributes, bodyStart } = readFrontMatter(source);
  const home = homePage(attributes, version.docs.config.dialect);
  const body = [...(home === null ? [] : [homePageMarkdown(home, page.title)]), source.slice(bodyStart).trim()]
    .join("\n\n")
    .trim();
  const { source: whole } = await inlinedSource(version, page, body);
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
