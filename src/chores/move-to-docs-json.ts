import { posix } from "node:path";
import { z } from "zod";
import type { JsonObject } from "#docs/json-document.ts";
import type { Link } from "#docs/links/links.ts";
import { markdownFormat, parserOf } from "#docs/parser.ts";
import { joinContentRoot, type Route, stripContentRoot } from "#docs/routes.ts";
import { isSection, type NavigationNode, type NavigationPage } from "#docs/tree/navigation.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import { MAX_CHANGED_FILES } from "#tools/write-policy.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { count } from "#tools/outcome.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { editText, type TextEdit } from "./edits/page-edits.ts";
import type { Workspace } from "./edits/workspace.ts";
import { layoutOf, type Layout, reportUnpublished } from "./moving/layout.ts";
import { siteOfPages, withNativeHead } from "./moving/page-head.ts";
import { addressOf, importEdits, linkEdits, type MovedSite } from "./moving/page-links.ts";
import { assetNamed, importedParts, neededAssets } from "./moving/needed-files.ts";
import { nativePage } from "./moving/native-page.ts";
import { exclusionsFor, navigationSettings, outlineOf, redirectsFor, siteSettings } from "./moving/site-file.ts";
import { tellOfOthers } from "./moving/other-files.ts";
import { createMoveReport, type MoveReport } from "./moving/move-report.ts";

export const MOVE_CHORE = "move_to_docs_json";

export const moveToDocsJsonTool = choreTool({
  name: MOVE_CHORE,
  description:
    "Moves the docs of Docusaurus, Starlight, VitePress, MkDocs, GitBook, mdBook, Nextra, Fumadocs or plain Markdown to " +
    "Docent's own format: a docs.json, and pages with its components, at the same addresses. The files of the other tool stay.",
  input: z.strictObject({}),
  mutates: true,
  isForCallers: true,
  run: (_input, workspace) => moveSite(workspace),
});

interface Move {
  workspace: Workspace;
  before: Docs;
  layout: Layout;
  report: MoveReport;
}

async function moveSite(workspace: Workspace): Promise<ChoreReport> {
  const before = await workspace.docs();
  if (before.config.dialect === "native")
    return {
      summary: `There is nothing to move: the site has its ${posix.basename(before.configFile ?? "docs.json")}`,
      notes: [],
    };
  if (before.pagesByPath.size === 0)
    throw new AppError("invalid", "There are no pages to move. Set the contentRoot of the project to their folder.");
  const { links } = await workspace.links();
  const parts = await importedParts(workspace, before);
  const pages = [...before.pagesByPath.values()];
  const layout = layoutOf(before, { pages, assets: neededAssets(before, links) }, workspace.contentRoot);
  const move: Move = { workspace, before, layout, report: createMoveReport() };
  const moved = await moveFiles(move, parts);
  const config = joinContentRoot("docs.json", layout.root);
  const settings = settingsOf(move, moved.docs, moved.pathOf);
  await workspace.write(config, textOf(settings));
  const site: MovedSite = { ...moved, docs: await workspace.docs() };
  if (site.docs.configFile !== config)
    throw new AppError(
      "conflict",
      `The site would be that of ${site.docs.configFile ?? "another folder"}. Set the contentRoot of the project to "${layout.root}" first.`,
    );
  await writePages(move, site, { links, parts });
  await completeSettings(move, site, { config, settings });
  return finish(move, config);
}

const textOf = (settings: JsonObject): string => `${JSON.stringify(settings, null, 2)}\n`;

/** Files for the host of a tool's build. */
const OF_HOSTS = /(?:^|\/)(?:robots\.txt|CNAME|_redirects|_headers|\.nojekyll)$/;

/** Moves files to their new places. One that may not be moved stays, and the report says so. */
async function moveFiles({ workspace, before, layout, report }: Move, parts: ReadonlySet<string>): Promise<MovedSite> {
  const places = new Map<string, string>();
  const outside = [...parts].filter((path) => stripContentRoot(path, layout.root) === null);
  const moves = [
    ...layout.moves,
    ...outside.map((path) => [path, joinContentRoot(`snippets/${posix.basename(path)}`, layout.root)] as const),
  ];
  const refused = await workspace.moveAll(moves);
  for (const [from, to] of moves) {
    const reason = refused.get(from);
    if (reason === undefined) places.set(from, to);
    else if (!OF_HOSTS.test(from))
      report.add("Not moved, because only people move such files, and not served at its address", {
        path: from,
        line: null,
      });
  }
  const pathOf = (path: string) => places.get(path) ?? path;
  const newRoute = (route: Route) => {
    const page = before.pages.get(route);
    return (page && docs.pagesByPath.get(pathOf(page.path))?.route) ?? route;
  };
  let docs = before;
  const site = { pathOf, newRoute, docs };
  // With any navigation, by which a docs.json in a folder of its own is found.
  const trial = workspace.tree.fork();
  trial.write(joinContentRoot("docs.json", layout.root), '{"navigation": {}}');
  docs = await workspace.docsOf(trial);
  return { ...site, docs };
}

