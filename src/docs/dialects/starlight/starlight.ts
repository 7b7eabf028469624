import { posix } from "node:path";
import { slug } from "github-slugger";
import { parse as parseJson } from "jsonc-parser";
import { address, baseOf, folderOf, inside, pageStem } from "#docs/dialects/paths.ts";
import { isMarkedDraft } from "#docs/dialects/drafts.ts";
import { isUnindexed, metaTags } from "#docs/dialects/head-tags.ts";
import { PackageCall, unwrapCalls } from "#docs/dialects/reading/computed.ts";
import { Data, isRecord, present } from "#docs/dialects/reading/data.ts";
import type { RepositoryFiles } from "#docs/dialects/repository.ts";
import type { Dialect, FoundSite, ReadContext, ToolPage, ToolSite } from "#docs/dialects/tool-site.ts";
import type { Json, JsonObject } from "#docs/json-document.ts";
import { createProblemList } from "#docs/problems.ts";
import { NO_RULES } from "#docs/page-rules.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { asideTitles } from "./aside-titles.ts";
import { starlightLocales, starlightMenu } from "./menu.ts";

const CONFIG = /(?:^|\/)astro\.config\.[cm]?[jt]s$/;
const MAX_CANDIDATES = 50;

/** Starlight on Astro: its sidebar, languages and addresses of the content collection `docs`. */
export const starlight: Dialect = {
  name: "starlight",
  title: "Starlight",
  async find({ paths, text }) {
    const found: FoundSite[] = [];
    for (const file of paths.filter((path) => CONFIG.test(path)).slice(0, MAX_CANDIDATES)) {
      if (!(await text(file))?.includes("@astrojs/starlight")) continue;
      const folder = folderOf(posix.dirname(file));
      found.push({ contentRoot: folder, file, content: [folderOf("src/content/docs", folder)] });
    }
    return found;
  },
  read,
};

async function read({ contentRoot, file }: FoundSite, { repository, problems }: ReadContext): Promise<ToolSite> {
  const written = await repository.data(file ?? "", problems);
  const astro = written.with(unwrapCalls(written.raw));
  const config = astro.with(starlightOptions(astro));
  const source = folderOf(astro.get("srcDir").text() ?? "src");
  const content = `${source}/content/docs`;
  const words = joinContentRoot(folderOf("content/i18n", source), contentRoot);
  const locales = starlightLocales(config);
  const name = posix.basename(file ?? "");
  const publicFolder = folderOf(astro.get("publicDir").text() ?? "public");
  const hasOwnLoader = await usesOwnLoader(contentRoot, source, repository);
  const idOf = (page: ToolPage): string => collectionId(page, inside(page.path, content) ?? page.path);
  return {
    settings: settingsOf(config, {
      astro,
      hasIcon: repository.has(joinContentRoot(`${publicFolder}/favicon.svg`, contentRoot)),
    }),
    rules: {
      ...NO_RULES,
      calloutTitles: await asideTitles(locales, { repository, problems, folder: words }),
      pathAliases: await pathAliases(contentRoot, repository),
    },
    base: baseOf(astro.get("base").text()),
    edited: {
      navigation: name,
      redirects: `"redirects" in ${name}`,
      // In several languages a page has a twin in each folder.
      ...(locales.length === 1 && {
        chores: { pages: content, navigation: config.has("sidebar") ? name : null, redirects: null },
      }),
    },
    keys: ["slug", "sidebar", "draft"],
    isDraft: isMarkedDraft,
    isPage(path) {
      const within = inside(path, content);
      if (within === null) return false;
      // Astro leaves out all below such a folder, and Starlight's own loader only files.
      const names = hasOwnLoader ? [posix.basename(within)] : within.split("/");
      return !names.some((each) => each.startsWith("_"));
    },
    ignoredKeys: (attributes) => [
      ...["prev", "next"].filter((key) => attributes[key] !== undefined),
      ...["editUrl", "lastUpdated"].filter((key) => !["boolean", "undefined"].includes(typeof attributes[key])),
    ],
    frontMatter(attributes) {
      const sidebar = isRecord(attributes["sidebar"]) ? attributes["sidebar"] : {};
      const badge = isRecord(sidebar["badge"]) ? sidebar["badge"]["text"] : sidebar["badge"];
      const { weight: _, nav_order: __, sidebar_position: ___, ...rest } = attributes;
      return {
        ...rest,
        searchable: attributes["pagefind"],
        timestamp: attributes["lastUpdated"],
        suggestEdit: attributes["editUrl"],
        sidebarTitle: sidebar["label"],
        order: sidebar["order"],
        ...(badge !== undefined && { tag: badge }),
        ...(isUnindexed(attributes["head"]) && { noindex: true }),
      };
    },
    routes: (pages) => new Map(pages.map((page): [string, Route] => [page.path, address(idOf(page))])),
    navigation: (pages) =>
      starlightMenu(config.get("sidebar"), {
        locales,
        pages: pages.map((page) => ({ page, id: idOf(page), path: pageStem(inside(page.path, content) ?? page.path) })),
      }),
    files: [{ folder: publicFolder, at: "" }],
  };
}

