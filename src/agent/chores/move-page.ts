import GithubSlugger from "github-slugger";
import { posix } from "node:path";
import { z } from "zod";
import { writeHref } from "#content/links/href-writer.ts";
import { extractLinks } from "#content/links/link-extraction.ts";
import { resolveHref } from "#content/hrefs.ts";
import type { Docs, Page } from "#content/page-tree.ts";
import { createRoutes, encodePath, joinContentRoot, routeOfStem, stripContentRoot } from "#content/routes.ts";
import { AppError } from "#lib/app-error.ts";
import type { Tool } from "#agent/tool.ts";
import { count } from "#agent/tools/outcome.ts";
import { trimEndOf } from "#lib/trim.ts";
import { choreTool, type ChoreDeps, type ChoreReport } from "./chore.ts";
import { addToNavigation, removeFromNavigation, renameInNavigation } from "./edits/navigation-edits.ts";
import { addRedirect, retargetConfiguration } from "./edits/redirect-edits.ts";
import { editText, type TextEdit } from "./edits/page-edits.ts";
import { importersOf } from "./edits/importers.ts";
import { resolvePage } from "./edits/page-reference.ts";
import { editLinks } from "./edits/reference-edits.ts";
import { setPageTitle } from "./edits/page-title.ts";
import type { Workspace } from "./edits/workspace.ts";

const Input = z
  .strictObject({
    page: z.string().min(1).max(400).describe("Path, address, file name or title of the page"),
    to: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .describe('New path ("guides/install"), or a folder with a slash at its end'),
    title: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe("New title; without `to` the file is renamed after it"),
    group: z.string().min(1).max(300).optional().describe("Group of the navigation to move it to"),
    redirect: z.boolean().default(true),
  })
  .refine((input) => input.to !== undefined || input.title !== undefined || input.group !== undefined, {
    error: 'give "to", "title" or "group"',
  });
type Input = z.infer<typeof Input>;

const MAX_LISTED_LINKS = 40;

export function movePageTool(deps: ChoreDeps): Tool {
  return choreTool(deps, {
    name: "move_page",
    description:
      "Moves or renames a page: its file, its navigation entry, every link to it and the relative links in it, with a " +
      "redirect from its old address. With a group it changes its place in the navigation.",
    input: Input,
    mutates: true,
    run: movePage,
  });
}

async function movePage(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  const page = resolvePage(docs, input.page);
  const target = targetPath(docs, page, input);
  const notes: string[] = [];
  const done: string[] = [];
  if (target !== page.path) {
    await movePageFile(workspace, { docs, page, target, redirect: input.redirect, notes });
    done.push(`Moved ${page.path} to ${target}`);
  }
  if (input.title !== undefined) {
    await setPageTitle(workspace, target, input.title);
    done.push(`${done.length === 0 ? "Changed" : "changed"} its title to “${input.title}”`);
  }
  if (input.group !== undefined) {
    const route = (await workspace.docs()).pagesByPath.get(target)?.route;
    if (route !== undefined) await removeFromNavigation(workspace, route);
    const trail = await addToNavigation(workspace, { path: target }, { group: input.group });
    done.push(`${done.length === 0 ? `Moved ${page.path}` : "moved it"} to “${trail}” in the navigation`);
  }
  if (workspace.changed().length === 0) {
    throw new AppError("invalid", `${page.path} is there already and has this title: there is nothing to move.`);
  }
  return { summary: done.join(", "), notes, details: { from: page.path, to: target } };
}

/** The repository path that the page shall have. */
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
  const wanted = input.to.replace(/^\.?\/+/, "");
  const isFolder = input.to.endsWith("/");
  const inRoot = docs.contentRoot === "" || wanted.startsWith(`${docs.contentRoot}/`);
  const path = trimEndOf(inRoot ? wanted : joinContentRoot(wanted, docs.contentRoot), "/");
  if (isFolder) return posix.join(path, posix.basename(page.path));
  return /\.(?:md|mdx|markdown)$/i.test(path) ? path : path + extension;
}

interface PageMove {
  docs: Docs;
  page: Page;
  target: string;
  redirect: boolean;
  notes: string[];
}

