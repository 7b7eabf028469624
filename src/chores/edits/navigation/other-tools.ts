import type { Docs } from "#docs/tree/page-tree.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";

/**
 * Refuses to change the navigation, the redirects or the address of a page if another tool defines them in a form that chores
 * do not edit: an outdated entry breaks the tool's build. Throws `AppError invalid`, which names the files.
 */
export function refuseInTool({ tool }: Pick<Docs, "tool">, what: "navigation" | "redirects" | "addresses"): void {
  if (tool === null) return;
  if (what === "redirects" ? (tool.chores?.redirects ?? null) !== null : tool.chores !== undefined) return;
  const begin = `This is a repository of ${tool.title}`;
  const message = {
    navigation: `${begin}: its navigation is in ${tool.navigation}. Edit it there; chores cannot change it in that form.`,
    redirects: `${begin}: its redirects are in ${tool.redirects}. Edit them there; chores cannot change them in that form.`,
    addresses:
      `${begin}. A page that moves or goes away there may be named in ${tool.navigation}, and readers of its old address ` +
      `need a redirect in ${tool.redirects}. Edit these files and the page together; chores cannot change them in that form.`,
  }[what];
  throw new AppError("invalid", message);
}

/** Refuses a path that is not in the folder of the tool's pages: its navigation cannot name it. */
export function refuseOutsidePages({ tool }: Pick<Docs, "tool">, path: string): void {
  if (tool?.chores === undefined || stripContentRoot(path, tool.chores.pages) !== null) return;
  throw new AppError("invalid", `“${path}” is outside of ${tool.chores.pages}, where the pages of the navigation are.`);
}
