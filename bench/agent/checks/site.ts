import type { CheckKind, Failure } from "#bench/agent/failure.ts";
import type { Change } from "#bench/agent/change.ts";
import { checkLinks } from "#docs/links/links.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { createPageHeads, type Docs } from "#docs/tree/page-tree.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import { loadSiteVersion, type SiteVersion } from "#features/sites/site-version.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";

/** Loads, checks and renders a site like the server; results are cached by file version. */
export interface Sites {
  load(snapshot: Snapshot): Promise<{ docs: Docs; version: SiteVersion; brokenLinks: readonly { path: string; url: string }[] }>;
  /** The renderer's warnings for a page; null if it is not a page. */
  warnings(version: SiteVersion, path: string): Promise<string[] | null>;
} // oxfmt-ignore

export function createSites(content: ContentProcess, contentRoot: string | null): Sites {
  const project = { id: newProjectId() as ProjectId, contentRoot };
  const heads = createPageHeads();
  const cache = createLinkCache(200_000);
  const contents = createPageContents({ contentProcess: content, logger: silentLogger, isColoured: false });
  const loaded = new WeakMap<Snapshot, ReturnType<Sites["load"]>>();
  async function load(snapshot: Snapshot) {
    const version = await loadSiteVersion({ apiDocuments: content.apiDocuments, heads }, { commit: null, snapshot, project }); // oxfmt-ignore
    const { docs } = version;
    const { broken } = await checkLinks({ snapshot, docs, parser: content, cache, onlyBroken: true });
    return { docs, version, brokenLinks: broken };
  }
  return {
    load(snapshot) {
      const known = loaded.get(snapshot) ?? load(snapshot);
      loaded.set(snapshot, known);
      return known;
    },
    async warnings(version, path) {
      const page = version.docs.pagesByPath.get(path);
      if (page === undefined) return null;
      const { warnings, degraded } = await contents.render(project.id, version, page);
      // An additional heading next to the title is a matter of taste.
      const told = warnings.filter(({ code }) => code !== "left_out").map(({ message }) => message);
      return degraded === "none" ? told : [...told, "The page does not parse."];
    },
  };
}

/** What the change breaks that was not broken before: links, pages and the navigation. */
export async function checkSite({ before, after, edits }: Change, sites: Sites) {
  const [old, now] = [await sites.load(before), await sites.load(after)];
  const failures: Failure[] = [];
  const fail = (kind: CheckKind, message: string) => failures.push({ kind, check: kind, message });
  // Compared by address, so that a page that moves may keep its broken links.
  const urls = old.brokenLinks.map(({ url }) => url);
  for (const { path, url } of now.brokenLinks) if (!take(urls, url)) fail("links", `${path} links to ${url}, which is not there.`);
  const problems = old.docs.problems.map(({ message }) => message);
  for (const { message } of now.docs.problems) if (!take(problems, message)) fail("navigation", message);
  const known = (await Promise.all(edits.map(({ path }) => sites.warnings(old.version, path)))).flatMap((each) => each ?? []);
  for (const { path } of edits) {
    for (const message of (await sites.warnings(now.version, path)) ?? [])
      if (!take(known, message)) fail("rendering", `${path}: ${message}`);
  }
  return { docs: now.docs, failures };
} // oxfmt-ignore

/** Removes one occurrence; false if there is none. */
function take(list: string[], item: string): boolean {
  const at = list.indexOf(item);
  if (at !== -1) list.splice(at, 1);
  return at !== -1;
}