/** Whether the content collection has Starlight's loader, as since Astro 5. */
async function usesOwnLoader(contentRoot: string, source: string, { text }: RepositoryFiles): Promise<boolean> {
  for (const name of ["content.config", "content/config"])
    for (const ending of ["ts", "mts", "js", "mjs"]) {
      const written = await text(joinContentRoot(`${source}/${name}.${ending}`, contentRoot));
      if (written !== null) return written.includes("docsLoader");
    }
  return false;
}

/** `"paths": { "@assets/*": ["src/assets/*"] }` in `tsconfig.json`. */
async function pathAliases(contentRoot: string, { text }: RepositoryFiles): Promise<[name: string, folder: string][]> {
  const file = parseJson((await text(joinContentRoot("tsconfig.json", contentRoot))) ?? "{}") as unknown;
  const options = Data.of(file, createProblemList(0)).get("compilerOptions");
  const base = options.get("baseUrl").text() ?? ".";
  return options
    .get("paths")
    .entries()
    .flatMap(([name, targets]): [string, string][] => {
      const [target] = targets.texts();
      const isFolder = /^[@~][\w-]*\/\*$/.test(name) && target?.endsWith("/*") === true;
      return isFolder ? [[name.slice(0, -1), folderOf(target.slice(0, -1), base)]] : [];
    });
}

/** As Astro derives it from a path: a slug of each segment; `index` represents its folder. */
export function collectionId({ written }: ToolPage, path: string): string {
  if (typeof written["slug"] === "string" && written["slug"] !== "") return written["slug"];
  const id = pageStem(path)
    .split("/")
    .map((part) => slug(part))
    .join("/");
  return id.replace(/(?:^|\/)index$/, "");
}

/** The argument of the integration, which is a call of a function from a package. */
function starlightOptions(astro: Data): unknown {
  const { raw } = astro.get("integrations");
  const call = (Array.isArray(raw) ? (raw as unknown[]) : []).find(
    (each) => each instanceof PackageCall && each.source === "@astrojs/starlight",
  );
  return call instanceof PackageCall ? (call.args[0] ?? {}) : {};
}

function settingsOf(config: Data, { astro, hasIcon }: { astro: Data; hasIcon: boolean }): JsonObject {
  const logo = config.get("logo");
  const light = logo.get("light").text() ?? logo.get("src").text();
  const title = config.get("title");
  return present({
    name: title.text() ?? title.entries()[0]?.[1].text(),
    description: config.get("description").text(),
    language: config.at("locales", "root", "lang").text(),
    favicon: config.get("favicon").text() ?? (hasIcon ? "/favicon.svg" : null),
    logo: light === null ? null : present({ light: pathOf(light), dark: pathOf(logo.get("dark").text() ?? light) }),
    footer: { socials: socialsOf(config.get("social")) },
    feedback: { suggestEdit: config.at("editLink", "baseUrl").text() !== null },
    metadata: { timestamp: config.get("lastUpdated").flag() ?? false },
    seo: { metatags: metaTags(config.get("head")) },
    redirects: astro
      .get("redirects")
      .entries()
      .flatMap(([source, target]): Json[] => {
        const destination = target.text() ?? target.get("destination").text();
        return destination === null ? [] : [{ source: pattern(source), destination: pattern(destination) }];
      }),
  });
}

/** Imported images are relative to the folder of the configuration. */
const pathOf = (written: string): string => (written.startsWith(".") ? posix.normalize(written) : written);

/** `/blog/[...slug]` in the syntax of docs.json: `/blog/:slug*`. */
const pattern = (route: string): string => route.replaceAll(/\[\.{3}(\w+)\]/g, ":$1*").replaceAll(/\[(\w+)\]/g, ":$1");

function socialsOf(social: Data): Json[] {
  const named = social.isList
    ? social.list().map((each) => [each.get("icon").text(), each.get("href").text(), each.get("label").text()])
    : social.entries().map(([name, href]) => [name, href.text()]);
  return named.flatMap(([type, url, label]) =>
    typeof type === "string" && typeof url === "string" ? [present({ type, url, label })] : [],
  );
}
