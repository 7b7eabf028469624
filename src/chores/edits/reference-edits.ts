import { posix } from "node:path";
import { anchorsOf } from "#docs/links/headings.ts";
import { writeHref } from "#docs/links/href-writer.ts";
import { decodeLoose, resolveHref } from "#docs/hrefs.ts";
import { extractLinks } from "#docs/links/link-extraction.ts";
import { stripContentRoot, encodePath } from "#docs/routes.ts";
import { findLinkTarget, type Link } from "#docs/links/links.ts";
import { addressInTool } from "#docs/links/tool-links.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import { editText, placesIn, type TextEdit } from "./page-edits.ts";
import type { Workspace } from "./workspace.ts";

/** A new address for one link, by the link's position in its file. */
export interface LinkEdit {
  path: string;
  start: number;
  end: number;
  url: string;
}

export interface LinkEditOutcome {
  links: number;
  files: string[];
  /** `path:line` of links in files that the write policy protects. */
  refused: string[];
}

/** Writes new addresses into the files that contain the links. */
export async function editLinks(workspace: Workspace, edits: readonly LinkEdit[]): Promise<LinkEditOutcome> {
  const outcome: LinkEditOutcome = { links: 0, files: [], refused: [] };
  for (const [path, links] of Map.groupBy(edits, (edit) => edit.path)) {
    const changes = links.map(({ start, end, url }): TextEdit => ({ start, end, text: url }));
    const text = await workspace.text(path);
    if (text === null) continue;
    if ((await workspace.refuseWrite(path, text)) !== null) {
      const at = placesIn(path, text);
      outcome.refused.push(...changes.map(({ start }) => at(start)));
      continue;
    }
    if (!(await workspace.writeOrSkip(path, editText(text, changes)))) continue;
    outcome.links += changes.length;
    outcome.files.push(path);
  }
  return outcome;
}

const MAX_LISTED_LINKS = 40;

/** The places of links for a report, up to a limit. */
export const linkPlaces = (links: readonly { path: string; line: number }[], limit = MAX_LISTED_LINKS): string =>
  links
    .slice(0, limit)
    .map(({ path, line }) => `\`${path}:${line}\``)
    .join(", ") + (links.length > limit ? " …" : "");

/** Replaces the address of links by the result of `urlOf` for the address as written. */
export async function retargetLinks(
  workspace: Workspace,
  links: readonly Link[],
  urlOf: (written: string, from: string) => string,
): Promise<LinkEditOutcome & { places: string; notes: string[] }> {
  const { contentRoot } = await workspace.docs();
  const edits = links.map((link) => ({
    ...link,
    url: urlOf(link.url, stripContentRoot(link.path, contentRoot) ?? link.path),
  }));
  const outcome = await editLinks(workspace, edits);
  const notes = outcome.refused.map((at) => `Left the link at \`${at}\`: only people change that file.`);
  return { ...outcome, places: linkPlaces(links), notes };
}

/** Reports pages that do not parse and mention this page: they may link to it, and their links cannot be edited. */
export async function reportUnparsedMentions(
  workspace: Workspace,
  page: { path: string; route: string },
): Promise<void> {
  const name = decodeLoose(page.route.slice(page.route.lastIndexOf("/") + 1));
  for (const { path, line, message } of (await workspace.links()).unparsed) {
    const text = path === page.path ? null : await workspace.text(path);
    if (text?.includes(name))
      workspace.skip({ path, line, reason: `does not parse, so links in it stay unchanged (${message})` });
  }
}

/** Anchor ids that a change of headings removed, by decoded route, each with the new id of its heading. */
export type RenamedAnchors = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Compares the anchors of a page before and after an edit that keeps their number and order. */
export async function renamedAnchors(
  workspace: Workspace,
  path: string,
  texts: { before: string; after: string },
): Promise<ReadonlyMap<string, string>> {
  const [before, after] = await Promise.all([texts.before, texts.after].map((text) => workspace.parse({ path, text })));
  const renamed = new Map<string, string>();
  if (!before || !after) return renamed;
  const old = anchorsOf(before);
  const now = anchorsOf(after);
  if (old.length !== now.length) return renamed;
  const ids = new Set(now.map((anchor) => anchor.id));
  for (const [index, anchor] of old.entries()) {
    const id = now[index]?.id;
    if (id !== undefined && id !== anchor.id && !ids.has(anchor.id)) renamed.set(anchor.id, id);
  }
  return renamed;
}

