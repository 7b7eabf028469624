import { posix } from "node:path";
import { address, pageStem } from "#docs/dialects/paths.ts";
import type { ToolPage } from "#docs/dialects/tool-site.ts";
import type { Route } from "#docs/routes.ts";
import { numberedName } from "./doc-sets.ts";

/** A document as sidebars and addresses know it. Paths are inside the folder of its version. */
export interface Document {
  page: ToolPage;
  path: string;
  /** `guides/intro`, without numbers: the name that sidebars use. */
  id: string;
  route: Route;
  position: number | null;
}

/** The document of a page: its id and its address, as the docs plugin derives them. */
export function documentOf(
  page: ToolPage,
  path: string,
  { base, parsesNumbers }: { base: string; parsesNumbers: boolean },
): Document {
  const stem = pageStem(path);
  const folders = posix.dirname(stem) === "." ? [] : posix.dirname(stem).split("/");
  const file = numberedName(posix.basename(stem), parsesNumbers);
  const bareFolders = folders.map((folder) => numberedName(folder, parsesNumbers).name);
  const { id: writtenId, slug } = page.written;
  const name = typeof writtenId === "string" && writtenId !== "" ? writtenId : file.name;
  const isIndex = isFolderPage(posix.basename(stem), folders.at(-1));
  const usual = isIndex ? bareFolders.join("/") : [...bareFolders, name].join("/");
  const own = typeof slug === "string" && slug !== "" ? slug : null;
  const inSet = own === null ? usual : own.startsWith("/") ? own : posix.join("/", ...bareFolders, own);
  return {
    page,
    path,
    id: [...bareFolders, name].join("/"),
    route: address(base, inSet),
    position: page.order ?? file.number,
  };
}

/** `index`, `README` and a file with the name of its folder represent the folder. */
export function isFolderPage(name: string, folder: string | undefined): boolean {
  return /^(?:index|readme)$/i.test(name) || (folder !== undefined && name.toLowerCase() === folder.toLowerCase());
}
