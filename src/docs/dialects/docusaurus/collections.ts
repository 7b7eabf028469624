import type { Data } from "#docs/dialects/reading/data.ts";
import { folderOf, inside } from "#docs/dialects/paths.ts";
import { type DocSet, type DocVersion, siteFolder, type SiteFolders } from "./doc-sets.ts";
import type { Plugin } from "./plugins.ts";

/** A language of a site: the default one is at the root, the others below their code. */
export interface DocusaurusLocale {
  code: string;
  label: string;
  isDefault: boolean;
  /** Prefix of addresses; empty for the default language. */
  prefix: string;
}

/** A folder of pages that one plugin serves in one language. */
export type Collection = { folder: string; locale: DocusaurusLocale } & (
  | { kind: "docs"; set: DocSet; version: DocVersion }
  | { kind: "blog"; id: string; base: string; title: string }
  | { kind: "pages"; base: string }
);

export function docusaurusLocales(config: Data): DocusaurusLocale[] {
  const i18n = config.get("i18n");
  const original = i18n.get("defaultLocale").text() ?? "en";
  const codes = new Set([original, ...i18n.get("locales").texts()]);
  return [...codes].slice(0, 100).map((code) => ({
    code,
    label: i18n.at("localeConfigs", code, "label").text() ?? code,
    isDefault: code === original,
    prefix: code === original ? "" : code,
  }));
}

/** Folders of translations are below `i18n/CODE/`, by plugin; those of the default language are where the plugins say. */
export function collectionsOf(
  config: Data,
  {
    locales,
    sets,
    plugins,
    folders,
  }: {
    locales: readonly DocusaurusLocale[];
    sets: readonly DocSet[];
    plugins: readonly Plugin[];
    folders: SiteFolders;
  },
): Collection[] {
  const i18n = config.at("i18n", "path").text() ?? "i18n";
  const all = locales.flatMap((locale): Collection[] => {
    const code = config.at("i18n", "localeConfigs", locale.code, "path").text() ?? locale.code;
    const translated = (plugin: string, id: string) =>
      folderOf(`${i18n}/${code}/docusaurus-plugin-content-${plugin}${id === "default" ? "" : `-${id}`}`, folders.site);
    const place = (folder: string, plugin: string, id: string) => (locale.isDefault ? folder : translated(plugin, id));
    const docs = sets.flatMap((set) =>
      set.versions.map((version): Collection => {
        const name = version.name === "current" ? "current" : `version-${version.name}`;
        const folder = locale.isDefault ? version.folder : `${translated("docs", set.id)}/${name}`;
        return { kind: "docs", folder, locale, set, version };
      }),
    );
    const others = plugins.flatMap(({ name, options }): Collection[] => {
      const id = options.get("id").text() ?? "default";
      const base = options.get("routeBasePath").text();
      const folder = options.get("path").text();
      if (name === "content-blog") {
        const title = options.get("blogSidebarTitle").text() ?? "Recent posts";
        return [
          {
            kind: "blog",
            folder: place(siteFolder(folder ?? "blog", folders), "blog", id),
            locale,
            id,
            base: base ?? "blog",
            title,
          },
        ];
      }
      if (name !== "content-pages") return [];
      return [
        {
          kind: "pages",
          folder: place(siteFolder(folder ?? "src/pages", folders), "pages", id),
          locale,
          base: base ?? "",
        },
      ];
    });
    return [...docs, ...others];
  });
  // A file belongs to the innermost of several folders.
  return all.sort((a, b) => b.folder.length - a.folder.length);
}

const isPart = (path: string): boolean => path.split("/").some((name) => name.startsWith("_"));

/** The collection that a file belongs to, with its path inside; null for a file that is not a page. */
export function placeIn(
  collections: readonly Collection[],
  path: string,
): { collection: Collection; path: string } | null {
  for (const collection of collections) {
    const within = inside(path, collection.folder);
    if (within === null) continue;
    const isExcluded = collection.kind === "docs" ? collection.set.isExcluded : isPart;
    return isExcluded(within) ? null : { collection, path: within };
  }
  return null;
}
