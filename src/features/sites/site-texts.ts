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
  origin: string;
  /** Whether agents may send feedback on a page. */
  asksForFeedback: boolean;
}

/** The index of a site for language models, in the format of llmstxt.org: sections of links to Markdown. */
export function llmsText({ siteName, docs, origin, asksForFeedback }: SiteText): string {
  const lines = [`# ${docs.config.name ?? siteName}`];
  if (docs.config.description !== null) lines.push("", `> ${docs.config.description}`);
  if (asksForFeedback) {
    const example = '{"path": "/page", "comment": "What is wrong or missing."}';
    lines.push(
      "",
      `Is something on a page wrong or missing? Tell its authors: POST \`${example}\` as JSON to ${origin}/_docent/feedback.`,
    );
  }
  let left = MAX_LISTED;
  const seen = new Set<Route>();
  const add = (page: Page | undefined): void => {
    if (page === undefined || page.noindex || seen.has(page.route) || (left -= 1) < 0) return;
    seen.add(page.route);
    const note = page.description === null ? "" : `: ${page.description}`;
    lines.push(`- [${page.title}](${origin}${markdownHref(page.route)})${note}`);
  };
  for (const { title, routes } of navigationSections(docs.navigation)) {
    lines.push("", `## ${title}`, "");
    for (const route of routes) add(docs.pages.get(route));
  }
  if (left < 0) lines.push("", `The list ends after ${MAX_LISTED} pages.`);
  return `${lines.join("\n")}\n`;
}

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

export function robotsText({ docs, origin }: SiteText): string {
  if (docs.config.seo.noindex) return "User-agent: *\nDisallow: /\n";
  return `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;
}
