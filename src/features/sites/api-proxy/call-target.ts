/** A path segment that servers resolve as "here" or "up", with anything after a semicolon. */
const DOTS = /^\.{1,2}(?:;.*)?$/s;
const MAX_DECODED = 4;

/**
 * The address that a reader wants to call, if it belongs to one of these servers: same scheme, host and port, and a
 * path at or below the server's. Null otherwise, also for a path that leaves it after any number of decodings.
 */
export function callTarget(text: string, servers: readonly string[]): URL | null {
  const target = URL.parse(text);
  if (target === null || !/^https?:$/.test(target.protocol) || target.username !== "" || target.password !== "") {
    return null;
  }
  target.hash = "";
  if (hasDotSegments(target.pathname)) return null;
  const isNamed = servers.some((written) => {
    const server = URL.parse(written);
    if (server === null || server.username !== "" || server.password !== "" || server.origin !== target.origin) {
      return false;
    }
    const base = server.pathname.replace(/\/$/, "");
    return target.pathname === base || target.pathname.startsWith(`${base}/`);
  });
  return isNamed ? target : null;
}

function hasDotSegments(path: string): boolean {
  let decoded = path;
  for (let times = 0; times < MAX_DECODED; times += 1) {
    if (decoded.split(/[/\\]/).some((segment) => DOTS.test(segment))) return true;
    const next = decodedOnce(decoded);
    if (next === decoded) return false;
    decoded = next;
  }
  return true;
}

/** Bytes that are not UTF-8 stay encoded: dots and slashes are ASCII. */
function decodedOnce(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
