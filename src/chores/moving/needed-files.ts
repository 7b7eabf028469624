import { posix } from "node:path";
import type { Link } from "#docs/links/links.ts";
import { markdownFormat } from "#docs/parser.ts";
import { encodePath, type Route, stripContentRoot } from "#docs/routes.ts";
import type { Asset, Docs } from "#docs/tree/page-tree.ts";
import type { Workspace } from "#chores/edits/workspace.ts";

/** The files that readers need: those with an address that the tool gives them, and those that pages refer to. */
export function neededAssets({ assets, contentRoot, config, tool }: Docs, links: readonly Link[]): Map<Route, Asset> {
  const linked = new Set(links.flatMap(({ target }) => (target?.kind === "asset" ? [target.path] : [])));
  const named = [config.logo?.light, config.logo?.dark, config.favicon].flatMap(
    (path) => assetNamed(assets, path)?.path ?? [],
  );
  const needed = new Map<Route, Asset>();
  for (const [address, asset] of assets) {
    const isPlaced = tool !== null && address !== encodePath(stripContentRoot(asset.path, contentRoot) ?? asset.path);
    if (isPlaced) needed.set(address, asset);
  }
  const placed = new Set([...needed.values()].map(({ path }) => path));
  for (const [address, asset] of assets)
    if (!placed.has(asset.path) && (linked.has(asset.path) || named.includes(asset.path))) needed.set(address, asset);
  return needed;
}

/** The file that a setting of the site names. */
export const assetNamed = (assets: Docs["assets"], written: string | null | undefined): Asset | undefined =>
  written === null || written === undefined ? undefined : assets.get(encodePath(written.replace(/^(?:\.?\/)+/, "")));

const IMPORT = /^import\s[^'"\n]{0,500}?["'](\.{1,2}\/[^'"\n]{1,500})["']/gm;
const MAX_DEPTH = 12;

/** Markdown files that pages import, which are no pages themselves. */
export async function importedParts(workspace: Workspace, docs: Docs): Promise<Set<string>> {
  const parts = new Set<string>();
  let open = [...docs.pagesByPath.keys()];
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth += 1) {
    const next: string[] = [];
    for (const path of open)
      for (const [, specifier = ""] of ((await workspace.text(path)) ?? "").matchAll(IMPORT)) {
        const file = posix.join(posix.dirname(path), specifier);
        if (markdownFormat(file) === null || docs.pagesByPath.has(file) || parts.has(file)) continue;
        if ((await workspace.text(file)) === null) continue;
        parts.add(file);
        next.push(file);
      }
    open = next;
  }
  return parts;
}
