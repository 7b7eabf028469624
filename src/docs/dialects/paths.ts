import { posix } from "node:path";
import { trimEndOf } from "#lib/trim.ts";
import { encodePath, type Route } from "#docs/routes.ts";

const PAGE = /\.(?:mdx?|markdown)$/i;

export const pageStem = (path: string): string => path.replace(PAGE, "");

/** A path below a folder; null for one that is elsewhere. */
export function inside(path: string, folder: string): string | null {
  if (folder === "" || folder === ".") return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

/** A folder as configurations write it (`./docs/`) from the folder of the configuration; `""` is that folder. */
export function folderOf(written: string, from = ""): string {
  const path = trimEndOf(posix.join(from === "" ? "." : from, written), "/");
  return path === "." ? "" : path;
}

/**
 * The folder that holds a tool's configuration and all of its content: the configuration may name folders beside its own
 * (`../docs`). `site` is the way from there to the configuration.
 */
export function sharedRoot(configFolder: string, named: readonly string[]): { root: string; site: string } {
  const climbs = Math.max(0, ...named.map((path) => /^(?:\.\.\/)*/.exec(`${posix.normalize(path)}/`)![0].length / 3));
  const segments = configFolder === "" ? [] : configFolder.split("/");
  const kept = Math.max(0, segments.length - climbs);
  return { root: segments.slice(0, kept).join("/"), site: segments.slice(kept).join("/") };
}

/** An address of parts as tools join them: empty parts and doubled slashes fall away, as a slash at the end does. */
export function address(...parts: readonly string[]): Route {
  const segments = parts
    .join("/")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  return encodePath(segments.map(decoded).join("/"));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A base path of a configuration: `/docs/` is `/docs`, `/` and whole addresses are empty. */
export function baseOf(written: string | null): string {
  const route = written === null || /^[a-z]+:/i.test(written) ? "/" : address(written);
  return route === "/" ? "" : route;
}

/** Whether one of the patterns of a tool (`**`, `*`, `{a,b}`) matches a path; patterns that could take long match none. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const usable = patterns
    .slice(0, 100)
    .map((pattern) => pattern.replace(/^\.?\//, ""))
    .filter(
      (pattern) =>
        pattern.length < 200 && pattern.split("/").every((part) => part === "**" || part.split("*").length <= 3),
    )
    .filter((pattern) => pattern.split("**").length <= 4);
  return (path) => usable.some((pattern) => posix.matchesGlob(path, pattern));
}
