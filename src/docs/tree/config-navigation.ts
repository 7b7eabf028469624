import type { ConfigNode, ConfigSection } from "#docs/config/written-navigation.ts";
import type { NavigationNode, NavigationSection } from "./navigation.ts";
import { pageNode, type Page } from "./pages.ts";
import type { ProblemList } from "#docs/problems.ts";
import { routeOfStem, type Route } from "#docs/routes.ts";

/**
 * The navigation of a docs.json with its page references looked up. References without a page are left out and are
 * problems; hidden and empty sections are left out.
 */
export function resolveNavigation(
  nodes: readonly ConfigNode[],
  pages: ReadonlyMap<Route, Page>,
  problems: ProblemList,
): NavigationNode[] {
  function findPage(reference: string): Page | undefined {
    const stem = reference.replace(/[?#].*/s, "");
    // `guide/readme` beside `guide/index` has an address of its own.
    return pages.get(`/${stem.replace(/^\/+/, "")}`) ?? pages.get(routeOfStem(stem));
  }

  function resolveSection(section: ConfigSection): NavigationSection[] {
    if (section.hidden) return [];
    const children = resolveAll(section.children);
    const root = section.root === null ? undefined : findPage(section.root);
    if (children.length === 0 && root === undefined && section.href === null) return [];
    const { kind, title, language, tag, icon, href, isDefault } = section;
    return [{ kind, title, language, tag, icon, href, isDefault, route: root?.route ?? null, children }];
  }

  function resolveAll(children: readonly ConfigNode[]): NavigationNode[] {
    return children.flatMap((node): NavigationNode[] => {
      if (node.kind === "link") return [node];
      if (node.kind === "operation") return [];
      // A group that says no name only keeps its pages together.
      const isNameless = node.kind === "group" && node.title === "" && node.root === null && !node.hidden;
      if (isNameless) return resolveAll(node.children);
      if (node.kind !== "page") return resolveSection(node);
      const page = findPage(node.page);
      if (page === undefined) {
        const message = `The navigation names the page "${node.page}", which does not exist.`;
        problems.warning(() => node.locate(), message, "navigation");
        return [];
      }
      if (page.hidden) return [];
      return [pageNode(page)];
    });
  }

  return resolveAll(nodes);
}
