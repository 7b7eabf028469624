import { posix } from "node:path";
import { extractLinks } from "#docs/links/link-extraction.ts";
import { stripContentRoot } from "#docs/routes.ts";
import type { Workspace } from "./workspace.ts";

/** Files that put this one in (by import or as a snippet). `sitePath` is relative to the site's root. */
export async function importersOf(workspace: Workspace, sitePath: string): Promise<string[]> {
  const { contentRoot } = await workspace.docs();
  const name = posix.basename(sitePath).replace(/\.[^.]+$/, "");
  const importers: string[] = [];
  for (const page of await workspace.pageTexts((text) => text.includes(name) && /\bimport\b|<Snippet/.test(text))) {
    const root = await workspace.parse(page);
    if (root === null) continue;
    const from = stripContentRoot(page.path, contentRoot) ?? page.path;
    const { includes } = extractLinks(page.text, root, from);
    if (includes.some((choices) => choices.includes(sitePath))) importers.push(page.path);
  }
  return importers;
}
