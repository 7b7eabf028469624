import { posix } from "node:path";
import type { Asset } from "#content/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { createBody, sendBody } from "./body.ts";
import { createKeptBodies } from "./kept-bodies.ts";
import type { SiteVersion } from "./site-versions.ts";

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
// Shown as text, never as what they are: a repository's script or page must not run with the site's origin.
const TEXT =
  /^(?:txt|yaml|yml|toml|ini|xml|html?|xhtml|js|mjs|cjs|ts|tsx|jsx|css|scss|sh|py|rb|go|rs|java|sql|log|diff)$/;

/** Longest file that is sent, which is the longest that the store reads at once. */
export const MAX_ASSET_BYTES = 16 * 1024 * 1024;

/** With it the files that sites show again and again are there; one of the largest fits a few times. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** Smaller files are read at once; of others so many, of one project half of them. */
const LARGE_BYTES = 1024 * 1024;
const LARGE_READS = { places: 4, perOwner: 2, maxWaiting: 50 };

/** Media type of a file by its name, and the policy under which a browser may show it by itself. */
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

/** Sends files of sites. */
export interface SiteAssets {
  /** Null when it cannot be sent: too large, gone, or kept in Git LFS. `AppError unavailable` when too many files of the project wait. */
  send(
    request: PlainRequest,
    at: { projectId: string; version: SiteVersion },
    asset: Asset,
  ): Promise<PlainAnswer | null>;
}

/** How long a file is that is not here yet is known when it has come. */
function nullIfTooLarge(error: unknown): null {
  if (error instanceof AppError && error.code === "too_large") return null;
  throw error;
}

const LFS_POINTER = Buffer.from("version https://git-lfs.github.com/spec/v1\n");

/** Git LFS leaves a few lines of text in a file's place: under the name of a picture, no picture. */
const isLfsPointer = (bytes: Uint8Array): boolean =>
  bytes.length < 1_024 && LFS_POINTER.equals(bytes.subarray(0, LFS_POINTER.length));

/** A file is in memory once, however many ask for it and however slowly they read; so are its compressed forms. */
export function createSiteAssets(): SiteAssets {
  const bodies = createKeptBodies({ maxBytes: MAX_KEPT_BYTES });
  const largeReads = createFairPlaces(LARGE_READS);
  return {
    async send(request, { projectId, version }, asset) {
      if (asset.sizeBytes > MAX_ASSET_BYTES) return null;
      const { type, policy } = assetHeaders(asset.path);
      const etag = `W/"${asset.version}"`;
      const headers: Record<string, string> = policy === null ? {} : { "Content-Security-Policy": policy };
      // The file's version is known without reading it: most requests for images end here.
      if (request.headers.get("if-none-match") === etag) {
        return { status: 304, headers: { ...headers, ETag: etag, "Cache-Control": "no-cache" }, body: null };
      }
      const read = () => version.snapshot.read(asset.path);
      const body = await bodies.get(`${projectId} ${asset.version} ${type}`, async () => {
        const bytes = await (asset.sizeBytes > LARGE_BYTES ? largeReads.run(projectId, read) : read()).catch(
          nullIfTooLarge,
        );
        return bytes && !isLfsPointer(bytes) ? createBody(bytes, type, { owner: projectId, etag }) : null;
      });
      return body && sendBody(request, body, { headers });
    },
  };
}
