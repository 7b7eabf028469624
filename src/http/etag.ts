/** Whether an `If-None-Match` header names this version; RFC 9110, 13.1.2. */
export function hasEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((candidate) => {
    const given = candidate.trim();
    return given === "*" || given === etag || given === `W/${etag}`;
  });
}
