import type { SwitchKind } from "#docs/config/written-navigation.ts";
import type { NamedIcon } from "#docs/navigation-icon.ts";
import type { Route } from "#docs/routes.ts";

/** One entry of a site's navigation. Every route in it is the route of a page. */
export type NavigationNode = NavigationPage | NavigationLink | NavigationSection;

export interface NavigationPage {
  kind: "page";
  route: Route;
  title: string;
  tag: string | null;
  /** Of the operation that the page documents: `GET`, `POST` …, `WEBHOOK`. */
  method: string | null;
  icon?: NamedIcon | null | undefined;
}

export interface NavigationLink {
  kind: "link";
  title: string;
  href: string;
}

export interface NavigationSection {
  /** A group is read from top to bottom; of the other kinds one is shown at a time. */
  kind: "group" | SwitchKind;
  title: string;
  /** Language code of a `language`, else null. */
  language: string | null;
  tag: string | null;
  icon?: NamedIcon | null | undefined;
  /** The group's own page. */
  route: Route | null;
  /** Where the entry leads when it holds no pages. */
  href: string | null;
  isDefault: boolean;
  children: readonly NavigationNode[];
}

export function isSection(node: NavigationNode): node is NavigationSection {
  return node.kind !== "page" && node.kind !== "link";
}

/** Routes of the pages below a list of nodes, in reading order, each once. */
export function routesBelow(nodes: readonly NavigationNode[]): Route[] {
  const routes = new Set<Route>();
  const visit = (node: NavigationNode): void => {
    if (node.kind === "page") routes.add(node.route);
    else if (isSection(node)) {
      if (node.route !== null) routes.add(node.route);
      for (const child of node.children) visit(child);
    }
  };
  for (const node of nodes) visit(node);
  return [...routes];
}

/** The sections that lead to a page, outermost first; null when the navigation does not have it. */
export function trailTo(nodes: readonly NavigationNode[], route: Route): NavigationSection[] | null {
  for (const node of nodes) {
    if (node.kind === "page" && node.route === route) return [];
    if (!isSection(node)) continue;
    if (node.route === route) return [node];
    const rest = trailTo(node.children, route);
    if (rest !== null) return [node, ...rest];
  }
  return null;
}

/** Orders names as people do: `2-b` before `10-a`, and without regard to case. */
export function compareNames(a: string, b: string): number {
  const order = NAMES.compare(a, b);
  return order !== 0 ? order : a < b ? -1 : a > b ? 1 : 0;
}

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** `02-getting_started` as a title: `Getting started`. */
export function titleOfName(name: string): string {
  const words = name
    .replace(/^\d{1,4}[-_. ]+(?=\S)/, "")
    .replaceAll(/[-_]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words === "" ? name : words.charAt(0).toLocaleUpperCase("en") + words.slice(1);
}
