import { resolveHref } from "#docs/hrefs.ts";
import { extractLinks } from "#docs/links/link-extraction.ts";
import { encodePath, stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Throws `AppError invalid` when the page has a link that leads nowhere and that it did not have before. Text of a
 * request may not bring in broken links. A page that does not parse is the syntax check's business.
 */
export async function refuseBrokenLinks(workspace: Workspace, path: string, before = ""): Promise<void> {
  const text = await workspace.text(path);
  const root = text === null ? null : await workspace.parse({ path, text });
  if (text === null || root === null) return;
  const docs = await workspace.linked();
  const from = stripContentRoot(path, docs.contentRoot) ?? path;
  for (const { url, use } of extractLinks(text, root, from).links) {
    if (before.includes(url)) continue;
    const href = resolveHref(url, from, use);
    const shown = url.slice(0, 200);
    if (href.kind === "refused") throw new AppError("invalid", `The text links to “${shown}”: ${href.reason}.`);
    if (href.kind === "outside")
      throw new AppError("invalid", `The text links to “${shown}”, outside of the documentation.`);
    if (href.kind !== "internal" || url.startsWith("#")) continue;
    const route = encodePath(href.path.replace(/^\//, ""));
    if (docs.pages.has(route) || docs.assets.has(route) || docs.redirects.match(route) !== null) continue;
    throw new AppError("invalid", `The text links to “${shown}”, which does not exist.`);
  }
}