/** Updates links to renamed anchors. Only files that contain one of the old ids are parsed. */
export async function followAnchors(workspace: Workspace, renamed: RenamedAnchors): Promise<LinkEditOutcome> {
  const ids = new Set([...renamed.values()].flatMap((anchors) => [...anchors.keys()]));
  if (ids.size === 0) return { links: 0, files: [], refused: [] };
  const { contentRoot, config } = await workspace.docs();
  const pages = await workspace.pageTexts((text) => {
    for (const [, id = ""] of text.matchAll(/#([^\s"'`)\]}>|]+)/g)) if (ids.has(decodeLoose(id))) return true;
    return false;
  });
  const edits: LinkEdit[] = [];
  for (const page of pages) {
    const root = await workspace.parse(page);
    if (root === null) continue;
    const from = stripContentRoot(page.path, contentRoot) ?? page.path;
    for (const { url, use, start, end } of extractLinks(page.text, root, { path: from, dialect: config.dialect })
      .links) {
      const target = resolveHref(url, from, use);
      if (target.kind !== "internal" || target.hash === null) continue;
      const id = renamed.get(target.path)?.get(target.hash);
      if (id === undefined) continue;
      const hash = writeHref({ like: "#", from, target: from, hash: id });
      edits.push({ path: page.path, start, end, url: url.slice(0, url.indexOf("#")) + hash });
    }
  }
  return editLinks(workspace, edits);
}

/** Throws `AppError invalid` if other files include this one, by import or as a snippet. */
export async function refuseImported(workspace: Workspace, path: string, doing: "moving" | "removing"): Promise<void> {
  const { contentRoot, config } = await workspace.docs();
  const sitePath = stripContentRoot(path, contentRoot) ?? path;
  const name = posix.basename(sitePath).replace(/\.[^.]+$/, "");
  const importers: string[] = [];
  for (const page of await workspace.pageTexts((text) => text.includes(name) && /\bimport\b|<Snippet/.test(text))) {
    const root = await workspace.parse(page);
    if (root === null) continue;
    const from = stripContentRoot(page.path, contentRoot) ?? page.path;
    const { includes } = extractLinks(page.text, root, { path: from, dialect: config.dialect });
    if (includes.some((choices) => choices.includes(sitePath))) importers.push(page.path);
  }
  if (importers.length > 0)
    throw new AppError("invalid", `${path} is imported by ${importers.join(", ")}: ${doing} it would break them.`);
}

/** Path of the page that a link refers to, even if the page has no such heading; null when it does not refer to a page. */
export function linkedPage(link: Link, docs: Docs): string | null {
  if (link.broken !== "no_anchor") return link.target?.kind === "page" ? link.target.path : null;
  const href = resolveHref(link.url, stripContentRoot(link.path, docs.contentRoot) ?? link.path, link.use);
  if (href.kind !== "internal") return null;
  const found = findLinkTarget(encodePath(href.path.replace(/^\//, "")), link, docs);
  return found?.kind === "page" ? found.path : null;
}

/**
 * Throws `AppError invalid` when an edit added a broken link to the page. The text of a request may not add broken links. A
 * page that does not parse is handled by the syntax check.
 */
export async function refuseBrokenLinks(workspace: Workspace, path: string, before = ""): Promise<void> {
  const page = await workspace.page(path);
  if (page === null) return;
  const docs = await workspace.linked();
  const from = stripContentRoot(path, docs.contentRoot) ?? path;
  for (const { url, use } of extractLinks(page.text, page.root, { path: from, dialect: docs.config.dialect }).links) {
    if (before.includes(url)) continue;
    const href = resolveHref(url, from, use);
    const shown = url.slice(0, 200);
    if (href.kind === "refused") throw new AppError("invalid", `The text links to “${shown}”: ${href.reason}.`);
    if (href.kind === "outside")
      throw new AppError("invalid", `The text links to “${shown}”, outside of the documentation.`);
    if (href.kind !== "internal" || url.startsWith("#")) continue;
    const route = encodePath(href.path.replace(/^\//, ""));
    if (docs.pages.has(route) || docs.assets.has(route) || docs.redirects.match(route) !== null) continue;
    if (addressInTool(docs, { url, use, route, page: docs.pagesByPath.get(path)?.route ?? null }) !== null) continue;
    throw new AppError("invalid", `The text links to “${shown}”, which does not exist.`);
  }
}
