import {
  isSection,
  routesBelow,
  type NavigationNode,
  type NavigationPage,
  type NavigationSection,
} from "#docs/tree/navigation.ts";
import type { Words } from "#docs/words/site-language.ts";
import type { Route } from "#docs/routes.ts";
import { type DrawIcon, icon } from "./icons.ts";
import { html, type Html } from "#kit/pages/markup.ts";

interface SidebarView {
  items: readonly NavigationNode[];
  /** Groups that contain the page. */
  groups: readonly NavigationSection[];
  /** Null when it is not a page. */
  route: Route | null;
  words: Words;
  drawIcon?: DrawIcon;
}

// Up to this size every group is part of the document; beyond, closed groups are links to their first page.
const MAX_ENTRIES = 250;
// Up to this size top-level groups are open, so that readers see the whole site.
const MAX_OPEN = 45;
const MAX_SIBLINGS = 200;

/**
 * The navigation next to a page: groups on the way to the page are open, the rest closed, whatever the size of the
 * site.
 */
export function sidebar(view: SidebarView): Html {
  const total = countEntries(view.items);
  const opensTop = total <= MAX_OPEN || view.items.filter(isSection).length === 1;
  const context: Context = { ...view, opensTop, isLarge: total > MAX_ENTRIES };
  return list(view.items, context, 0);
}

interface Context extends SidebarView {
  opensTop: boolean;
  isLarge: boolean;
}

function list(nodes: readonly NavigationNode[], context: Context, depth: number): Html {
  const { shown, before, after } = windowAround(nodes, context);
  return html`<ul>
    ${before && html`<li><a href="${before}">… ${context.words.earlierPages}</a></li>`}
    ${shown.map((node) => html`<li>${entry(node, context, depth)}</li>`)}
    ${after && html`<li><a href="${after}">… ${context.words.laterPages}</a></li>`}
  </ul>`;
}

function entry(node: NavigationNode, context: Context, depth: number): Html {
  if (node.kind === "link") {
    return html`<a href="${node.href}" rel="noopener">${node.title}${icon("external")}</a>`;
  }
  if (!isSection(node)) return pageLink(node, context);
  const holdsPage = context.groups.includes(node);
  const drawn = context.drawIcon?.(node.icon) ?? null;
  const words = html`${node.title}${tagLabel(node.tag)}`;
  const title = drawn === null ? words : html`<span>${drawn}${words}</span>`;
  if (context.isLarge && !holdsPage) {
    const first = node.route ?? routesBelow(node.children)[0];
    if (first !== undefined) return html`<a class="site-group-link" href="${first}">${title}${icon("chevron")}</a>`;
  }
  const isOpen = holdsPage || (depth === 0 && context.opensTop);
  return html`<details ${isOpen ? "open" : ""}>
    <summary>${title}${icon("chevron")}</summary>
    ${groupList(node, context, depth)}
  </details>`;
}

function groupList(group: NavigationSection, context: Context, depth: number): Html {
  const isListed = group.children.some((child) => child.kind === "page" && child.route === group.route);
  if (group.route === null || isListed) return list(group.children, context, depth + 1);
  const own = { kind: "page" as const, route: group.route, title: context.words.overview, tag: null, method: null };
  return list([own, ...group.children], context, depth + 1);
}

function pageLink(page: NavigationPage, { route: current, drawIcon }: SidebarView): Html {
  const state = page.route === current ? html` aria-current="page"` : "";
  return html`<a href="${page.route}"${state}>${drawIcon?.(page.icon)}${methodBadge(page.method)}${page.title}${tagLabel(page.tag)}</a>`;
}

const SHORT_METHODS: Record<string, string> = { DELETE: "DEL", OPTIONS: "OPT", WEBHOOK: "HOOK" };

function methodBadge(method: string | null): Html | null {
  if (method === null) return null;
  return html`<span class="site-method" data-method="${method.toLowerCase()}">${SHORT_METHODS[method] ?? method}</span> `;
}

function tagLabel(tag: string | null): Html | null {
  return tag === null ? null : html` <span class="site-tag">${tag}</span>`;
}

/** A level of thousands of entries is cut to those around the page. */
function windowAround(
  nodes: readonly NavigationNode[],
  { groups, route }: Context,
): { shown: readonly NavigationNode[]; before: Route | null; after: Route | null } {
  if (nodes.length <= MAX_SIBLINGS) return { shown: nodes, before: null, after: null };
  const at = nodes.findIndex((node) =>
    isSection(node) ? groups.includes(node) : node.kind === "page" && node.route === route,
  );
  const start = Math.max(0, Math.min(at - MAX_SIBLINGS / 2, nodes.length - MAX_SIBLINGS));
  const end = start + MAX_SIBLINGS;
  return {
    shown: nodes.slice(start, end),
    before: routesBelow(nodes.slice(Math.max(0, start - 1), start))[0] ?? null,
    after: routesBelow(nodes.slice(end, end + 1))[0] ?? null,
  };
}

function countEntries(nodes: readonly NavigationNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + (isSection(node) ? countEntries(node.children) : 0), 0);
}