function settingsOf({ before, layout, report }: Move, after: Docs, pathOf: (path: string) => string): JsonObject {
  const fileAt = (written: string): string | null => {
    if (/^[a-z]+:/i.test(written)) {
      report.note(`The picture ${written} of the site is at another host: add it to docs.json by hand.`);
      return null;
    }
    const asset = assetNamed(before.assets, written);
    return asset === undefined ? null : addressOf(after, pathOf(asset.path));
  };
  const pageFile = (route: Route) => {
    const page = before.pages.get(route);
    return page && pathOf(page.path);
  };
  const navigation = navigationSettings(before.navigation, { root: layout.root, pathOf: pageFile });
  return { ...siteSettings(before.config, fileAt), navigation };
}

// The parser is a process of its own.
const PARSED_AT_ONCE = 8;

async function writePages(
  move: Move,
  site: MovedSite,
  { links, parts }: { links: readonly Link[]; parts: ReadonlySet<string> },
): Promise<void> {
  const { workspace, before, report } = move;
  const parser = parserOf(workspace.parser, { dialect: "native" });
  const linksIn = Map.groupBy(links, ({ path }) => path);
  const entries = firstEntries(before.navigation);
  const unpublished = reportUnpublished(move, site);
  const paths = [...before.pagesByPath.keys(), ...parts].filter((path) => !unpublished.has(path));
  const converted = await mapConcurrently(paths, PARSED_AT_ONCE, async (path) => {
    workspace.signal.throwIfAborted();
    const page = before.pagesByPath.get(path);
    const old = await workspace.text(site.pathOf(path));
    if (old === null) return null;
    const edits = [...linkEdits(linksIn.get(path) ?? [], before, site), ...importEdits(old, path, site)];
    const native = await nativePage(parser, {
      path,
      text: editText(old, distinct(edits)),
      format: page === undefined ? "mdx" : page.format,
      isPart: page === undefined,
      ...siteOfPages(before),
      read: (file) => workspace.text(site.pathOf(file)),
    });
    if (page === undefined) return { ...native, headLeft: [] };
    const head = withNativeHead(native.text, { page, entry: entries.get(page.route), ...before.config });
    return { ...native, text: head.text, headLeft: head.left };
  });
  const written: { place: string; name: string; text: string }[] = [];
  for (const [index, path] of paths.entries()) {
    const native = converted[index];
    const whole = { path, line: null };
    if (!native) {
      report.add("Unchanged, as it is not UTF-8 text", whole);
      continue;
    }
    for (const { line, message, detail } of native.left) report.add(message, { path, line }, detail);
    for (const file of native.included) report.add("The text of included files is part of the page now", whole, file);
    for (const message of native.headLeft) report.add(message, whole);
    const place = site.pathOf(path);
    const isRenamed = !parts.has(path) && native.format === "mdx" && markdownFormat(place) === "md";
    written.push({ place, name: isRenamed ? place.replace(/\.[^.]+$/, ".mdx") : place, text: native.text });
  }
  const renamed = written.filter(({ place, name }) => place !== name);
  const refused = await workspace.moveAll(renamed.map(({ place, name }) => [place, name] as const));
  for (const { place, name, text } of written) {
    const reason = refused.get(place) ?? (await refusalOf(workspace, name, text));
    if (reason !== null) report.add("Could not be written and is unchanged", { path: place, line: null }, reason);
  }
}

/** Writes a page; the reason if that is refused. */
async function refusalOf(workspace: Workspace, path: string, text: string): Promise<string | null> {
  try {
    await workspace.write(path, text, "native");
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

/** Drops edits of the same place, such as those of a link and its definition. */
function distinct(edits: readonly TextEdit[]): TextEdit[] {
  const kept: TextEdit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end))
    if (edit.start >= (kept.at(-1)?.end ?? 0)) kept.push(edit);
  return kept;
}

