import { posix } from "node:path";
import type { Asset } from "#content/page-tree.ts";
import type { PlainAnswer, PlainRequest } from "#lib/plain-http.ts";
import { createBody, sendBody } from "./body.ts";
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

/** Sends a file of the site. Null when it cannot be sent: too large, or gone. */
export async function sendAsset(
  request: PlainRequest,
  version: SiteVersion,
  asset: Asset,
): Promise<PlainAnswer | null> {
  if (asset.sizeBytes > MAX_ASSET_BYTES) return null;
  const { type, policy } = assetHeaders(asset.path);
  const etag = `W/"${asset.version}"`;
  const headers = { ETag: etag, ...(policy === null ? {} : { "Content-Security-Policy": policy }) };
  // The file's version is known without reading it: most requests for images end here.
  if (request.headers.get("if-none-match") === etag) {
    return { status: 304, headers: { ...headers, "Cache-Control": "no-cache" }, body: null };
  }
  const bytes = await version.snapshot.read(asset.path);
  return bytes === null ? null : sendBody(request, createBody(bytes, type), { headers });
}
