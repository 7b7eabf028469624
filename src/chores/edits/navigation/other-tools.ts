import type { Docs } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";

/**
 * Refuses to change the navigation, the redirects or the address of a page if another tool defines them: chores only edit a
 * `docs.json`, and an outdated entry breaks the tool's build. Throws `AppError invalid`, which names the files.
 */
export function refuseInTool({ tool }: Pick<Docs, "tool">, what: "navigation" | "redirects" | "addresses"): void {
  if (tool === null) return;
  const begin = `This is a repository of ${tool.title}`;
  const message = {
    navigation: `${begin}: its navigation is in ${tool.navigation}. Edit it there; chores change the navigation of a docs.json alone.`,
    redirects: `${begin}: its redirects are in ${tool.redirects}. Edit them there; chores change the redirects of a docs.json alone.`,
    addresses:
      `${begin}. A page that moves or goes away there may be named in ${tool.navigation}, and readers of its old address ` +
      `need a redirect in ${tool.redirects}. Edit these files and the page together; the chore changes a docs.json alone.`,
  }[what];
  throw new AppError("invalid", message);
}
