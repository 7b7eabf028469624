import { posix } from "node:path";
import type { Asset } from "#docs/tree/page-tree.ts";
import { isLfsPointer } from "#docs/snapshot.ts";
import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createBody, isText, sendBody } from "#lib/network/body.ts";
import { createKeptBodies } from "#features/sites/kept-bodies.ts";
import { type ByteRange, readRange, type LargeFiles, MAX_LARGE_BYTES } from "./large-files.ts";
import { shortVersion, VERSION_PARAMETER } from "#features/sites/versioned-address.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

const TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
  mp4: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  ogv: "video/ogg",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  wav: "audio/wav",
  m4a: "audio/mp4",
  woff: "font/woff",
  woff2: "font/woff2",
  ttf: "font/ttf",
  otf: "font/otf",
  pdf: "application/pdf",
  zip: "application/zip",
  vtt: "text/vtt; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
};
// Sent as text, never as their own type: a script or page from a repository must not run with the site's origin.
const TEXT =
  /^(?:txt|yaml|yml|toml|ini|xml|html?|xhtml|js|mjs|cjs|ts|tsx|jsx|css|scss|sh|py|rb|go|rs|java|sql|log|diff)$/;

/** The largest file that is read into memory; larger ones are sent from disk. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** Enough for the files that sites show again and again; the largest file fits a few times. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** Smaller files are read without a limit; of larger ones this many at once, half of them per project. */
const LARGE_BYTES = 1024 * 1024;
const LARGE_READS = { places: 4, perOwner: 2, maxWaiting: 50 };

/** Media type of a file by its name, and the policy for opening it directly. */
export function assetHeaders(path: string): { type: string; policy: string | null } {
  const extension = posix.extname(path).slice(1).toLowerCase();
  if (extension === "svg") {
    return { type: "image/svg+xml", policy: "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:" };
  }
  const known = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  if (known !== undefined) return { type: known, policy: null };
  const type = TEXT.test(extension) ? "text/plain; charset=utf-8" : "application/octet-stream";
  return { type, policy: "sandbox; default-src 'none'" };
}

/** Sends files of sites, whole or as ranges. */
export interface SiteAssets {
  /**
   * Null when it cannot be sent: larger than 512 MiB, deleted, or stored in Git LFS. `AppError unavailable` when too
   * many files of the project wait.
   */
  send(
    request: PlainRequest,
    at: { project: SiteProject; version: SiteVersion; url: URL },
    asset: Asset,
  ): Promise<PlainAnswer | null>;
}

/** The size of a file that is still on another host is known only once it was fetched. */
function isTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.code === "too_large";
}

/**
 * A file of up to 16 MB is in memory once, however many clients request it and however slowly they read; so are its
 * compressed forms. A larger one takes one chunk per reader.
 */
export function createSiteAssets({ largeFiles }: { largeFiles: LargeFiles }): SiteAssets {
  const bodies = createKeptBodies({ maxBytes: MAX_KEPT_BYTES });
  const largeReads = createFairPlaces(LARGE_READS);

  async function read(project: ProjectId, version: SiteVersion, asset: Asset): Promise<Uint8Array | "large" | null> {
    if (asset.sizeBytes > MAX_HELD_BYTES) return "large";
    const held = () => version.snapshot.read(asset.path);
    try {
      return await (asset.sizeBytes > LARGE_BYTES ? largeReads.run(project, held) : held());
    } catch (error) {
      if (isTooLarge(error)) return "large";
      throw error;
    }
  }

  async function sendLarge(
    request: PlainRequest,
    { project, asset, headers, etag }: { project: ProjectId; asset: Asset; headers: Headers; etag: string },
  ): Promise<PlainAnswer | null> {
    const file = { project, version: asset.version };
    const isRead = request.method === "GET" || asset.sizeBytes === 0;
    let sizeBytes = asset.sizeBytes;
    if (sizeBytes > MAX_LARGE_BYTES) return null;
    try {
      if (isRead) sizeBytes = await largeFiles.bring(file);
    } catch (error) {
      if (isTooLarge(error)) return null;
      throw error;
    }
    return sendRange(request, { sizeBytes, etag, headers }, (range) => largeFiles.read(file, range));
  }

  return {
    async send(request, { project: { id: projectId }, version, url }, asset) {
      const { type, policy } = assetHeaders(asset.path);
      // Strong, so that ranges work; a text may be compressed, and its encodings differ in their bytes.
      const etag = isText(type) ? `W/"${asset.version}"` : `"${asset.version}"`;
      const given = policy === null ? {} : { "Content-Security-Policy": policy };
      const headers: Headers = { ...given, "Cache-Control": cacheControl(url, asset) };
      // The version is known without reading the file: most requests for images end here.
      if (request.headers.get("if-none-match") === etag) {
        return { status: 304, headers: { ...headers, ETag: etag }, body: null };
      }
      const key = `${projectId} ${asset.version} ${type}`;
      let isLarge = false;
      const body = await bodies.get(key, async () => {
        const bytes = await read(projectId, version, asset);
        isLarge = bytes === "large";
        if (bytes === null || bytes === "large" || isLfsPointer(bytes)) return null;
        return createBody(bytes, type, { owner: projectId, etag });
      });
      if (isLarge || (body === null && asset.sizeBytes > MAX_HELD_BYTES)) {
        const whole = { ...headers, "Content-Type": type, "X-Content-Type-Options": "nosniff" };
        return sendLarge(request, { project: projectId, asset, headers: whole, etag });
      }
      if (body === null) return null;
      if (request.headers.get("range") === null) {
        return sendBody(request, body, { headers: { ...headers, "Accept-Ranges": "bytes" } });
      }
      const whole = { ...headers, "Content-Type": type, "X-Content-Type-Options": "nosniff" };
      const answer = sendRange(request, { sizeBytes: body.bytes.length, etag, headers: whole }, ({ first, last }) =>
        body.bytes.subarray(first, last + 1),
      );
      return { ...answer, owner: projectId };
    },
  };
}

type Headers = Record<string, string>;

/** A file in full, or the requested range if the file has it. */
function sendRange(
  { method, headers: asked }: PlainRequest,
  { sizeBytes, etag, headers }: { sizeBytes: number; etag: string; headers: Headers },
  part: (range: ByteRange) => Exclude<PlainAnswer["body"], null>,
): PlainAnswer {
  const range = method === "GET" ? readRange(asked, { sizeBytes, etag }) : null;
  const common = { ...headers, ETag: etag, "Accept-Ranges": "bytes" };
  if (range === "unsatisfiable") {
    const refusal = { ETag: etag, "Content-Range": `bytes */${sizeBytes}`, "Cache-Control": "no-cache" };
    return { status: 416, headers: refusal, body: null };
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  const sent = { ...common, "Content-Length": String(last - first + 1) };
  const body = method === "HEAD" ? null : part({ first, last });
  if (range === null) return { status: 200, headers: sent, body };
  return { status: 206, headers: { ...sent, "Content-Range": `bytes ${first}-${last}/${sizeBytes}` }, body };
}

/** An address with the file's version is one that pages of that version use: its content never changes. */
function cacheControl({ searchParams }: URL, { version }: Asset): string {
  return searchParams.get(VERSION_PARAMETER) === shortVersion(version)
    ? "public, max-age=31536000, immutable"
    : "no-cache";
}
