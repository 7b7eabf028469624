import { createHash } from "node:crypto";
import { readRelease } from "#lib/version.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "#docs/tree/page-tree.ts";
import { createActivity } from "#lib/activity.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { FileUnreadable } from "#lib/file-unreadable.ts";
import { createBreather } from "#lib/waiting/breather.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { SearchIndex } from "#search/search-index.ts";
import type { SearchPage } from "#search/search-page.ts";
import type { PageContents } from "#features/sites/page-content.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { searchPage } from "./page-sections.ts";
import { indexedPart } from "./site-parts.ts";

/** Keeps the index of each site at its live version. */
export interface SiteIndexer extends AsyncDisposable {
  /** Starts to index a version, unless that was done; returns at once and never throws. */
  follow(project: SiteProject, version: SiteVersion): void;
  /**
   * `edition` changes whenever the index may have; `isComplete` once the last followed version is indexed; `isNew` until
   * something of a site was indexed by this process.
   */
  state(project: ProjectId): { edition: string; isComplete: boolean; isNew: boolean };
  /** Resolves when the last followed version is indexed, or after `patienceMs`. */
  settled(project: ProjectId, patienceMs: number): Promise<void>;
}

/** Work on a site's index until it is at a version; `changed` pages are rendered. */
export const siteIndexing = createActivity<{ projectId: ProjectId; changed?: number }>("site indexing");

type Traced = Parameters<typeof siteIndexing.run>[0];

interface Followed {
  project: SiteProject;
  /** The version to index; null when done: a version takes megabytes, and there are many sites. */
  wanted: SiteVersion | null;
  last: WeakRef<SiteVersion>;
  /** The edition of the last followed version. */
  versionEdition: string;
  /** Whether all its API descriptions were parsed. */
  isWhole: boolean;
  running: Promise<void> | null;
  edition: number;
}

const MAX_PAGES = 25_000;
const MAX_SECTIONS = 300_000;
/** Pages per write: a few milliseconds of the thread that searches. */
const BATCH_PAGES = 20;
const BATCH_SECTIONS = 300;
/** The same for pages with only their titles. */
const BATCH_TITLES = 200;
/** Slow pages are written before another node takes the project over. */
const BATCH_MS = 5_000;
/** Projects take turns at each page, with one page at a time each, so that slow pages delay no other project. */
const TURNS = { places: 2, perOwner: 1 };
const RETRY_MS = 2_000;
const MAX_FOLLOWED = 2_000;

/**
 * Indexes in the background, page by page, in the process that renders for readers. Pages with an unchanged file,
 * snippets, title and part of the site are not rendered again. Of several nodes one works on a project; the others
 * check again until everything is done.
 */
