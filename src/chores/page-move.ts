import { posix } from "node:path";
import { readFrontMatter } from "#docs/front-matter.ts";
import { routesBelow } from "#docs/tree/navigation.ts";
import { writeHref } from "#docs/links/href-writer.ts";
import { addressInTool, hrefToPage } from "#docs/links/tool-links.ts";
import { extractLinks } from "#docs/links/link-extraction.ts";
import { decodeLoose, type HrefUse, resolveHref, routeOf } from "#docs/hrefs.ts";
import { type Docs, type Page, pageOfFile } from "#docs/tree/page-tree.ts";
import { createRoutes, encodePath, joinContentRoot, type Route, stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { count } from "#tools/outcome.ts";
import { linkedPage, refuseImported, retargetLinks, reportUnparsedMentions } from "./edits/reference-edits.ts";
import { refuseInTool, refuseOutsidePages } from "./edits/navigation/other-tools.ts";
import { renameInNavigation } from "./edits/navigation/navigation-edits.ts";
import { editText, type TextEdit } from "./edits/page-edits.ts";
import { addRedirect, dropRedirects, retargetConfiguration } from "./edits/navigation/redirect-edits.ts";
import type { Workspace } from "./edits/workspace.ts";

/** A move, and the notes that it produces. */
export interface PageMove {
  docs: Docs;
  page: Page;
  target: string;
  redirect: boolean;
  notes: string[];
}

/** Throws `AppError` when a page cannot be moved, before anything is changed. */
export async function refusePageMove(workspace: Workspace, { docs, page, target }: PageMove): Promise<void> {
  refuseInTool(docs, "addresses");
  for (const path of [page.path, target]) refuseOutsidePages(docs, path);
  const to = stripContentRoot(target, docs.contentRoot);
  if (to === null) throw new AppError("invalid", `“${target}” lies outside of the documentation.`);
  const rival = pageOfFile(docs, to);
  if (rival && rival.path !== page.path) {
    throw new AppError("conflict", `“${target}” would have the address of ${rival.path}. Choose another name.`);
  }
  const address = decodeURIComponent(await routeAfterMove(workspace, { docs, page, target }));
  await refuseUsedRedirect(workspace, { docs, page, address });
  await refuseImported(workspace, page.path, "moving");
}

/** Refuses to drop a redirect from the new address if links use it: they would silently lead to this page instead. */
async function refuseUsedRedirect(
  workspace: Workspace,
  { docs, page, address }: { docs: Docs; page: Page; address: string },
): Promise<void> {
  for (const link of (await workspace.links()).links) {
    const file = stripContentRoot(link.path, docs.contentRoot) ?? link.path;
    if (link.target?.kind !== "redirect" || !leadsTo(address, { ...link, from: file })) continue;
    const { location } = link.target;
    if (location.replace(/[?#].*/s, "") === page.route) continue;
    throw new AppError(
      "conflict",
      `A redirect leads from ${address} to ${location}, and the link at ${link.path}:${link.line} goes by it. Point that link to ${location} first.`,
    );
  }
}

/** Moves a page's file, updates links to it and in it and its navigation entry, and adds a redirect on request. */
export async function movePageFile(workspace: Workspace, move: PageMove): Promise<void> {
  await refusePageMove(workspace, move);
  const { docs, page, target, notes } = move;
  const from = stripContentRoot(page.path, docs.contentRoot) ?? page.path;
  const to = stripContentRoot(target, docs.contentRoot) ?? target;
  const newRoute = await routeAfterMove(workspace, move);
  const linked = await workspace.linked();
  const inbound = (await workspace.links()).links.filter((link) => {
    const isInbound = link.path !== page.path && linkedPage(link, linked) === page.path;
    if (docs.tool !== null) return isInbound;
    const file = stripContentRoot(link.path, docs.contentRoot) ?? link.path;
    return isInbound && (namesFile(link.url) || !leadsTo(decodeURIComponent(newRoute), { ...link, from: file }));
  });
  const changed = await retargetLinks(workspace, inbound, (like, file) => {
    const hash = resolveHref(like, file).kind === "internal" ? hashOf(like) : null;
    return hrefToPage(docs, { like, from: file, target: to, route: newRoute, hash });
  });
  await reportUnparsedMentions(workspace, page);
  await moveText(workspace, { page, from, to, newRoute });
  // Before the file moves: a tool may name a page by its front matter.
  const renamed = await renameInNavigation(workspace, page, target);
  await workspace.move(page.path, target);

  // Before other redirects are changed to the new address: this one would become a loop.
  const dropped = newRoute === page.route ? 0 : await dropRedirects(workspace, [newRoute]);
  const configured = await retargetConfiguration(workspace, page, {
    path: target,
    route: newRoute,
    keepsAnchors: true,
  });
  if (changed.links > 0) notes.push(`Updated ${count(changed.links, "link")} to it: ${changed.places}.`);
  notes.push(...changed.notes);
  if (newRoute === page.route && (await setsAddress(workspace, target)))
    notes.push(`Its address stays \`${page.route}\`, because its front matter sets \`id\` or \`slug\`.`);
  if (renamed.changed > 0) notes.push("Updated its entry in the navigation.");
  else if (renamed.entries > 0) notes.push("Its entry in the navigation needs no change.");
  else notes.push(await placeOf(workspace, newRoute));
  if (dropped > 0) notes.push(`Dropped the redirect from \`${newRoute}\`, which is a page now.`);
  if (newRoute !== page.route) notes.push(...configured);
  if (!move.redirect || newRoute === page.route) return;
  notes.push(...(await addRedirect(workspace, { source: page.route, destination: newRoute, file: page.path })));
}

async function setsAddress(workspace: Workspace, path: string): Promise<boolean> {
  const { tool } = await workspace.docs();
  const { attributes } = readFrontMatter((await workspace.text(path)) ?? "");
  return tool !== null && (attributes["id"] !== undefined || attributes["slug"] !== undefined);
}

/** Where a page without an entry of its own is in the navigation. */
async function placeOf(workspace: Workspace, route: Route): Promise<string> {
  const { tool, navigation } = await workspace.docs();
  const isGenerated = tool !== null && routesBelow(navigation).includes(route);
  if (isGenerated) return `${tool.title} lists it in the navigation by its folder.`;
  const file = tool?.chores?.navigation ?? tool?.file ?? null;
  return file === null
    ? "It has no entry in a configured navigation."
    : `\`${file}\` has no entry of it that a chore can edit.`;
}

/** The address that the page will have. A tool derives it from more than the path. */
async function routeAfterMove(
  workspace: Workspace,
  { docs, page, target }: Pick<PageMove, "docs" | "page" | "target">,
): Promise<Route> {
  const to = stripContentRoot(target, docs.contentRoot) ?? target;
  if (docs.tool === null) return createRoutes([to], "").routeOf(to) ?? encodePath(to);
  const trial = workspace.tree.fork();
  trial.write(target, (await trial.read(page.path)) ?? "");
  trial.remove(page.path);
  const route = (await workspace.docsOf(trial)).pagesByPath.get(target)?.route;
  if (route === undefined) throw new AppError("invalid", `“${target}” would be no page of ${docs.tool.title}.`);
  return route;
}

/** Rewrites relative links of the page for its new folder, and links to itself; imports stay unchanged. */
async function moveText(
  workspace: Workspace,
  { page, from, to, newRoute }: { page: Page; from: string; to: string; newRoute: Route },
): Promise<void> {
  const docs = await workspace.docs();
  const parsed = await workspace.page(page.path);
  if (parsed === null) {
    if (posix.dirname(from) === posix.dirname(to)) return;
    throw new AppError("invalid", `${page.path} does not parse, so its relative links cannot be corrected.`);
  }
  const { text, root } = parsed;
  const edits: TextEdit[] = [];
  for (const { url, use, start, end } of extractLinks(text, root, { path: from, dialect: docs.config.dialect }).links) {
    const href = resolveHref(url, from, use);
    if (href.kind !== "internal" || url.startsWith("#") || url.startsWith("?")) continue;
    const isSelf = use === "link" && (await fileOf(workspace, { path: href.path, url, use, page })) === from;
    if (!isSelf && url.startsWith("/")) continue;
    const inTool = (file: string, route: Route) => targetInTool(docs, { url, use, file, route });
    // Tools look for a file from the folder of the page, wherever its address is.
    const isOfFile = docs.tool === null || (!isSelf && (use === "source" || namesFile(url)));
    const isKept = isOfFile
      ? leadsTo(isSelf ? routeOf(to) : href.path, { url, from: to, use })
      : !isSelf && inTool(to, newRoute) === inTool(from, page.route);
    if (isKept && !(isSelf && namesFile(url))) continue;
    const file = isSelf ? to : await fileOf(workspace, { path: href.path, url, use, page });
    if (file === null) continue;
    const place = { like: url, from: to, target: file, hash: hashOf(url) };
    const route = isSelf
      ? newRoute
      : (docs.pagesByPath.get(joinContentRoot(file, docs.contentRoot))?.route ?? newRoute);
    const written = use === "source" ? writeHref(place) : hrefToPage(docs, { ...place, route, fromRoute: newRoute });
    if (written !== url) edits.push({ start, end, text: written });
  }
  for (const node of root.children) {
    if (node.type !== "mdxjsEsm" || node.position?.start.offset === undefined) continue;
    const offset = node.position.start.offset;
    for (const match of node.value.matchAll(/(\bfrom\s*|^import\s*)(["'])(\.{1,2}\/[^"'\n]+)\2/gm)) {
      const [, lead = "", , specifier = ""] = match;
      const file = posix.join(posix.dirname(from), specifier);
      if (posix.join(posix.dirname(to), specifier) === file) continue;
      const relative = posix.relative(posix.dirname(to), file);
      const written = relative.startsWith(".") ? relative : `./${relative}`;
      const start = offset + match.index + lead.length + 1;
      if (written !== specifier) edits.push({ start, end: start + specifier.length, text: written });
    }
  }
  if (edits.length > 0) await workspace.write(page.path, editText(text, edits));
}

/** The address that a link leads to on a site of another tool, from a file with an address; null if it leaves the site. */
function targetInTool(
  docs: Docs,
  { url, use, file, route }: { url: string; use: HrefUse; file: string; route: Route },
): Route | null {
  const href = resolveHref(url, file, use);
  if (href.kind !== "internal") return null;
  const written = encodePath(href.path.replace(/^\//, ""));
  return addressInTool(docs, { url, use, route: written, page: route }) ?? written;
}

/** Whether a link as written refers to this place. */
function leadsTo(path: string, { url, from, use }: { url: string; from: string; use: HrefUse }): boolean {
  const href = resolveHref(url, from, use);
  return href.kind === "internal" && href.path === path;
}

// `a.md` and `a/index.md` share an address, but not a file name.
const namesFile = (url: string) => /\.(?:md|mdx|markdown)(?:[?#]|$)/i.test(url);

/** File, relative to the site's root, for an internal address. Null for an unknown address of another tool, which is left. */
async function fileOf(
  workspace: Workspace,
  { path: sitePath, url, use, page: from }: { path: string; url: string; use: HrefUse; page: Page },
): Promise<string | null> {
  const docs = await workspace.docs();
  const written = encodePath(sitePath.replace(/^\//, ""));
  const route = addressInTool(docs, { url, use, route: written, page: from.route }) ?? written;
  const page = use === "link" ? docs.pages.get(route) : undefined;
  const path = page?.path ?? docs.assets.get(route)?.path;
  if (path !== undefined) return stripContentRoot(path, docs.contentRoot);
  return docs.tool === null ? sitePath.replace(/^\//, "") : null;
}

function hashOf(url: string): string | null {
  const at = url.indexOf("#");
  return at === -1 ? null : decodeLoose(url.slice(at + 1));
}
