/** The folders of a site that hold translations, and the part of a path that is the same in all languages. */
export interface LanguageFolders {
  /** The language folder of a path (`fr`), or "" for the default language. */
  of(sitePath: string): string;
  /** The other paths of the same page: `fr/guide.mdx` and `de/guide.mdx` for `guide.mdx`. */
  twins(sitePath: string): string[];
  /** A path in another language's folder: `guide.mdx` in `fr` is `fr/guide.mdx`. */
  inFolder(sitePath: string, folder: string): string;
}

// "cn" and "jp" are country codes, but are used for their languages.
const COUNTRIES = new Set(["cn", "jp"]);

/**
 * Finds top-level folders that are named by a language code and have at least one page that another language has under the
 * same path: a folder `go/` or `ml/` of a site in one language is not a translation. Paths are relative to the site's root,
 * extensions may differ.
 */
export function findLanguageFolders(sitePaths: Iterable<string>): LanguageFolders {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const folderOf = (path: string) => /^([a-z]{2,3}(?:-[a-z]{2,4})?)\//i.exec(path)?.[1] ?? "";
  const isCode = (folder: string) =>
    folder !== "" && (names.of(folder) !== undefined || COUNTRIES.has(folder.toLowerCase()));
  const codes = new Map<string, boolean>();
  const places = new Map<string, { folder: string; path: string }[]>();
  for (const path of sitePaths) {
    const first = folderOf(path);
    const known = codes.get(first) ?? isCode(first);
    codes.set(first, known);
    const folder = known ? first : "";
    const key = keyOf(folder === "" ? path : path.slice(folder.length + 1));
    places.set(key, [...(places.get(key) ?? []), { folder, path }]);
  }
  const folders = new Set(
    [...places.values()].filter((all) => all.length > 1).flatMap((all) => all.map((each) => each.folder)),
  );
  const of = (path: string) => {
    const folder = folderOf(path);
    return folders.has(folder) ? folder : "";
  };
  const within = (path: string) => (of(path) === "" ? path : path.slice(of(path).length + 1));
  return {
    of,
    twins: (path) =>
      (places.get(keyOf(within(path))) ?? [])
        .filter((each) => folders.has(each.folder) && each.path !== path)
        .map((each) => each.path),
    inFolder: (path, folder) => (folder === "" ? within(path) : `${folder}/${within(path)}`),
  };
}

const keyOf = (path: string): string => path.replace(/\.(?:md|mdx|markdown)$/i, "").toLowerCase();
