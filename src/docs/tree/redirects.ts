import type { ConfigRedirect } from "#docs/config/docs-config.ts";
import { canonicalPath, encodePath } from "#docs/routes.ts";

export interface RedirectTarget {
  /** A root-absolute path or an http(s) address, both encoded. */
  location: string;
  permanent: boolean;
}

/** The redirects of a site. */
export interface Redirects {
  /** The final target of a canonical path, with chains followed; null without a redirect, or in a loop. */
  match(path: string): RedirectTarget | null;
  readonly size: number;
}

interface Pattern {
  segments: readonly Segment[];
  destination: string;
  permanent: boolean;
}

interface Segment {
  kind: "literal" | "one" | "rest";
  /** The whole text of a literal; for a parameter the name that a destination uses for it: `:name`, `:name*`, `*`. */
  text: string;
  /** The text before and after the variable part: `article-*`, `:slug.html`. */
  prefix: string;
  suffix: string;
}

const MAX_HOPS = 10;
// A request is matched against up to 10,000 patterns, ten times in a chain.
const MAX_SEGMENTS = 40;

/** Whether a segment of a redirect's source matches several paths. */
export const isPatternSegment = (segment: string): boolean => /^:|\*$/.test(segment);

/**
 * Matches redirects by exact path first, then by pattern in the order written: `:name` is one segment, `:name*` and `*` the
 * rest, `prefix-*` the rest of one segment. A chain ends where a page or file `exists`, which no redirect hides.
 */
export function createRedirects(
  redirects: readonly ConfigRedirect[],
  exists: (path: string) => boolean = () => false,
): Redirects {
  const exact = new Map<string, Pattern>();
  const patterns: Pattern[] = [];
  for (const { source, destination, permanent } of redirects) {
    const segments = splitSource(source);
    if (segments === null || !isDestination(destination)) continue;
    const pattern = { segments: segments.map(readSegment), destination, permanent };
    if (segments.some(isPatternSegment)) patterns.push(pattern);
    else if (!exact.has(`/${segments.join("/")}`)) exact.set(`/${segments.join("/")}`, pattern);
  }

  function once(path: string): RedirectTarget | null {
    const same = exact.get(path);
    if (same !== undefined) return { location: fill(same.destination, new Map()), permanent: same.permanent };
    const segments = path.split("/").filter(Boolean);
    for (const { segments: wanted, destination, permanent } of patterns) {
      const values = matchSegments(wanted, segments);
      if (values !== null) return { location: fill(destination, values), permanent };
    }
    return null;
  }

  return {
    size: exact.size + patterns.length,
    match(path) {
      const seen = new Set([path]);
      let target = once(path);
      let permanent = true;
      for (let hop = 0; target !== null && hop < MAX_HOPS; hop += 1) {
        permanent &&= target.permanent;
        const next = internalPath(target.location);
        if (next === null || exists(next)) return { location: target.location, permanent };
        if (seen.has(next)) return null;
        seen.add(next);
        const further = once(next);
        if (further === null) return { location: target.location, permanent };
        target = further;
      }
      return null;
    },
  };
}

/** Canonical path of a location on this site, without query and anchor; null for another origin. */
export function internalPath(location: string): string | null {
  return location.startsWith("/") ? canonicalPath(location.replace(/[?#].*/s, "")) : null;
}

function splitSource(source: string): string[] | null {
  const path = source.replace(/[?#].*/s, "").replace(/^https?:\/\/[^/]+/i, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments.length > MAX_SEGMENTS) return null;
  const canonical = segments.map((segment) =>
    /^:|\*$/.test(segment) ? segment : (canonicalPath(`/${segment}`)?.slice(1) ?? null),
  );
  return canonical.every((segment) => segment !== null) ? canonical : null;
}

function isDestination(destination: string): boolean {
  return /^https?:\/\//i.test(destination) || !/^[a-z][a-z0-9+.-]*:(?!slug)/i.test(destination);
}

function readSegment(written: string): Segment {
  if (/^:[\w-]+\*$/.test(written) || written === "*") return { kind: "rest", text: written, prefix: "", suffix: "" };
  const text = written.startsWith(":") ? /^:[\w-]+/.exec(written)?.[0] : written.endsWith("*") ? "*" : undefined;
  if (text === undefined) return { kind: "literal", text: written, prefix: "", suffix: "" };
  const prefix = text === "*" ? written.slice(0, -1) : "";
  const suffix = text === "*" ? "" : written.slice(text.length);
  const encode = (fixed: string) => canonicalPath(`/${fixed}`)?.slice(1) ?? fixed;
  return { kind: "one", text, prefix: encode(prefix), suffix: encode(suffix) };
}

function matchSegments(wanted: readonly Segment[], actual: readonly string[]): Map<string, string> | null {
  const values = new Map<string, string>();
  for (const [index, { kind, text, prefix, suffix }] of wanted.entries()) {
    const segment = actual[index];
    if (kind === "rest") return values.set(text, actual.slice(index).join("/"));
    if (segment === undefined) return null;
    if (kind === "literal") {
      if (text !== segment) return null;
      continue;
    }
    const length = segment.length - prefix.length - suffix.length;
    if (length < 1 || !segment.startsWith(prefix) || !segment.endsWith(suffix)) return null;
    values.set(text, segment.slice(prefix.length, prefix.length + length));
  }
  return wanted.length === actual.length ? values : null;
}

/** Inserts the matched segments, which are already encoded, into a destination and encodes the rest of it. */
function fill(destination: string, values: ReadonlyMap<string, string>): string {
  const filled = destination.replaceAll(/:[\w-]+\*?|\*(?=$|[?#])/g, (name) => values.get(name) ?? name);
  if (/^https?:\/\//i.test(filled)) return URL.canParse(filled) ? new URL(filled).href : "/";
  if (filled.startsWith("//")) return URL.canParse(`https:${filled}`) ? new URL(`https:${filled}`).href : "/";
  const [, path = "", suffix = ""] = /^([^?#]*)(.*)/s.exec(filled) ?? [];
  const rest = new URL(suffix, "http://site.invalid/");
  return (canonicalPath(path) ?? encodePath("")) + rest.search + rest.hash;
}
