import { posix } from "node:path";
import { address, baseOf, folderOf, inside, matcherOf, sharedRoot, pageStem } from "#docs/dialects/paths.ts";
import { unwrapCalls } from "#docs/dialects/reading/computed.ts";
import { isUnindexed, metaTags } from "#docs/dialects/head-tags.ts";
import { htmlLine } from "#docs/dialects/html-line.ts";
import { type Data, present } from "#docs/dialects/reading/data.ts";
import type { RepositoryFiles } from "#docs/dialects/repository.ts";
import type { Dialect, FoundSite, ReadContext, ToolSite } from "#docs/dialects/tool-site.ts";
import type { Json, JsonObject } from "#docs/json-document.ts";
import type { ProblemList } from "#docs/problems.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { homePage } from "#docs/markup/home-page.ts";
import { rulesOf } from "./rules.ts";
import { vitepressMenu, type LocaleConfig } from "./menu.ts";
import { createRewrite } from "./rewrites.ts";

const CONFIG = /^(?:(.*)\/)?\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/;
const FURTHER = /(?:^|\/)config\.[cm]?[jt]s$/;

/** VitePress 1 and 2: the sidebars and the navbar of its default theme, languages, rewrites. */
export const vitepress: Dialect = {
  name: "vitepress",
  title: "VitePress",
  find: ({ paths }: RepositoryFiles) =>
    paths.flatMap((file): FoundSite[] => {
      const match = CONFIG.exec(file);
      const folder = match?.[1] ?? "";
      return match === null ? [] : [{ contentRoot: folder, file, content: [folder, joinContentRoot("src", folder)] }];
    }),
  read,
};

async function read(
  { contentRoot: configFolder, file }: FoundSite,
  { repository, problems }: ReadContext,
): Promise<ToolSite> {
  const written = await repository.data(file ?? "", problems);
  const config = written.with(unwrapCalls(written.raw));
  const { root, site } = sharedRoot(configFolder, [config.get("srcDir").text() ?? "."]);
  const source = folderOf(config.get("srcDir").text() ?? ".", site);
  const isExcluded = matcherOf(config.get("srcExclude").texts());
  const rewrite = createRewrite(config.get("rewrites"));
  const configFile = inside(file ?? "", root) ?? "";
  const routeOf = (path: string): Route =>
    address(pageStem(rewrite(inside(path, source) ?? path)).replace(/(?:^|\/)index$/, ""));
  const locales = await localesOf(config, { repository, problems, folder: joinContentRoot(source, root), rewrite });
  return {
    contentRoot: root,
    settings: settingsOf(config, locales),
    rules: await rulesOf(config, { repository, problems, folder: configFolder }),
    base: baseOf(config.get("base").text()),
    edited: {
      navigation: configFile,
      redirects: "public/_redirects",
      // Rewrites and languages let an address name another file than that of its path.
      ...(locales.length === 1 &&
        !config.has("rewrites") && {
          chores: {
            pages: source,
            navigation: locales[0]?.sidebar.raw === undefined ? null : configFile,
            redirects: null,
          },
        }),
    },
    keys: [],
    isPage(path) {
      const within = inside(path, source);
      if (within === null || !/\.md$/i.test(within) || isExcluded(within)) return false;
      // `[id].md` is a template for generated pages.
      return !/\[[^\]/]+\]/.test(within) && !within.startsWith("public/");
    },
    ignoredKeys: (attributes) =>
      ["head", "titleTemplate", "prev", "next"].filter((key) => attributes[key] !== undefined),
    frontMatter(attributes) {
      const heading = homePage(attributes, "vitepress")?.heading ?? null;
      return {
        ...(heading !== null && { title: heading }),
        ...(isUnindexed(attributes["head"]) && { noindex: true }),
        searchable: attributes["search"],
        timestamp: attributes["lastUpdated"],
        suggestEdit: attributes["editLink"],
        ...attributes,
      };
    },
    routes: (pages) => new Map(pages.map(({ path }) => [path, routeOf(path)])),
    navigation: (pages) => vitepressMenu(pages, locales),
    files: [{ folder: source === "" ? "public" : `${source}/public`, at: "" }],
  };
}

