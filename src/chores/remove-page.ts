import { z } from "zod";
import { hrefToPage } from "#docs/links/tool-links.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { count } from "#tools/outcome.ts";
import { choreTool, type ChoreReport, NeedsAnswer } from "./chore.ts";
import { refuseInTool, refuseOutsidePages } from "./edits/navigation/other-tools.ts";
import { emptiedGroups, removeFromNavigation } from "./edits/navigation/navigation-edits.ts";
import { addRedirect, configurationLinks, retargetConfiguration } from "./edits/navigation/redirect-edits.ts";
import {
  linkedPage,
  refuseImported,
  linkPlaces,
  retargetLinks,
  reportUnparsedMentions,
} from "./edits/reference-edits.ts";
import { resolvePage, Name, PageName } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const Input = z.strictObject({
  page: PageName,
  redirectTo: Name.optional().describe("Page that takes its place; needed when something links to the page"),
});
type Input = z.infer<typeof Input>;

const MAX_LISTED_LINKS = 40;

export const removePageTool = choreTool({
  name: "remove_page",
  description:
    "Removes a page and its navigation entry. With redirectTo it redirects the address to another page and points the " +
    "links to it there; reports every link that it changed. Without it nothing may link to the page.",
  input: Input,
  mutates: true,
  run: removePage,
});

async function removePage(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  refuseInTool(docs, "addresses");
  const page = resolvePage(docs, input.page);
  refuseOutsidePages(docs, page.path);
  const successor = input.redirectTo === undefined ? null : resolvePage(docs, input.redirectTo);
  if (successor?.path === page.path) throw new AppError("invalid", "A page cannot be redirected to itself.");
  await refuseImported(workspace, page.path, "removing");
  const linked = await workspace.linked();
  const inbound = (await workspace.links()).links.filter(
    (link) => link.path !== page.path && linkedPage(link, linked) === page.path,
  );
  const configured = successor === null ? await configurationLinks(workspace, page.route) : [];
  if (successor === null && inbound.length + configured.length > 0)
    throw askForTarget(docs, page, [...inbound.map((link) => linkPlaces([link])), ...configured]);
  const notes: string[] = [];
  if (successor !== null && inbound.length > 0) {
    const target = stripContentRoot(successor.path, docs.contentRoot) ?? successor.path;
    const changed = await retargetLinks(workspace, inbound, (like, from) =>
      hrefToPage(docs, { like, from, target, route: successor.route, hash: null }),
    );
    notes.push(`Links that lead to \`${successor.route}\` now, to be read again: ${changed.places}.`, ...changed.notes);
  }
  await reportUnparsedMentions(workspace, page);
  // Before the file is gone: a tool may name a page by its front matter.
  const removed = await removeFromNavigation(workspace, page);
  await workspace.remove(page.path);
  if (removed.entries > 0) notes.push(`Removed ${count(removed.entries, "navigation entry", "navigation entries")}.`);
  if (successor !== null) {
    const to = { path: successor.path, route: successor.route, keepsAnchors: false };
    notes.push(...(await retargetConfiguration(workspace, page, to)));
    notes.push(
      ...(await addRedirect(workspace, { source: page.route, destination: successor.route, file: page.path })),
    );
  } else notes.push(`Nothing links to it, and \`${page.route}\` answers “not found” from now on.`);
  const groups = removed.groups.length === 0 ? "" : `, and ${emptiedGroups(removed)}`;
  return { summary: `Removed the page “${page.title}” (${page.path})${groups}`, notes };
}

/** A person has to choose a new target for readers and links: the refusal lists the links and offers sentences. */
function askForTarget(docs: Docs, page: Page, places: readonly string[]): NeedsAnswer {
  const path = (each: Page) => stripContentRoot(each.path, docs.contentRoot) ?? each.path;
  const folder = path(page).slice(0, path(page).lastIndexOf("/") + 1);
  const above = pageAbove(docs, page);
  const neighbour = [...docs.pages.values()].find(
    (each) => each !== page && each !== above && path(each).startsWith(folder),
  );
  const successors = [above, neighbour].filter((each) => each !== null && each !== undefined);
  const shown = places.slice(0, MAX_LISTED_LINKS).join(", ");
  return new NeedsAnswer(
    `${places.length === 1 ? "A link leads" : `${places.length} links lead`} to it (${shown}). Name the page that replaces it.`,
    successors.map((each) => `Remove the page "${path(page)}" and redirect it to "${path(each)}"`),
  );
}

/** The nearest page in the parent folders of a page. */
function pageAbove(docs: Docs, page: Page): Page | null {
  for (let route = page.route; route !== "/";) {
    route = route.replace(/\/[^/]*$/, "") || "/";
    const above = docs.pages.get(route);
    if (above && above.path !== page.path) return above;
  }
  return null;
}