export function createSiteIndexer(deps: { index: SearchIndex; contents: PageContents; logger: Logger }): SiteIndexer {
  const { index, contents, logger } = deps;
  // Another release may read pages differently: all are then indexed again.
  const release = readRelease();
  const followed = new Map<ProjectId, Followed>();
  const closing = new AbortController();
  const places = createFairPlaces(TURNS);
  const trouble = createLastingTrouble(logger, "the search index of a site was not brought up to date");

  function start(site: Followed): void {
    site.running ??= run(site)
      .catch((error: unknown) => closing.signal.aborted || trouble.failed(error))
      .then(() => {
        site.running = null;
        // Followed again between its last check and here.
        if (site.wanted !== null && !closing.signal.aborted) start(site);
      });
  }

  async function run(site: Followed): Promise<void> {
    while (site.wanted !== null && !closing.signal.aborted) {
      const version = site.wanted;
      try {
        const traced: Traced = { projectId: site.project.id };
        const ran = await index.alone(site.project.id, (stillOurs) =>
          siteIndexing.run(traced, () => bringUpToDate(site, version, { stillOurs, traced })),
        );
        if (ran) trouble.worked();
        else await sleep(RETRY_MS, undefined, { signal: closing.signal, ref: false });
      } catch (error) {
        if (closing.signal.aborted) return;
        trouble.failed(error);
        await sleep(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async function bringUpToDate(
    site: Followed,
    version: SiteVersion,
    { stillOurs, traced }: { stillOurs: () => Promise<boolean>; traced: Traced },
  ): Promise<void> {
    const { project } = site;
    const startedAt = performance.now();
    const isWhole = version.awaited.paths.length === 0;
    const pages = searchablePages(version).filter(({ awaits }) => awaits === null);
    const { changed, added, gone } = await places.run(project.id, () => differences(project.id, version, pages));
    traced.changed = changed.length;
    // Pages of an API that is still being parsed stay in the index with their old content.
    const batch = { put: [] as SearchPage[], remove: isWhole ? gone : [] };
    let sections = 0;
    let waiting = 0;
    let writtenAt = startedAt;
    const isCurrent = () => site.wanted === version && !closing.signal.aborted;
    const write = async () => {
      if (batch.put.length === 0 && batch.remove.length === 0) return true;
      if (!(await stillOurs())) return false;
      await index.change(project.id, batch);
      site.edition += 1;
      batch.put = [];
      batch.remove = [];
      waiting = 0;
      writtenAt = performance.now();
      return true;
    };
    // A large site takes minutes: until then its pages can be found by their titles.
    for (const page of added) {
      if (!isCurrent()) return;
      batch.put.push(titleOnly(version, page));
      if (batch.put.length >= BATCH_TITLES && !(await write())) return;
    }
    if (!(await write())) return;
    for (const page of interleaved(version, changed)) {
      if (!isCurrent()) return;
      if (sections >= MAX_SECTIONS) {
        logger.warn({ projectId: project.id, sections }, "site is too large to be indexed whole");
        break;
      }
      const indexed = await places.run(project.id, () => indexedForm(project.id, version, page));
      sections += indexed.sections.length;
      waiting += indexed.sections.length;
      batch.put.push(indexed);
      const isFull = batch.put.length >= BATCH_PAGES || waiting >= BATCH_SECTIONS;
      if ((isFull || performance.now() - writtenAt > BATCH_MS) && !(await write())) return;
    }
    if (!(await write())) return;
    if (site.wanted === version) site.wanted = null;
    logger.info(
      {
        projectId: project.id,
        commit: version.commit,
        pages: pages.length,
        changed: changed.length,
        durationMs: Math.round(performance.now() - startedAt),
      },
      "site indexed for search",
    );
  }

  async function indexedForm(project: ProjectId, version: SiteVersion, page: Page): Promise<SearchPage> {
    const content = await contents.render(project, version, page).catch((error: unknown) => {
      if (error instanceof FileUnreadable) return null;
      throw error;
    });
    // Found by its title; the next version tries again.
    if (content === null) return { ...titleOnly(version, page), key: "" };
    const { includes } = content;
    return {
      ...searchPage(version, page, content),
      // Pages that could not be rendered this time are retried with the next version.
      key: content.key === null ? "" : await keyOf(project, version, { page, includes }),
    };
  }

  /** The pages whose index entry is outdated, and the routes that no longer exist. */
  async function differences(
    project: ProjectId,
    version: SiteVersion,
    pages: readonly Page[],
  ): Promise<{ changed: Page[]; added: Page[]; gone: string[] }> {
    const known = await index.pages(project);
    const routes = new Set<string>(pages.map(({ route }) => route));
    const breathe = createBreather();
    const changed: Page[] = [];
    for (const page of pages) {
      const rest = breathe();
      if (rest) await rest;
      const before = known.get(page.route);
      if (before?.key !== (await keyOf(project, version, { page, includes: before?.includes ?? [] })))
        changed.push(page);
    }
    return {
      changed,
      added: changed.filter(({ route }) => !known.has(route)),
      gone: [...known.keys()].filter((route) => !routes.has(route)),
    };
  }

  async function keyOf(
    project: ProjectId,
    version: SiteVersion,
    read: { page: Page; includes: readonly string[] },
  ): Promise<string> {
    const { page } = read;
    const part = indexedPart(version.docs, page.route);
    const parts = [release, page.title, page.description, part, await contents.key(project, version, read)];
    return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);
  }

  return {
    follow(project, version) {
      const known = followed.get(project.id);
      const isEmpty = version.commit === null && version.docs.pages.size === 0;
      if (known?.last.deref() === version || isEmpty || closing.signal.aborted) return;
      const followsNow = {
        project,
        wanted: version,
        last: new WeakRef(version),
        versionEdition: version.edition,
        isWhole: version.awaited.paths.length === 0,
      };
      const site = Object.assign(known ?? { running: null, edition: 0 }, followsNow);
      followed.set(project.id, site);
      forgetIdle(followed);
      start(site);
    },
    state(project) {
      const site = followed.get(project);
      return {
        edition: `${site?.versionEdition ?? ""} ${site?.edition ?? 0}`,
        isComplete: site === undefined || (site.wanted === null && site.isWhole),
        isNew: site?.edition === 0,
      };
    },
    async settled(project, patienceMs) {
      const running = followed.get(project)?.running;
      if (!running) return;
      const waiting = new AbortController();
      const timeout = sleep(patienceMs, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
      await Promise.race([running, timeout]);
      waiting.abort();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      for (const { running } of followed.values()) await running;
    },
  };
}

/** A page's title and description, until its text is indexed. */
function titleOnly({ docs }: SiteVersion, { route, title, description, operation }: Page): SearchPage {
  const section = { anchor: null, heading: "", text: description ?? "", reference: "" };
  const part = indexedPart(docs, route);
  const about = { route, title, keywords: "", isReference: operation !== null, ...part };
  return { ...about, key: "", includes: [], sections: [section] };
}

/**
 * The default version before other versions, and the languages of a site in turn: none waits for the end of another.
 */
function interleaved({ docs }: SiteVersion, pages: readonly Page[]): Page[] {
  const turns = new Map<string, number>();
  return pages
    .map((page) => {
      const { language, versionRank } = indexedPart(docs, page.route);
      const part = `${versionRank} ${language}`;
      const turn = turns.get(part) ?? 0;
      turns.set(part, turn + 1);
      return { page, versionRank, turn };
    })
    .sort((a, b) => a.versionRank - b.versionRank || a.turn - b.turn)
    .map(({ page }) => page);
}

function forgetIdle(followed: Map<ProjectId, Followed>): void {
  for (const [project, { running }] of followed) {
    if (followed.size <= MAX_FOLLOWED) return;
    if (running === null) followed.delete(project);
  }
}

/** The pages that the navigation contains and that authors do not hide from search; at most 25,000. */
export function searchablePages({ docs }: SiteVersion): Page[] {
  return [...docs.pages.values()]
    .filter((page) => !page.noindex && page.isUnsearched !== true && (!page.hidden || docs.config.seo.indexAll))
    .slice(0, MAX_PAGES);
}