async function movePageFile(workspace: Workspace, move: PageMove): Promise<void> {
  const { docs, page, target, notes } = move;
  const from = stripContentRoot(page.path, docs.contentRoot) ?? page.path;
  const to = stripContentRoot(target, docs.contentRoot);
  if (to === null) throw new AppError("invalid", `“${target}” lies outside of the documentation.`);
  const rival = docs.pages.get(routeOfStem(to));
  if (rival && rival.path !== page.path) {
    throw new AppError("conflict", `“${target}” would have the address of ${rival.path}. Choose another name.`);
  }
  const importers = await importersOf(workspace, from);
  if (importers.length > 0) {
    throw new AppError("invalid", `${page.path} is imported by ${importers.join(", ")}: moving it would break them.`);
  }
  const inbound = (await workspace.links()).links.filter(
    (link) => link.path !== page.path && link.target?.kind === "page" && link.target.path === page.path,
  );
  const outcome = await editLinks(
    workspace,
    inbound.map(({ path, start, end, url }) => {
      const file = stripContentRoot(path, docs.contentRoot) ?? path;
      const hash = resolveHref(url, file).kind === "internal" ? hashOf(url) : null;
      return { path, start, end, url: writeHref({ like: url, from: file, target: to, hash }) };
    }),
  );
  await moveText(workspace, { page, from, to });
  await workspace.move(page.path, target);

  const newRoute = createRoutes([to], "").routeOf(to) ?? encodePath(to);
  const renamed = await renameInNavigation(workspace, page.route, target);
  await retargetConfiguration(workspace, page.route, target);
  if (outcome.links > 0) {
    const places = inbound.slice(0, MAX_LISTED_LINKS).map((link) => `\`${link.path}:${link.line}\``);
    notes.push(
      `Updated ${count(outcome.links, "link")} to it: ${places.join(", ")}${inbound.length > places.length ? " …" : ""}.`,
    );
  }
  for (const at of outcome.refused) notes.push(`Left the link at \`${at}\`: only people change that file.`);
  notes.push(renamed > 0 ? "Updated its entry in the navigation." : "It has no entry in a configured navigation.");
  if (!move.redirect || newRoute === page.route) return;
  const isRedirected = await addRedirect(workspace, { source: page.route, destination: newRoute });
  notes.push(
    isRedirected
      ? `Added a redirect from \`${page.route}\` to \`${newRoute}\`.`
      : `There is no docs.json to hold a redirect, so \`${page.route}\` answers “not found” from now on.`,
  );
}

/** Relative links and imports of the page itself, seen from its new folder; links to itself; imports stay as they are. */
async function moveText(
  workspace: Workspace,
  { page, from, to }: { page: Page; from: string; to: string },
): Promise<void> {
  const text = await workspace.text(page.path);
  const root = text === null ? null : await workspace.parse({ path: page.path, text });
  if (text === null || root === null) {
    if (posix.dirname(from) === posix.dirname(to)) return;
    throw new AppError("invalid", `${page.path} does not parse, so its relative links cannot be corrected.`);
  }
  const edits: TextEdit[] = [];
  for (const { url, use, start, end } of extractLinks(text, root, from).links) {
    const href = resolveHref(url, from, use);
    if (href.kind !== "internal" || url.startsWith("#") || url.startsWith("?")) continue;
    const isSelf = use === "link" && href.path === decodeURIComponent(page.route);
    if (!isSelf && url.startsWith("/")) continue;
    const file = isSelf ? to : await fileOf(workspace, href.path, use);
    if (file === null) continue;
    const written = writeHref({ like: url, from: to, target: file, hash: hashOf(url) });
    if (written !== url) edits.push({ start, end, text: written });
  }
  for (const node of root.children) {
    if (node.type !== "mdxjsEsm" || node.position?.start.offset === undefined) continue;
    const offset = node.position.start.offset;
    for (const match of node.value.matchAll(/(\bfrom\s*|^import\s*)(["'])(\.{1,2}\/[^"'\n]+)\2/gm)) {
      const [, lead = "", , specifier = ""] = match;
      const file = posix.join(posix.dirname(from), specifier);
      const relative = posix.relative(posix.dirname(to), file);
      const written = relative.startsWith(".") ? relative : `./${relative}`;
      const start = offset + match.index + lead.length + 1;
      if (written !== specifier) edits.push({ start, end: start + specifier.length, text: written });
    }
  }
  if (edits.length > 0) await workspace.write(page.path, editText(text, edits));
}

/** File, relative to the site's root, that an internal address means. */
async function fileOf(workspace: Workspace, sitePath: string, use: "link" | "source"): Promise<string | null> {
  const docs = await workspace.docs();
  const route = encodePath(sitePath.replace(/^\//, ""));
  const page = use === "link" ? docs.pages.get(route) : undefined;
  const path = page?.path ?? docs.assets.get(route)?.path;
  return path === undefined ? sitePath.replace(/^\//, "") : stripContentRoot(path, docs.contentRoot);
}

function hashOf(url: string): string | null {
  const at = url.indexOf("#");
  if (at === -1) return null;
  try {
    return decodeURIComponent(url.slice(at + 1));
  } catch {
    return url.slice(at + 1);
  }
}
