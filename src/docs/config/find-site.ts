import { posix } from "node:path";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { listIn } from "#docs/json-document.ts";
import { createProblemList, type ProblemList } from "#docs/problems.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { docusaurus } from "#docs/dialects/docusaurus/docusaurus.ts";
import { fumadocs } from "#docs/dialects/fumadocs/fumadocs.ts";
import { gitbook } from "#docs/dialects/gitbook/gitbook.ts";
import { mkdocs } from "#docs/dialects/mkdocs/mkdocs.ts";
import { nextra } from "#docs/dialects/nextra/nextra.ts";
import { starlight } from "#docs/dialects/starlight/starlight.ts";
import { vitepress } from "#docs/dialects/vitepress/vitepress.ts";
import { redirectsInFiles } from "#docs/dialects/redirect-file.ts";
import { openRepository } from "#docs/dialects/repository.ts";
import type { Dialect, FoundSite, ToolSite } from "#docs/dialects/tool-site.ts";

/** In order of precedence if two of them have their configuration in one folder. */
const TOOLS: readonly Dialect[] = [docusaurus, starlight, vitepress, mkdocs, gitbook, nextra, fumadocs];

/** A site of a tool that was found and loaded. */
export interface OpenedSite extends FoundSite {
  dialect: Dialect;
  site: ToolSite;
  /** The project's content root, if it is one of the tool's folders of pages. */
  named: string | null;
  /** Problems of reading the site. Those of its navigation are added when that is derived. */
  problems: ProblemList;
}

const MAX_NAMED = 5;
const USUAL_FOLDERS = ["docs", "website", "site", "documentation", "www"];

/**
 * Finds and reads the site of a tool in a repository without `docs.json`; null if there is no such site. The one nearest to
 * the root is used; at the same depth, those in `docs`, `website` … come first. A problem names the others.
 * `contentRoot` fixes the folder: that of the tool's configuration, or one in which the tool has its pages.
 */
export async function findToolSite(snapshot: Snapshot, contentRoot: string | null): Promise<OpenedSite | null> {
  const problems = createProblemList();
  const repository = await openRepository(snapshot);
  const found: { dialect: Dialect; place: FoundSite }[] = [];
  for (const dialect of TOOLS)
    for (const place of await dialect.find(repository))
      if (!isIgnoredPath(posix.join(place.contentRoot, "x"))) found.push({ dialect, place });
  found.sort(
    ({ place: a }, { place: b }) =>
      Number(a.isGuessed ?? false) - Number(b.isGuessed ?? false) || comparePlaces(a.contentRoot, b.contentRoot),
  );
  const first =
    contentRoot === null
      ? found.find(({ place }) => !place.isOnlyByName)
      : (found.find(({ place }) => place.contentRoot === contentRoot) ??
        found.find(({ place }) => place.content.includes(contentRoot)));
  if (first === undefined) return null;
  const { dialect, place } = first;
  if (contentRoot === null) nameOthers(first, found, problems);
  const site = await dialect.read(place, { repository, problems });
  const written = site.settings["redirects"];
  const folders = site.files.filter(({ at }) => at === "").map(({ folder }) => folder);
  const root = site.contentRoot ?? place.contentRoot;
  const inFiles = await redirectsInFiles(repository, root, folders);
  for (const path of repository.tooLarge)
    problems.error({ path, line: null }, "The file is not read: it is larger than 1 MB.");
  const redirects = [...listIn(written), ...inFiles.redirects];
  const { chores } = site.edited;
  // The file is the host's, whose root may have other sites than one below a base path.
  const canEditFile = chores?.redirects === null && /^\/?$/.test(site.base);
  const named = contentRoot === null || contentRoot === place.contentRoot ? null : contentRoot;
  return {
    ...place,
    contentRoot: root,
    named,
    problems,
    dialect,
    site: {
      ...site,
      settings: { ...site.settings, redirects },
      ...(canEditFile && { edited: { ...site.edited, chores: { ...chores, redirects: inFiles.file } } }),
    },
  };
}

function comparePlaces(a: string, b: string): number {
  const rank = (folder: string): number => {
    const index = USUAL_FOLDERS.indexOf(folder);
    return index === -1 ? USUAL_FOLDERS.length : index;
  };
  const depth = (folder: string) => (folder === "" ? 0 : folder.split("/").length);
  return depth(a) - depth(b) || rank(a) - rank(b) || (a === b ? 0 : a < b ? -1 : 1);
}

type Found = { dialect: Dialect; place: FoundSite };

function nameOthers(first: Found, found: readonly Found[], problems: ProblemList): void {
  const { place } = first;
  const isPart = (folder: string) =>
    place.content.some((content) => content !== "" && (folder === content || folder.startsWith(`${content}/`)));
  const others = found.filter((each) => each !== first && !isPart(each.place.contentRoot));
  if (others.length === 0) return;
  const names = others.slice(0, MAX_NAMED).map(({ dialect, place: { contentRoot, file } }) => {
    const isElsewhere = contentRoot !== place.contentRoot;
    return `${dialect.title} in /${contentRoot}${isElsewhere ? ` (contentRoot "${contentRoot}")` : ` (${file ?? ""})`}`;
  });
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : "";
  problems.warning(
    { path: place.file ?? place.contentRoot, line: null },
    `The site is that of ${first.dialect.title} here. The repository also has ${names.join(", ")}${more}. ` +
      "To show another one, set the contentRoot of the project to its folder.",
  );
}
