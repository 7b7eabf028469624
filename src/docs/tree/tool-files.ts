import type { OpenedSite } from "#docs/config/find-site.ts";
import type { EditedFiles } from "#docs/dialects/tool-site.ts";
import type { JsonObject } from "#docs/json-document.ts";
import { joinContentRoot } from "#docs/routes.ts";

/** The files of another tool's site: those that define its navigation and its redirects, with paths in the repository. */
export interface ToolFiles extends EditedFiles {
  title: string;
  /** What its configuration says, as a `docs.json` would. */
  settings: JsonObject;
  /** Path of its configuration; null if it needs none. */
  file: string | null;
}

export function toolFiles({ dialect, file, contentRoot, site: { edited, settings } }: OpenedSite): ToolFiles {
  const { chores, ...named } = edited;
  const inRepository = (path: string | null) => path && joinContentRoot(path, contentRoot);
  return {
    ...named,
    title: dialect.title,
    settings,
    file,
    ...(chores && {
      chores: {
        pages: chores.pages === "" ? contentRoot : joinContentRoot(chores.pages, contentRoot),
        navigation: inRepository(chores.navigation),
        redirects: inRepository(chores.redirects),
      },
    }),
  };
}
