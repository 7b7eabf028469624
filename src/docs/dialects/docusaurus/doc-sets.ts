import type { Data } from "#docs/dialects/reading/data.ts";
import { folderOf, matcherOf } from "#docs/dialects/paths.ts";
import type { ReadContext } from "#docs/dialects/tool-site.ts";
import { joinContentRoot } from "#docs/routes.ts";
import type { Plugin } from "./plugins.ts";

/** The documents of one instance of the docs plugin. Folders are relative to the site's folder. */
export interface DocSet {
  id: string;
  folder: string;
  /** `docs`; empty at the root of the site. */
  base: string;
  /** The path of the sidebar file, as an option names it; null where the plugin looks for `sidebars.js`. */
  sidebarFile: string | null;
  hasSidebars: boolean;
  /** Whether `01-` in names is a position and left out of addresses. */
  parsesNumbers: boolean;
  isExcluded(path: string): boolean;
  versions: readonly DocVersion[];
  options: Data;
}

export interface DocVersion {
  name: string;
  label: string;
  folder: string;
  /** The address after the base: `next`, `1.0`; empty for the latest version. */
  path: string;
  isLatest: boolean;
  sidebarFile: string | null;
}

const EXCLUDED = ["**/_*.{js,jsx,ts,tsx,md,mdx}", "**/_*/**", "**/*.test.{js,jsx,ts,tsx}", "**/__tests__/**"];

export async function docSetOf(
  { options }: Plugin,
  { root, site }: SiteFolders,
  { repository, problems }: ReadContext,
): Promise<DocSet> {
  const id = options.get("id").text() ?? "default";
  const folder = siteFolder(options.get("path").text() ?? "docs", { root, site });
  const prefix = (site === "" ? "" : `${site}/`) + (id === "default" ? "" : `${id}_`);
  const versionsFile = joinContentRoot(`${prefix}versions.json`, root);
  const names = repository.has(versionsFile) ? (await repository.data(versionsFile, problems)).texts() : [];
  const sidebarPath = options.get("sidebarPath");
  const exclude = options.get("exclude");
  return {
    id,
    folder,
    base: options.get("routeBasePath").text() ?? "docs",
    sidebarFile: sidebarPath.raw === false ? null : siteFolder(sidebarPath.text() ?? "sidebars", { root, site }),
    hasSidebars: sidebarPath.raw !== false,
    parsesNumbers: options.get("numberPrefixParser").raw !== false,
    isExcluded: matcherOf(exclude.isList ? exclude.texts() : EXCLUDED),
    versions: versionsOf(names, { folder, prefix, options }),
    options,
  };
}

/** The folder that contains both the configuration and the content, and the path from there to the configuration. */
export interface SiteFolders {
  root: string;
  site: string;
}

/** A path of the configuration below the content root. Paths that were joined with `__dirname` are relative to the repository. */
export function siteFolder(written: string, { root, site }: SiteFolders): string {
  const configFolder = joinContentRoot(site, root).replace(/\/$/, "");
  const path = folderOf(written);
  const own = configFolder !== "" && path.startsWith(`${configFolder}/`) ? path.slice(configFolder.length + 1) : path;
  return folderOf(own, site);
}

function versionsOf(
  names: readonly string[],
  { folder, prefix, options }: { folder: string; prefix: string; options: Data },
): DocVersion[] {
  const only = options.get("onlyIncludeVersions");
  const hasCurrent = names.length === 0 || options.get("includeCurrentVersion").raw !== false;
  const all = [...(hasCurrent ? ["current"] : []), ...names].filter(
    (name) => !only.isList || only.texts().includes(name),
  );
  const latest = options.get("lastVersion").text() ?? all.find((name) => name !== "current") ?? "current";
  return all.map((name) => {
    const isCurrent = name === "current";
    const own = options.at("versions", name);
    const usual = name === latest ? "" : isCurrent ? "next" : name;
    return {
      name,
      label: own.get("label").text() ?? (isCurrent ? "Next" : name),
      folder: isCurrent ? folder : `${prefix}versioned_docs/version-${name}`,
      path: own.get("path").text() ?? usual,
      isLatest: name === latest,
      sidebarFile: isCurrent ? null : `${prefix}versioned_sidebars/version-${name}-sidebars.json`,
    };
  });
}

const DATE_OR_VERSION = /^(?:(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?.*|\d+[-_.]\d+.*)$/;
const NUMBERED = /^(\d+)\s*[-_.]+\s*([^-_.\s].*)$/s;

/** `02-intro` is number 2 and `intro`; dates and versions (`2024-05-01`, `1.2`) are names. */
export function numberedName(name: string, parses: boolean): { name: string; number: number | null } {
  const match = parses && !DATE_OR_VERSION.test(name) ? NUMBERED.exec(name) : null;
  return match === null ? { name, number: null } : { name: match[2] ?? name, number: Number(match[1]) };
}
