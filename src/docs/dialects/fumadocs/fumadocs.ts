import { posix } from "node:path";
import { address, folderOf, inside, pageStem, sitesByConfig, languageOfPath } from "#docs/dialects/paths.ts";
import { unwrapCalls } from "#docs/dialects/reading/computed.ts";
import { type Data, present } from "#docs/dialects/reading/data.ts";
import type { Dialect, FoundSite, ReadContext, ToolSite } from "#docs/dialects/tool-site.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { type ContentCollection, readCollections } from "./collections.ts";
import { fumadocsMenu } from "./menu.ts";

const CONFIG = /(?:^|\/)source\.config\.[cm]?[jt]s$/;
const I18N = /(?:^|\/)i18n(?:\/index)?\.[jt]sx?$/;
const META = /(?:^|\/)meta(?:\.[\w-]+)?\.(?:json|ya?ml)$/;
const MAX_METAS = 5_000;
const MAX_I18N = 10;

/** Fumadocs: pages of `defineDocs`, the address of its loader, `meta.json` for titles and order. */
export const fumadocs: Dialect = {
  name: "fumadocs",
  title: "Fumadocs",
  find: ({ paths }) => sitesByConfig(paths, CONFIG, "content/docs"),
  read,
};

async function read({ contentRoot, file }: FoundSite, { repository, problems }: ReadContext): Promise<ToolSite> {
  const paths = repository.below(contentRoot);
  const collections = await readCollections({ contentRoot, file, content: [] }, { repository, problems });
  const config = await languagesOf({ contentRoot, paths }, { repository, problems });
  const written = config?.get("languages");
  const first = config?.get("defaultLanguage").text() ?? null;
  const codes =
    written?.isList === false && first !== null ? codesIn(paths, collections, first) : (written?.texts() ?? []);
  const original = codes.length === 0 ? null : (first ?? codes[0]!);
  const hidesOriginal = /^(?:default-locale|always)$/.test(config?.get("hideLocale").text() ?? "");
  const inFolders = config?.get("parser").text() === "dir";
  const byDepth = collections.toSorted((a, b) => b.folder.length - a.folder.length);
  const placeOf = (path: string): Place | null => {
    const collection = byDepth.find(({ folder }) => inside(path, folder) !== null);
    if (collection === undefined) return null;
    const own = languageOfPath(inside(path, collection.folder) ?? "", { codes, inFolders });
    return { ...own, code: own.code ?? (codes.length === 0 ? null : original), collection };
  };
  const metas = new Map(collections.map((each) => [each, new Map<string, Data>()]));
  for (const path of paths.filter((each) => META.test(each)).slice(0, MAX_METAS)) {
    const place = placeOf(path);
    if (place === null) continue;
    const key = `${place.code ?? ""} ${folderOf(posix.dirname(place.path))}`;
    metas.get(place.collection)?.set(key, await repository.data(joinContentRoot(path, contentRoot), problems));
  }
  const routeOf = (path: string): [string, Route][] => {
    const place = placeOf(path);
    if (place === null) return [];
    const { code, path: bare, collection } = place;
    const parts = pageStem(bare)
      .split("/")
      .filter((part) => !/^\(.*\)$/.test(part));
    const prefix = code === null || (hidesOriginal && code === original) ? "" : code;
    return [[path, address(prefix, collection.base, ...(parts.at(-1) === "index" ? parts.slice(0, -1) : parts))]];
  };
  return {
    settings: present({ language: original }),
    base: "",
    edited: { navigation: "the meta.json files", redirects: '"redirects" in the Next.js configuration' },
    keys: [],
    isPage: (path) => placeOf(path) !== null && /\.mdx?$/i.test(path),
    frontMatter: ({ weight: _, nav_order: __, order: ___, sidebar_position: ____, icon, ...rest }) => ({
      ...rest,
      // Names of the icon set that the starters of Fumadocs use: `BookOpen`.
      ...(typeof icon === "string" && { icon: iconOf(icon) }),
    }),
    routes: (pages) => new Map(pages.flatMap(({ path }) => routeOf(path))),
    navigation: (pages) =>
      fumadocsMenu(
        collections.map((collection) => ({
          title: collection.title,
          metas: metas.get(collection)!,
          pages: pages.flatMap((page) => {
            const place = placeOf(page.path);
            return place?.collection === collection ? [{ ...place, page }] : [];
          }),
        })),
        { codes, original },
      ),
    files: [{ folder: "public", at: "" }],
  };
}

interface Place {
  code: string | null;
  path: string;
  collection: ContentCollection;
}

/** The argument of `defineI18n`. */
async function languagesOf(
  { contentRoot, paths }: { contentRoot: string; paths: readonly string[] },
  { repository, problems }: ReadContext,
): Promise<Data | null> {
  for (const path of paths.filter((each) => I18N.test(each)).slice(0, MAX_I18N)) {
    const file = joinContentRoot(path, contentRoot);
    if (!/\bdefaultLanguage\b/.test((await repository.text(file)) ?? "")) continue;
    const defined = await repository.data(file, problems, "i18n");
    return defined.with(unwrapCalls(defined.raw));
  }
  return null;
}

const LANGUAGE = /\.([a-z]{2,3}(?:-[A-Za-z]{2,4})?)\.mdx?$/;

/** The languages that names of files have, for a list that is computed. */
function codesIn(paths: readonly string[], collections: readonly ContentCollection[], first: string): string[] {
  const found = paths
    .filter((path) => collections.some(({ folder }) => inside(path, folder) !== null))
    .flatMap((path) => LANGUAGE.exec(path)?.[1] ?? []);
  return [...new Set([first, ...found.toSorted()])];
}

const iconOf = (name: string): { name: string; library: "lucide" } => ({
  name: name.replaceAll(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase(),
  library: "lucide",
});
