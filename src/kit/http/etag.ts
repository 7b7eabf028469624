import { createHash } from "node:crypto";

/** The ETag of a response, derived from its bytes. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

/** Whether an `If-None-Match` header names this version; RFC 9110, 13.1.2. */
export function hasEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return etagsIn(header).some((given) => given === "*" || given === etag || given === `W/${etag}`);
}

/** Whether an `If-Match` header names this version, which a weak one never does; RFC 9110, 13.1.1. */
export const matchesEtag = (header: string, etag: string): boolean =>
  etagsIn(header).some((given) => given === "*" || given === etag);

const etagsIn = (header: string): string[] => header.split(",").map((each) => each.trim());