/** Each page's first entry in the navigation. */
function firstEntries(nodes: readonly NavigationNode[]): Map<Route, NavigationPage> {
  return new Map([...entriesIn(nodes)].toReversed().map((entry) => [entry.route, entry]));
}

function* entriesIn(nodes: readonly NavigationNode[]): Generator<NavigationPage> {
  for (const node of nodes) {
    if (node.kind === "page") yield node;
    else if (isSection(node)) yield* entriesIn(node.children);
  }
}

/** Adds what depends on the finished pages: redirects, and what must not be published. */
async function completeSettings(
  { workspace, before, layout, report }: Move,
  { pathOf, newRoute }: MovedSite,
  { config, settings }: { config: string; settings: JsonObject },
): Promise<void> {
  const after = await workspace.docs();
  const own = before.config.redirects.map(({ source, destination, permanent }) => ({
    source,
    destination,
    ...(!permanent && { permanent }),
  }));
  const redirects = [...own, ...redirectsFor(before, after, newRoute)];
  const changed = new Set(workspace.changed());
  const was = new Set([...publishedIn(before)].map(pathOf));
  const now = [...publishedIn(after)];
  const unwanted = now.filter((path) => !was.has(path) && !changed.has(path));
  const exclude = exclusionsFor(
    layout.root,
    unwanted,
    now.filter((path) => !unwanted.includes(path)),
  );
  if (exclude.length > 0) {
    const folder = layout.root === "" ? "the repository" : `${layout.root}/`;
    report.note(
      `\`exclude\` in docs.json keeps ${count(unwanted.length, "file")} unpublished, as before. Files that you add elsewhere in ${folder} will be served.`,
    );
  }
  const hidden = [...before.pages.values()].filter(({ hidden: isHidden }) => isHidden);
  const unlisted = [...after.pages.values()].filter((page) => page.hidden).length - hidden.length;
  if (unlisted > 0)
    report.note(
      hidden.length === 0
        ? `Not in the navigation: ${count(unlisted, "page")}. \`seo.indexing\` is \`all\`, so that search and the sitemap have them as before.`
        : `Not in the navigation: ${count(unlisted, "page")}. Search and the sitemap leave them out, as they do with hidden pages.`,
    );
  await workspace.write(
    config,
    textOf({
      ...settings,
      ...(redirects.length > 0 && { redirects }),
      ...(unlisted > 0 && hidden.length === 0 && { seo: { indexing: "all" } }),
      ...(exclude.length > 0 && { exclude }),
    }),
  );
}

const publishedIn = ({ pagesByPath, assets }: Docs): Set<string> =>
  new Set([...pagesByPath.keys(), ...[...assets.values()].map(({ path }) => path)]);

async function finish({ workspace, before, report }: Move, config: string): Promise<ChoreReport> {
  const after = await workspace.docs();
  const titles = new Map([...firstEntries(before.navigation)].map(([route, { title }]) => [route, title]));
  for (const { route, title } of entriesIn(before.navigation))
    if (titles.get(route) !== title)
      report.add(
        "The navigation shows the first title of a page everywhere, and not these",
        { path: before.pages.get(route)?.path ?? route, line: null },
        title,
      );
  const shown = (nodes: readonly NavigationNode[]) => JSON.stringify(outlineOf(nodes, titles));
  if (shown(before.navigation) !== shown(after.navigation))
    report.note("The navigation differs from that of the tool: compare it in the preview.");
  for (const { path, line, message } of before.problems) report.add(message, { path, line });
  await tellOfOthers(workspace, before, report);
  const changed = workspace.changed().length;
  if (changed > MAX_CHANGED_FILES)
    throw new AppError(
      "too_large",
      `The move changes ${changed} files; one pull request has at most ${MAX_CHANGED_FILES}.`,
    );
  const tool = before.tool?.title ?? "Markdown files";
  const stays = before.tool?.file ?? null;
  return {
    summary: `Moved ${count(after.pagesByPath.size, "page")} of ${tool} to ${config}`,
    notes: [
      ...(stays === null
        ? []
        : [
            `\`${stays}\` stays and has no effect on Docent any more: ${config} takes precedence. Delete the files of ${tool} when you no longer build with it.`,
          ]),
      ...report.lines(),
    ],
  };
}
