import { posix } from "node:path";
import { address, baseOf, folderOf, inside, pageStem, sitesByConfig, languageOfPath } from "#docs/dialects/paths.ts";
import { unwrapCalls } from "#docs/dialects/reading/computed.ts";
import { type Data, present } from "#docs/dialects/reading/data.ts";
import type { Dialect, FoundSite, ReadContext, ToolSite } from "#docs/dialects/tool-site.ts";
import { createLineIndex } from "#lib/line-index.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { fumadocsMenu } from "./menu.ts";

const CONFIG = /(?:^|\/)source\.config\.[cm]?[jt]s$/;
const SOURCE = /(?:^|\/)lib\/source(?:\/index)?\.tsx?$/;
const I18N = /(?:^|\/)lib\/i18n\.tsx?$/;
const META = /(?:^|\/)meta(?:\.[\w-]+)?\.(?:json|ya?ml)$/;
const MAX_METAS = 5_000;

/** Fumadocs: pages of `defineDocs`, the address of its loader, `meta.json` for titles and order. */
export const fumadocs: Dialect = {
  name: "fumadocs",
  title: "Fumadocs",
  find: ({ paths }) => sitesByConfig(paths, CONFIG, "content/docs"),
  read,
};

async function read({ contentRoot, file }: FoundSite, { repository, problems }: ReadContext): Promise<ToolSite> {
  const paths = repository.below(contentRoot);
  const defined = await repository.data(file ?? "", problems, "docs");
  const content = folderOf(defined.with(unwrapCalls(defined.raw)).get("dir").text() ?? "content/docs");
  const named = async (pattern: RegExp, name: string): Promise<Data | null> => {
    const path = paths.find((each) => pattern.test(each));
    return path === undefined ? null : await repository.data(joinContentRoot(path, contentRoot), problems, name);
  };
  const base = await loaderBase(paths, contentRoot, { repository, problems });
  const i18n = await named(I18N, "i18n");
  const config = i18n?.with(unwrapCalls(i18n.raw));
  const codes = config?.get("languages").texts() ?? [];
  const original = config?.get("defaultLanguage").text() ?? codes[0] ?? null;
  const hidesOriginal = /^(?:default-locale|always)$/.test(config?.get("hideLocale").text() ?? "");
  const inFolders = config?.get("parser").text() === "dir";
  const placeOf = (path: string) => {
    const own = languageOfPath(path, { codes, inFolders });
    return { ...own, code: own.code ?? (codes.length === 0 ? null : original) };
  };
  const metas = new Map<string, Data>();
  for (const path of paths.filter((each) => META.test(each)).slice(0, MAX_METAS)) {
    const within = inside(path, content);
    if (within === null) continue;
    const { code, path: bare } = placeOf(within);
    metas.set(
      `${code ?? ""} ${folderOf(posix.dirname(bare))}`,
      await repository.data(joinContentRoot(path, contentRoot), problems),
    );
  }
  const place = (path: string) => placeOf(inside(path, content) ?? path);
  const routeOf = (path: string): Route => {
    const { code, path: bare } = place(path);
    const parts = pageStem(bare)
      .split("/")
      .filter((part) => !/^\(.*\)$/.test(part));
    const prefix = code === null || (hidesOriginal && code === original) ? "" : code;
    return address(prefix, base, ...(parts.at(-1) === "index" ? parts.slice(0, -1) : parts));
  };
  return {
    settings: present({ language: original }),
    base: "",
    edited: { navigation: "the meta.json files", redirects: '"redirects" in the Next.js configuration' },
    keys: [],
    isPage: (path) => inside(path, content) !== null && /\.mdx?$/i.test(path),
    frontMatter: ({ weight: _, nav_order: __, order: ___, sidebar_position: ____, icon, ...rest }) => ({
      ...rest,
      // Names of the icon set that the starters of Fumadocs use: `BookOpen`.
      ...(typeof icon === "string" && { icon: iconOf(icon) }),
    }),
    routes: (pages) => new Map(pages.map(({ path }) => [path, routeOf(path)])),
    navigation: (pages) =>
      fumadocsMenu(
        pages.map((page) => ({ page, ...place(page.path) })),
        { metas, languages: { codes, original } },
      ),
    files: [{ folder: "public", at: "" }],
  };
}

/** `loader({ baseUrl: "/docs" })`, in a file that usually also renders and is not read as a whole. */
async function loaderBase(
  paths: readonly string[],
  contentRoot: string,
  { repository, problems }: ReadContext,
): Promise<string> {
  const path = paths.find((each) => SOURCE.test(each));
  const file = path === undefined ? null : joinContentRoot(path, contentRoot);
  const text = (file === null ? null : await repository.text(file)) ?? "";
  const found = /\bbaseUrl\b(?::\s*["'`]([^"'`$]*)["'`])?/.exec(text);
  const literal = found?.[1];
  if (literal !== undefined) return baseOf(literal);
  if (file !== null && found !== null) {
    const message = '"baseUrl" is computed by a program, which Docent does not run. The pages are below /docs.';
    problems.warning({ path: file, line: createLineIndex(text)(found.index) }, message);
  }
  return "/docs";
}

const iconOf = (name: string): { name: string; library: "lucide" } => ({
  name: name.replaceAll(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase(),
  library: "lucide",
});
