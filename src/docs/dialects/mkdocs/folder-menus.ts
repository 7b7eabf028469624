import { posix } from "node:path";
import type { Data } from "#docs/dialects/reading/data.ts";
import { readSummary, type SummaryPart } from "#docs/dialects/summary.ts";
import type { ReadContext } from "#docs/dialects/tool-site.ts";
import { joinContentRoot } from "#docs/routes.ts";

/** Navigation files in the folders of the pages, by folder. */
export interface FolderMenus {
  /** `SUMMARY.md` of literate-nav. */
  summaries: ReadonlyMap<string, SummaryPart[]>;
  /** `.pages` of awesome-pages, `.nav.yml` of awesome-nav. */
  menus: ReadonlyMap<string, Data>;
  /** Whether a file holds navigation and is not a page. */
  isMenu(path: string): boolean;
}

const MAX_FILES = 5_000;

export async function readFolderMenus(
  folder: string,
  plugins: ReadonlyMap<string, Data>,
  { repository, problems }: ReadContext,
): Promise<FolderMenus> {
  const summaryName = plugins.get("literate-nav")?.get("nav_file").text() ?? "SUMMARY.md";
  const isSummary = (path: string) => plugins.has("literate-nav") && posix.basename(path) === summaryName;
  const names = [
    ...(plugins.has("awesome-pages") ? [".pages"] : []),
    ...(plugins.has("awesome-nav") ? [".nav.yml"] : []),
  ];
  const summaries = new Map<string, SummaryPart[]>();
  const menus = new Map<string, Data>();
  const paths = repository.below(folder);
  for (const path of paths
    .filter((each) => isSummary(each) || names.includes(posix.basename(each)))
    .slice(0, MAX_FILES)) {
    const place = posix.dirname(path) === "." ? "" : posix.dirname(path);
    const file = joinContentRoot(path, folder);
    if (isSummary(path)) summaries.set(place, readSummary((await repository.text(file)) ?? ""));
    else menus.set(place, await repository.yaml(file, problems));
  }
  return { summaries, menus, isMenu: isSummary };
}
