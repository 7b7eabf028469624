import { createAddApiPages } from "#docs/api/pages/add-api-pages.ts";
import { type ApiAddresses, editionOf, noAddresses } from "#docs/api/api-addresses.ts";
import type { ApiDocument, ApiDocuments } from "#docs/api/api-documents.ts";
import { holdsCredentials } from "#docs/credential-files.ts";
import { loadDocs, type Docs, type PageHeads } from "#docs/tree/page-tree.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { type AwaitedDescriptions, awaitedDescriptions, patienceOf, withTimes } from "./awaited-descriptions.ts";
import { createLayoutIndex, type LayoutIndex } from "./layout-index.ts";
import type { SiteProject } from "./site-project.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { aspectRatio } from "./image-shape.ts";
import { namedAsset } from "./versioned-address.ts";

/** One commit of a site, loaded. Immutable. */
export interface SiteVersion {
  /** Null for a repository without the branch, which has no content yet. */
  commit: string | null;
  snapshot: Snapshot;
  docs: Docs;
  layout: LayoutIndex;
  /**
   * The version of each regular file that a page may include, by its path in the repository; without files that contain
   * credentials.
   */
  files: ReadonlyMap<string, string>;
  /** Whether the logo is an icon without the name in it, judged by its aspect ratio. */
  hasSquareLogo: boolean;
  /** The API descriptions at addresses, and which of them the site names. */
  addresses: ApiAddresses;
  asked: readonly string[];
  /**
   * API descriptions that are still being parsed: their pages are missing, and the version is rebuilt when they are
   * ready.
   */
  awaited: AwaitedDescriptions;
  /** Changes exactly when the commit, the API descriptions at addresses or the parsed ones change. */
  edition: string;
  /** Ends work on the pages of a draft. Absent for versions that several readers share. */
  signal?: AbortSignal;
}

/**
 * Loads a site from its files: a commit, or a local folder (`commit` is then null). Waits for API descriptions, unless
 * given a limit.
 */
export async function loadSiteVersion(
  parts: { apiDocuments: ApiDocuments; heads: PageHeads; addresses?: ApiAddresses; apiPatienceMs?: number | null },
  site: { commit: string | null; snapshot: Snapshot; project: Pick<SiteProject, "id" | "contentRoot"> },
): Promise<SiteVersion> {
  const { commit, snapshot, project } = site;
  const { apiDocuments, heads, addresses = noAddresses } = parts;
  const requested = new Set<string>();
  const awaiting = new Map<string, Promise<ApiDocument>>();
  const { documents, expiresAt } = withTimes(apiDocuments);
  using patience = patienceOf(parts.apiPatienceMs ?? null);
  const addApiPages = createAddApiPages(documents, project.id, {
    addresses,
    asked: requested,
    ...(patience && { patience: { end: patience.end, awaited: awaiting } }),
  });
  const docs = await loadDocs(snapshot, { heads, contentRoot: project.contentRoot ?? null, addApiPages });
  const files = (await snapshot.files()).filter(({ kind, path }) => kind === "file" && !holdsCredentials(path));
  return {
    commit,
    snapshot,
    docs,
    layout: createLayoutIndex(docs),
    files: new Map(files.map((file) => [file.path, file.version])),
    hasSquareLogo: await hasSquareLogo(snapshot, docs),
    addresses,
    asked: [...requested],
    awaited: awaitedDescriptions(awaiting, expiresAt()),
    edition: [commit ?? "", editionOf(addresses, requested), ...awaiting.keys()].join(" "),
  };
}

/** A repository without the branch. */
export const emptySnapshot: Snapshot = { files: () => Promise.resolve([]), read: () => Promise.resolve(null) };

const MAX_LOGO_BYTES = 2 * 1024 * 1024;
const MAX_MARK_RATIO = 1.6;
const LOGO_PATIENCE_MS = 2_000;

/** Whether the logo is an icon without the name in it, judged by its aspect ratio. */
async function hasSquareLogo(snapshot: Snapshot, docs: Docs): Promise<boolean> {
  const asset = docs.config.logo && namedAsset(docs.assets, docs.config.logo.light)?.asset;
  if (!asset || asset.sizeBytes > MAX_LOGO_BYTES) return false;
  // A mirror may not have fetched it from its host: the site does not wait for that.
  const read = snapshot.read(asset.path).catch(() => null);
  const bytes = await Promise.race([read, sleep(LOGO_PATIENCE_MS, null, { ref: false })]);
  const ratio = bytes && aspectRatio(bytes);
  return ratio !== null && ratio < MAX_MARK_RATIO;
}

/** What is wrong with a site that has a folder for its pages, and no page in it; null for all others. */
export const folderWithoutPages = ({ pages, contentRoot }: Pick<Docs, "pages" | "contentRoot">): string | null =>
  pages.size > 0 || contentRoot === ""
    ? null
    : `The folder "${contentRoot.slice(0, 200)}" has no pages. It is the setting contentRoot of the project, or the folder of the docs.json.`;
