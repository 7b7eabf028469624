import { posix } from "node:path";
import { unwrapCalls } from "#docs/dialects/reading/computed.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import { inside } from "#docs/dialects/paths.ts";
import type { ReadContext } from "#docs/dialects/tool-site.ts";
import { joinContentRoot } from "#docs/routes.ts";
import type { Collection } from "./collections.ts";

/** Navigation settings of one version in one language that are outside the pages. */
export interface SidebarFiles {
  /** Null: one sidebar with all documents. */
  sidebars: Data | null;
  categories: ReadonlyMap<string, Data>;
  /** Translations of labels by their key, `sidebar.docs.category.Guides`. */
  messages: ReadonlyMap<string, string>;
}

const EXTENSIONS = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json"];
const CATEGORY = /(?:^|\/)_category_\.(?:json|ya?ml)$/;
const MAX_CATEGORIES = 5_000;

export async function readSidebarFiles(
  collections: readonly Collection[],
  contentRoot: string,
  { repository, problems }: ReadContext,
): Promise<ReadonlyMap<Collection, SidebarFiles>> {
  const found = new Map<Collection, SidebarFiles>();
  const known = new Map<string, Data>();
  const read = async (path: string) => {
    const data = known.get(path) ?? (await repository.data(path, problems));
    known.set(path, data);
    return data;
  };
  const categoryFiles = repository.below(contentRoot).filter((path) => CATEGORY.test(path));
  if (categoryFiles.length > MAX_CATEGORIES) {
    const path = joinContentRoot(categoryFiles[MAX_CATEGORIES] ?? "", contentRoot);
    problems.error(
      { path, line: null },
      `Of ${categoryFiles.length} category files the first ${MAX_CATEGORIES} are read.`,
    );
  }
  for (const collection of collections) {
    if (collection.kind !== "docs") continue;
    const { set, version, folder, locale } = collection;
    const named = version.name === "current" ? set.sidebarFile : version.sidebarFile;
    const file = sidebarPath(named, contentRoot, repository);
    const data = file === undefined ? null : await read(file);
    const categories = new Map<string, Data>();
    for (const path of categoryFiles.slice(0, MAX_CATEGORIES)) {
      // Translated folders may omit them: then those of the default language apply.
      const within = inside(path, folder) ?? (locale.isDefault ? null : inside(path, version.folder));
      const place = within === null ? null : posix.dirname(within) === "." ? "" : posix.dirname(within);
      if (place !== null && (inside(path, folder) !== null || !categories.has(place)))
        categories.set(place, await read(joinContentRoot(path, contentRoot)));
    }
    const messages = joinContentRoot(`${folder}.json`, contentRoot);
    found.set(collection, {
      sidebars: data === null ? null : data.with(unwrapCalls(data.raw)),
      categories,
      messages: locale.isDefault || !repository.has(messages) ? new Map() : messagesOf(await read(messages)),
    });
  }
  return found;
}

/** The file of sidebars that an option names, with or without its extension. */
export function sidebarPath(
  named: string | null,
  contentRoot: string,
  { has }: Pick<ReadContext["repository"], "has">,
): string | undefined {
  return named === null ? undefined : EXTENSIONS.map((each) => joinContentRoot(named + each, contentRoot)).find(has);
}

function messagesOf(data: Data): Map<string, string> {
  return new Map(
    data.entries().flatMap(([key, entry]) => {
      const message = entry.get("message").text();
      return message === null ? [] : [[key, message]];
    }),
  );
}
