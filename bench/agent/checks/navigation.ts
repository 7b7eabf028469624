import type { Failure } from "#bench/agent/failure.ts";
import type { Task } from "#bench/agent/task.ts";
import { isSection, type NavigationNode } from "#docs/tree/navigation.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { encodePath } from "#docs/routes.ts";

/** Checks the positions of pages in the navigation, and the targets of old addresses. */
export function checkNavigation(task: Task, docs: Docs): Failure[] {
  const failures: Failure[] = [];
  const fail = (check: string, message: string) => failures.push({ kind: "navigation", check, message });
  for (const { page, group, after } of task.navigation) {
    const route = docs.pagesByPath.get(page)?.route;
    if (route === undefined) {
      fail("navigation", `${page} is not a page of the site.`);
      continue;
    }
    const places = placesOf(docs.navigation, route);
    const right = places.filter((place) => group === undefined || place.group === group);
    if (places.length === 0) fail("navigation", `The navigation does not list ${page}.`);
    else if (right.length === 0) fail("navigation", `The navigation does not list ${page} in “${group}”.`);
    else if (after !== undefined && !right.some(({ previous }) => previous === docs.pagesByPath.get(after)?.route))
      fail("navigation", `The navigation does not list ${page} directly after ${after}.`);
  }
  for (const { from, to } of task.redirects) {
    const location = docs.redirects.match(encodePath(from.replace(/^\//, "")))?.location ?? null;
    if (location !== to) fail("redirect", `${from} redirects to ${location ?? "nothing"}, not to ${to}.`);
  }
  return failures;
}

function placesOf(nodes: readonly NavigationNode[], route: string, group: string | null = null) {
  const places: { group: string | null; previous: string | null }[] = [];
  let previous: string | null = null;
  for (const node of nodes) {
    if (isSection(node)) {
      if (node.route === route) places.push({ group: node.title, previous: null });
      places.push(...placesOf(node.children, route, node.title));
    }
    if (node.kind !== "page") continue;
    if (node.route === route) places.push({ group, previous });
    previous = node.route;
  }
  return places;
}
