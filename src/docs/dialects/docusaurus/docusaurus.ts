import { isMarkedDraft } from "#docs/dialects/drafts.ts";
import { address, baseOf, inside, sharedRoot, sitesByConfig } from "#docs/dialects/paths.ts";
import { unwrapCalls } from "#docs/dialects/reading/computed.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import type { RepositoryFiles } from "#docs/dialects/repository.ts";
import type { Dialect, EditedFiles, FoundSite, ReadContext, ToolPage, ToolSite } from "#docs/dialects/tool-site.ts";
import { NO_RULES } from "#docs/page-rules.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { postRoute } from "./blog.ts";
import { type Collection, collectionsOf, type DocusaurusLocale, docusaurusLocales, placeIn } from "./collections.ts";
import { docSetOf, type DocSet, siteFolder, type SiteFolders } from "./doc-sets.ts";
import { documentOf } from "./documents.ts";
import { docusaurusMenu } from "./menu.ts";
import { pluginsOf } from "./plugins.ts";
import { docusaurusSettings } from "./settings.ts";
import { readSidebarFiles, sidebarPath } from "./sidebar-files.ts";

const CONFIG = /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/;

/** Docusaurus 2 and 3: the classic preset and the plugins of documents, posts and pages, versions and languages. */
export const docusaurus: Dialect = {
  name: "docusaurus",
  title: "Docusaurus",
  find: ({ paths }: RepositoryFiles) => sitesByConfig(paths, CONFIG, "docs"),
  read,
};

async function read({ contentRoot: configFolder, file }: FoundSite, context: ReadContext): Promise<ToolSite> {
  const { repository, problems } = context;
  const written = await repository.data(file ?? "", problems);
  const config = written.with(unwrapCalls(written.raw));
  const plugins = pluginsOf(config);
  const named = plugins.flatMap(({ name, options }) =>
    name.startsWith("content-") ? (options.get("path").text() ?? []) : [],
  );
  const folders = sharedRoot(configFolder, named);
  const contentRoot = folders.root;
  const sets: DocSet[] = [];
  for (const plugin of plugins) if (plugin.name === "content-docs") sets.push(await docSetOf(plugin, folders, context));
  const locales = docusaurusLocales(config);
  const collections = collectionsOf(config, { locales, sets, plugins, folders });
  const color = await primaryColor(plugins, { folders, repository });
  const sidebars = await readSidebarFiles(collections, contentRoot, context);
  const place = (path: string) => placeIn(collections, path);
  return {
    contentRoot,
    rules: { ...NO_RULES, pathAliases: [["@site/", folders.site]] },
    settings: docusaurusSettings(config, plugins, color),
    base: baseOf(config.get("baseUrl").text()),
    edited: {
      navigation: sets[0]?.sidebarFile ? `${sets[0].sidebarFile} and the _category_ files` : "the _category_ files",
      redirects: "the options of plugin-client-redirects in the Docusaurus configuration",
      ...choresOf(sets, locales, sidebarPath(sets[0]?.sidebarFile ?? null, contentRoot, repository), contentRoot),
    },
    keys: ["id", "slug", "date", "draft"],
    isDraft: isMarkedDraft,
    isPage: (path) => place(path) !== null,
    frontMatter: ({ weight: _, nav_order: __, order: ___, ...attributes }) => ({
      ...attributes,
      ...(attributes["unlisted"] === true && { hidden: true }),
      ...(attributes["custom_edit_url"] === null && { suggestEdit: false }),
    }),
    routes: (pages) => routesOf(pages, place),
    navigation: (pages) =>
      docusaurusMenu(pages, {
        place,
        collections,
        locales,
        sidebars,
        navbar: config.at("themeConfig", "navbar", "items"),
      }),
    folders: [...new Set(collections.map(({ folder }) => folder))],
    files: staticFolders(config, folders),
  };
}

/** Chores edit sidebars in JavaScript and TypeScript, of a site with one set of documents in one language. */
function choresOf(
  [set, ...furtherSets]: readonly DocSet[],
  locales: readonly DocusaurusLocale[],
  file: string | undefined,
  contentRoot: string,
): Pick<EditedFiles, "chores"> {
  const isKnown = set !== undefined && furtherSets.length === 0 && locales.length === 1 && set.parsesNumbers;
  if (!isKnown || file?.endsWith(".json")) return {};
  return {
    chores: { pages: set.folder, navigation: file === undefined ? null : inside(file, contentRoot), redirects: null },
  };
}

function staticFolders(config: Data, folders: SiteFolders): { folder: string; at: string }[] {
  const named = config.get("staticDirectories");
  return (named.isList ? named.texts() : ["static"]).map((folder) => ({ folder: siteFolder(folder, folders), at: "" }));
}

function routesOf(
  pages: readonly ToolPage[],
  place: (path: string) => { collection: Collection; path: string } | null,
): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const each of pages) {
    const placed = place(each.path);
    if (placed !== null) routes.set(each.path, routeIn(each, placed));
  }
  return routes;
}

function routeIn(each: ToolPage, { collection, path }: { collection: Collection; path: string }): Route {
  const { prefix } = collection.locale;
  if (collection.kind === "blog") return postRoute(each, path, `${prefix}/${collection.base}`);
  if (collection.kind === "docs") {
    const { set, version } = collection;
    return documentOf(each, path, { base: `${prefix}/${set.base}/${version.path}`, parsesNumbers: set.parsesNumbers })
      .route;
  }
  return address(prefix, collection.base, path.replace(/\.mdx?$/, "").replace(/(?:^|\/)index$/, ""));
}

/** The primary color of a site's own styles, where it is a literal. */
async function primaryColor(
  plugins: ReturnType<typeof pluginsOf>,
  { folders, repository }: { folders: SiteFolders; repository: RepositoryFiles },
): Promise<string | null> {
  const option = plugins.find(({ name }) => name === "theme")?.options.get("customCss");
  const named = option?.isList ? option.texts() : [option?.text() ?? ""];
  for (const path of named.filter(Boolean)) {
    const text = await repository.text(joinContentRoot(siteFolder(path, folders), folders.root));
    const color = /--ifm-color-primary:\s*(#[0-9a-f]{3}(?:[0-9a-f]{3})?)\b/i.exec(text ?? "")?.[1];
    if (color !== undefined) return color;
  }
  return null;
}
