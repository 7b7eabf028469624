import { createHash } from "node:crypto";
import { escapeHtml } from "#docs/markup/html.ts";
import { routeInsideBase, type Asset } from "#docs/tree/page-tree.ts";
import { canonicalPath } from "#docs/routes.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { PageContent } from "#features/sites/page-content.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { versionedAddress } from "#features/sites/versioned-address.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { IMAGE_HEAD_BYTES, imageSize, type ImageSize } from "#features/sites/image-shape.ts";

/** A page's content with its images, videos and audio files optimized for browsers. */
export interface PageMedia {
  /** Changes with the files that the page shows and with the known sizes. */
  key: string;
  /**
   * The content, with versioned addresses for files of the site, images with their size, which prevents layout shifts,
   * and eager loading of the first ones.
   */
  html(): string;
}

export interface PageMedias {
  /** Synchronous when the content was seen in this version before, and all sizes are known. */
  of(project: ProjectId, version: SiteVersion, content: PageContent): PageMedia | Promise<PageMedia>;
}

const MAX_FILES = 500;
// The renderer escapes every `<` and `>` outside tags, and writes every attribute in double quotes.
const TAGS = /<(?:img|video|audio|source)\b[^<>]*>/g;
const SOURCE = / (src|poster)="(\/[^"?#]{0,2000})"/g;

/** `patienceMs`: how long a page waits for the sizes of its images. */
export function createPageMedias({ sizes, patienceMs }: { sizes: ImageSizes; patienceMs: number }): PageMedias {
  // A page that is cached across versions must not keep an old version alive.
  const made = new WeakMap<PageContent, { version: WeakRef<SiteVersion>; media: PageMedia }>();

  function describe(assets: ReadonlyMap<string, ShownFile>): string {
    const parts = [...assets].map(
      ([
        source,
        {
          asset: { version },
        },
      ]) => {
        const size = sizes.known(version);
        return `${source} ${version} ${size ? `${size.width}x${size.height}` : ""}`;
      },
    );
    return parts.length === 0 ? "" : createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 22);
  }

  async function look(project: ProjectId, version: SiteVersion, content: PageContent): Promise<PageMedia> {
    const assets = filesOf(version, content.html);
    const images = [...assets.values()].filter(({ asset }) => isImage(asset.path));
    const versions = images.map(({ asset }) => asset.version);
    await sizes.learn(project, versions, patienceMs);
    const media = { key: describe(assets), html: () => rewrite(content.html, assets, sizes) };
    const isComplete = versions.every((each) => sizes.known(each) !== undefined);
    if (isComplete) made.set(content, { version: new WeakRef(version), media });
    return media;
  }

  return {
    of(project, version, content) {
      const known = made.get(content);
      return known?.version.deref() === version ? known.media : look(project, version, content);
    },
  };
}

const isImage = (path: string) => /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(path);

interface ShownFile {
  asset: Asset;
  /** As rendered, without a base path that the author wrote. */
  address: string;
}

/** The site's files that a page shows, by their address as rendered. */
function filesOf({ docs }: SiteVersion, html: string): Map<string, ShownFile> {
  const found = new Map<string, ShownFile>();
  for (const [tag] of html.matchAll(TAGS)) {
    for (const [, , source = ""] of tag.matchAll(SOURCE)) {
      const path = canonicalPath(source.replaceAll("&amp;", "&").replaceAll("&#39;", "'"));
      if (path === null || found.size >= MAX_FILES) continue;
      const inside = docs.assets.has(path) ? null : routeInsideBase(docs, path);
      const asset = docs.assets.get(inside ?? path);
      if (asset !== undefined) found.set(source, { asset, address: inside === null ? source : escapeHtml(inside) });
    }
  }
  return found;
}

function rewrite(html: string, assets: ReadonlyMap<string, ShownFile>, sizes: ImageSizes): string {
  let isFirst = true;
  return html.replaceAll(TAGS, (tag) => {
    const isPicture = tag.startsWith("<img") && !tag.includes('class="content-icon"');
    const size = isPicture ? sizeFor(tag, assets, sizes) : "";
    const written = tag.replaceAll(SOURCE, (attribute, name: string, source: string) => {
      const file = assets.get(source);
      return file === undefined
        ? attribute
        : ` ${name}="${versionedAddress(file.address, file.asset.version)}"${name === "src" ? size : ""}`;
    });
    if (!isPicture || !isFirst) return written;
    isFirst = false;
    return written.replace(' loading="lazy"', ' fetchpriority="high"');
  });
}

/** The width and height that the author left out; empty when one of them is relative to the page. */
function sizeFor(tag: string, assets: ReadonlyMap<string, ShownFile>, sizes: ImageSizes): string {
  const file = assets.get(/ src="([^"]*)"/.exec(tag)?.[1] ?? "");
  const size = file && sizes.known(file.asset.version);
  if (!size) return "";
  const [width, height] = ["width", "height"].map((name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]);
  const { width: wide, height: high } = size;
  if (width === undefined && height === undefined) return ` width="${Math.round(wide)}" height="${Math.round(high)}"`;
  const written = Number(width ?? height);
  if ((width !== undefined && height !== undefined) || !(written > 0)) return "";
  return height === undefined
    ? ` height="${Math.max(1, Math.round((written * high) / wide))}"`
    : ` width="${Math.max(1, Math.round((written * wide) / high))}"`;
}

/** Sizes of images by version, each read once. */
interface ImageSizes {
  /** The size of a version; undefined when it was not read yet. */
  known(version: string): ImageSize | null | undefined;
  /** Reads missing sizes, for up to `patienceMs`; slower ones are known the next time. */
  learn(project: ProjectId, versions: readonly string[], patienceMs: number): Promise<void>;
}

const MAX_KEPT = 100_000;
const READS_AT_ONCE = 8;

/** Without a store, as for a local folder, no size is known. */
export function createImageSizes(deps: {
  repoStore: Pick<RepoStore, "readBlobStart"> | null;
  logger: Logger;
}): ImageSizes {
  const sizes = createLruCache<string, { size: ImageSize | null }>({ maxWeight: MAX_KEPT });
  const coming = new Map<string, Promise<void>>();

  const { repoStore } = deps;
  async function look(project: ProjectId, version: string): Promise<void> {
    try {
      const head = repoStore && (await repoStore.readBlobStart(project, version, IMAGE_HEAD_BYTES));
      if (repoStore === null) sizes.set(version, { size: null });
      // A mirror may not have fetched it from its host: its size is known after a reader has requested it.
      if (head !== null) sizes.set(version, { size: imageSize(head) });
    } catch (error) {
      deps.logger.info({ err: error, project }, "size of an image not read");
    }
  }

  return {
    known: (version) => sizes.get(version)?.size,
    async learn(project, versions, patienceMs) {
      const unknown = versions.filter((version) => sizes.get(version) === undefined);
      if (unknown.length === 0) return;
      const all = mapConcurrently(unknown, READS_AT_ONCE, (version) => {
        const key = `${project} ${version}`;
        const already = coming.get(key);
        if (already !== undefined) return already;
        const looking = look(project, version).finally(() => coming.delete(key));
        coming.set(key, looking);
        return looking;
      });
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      await Promise.race([all, late]);
      clearTimeout(timer);
    },
  };
}