/** The languages with their part of the theme configuration; a single one if none are named. */
async function localesOf(
  config: Data,
  further: { repository: RepositoryFiles; problems: ProblemList; folder: string; rewrite(path: string): string },
): Promise<LocaleConfig[]> {
  const theme = config.get("themeConfig");
  const added = await furtherConfigs(further);
  const locales = config.get("locales").entries().slice(0, 100);
  const named = locales.length > 0 ? locales : [["root", config] as const];
  return named.map(([key, locale]) => {
    const folder = key === "root" ? "" : address(locale.get("link").text() ?? key).slice(1);
    const themes = [
      ...(added.get(folder) ?? []).map((each) => each.get("themeConfig")),
      locale.get("themeConfig"),
      theme,
    ];
    const pick = (name: string): Data => themes.find((each) => each.has(name))?.get(name) ?? theme.get(name);
    return {
      folder,
      label: locale.get("label").text() ?? key,
      language: locale.get("lang").text(),
      isDefault: folder === "",
      sidebar: pick("sidebar"),
      nav: pick("nav"),
      footer: pick("footer"),
      hasEditLink: themes.some((each) => each.has("editLink")),
    };
  });
}

/** Further `config.ts` files in folders of pages, which extend the configuration, by the folder of the addresses. */
async function furtherConfigs({
  repository,
  problems,
  folder,
  rewrite,
}: Parameters<typeof localesOf>[1]): Promise<Map<string, Data[]>> {
  const found = new Map<string, Data[]>();
  const files = repository
    .below(folder)
    .filter((path) => FURTHER.test(path) && !/(?:^|\/)\./.test(path))
    .slice(0, 100);
  for (const path of files) {
    const file = joinContentRoot(path, folder);
    if (!(await repository.text(file))?.includes("defineAdditionalConfig")) continue;
    const data = await repository.data(file, problems);
    const place = folderOf(posix.dirname(rewrite(folderOf(`${posix.dirname(path)}/index.md`))));
    found.set(place, [...(found.get(place) ?? []), data.with(unwrapCalls(data.raw))]);
  }
  return found;
}

function settingsOf(config: Data, locales: readonly LocaleConfig[]): JsonObject {
  const theme = config.get("themeConfig");
  const logo = theme.get("logo");
  const light = logo.isObject ? (logo.get("light").text() ?? logo.get("src").text()) : logo.text();
  const root = locales.find(({ isDefault }) => isDefault);
  const footer = root?.footer ?? theme.get("footer");
  return present({
    name: theme.get("siteTitle").text() ?? config.get("title").text() ?? config.at("locales", "root", "title").text(),
    description: config.get("description").text() ?? config.at("locales", "root", "description").text(),
    language: config.get("lang").text() ?? config.at("locales", "root", "lang").text(),
    logo: light === null ? null : present({ light, dark: (logo.isObject ? logo.get("dark").text() : null) ?? light }),
    favicon: faviconOf(config.get("head"), baseOf(config.get("base").text())),
    appearance: { default: appearanceOf(config.get("appearance")) },
    navbar: { links: root === undefined ? [] : navLinks(root.nav) },
    footer: present({
      copyright: htmlLine(`${footer.get("message").text() ?? ""}<br>${footer.get("copyright").text() ?? ""}`),
      socials: theme
        .get("socialLinks")
        .list()
        .flatMap((each): Json[] => {
          const url = each.get("link").text();
          if (url === null) return [];
          // An icon may be a drawing of its own.
          const type = each.get("icon").text() ?? URL.parse(url)?.host ?? url;
          return [present({ type, url, label: each.get("ariaLabel").text() })];
        }),
    }),
    feedback: { suggestEdit: locales.some(({ hasEditLink }) => hasEditLink) },
    metadata: { timestamp: config.has("lastUpdated") },
    seo: { metatags: metaTags(config.get("head")) },
  });
}

function appearanceOf(appearance: Data): string {
  if (appearance.raw === "dark" || appearance.raw === "force-dark") return "dark";
  return appearance.raw === false ? "light" : "system";
}

function faviconOf(head: Data, base: string): string | null {
  for (const tag of head.list()) {
    const [name, attributes] = tag.list();
    const href = attributes?.get("href").text() ?? null;
    if (name?.text() === "link" && /icon/.test(attributes?.get("rel").text() ?? "") && href !== null)
      return base !== "" && href.startsWith(`${base}/`) ? href.slice(base.length) : href;
  }
  return null;
}

/** Navbar links to other sites: those to pages are tabs or in a sidebar. Of a menu, the navbar has room for the first link. */
function navLinks(nav: Data): Json[] {
  return nav.list().flatMap((item): Json[] => {
    const href = item.get("link").text();
    const label = item.get("text").text();
    if (href === null) return navLinks(item.get("items")).slice(0, 1);
    return label !== null && /^[a-z]+:/i.test(href) ? [{ label, href }] : [];
  });
}
