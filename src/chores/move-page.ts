import GithubSlugger from "github-slugger";
import { posix } from "node:path";
import { z } from "zod";
import { findLanguageFolders } from "#docs/language-folders.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { joinContentRoot, type Route, stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { trimEndOf } from "#lib/trim.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { refuseInTool } from "./edits/navigation/other-tools.ts";
import {
  addToNavigation,
  emptiedGroups,
  groupTrail,
  listingGroups,
  moveInNavigation,
  retitleInNavigation,
} from "./edits/navigation/navigation-edits.ts";
import { type PageMove, movePageFile, refusePageMove } from "./page-move.ts";
import { resolvePage, Name, PageName, Title } from "./edits/names.ts";
import { setPageTitle } from "./edits/front-matter-edits.ts";
import type { Workspace } from "./edits/workspace.ts";

const Input = z
  .strictObject({
    page: PageName,
    to: Name.optional().describe('New path ("guides/install"), or a folder with a slash at its end'),
    title: Title.optional().describe("New title; without `to` the file is renamed after it"),
    group: z.string().min(1).max(300).optional().describe("Group of the navigation to move it to"),
    add: z.boolean().default(false).describe("Refused where another group lists the page: it is added, not moved"),
    redirect: z.boolean().default(true).describe("Leads readers from the old address to the new one"),
    twins: z
      .boolean()
      .default(true)
      .describe("Moves the page's translations along, under the same path in their folders"),
  })
  .refine((input) => input.to !== undefined || input.title !== undefined || input.group !== undefined, {
    error: 'give "to", "title" or "group"',
  })
  .refine((input) => !input.add || input.group !== undefined, { error: '"add" goes with "group"' });
type Input = z.infer<typeof Input>;

export const movePageTool = choreTool({
  name: "move_page",
  description:
    "Moves or renames a page: its file, its navigation entry, every link to it and the relative links in it, with a " +
    "redirect from its old address. With a group it changes its place in the navigation.",
  input: Input,
  mutates: true,
  run: movePage,
});

async function movePage(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  if (input.group !== undefined) refuseInTool(docs, "navigation");
  const page = resolvePage(docs, input.page);
  const target = targetPath(docs, page, input);
  const notes: string[] = [];
  const done: string[] = [];
  if (target !== page.path) {
    await movePageFile(workspace, { docs, page, target, redirect: input.redirect, notes });
    done.push(`Moved ${page.path} to ${target}`);
    if (input.twins)
      done.push(...(await moveTranslations(workspace, { docs, page, target, redirect: input.redirect, notes })));
  }
  if (input.title !== undefined) {
    await setPageTitle(workspace, target, input.title);
    await retitleInNavigation(workspace, target, { from: page.title, to: input.title });
    done.push(`${done.length === 0 ? "Changed" : "changed"} its title to “${input.title}”`);
  }
  if (input.group !== undefined) {
    const { pagesByPath } = await workspace.docs();
    const route = pagesByPath.get(target)?.route;
    if (input.add && route !== undefined) await refuseListed(workspace, { path: target, route }, input.group);
    const moved =
      route === undefined
        ? {
            trail: await addToNavigation(workspace, { path: target }, { group: input.group }),
            groups: [],
            isChanged: true,
          }
        : await moveInNavigation(workspace, { path: target, route }, input.group);
    if (moved.isChanged)
      done.push(`${done.length === 0 ? `Moved ${page.path}` : "moved it"} to “${moved.trail}” in the navigation`);
    if (moved.groups.length > 0) done.push(`removed ${emptiedGroups(moved)}`);
  }
  if (workspace.changed().length === 0) {
    throw new AppError(
      "invalid",
      `${page.path} is there already${input.title === undefined ? "" : " and has this title"}: there is nothing to move.`,
    );
  }
  return { summary: done.join(", "), notes, details: { from: page.path, to: target } };
}

/** Refuses “Add the page to the group” for a page that another group lists, because it does not mention that group. */
async function refuseListed(workspace: Workspace, page: { path: string; route: Route }, group: string): Promise<void> {
  const listed = await listingGroups(workspace, page);
  if (listed.length === 0) return;
  const message = `${page.path} is in ${listed.map((trail) => `“${trail}”`).join(" and ")} already.`;
  const trail = await groupTrail(workspace, group);
  if (listed.includes(trail)) throw new AppError("invalid", `${message} There is nothing to add.`);
  const move = `Move the page ${page.path} to the group "${group}"`;
  throw new AppError("invalid", `${message} A page is in one group only. To move it, send: ${move}`);
}

/** The new repository path of the page. */
function targetPath(docs: Docs, page: Page, input: Input): string {
  const extension = posix.extname(page.path);
  if (input.to === undefined) {
    const isIndex = /(?:^|\/)(?:index|readme)\.\w+$/i.test(page.path);
    const slug = input.title === undefined ? "" : new GithubSlugger().slug(input.title);
    if (slug === "" || isIndex) return page.path;
    return posix.join(posix.dirname(page.path), slug + extension);
  }
  if (/\.(?:html?|txt|json|ya?ml|toml|png|jpe?g|gif|svg|webp|pdf|[cm]?[jt]sx?|sh)$/i.test(input.to)) {
    throw new AppError("invalid", `“${input.to}” is no path of a page: pages end in .md or .mdx.`);
  }
  const requested = input.to.replace(/^\.?\/+/, "");
  const isFolder = input.to.endsWith("/");
  const folder = `${docs.contentRoot}/`;
  // `/docs/…` is an address if the site has pages below that address, otherwise a path in the repository.
  const isAddress = input.to.startsWith("/") && [...docs.pages.keys()].some((route) => route.startsWith(`/${folder}`));
  const inRoot = docs.contentRoot === "" || (requested.startsWith(folder) && !isAddress);
  const root = docs.tool?.chores?.pages ?? docs.contentRoot;
  const isInRoot = docs.tool?.chores === undefined ? inRoot : stripContentRoot(requested, root) !== null;
  const path = trimEndOf(isInRoot ? requested : joinContentRoot(requested, root), "/");
  if (isFolder) return posix.join(path, posix.basename(page.path));
  return /\.(?:md|mdx|markdown)$/i.test(path) ? path : path + extension;
}

/** Moves the translations of a page to the same path in their language. One that cannot move is left and reported. */
async function moveTranslations(workspace: Workspace, move: PageMove): Promise<string[]> {
  const { contentRoot, pagesByPath } = move.docs;
  const inSite = (path: string) => stripContentRoot(path, contentRoot) ?? path;
  const folders = findLanguageFolders([...pagesByPath.keys()].map(inSite));
  const done: string[] = [];
  for (const twin of folders.twins(inSite(move.page.path))) {
    const docs = await workspace.docs();
    const page = docs.pagesByPath.get(joinContentRoot(twin, contentRoot));
    if (page === undefined) continue;
    const moved = folders.inFolder(inSite(move.target), folders.of(twin)).replace(/\.\w+$/, posix.extname(twin));
    const target = joinContentRoot(moved, contentRoot);
    if (target === page.path) continue;
    const own = { ...move, docs, page, target };
    try {
      await refusePageMove(workspace, own);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      move.notes.push(`Left its translation \`${page.path}\`: ${error.message}`);
      continue;
    }
    await movePageFile(workspace, own);
    done.push(`its translation ${page.path} to ${target}`);
  }
  return done;
}
