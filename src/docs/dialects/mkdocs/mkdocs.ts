import { posix } from "node:path";
import { ignoreRules } from "#docs/dialects/ignore-rules.ts";
import { address, baseOf, folderOf, inside, sharedRoot, pageStem, sitesByConfig } from "#docs/dialects/paths.ts";
import { type Data, isRecord } from "#docs/dialects/reading/data.ts";
import type { Dialect, FoundSite, ReadContext, ToolPage, ToolSite } from "#docs/dialects/tool-site.ts";
import { NO_RULES } from "#docs/page-rules.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { blogOf } from "./blog.ts";
import { readConfig } from "./config.ts";
import { siteLanguages } from "./languages.ts";
import { mkdocsMenu } from "./menu.ts";
import { readFolderMenus } from "./folder-menus.ts";
import { redirectsOf, mkdocsSettings } from "./settings.ts";
import { snippetRules } from "./snippets.ts";

const CONFIG = /(?:^|\/)mkdocs\.ya?ml$/;
/** Named with `mkdocs build --config-file`. */
const OTHER_CONFIG = /(?:^|\/)mkdocs[-_.][^/]{1,100}\.ya?ml$/;

/** MkDocs and Material for MkDocs: `nav`, common navigation plugins, redirects, posts, languages. */
export const mkdocs: Dialect = {
  name: "mkdocs",
  title: "MkDocs",
  async find(repository) {
    const found = sitesByConfig(repository.paths, CONFIG, "docs");
    const hasUsual = new Set(found.map(({ contentRoot }) => contentRoot));
    const others = sitesByConfig(repository.paths, OTHER_CONFIG, "docs").filter(
      ({ contentRoot }) => !hasUsual.has(contentRoot),
    );
    const texts = new Map<string, string>();
    for (const { file } of others) texts.set(file ?? "", (await repository.text(file ?? "")) ?? "");
    for (const place of others) {
      if (!/^site_name:/m.test(texts.get(place.file ?? "") ?? "")) continue;
      // A configuration that is shared by several: the one with an address is that of the site.
      const published = others.find(({ file }) => isPublishedFrom(place.file ?? "", file ?? "", texts.get(file ?? "")));
      found.push({ ...place, file: published?.file ?? place.file, isGuessed: true });
    }
    return found;
  },
  read,
};

function isPublishedFrom(base: string, file: string, text = ""): boolean {
  const parent = /^INHERIT:[ \t]*["']?([^"'\s]+)/m.exec(text)?.[1];
  return parent !== undefined && posix.join(posix.dirname(file), parent) === base && /^site_url:/m.test(text);
}

async function read({ contentRoot: configFolder, file }: FoundSite, context: ReadContext): Promise<ToolSite> {
  const { config, navigationFile } = await readConfig(file ?? "", context);
  const written = config.get("docs_dir").text() ?? "docs";
  const { root, site } = sharedRoot(configFolder, [written]);
  const source = folderOf(written, site);
  const plugins = pluginsOf(config.get("plugins"));
  const isExcluded = ignoreRules(
    [config.get("exclude_docs").text() ?? "", ...(plugins.get("exclude")?.get("glob").texts() ?? [])].join("\n"),
  );
  const isDraft = ignoreRules(config.get("draft_docs").text());
  const paths = context.repository.below(joinContentRoot(source, root));
  const indexed = new Set(paths.filter((path) => /(?:^|\/)index\.md$/.test(path)).map((path) => posix.dirname(path)));
  const languages = siteLanguages(plugins.get("i18n"));
  const blog = blogOf(plugins.get("blog"));
  const folderMenus = await readFolderMenus(joinContentRoot(source, root), plugins, context);
  const within = (path: string): string => inside(path, source) ?? path;
  const configFile = joinContentRoot(posix.basename(file ?? ""), site);
  const menuFile = navigationFile && inside(navigationFile, root);
  // In several languages an entry stands for several files, and navigation files in folders have a syntax of their own.
  const hasKnownForm =
    languages.all.length < 2 &&
    (menuFile === null) === (navigationFile === null) &&
    (config.has("nav") || folderMenus.summaries.size + folderMenus.menus.size === 0);
  const routeOf = (page: ToolPage): Route => {
    const { path, prefix } = languages.placeOf(within(page.path));
    return blog?.routeOf(page, path) ?? address(prefix, routePath(path));
  };
  return {
    contentRoot: root,
    rules: {
      ...NO_RULES,
      snippets: snippetRules(config, { folder: posix.dirname(file ?? ""), source: joinContentRoot(source, root) }),
    },
    settings: mkdocsSettings(
      config,
      redirectsOf(plugins.get("redirects"), (path) => address(routePath(path))),
    ),
    base: siteBase(config.get("site_url").text()),
    edited: {
      navigation: `"nav" in ${posix.basename(navigationFile ?? "mkdocs.yml")}`,
      redirects: `the options of the redirects plugin in mkdocs.yml${plugins.has("redirects") ? "" : " (the plugin is not set up)"}`,
      ...(hasKnownForm && {
        chores: {
          pages: source,
          navigation: menuFile,
          redirects: plugins.has("redirects") ? configFile : null,
        },
      }),
    },
    keys: ["slug", "date", "title", "draft"],
    isDraft: (page) =>
      isDraft(within(page.path)) || blog?.isDraft(page, languages.placeOf(within(page.path)).path) === true,
    hasMenuTitles: true,
    isPage(path) {
      const relative = inside(path, source);
      if (relative === null || !/\.(?:md|markdown)$/i.test(relative) || isExcluded(relative)) return false;
      // If a folder has both, README is left out.
      return !/(?:^|\/)README\.md$/.test(relative) || !indexed.has(posix.dirname(relative));
    },
    ignoredKeys: (attributes) => ["subtitle", "authors", "template"].filter((key) => attributes[key] !== undefined),
    frontMatter({ icon, status, search, order: _, weight: __, nav_order: ___, ...rest }) {
      const isUnsearched = isRecord(search) && search["exclude"] === true;
      return {
        ...rest,
        ...(isUnsearched && { searchable: false }),
        ...(typeof status === "string" && { tag: status }),
        ...iconOf(icon),
      };
    },
    routes: (pages) => new Map(pages.map((page) => [page.path, routeOf(page)])),
    navigation: (pages) =>
      mkdocsMenu(
        pages.map((page) => ({ page, path: within(page.path) })),
        { config, folderMenus, languages, blog },
      ),
    files: [{ folder: source, at: "" }],
  };
}

/** `guides/index.md` and `guides/README.md` are `guides`. */
export const routePath = (path: string): string => pageStem(path).replace(/(?:^|\/)(?:index|README)$/, "");

/** Plugins by name with their options: a list of names and objects, or one object. */
function pluginsOf(plugins: Data): ReadonlyMap<string, Data> {
  const named = plugins.isList
    ? plugins
        .list()
        .flatMap((each): [string, Data][] => (each.isObject ? each.entries() : [[each.text() ?? "", each.with(null)]]))
    : plugins.entries();
  return new Map(named.map(([name, options]) => [name.replace(/^.*\//, ""), options]));
}

function siteBase(siteUrl: string | null): string {
  return siteUrl !== null && URL.canParse(siteUrl) ? baseOf(new URL(siteUrl).pathname) : "";
}

/** The icon sets of Material that Docent also has. */
function iconOf(icon: unknown): { icon?: unknown } {
  const [, library, name] =
    typeof icon === "string" ? (/^(fontawesome|lucide)\/(?:\w+\/)?([\w-]+)$/.exec(icon) ?? []) : [];
  return name === undefined ? {} : { icon: { name, library } };
}
