import { posix } from "node:path";
import { address, baseOf, folderOf, inside, pageStem } from "#docs/dialects/paths.ts";
import { PackageCall, unwrapCalls } from "#docs/dialects/reading/computed.ts";
import { type Data, present } from "#docs/dialects/reading/data.ts";
import type { RepositoryFiles } from "#docs/dialects/repository.ts";
import type { Dialect, FoundSite, ReadContext, ToolSite } from "#docs/dialects/tool-site.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { nextraMenu } from "./menu.ts";

const CONFIG = /(?:^|\/)next\.config\.[cm]?[jt]s$/;
const META = /(?:^|\/)_meta(?:\.global)?\.(?:json|[cm]?[jt]sx?)$/;
const MAX_CANDIDATES = 50;
const MAX_METAS = 5_000;

/** Nextra 2 to 4: pages in `content`, `pages` or `app`, with `_meta` files for titles and order. */
export const nextra: Dialect = {
  name: "nextra",
  title: "Nextra",
  async find({ paths, text }: RepositoryFiles) {
    const found: FoundSite[] = [];
    for (const file of paths.filter((path) => CONFIG.test(path)).slice(0, MAX_CANDIDATES)) {
      const folder = folderOf(posix.dirname(file));
      // Some sites configure it by a package of their own, such as `@theguild/components`, and have its files.
      const isNamed = /["']nextra["']/.test((await text(file)) ?? "");
      if (!isNamed && !FOLDERS.some((each) => hasMeta(folderOf(each, folder), paths))) continue;
      found.push({ contentRoot: folder, file, content: FOLDERS.map((each) => folderOf(each, folder)) });
    }
    return found;
  },
  read,
};

const hasMeta = (folder: string, paths: readonly string[]): boolean =>
  paths.some((path) => META.test(path) && folderOf(posix.dirname(path)) === folder);

const FOLDERS = ["content", "src/content", "pages", "src/pages", "app", "src/app"];

async function read({ contentRoot, file }: FoundSite, { repository, problems }: ReadContext): Promise<ToolSite> {
  const written = await repository.data(file ?? "", problems);
  const next = written.with(unwrapCalls(written.raw));
  const base = nextraOptions(written).get("contentDirBasePath").text() ?? "";
  const paths = repository.below(contentRoot);
  const hasPages = (folder: string) => paths.some((path) => inside(path, folder) !== null && /\.mdx?$/.test(path));
  const content = FOLDERS.slice(0, 4).find(hasPages) ?? null;
  const app = FOLDERS.slice(4).find(hasPages) ?? null;
  const metas = new Map<string, Data>();
  for (const path of paths.filter((each) => META.test(each)).slice(0, MAX_METAS)) {
    const place = placeOf(path.replace(/_meta[^/]*$/, "index.mdx"), { content, app: app ?? "app", base });
    if (place !== null) metas.set(place.join("/"), await repository.data(joinContentRoot(path, contentRoot), problems));
  }
  const place = (path: string) => placeOf(path, { content, app, base });
  const locales = next.at("i18n", "locales").texts();
  return {
    settings: present({
      language: next.at("i18n", "defaultLocale").text(),
      favicon: paths.includes("public/favicon.ico") ? "/favicon.ico" : null,
    }),
    base: baseOf(next.get("basePath").text()),
    edited: { navigation: "the _meta files", redirects: `"redirects" in ${posix.basename(file ?? "")}` },
    keys: ["asIndexPage"],
    isPage: (path) => place(path) !== null && !posix.basename(path).startsWith("_"),
    frontMatter: ({ weight: _, nav_order: __, order: ___, sidebar_position: ____, ...rest }) => rest,
    routes: (pages) => new Map(pages.map(({ path }): [string, Route] => [path, address(...(place(path) ?? []))])),
    navigation: (pages) =>
      nextraMenu(
        pages.map((page) => ({ page, place: place(page.path) ?? [] })),
        { metas, locales },
      ),
    files: [{ folder: "public", at: "" }],
  };
}

interface Folders {
  content: string | null;
  app: string | null;
  base: string;
}

/** The segments of a file's address; null if it is not a page. In `app` a page is named `page`; `(groups)` are no segments. */
function placeOf(path: string, { content, app, base }: Folders): string[] | null {
  const inContent = content === null ? null : inside(path, content);
  if (inContent !== null) {
    const parts = pageStem(inContent).split("/");
    return [...base.split("/"), ...(parts.at(-1) === "index" ? parts.slice(0, -1) : parts)].filter(Boolean);
  }
  const inApp = app === null ? null : inside(path, app);
  if (inApp === null || !/(?:^|\/)(?:page|index)\.mdx?$/.test(inApp)) return null;
  const parts = inApp.split("/").slice(0, -1);
  return parts.some((part) => /^[[_]/.test(part)) ? null : parts.filter((part) => !part.startsWith("("));
}

/** `nextra({ … })` returns a function that takes the configuration of Next.js. */
function nextraOptions(config: Data): Data {
  let { raw } = config;
  for (let depth = 0; depth < 10 && raw instanceof PackageCall; depth += 1) {
    if (raw.options !== null) return config.with(raw.options);
    raw = raw.args.find((arg) => arg instanceof PackageCall);
  }
  return config.with(null);
}
