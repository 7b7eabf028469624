import { type FoundSite } from "./tool-site.ts";
import { posix } from "node:path";
import { trimEndOf } from "#lib/trim.ts";
import { decodeLoose } from "#docs/hrefs.ts";
import { encodePath, type Route } from "#docs/routes.ts";

const PAGE = /\.(?:mdx?|markdown)$/i;

export const pageStem = (path: string): string => path.replace(PAGE, "");

/** A path relative to a folder; null if it is outside. */
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
 * The folder that contains a tool's configuration and all of its content, because the configuration may name folders outside
 * its own (`../docs`). `site` is the path from there to the configuration.
 */
export function sharedRoot(configFolder: string, named: readonly string[]): { root: string; site: string } {
  const climbs = Math.max(0, ...named.map((path) => /^(?:\.\.\/)*/.exec(`${posix.normalize(path)}/`)![0].length / 3));
  const segments = configFolder === "" ? [] : configFolder.split("/");
  const kept = Math.max(0, segments.length - climbs);
  return { root: segments.slice(0, kept).join("/"), site: segments.slice(kept).join("/") };
}

/** Joins the parts of an address as tools do: empty parts, doubled slashes and a trailing slash are removed. */
export function address(...parts: readonly string[]): Route {
  const segments = parts
    .join("/")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  return encodePath(segments.map(decodeLoose).join("/"));
}

/** A base path of a configuration: `/docs/` becomes `/docs`; `/` and absolute URLs become empty. */
export function baseOf(written: string | null): string {
  const route = written === null || /^[a-z]+:/i.test(written) ? "/" : address(written);
  return route === "/" ? "" : route;
}

/** Whether one of a tool's patterns (`**`, `*`, `{a,b}`) matches a path. Patterns that could take long never match. */
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

/** The sites of a tool by its configuration files, with the folder of the content as the tool names it. */
export function sitesByConfig(paths: readonly string[], config: RegExp, content: string): FoundSite[] {
  return paths
    .filter((path) => config.test(path))
    .map((file) => {
      const folder = folderOf(posix.dirname(file));
      return { contentRoot: folder, file, content: [folderOf(content, folder)] };
    });
}

/** `guide.fr.md`, or `fr/guide.md` where languages are folders, is `guide.md` in French; null without a language. */
export function languageOfPath(
  path: string,
  { codes, inFolders }: { codes: readonly string[]; inFolders: boolean },
): { code: string | null; path: string } {
  const code = codes.find((each) => (inFolders ? inside(path, each) !== null : path.includes(`.${each}.`))) ?? null;
  if (code === null) return { code, path };
  return { code, path: inFolders ? (inside(path, code) ?? path) : path.replace(`.${code}.`, ".") };
}
