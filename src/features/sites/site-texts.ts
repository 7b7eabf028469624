import { markdownDestination, markdownLine, markdownWords } from "#docs/markup/markdown-line.ts";
import { isSection, routesBelow, type NavigationNode } from "#docs/tree/navigation.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import type { Route } from "#docs/routes.ts";

const MAX_LISTED = 20_000;

/** Address of a page's Markdown. */
export function markdownHref(route: Route): string {
  return route === "/" ? "/index.md" : `${route}.md`;
}

export interface SiteText {
  siteName: string;
  docs: Docs;
  /** Of the pages. */
  origin: string;
  /** Of what Docent serves; another one where another service publishes the pages. */
  ownOrigin: string;
  /** Whether agents may send feedback on a page. */
  asksForFeedback: boolean;
}

/** The index of a site for language models, in the format of llmstxt.org: sections of links to Markdown. */
export function llmsText({ siteName, docs, origin, ownOrigin, asksForFeedback }: SiteText): string {
  const lines = [`# ${markdownWords(docs.config.name ?? siteName)}`];
  if (docs.config.description !== null) lines.push("", `> ${markdownLine(docs.config.description)}`);
  if (asksForFeedback) {
    const example = '{"path": "/page", "comment": "What is wrong or missing."}';
    lines.push(
      "",
      `Is something on a page wrong or missing? Tell its authors: POST \`${example}\` as JSON to ${ownOrigin}/_docent/feedback.`,
    );
  }
  if (origin !== ownOrigin) {
    lines.push(
      "",
      `Every page as Markdown: its path at ${ownOrigin} with \`.md\` at the end, such as ${ownOrigin}/index.md.`,
    );
  }
  let left = MAX_LISTED;
  const seen = new Set<Route>();
  const add = (page: Page | undefined): void => {
    if (page === undefined || page.noindex || seen.has(page.route) || (left -= 1) < 0) return;
    seen.add(page.route);
    lines.push(`- ${listedLink(page.title, listedAddress({ origin, ownOrigin }, page.route), page.description)}`);
  };
  for (const { title, routes } of navigationSections(docs.navigation)) {
    lines.push("", `## ${markdownWords(title)}`, "");
    for (const route of routes) add(docs.pages.get(route));
  }
  if (left < 0) lines.push("", `The list ends after ${MAX_LISTED} pages.`);
  return `${lines.join("\n")}\n`;
}

/** A link to a page in lists for agents, with what it is about. */
export const listedLink = (title: string, address: string, description: string | null = null): string =>
  `[${markdownWords(title)}](${markdownDestination(address)})${description === null ? "" : `: ${markdownWords(description)}`}`;

/** The address of a page in lists for agents: its Markdown, unless another service publishes the page. */
export const listedAddress = ({ origin, ownOrigin }: Pick<SiteText, "origin" | "ownOrigin">, route: Route): string =>
  origin + (origin === ownOrigin ? markdownHref(route) : route);

/** Top-level groups of a navigation by title; entries outside a group come first. */
export function navigationSections(navigation: readonly NavigationNode[]): { title: string; routes: Route[] }[] {
  const sections: { title: string; routes: Route[] }[] = [];
  const visit = (nodes: readonly NavigationNode[], title: string, root: Route | null): void => {
    const own = routesBelow(nodes.filter((node) => node.kind === "page"));
    const pages = root === null || own.includes(root) ? own : [root, ...own];
    if (pages.length > 0) sections.push({ title, routes: pages });
    for (const node of nodes) {
      if (!isSection(node)) continue;
      if (node.kind === "group") sections.push({ title: node.title || title, routes: routesBelow([node]) });
      else visit(node.children, node.title, node.route);
    }
  };
  visit(navigation, "Docs", null);
  return sections.filter((section) => section.routes.length > 0);
}

export function robotsText({ docs, origin, ownOrigin }: SiteText): string {
  // Crawlers have to see that nothing here is to be indexed; the external site has a sitemap of its own.
  if (origin !== ownOrigin) return "User-agent: *\nAllow: /\n";
  if (docs.config.seo.noindex) return "User-agent: *\nDisallow: /\n";
  return `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;
}
