import { canonicalPath, type Route } from "#docs/routes.ts";
import { editText } from "#chores/edits/page-edits.ts";
import type { Workspace } from "#chores/edits/workspace.ts";
import { newlineOf, removeLines } from "./written-lines.ts";

/**
 * The `_redirects` file of Netlify and Cloudflare Pages, which chores edit for tools whose own redirects they cannot: one line
 * per redirect, `/from /to 301`. Null if the redirects are elsewhere.
 */
async function openRedirectFile(workspace: Workspace): Promise<{ path: string; text: string } | null> {
  const path = (await workspace.docs()).tool?.chores?.redirects ?? null;
  const text = path !== null && /(?:^|\/)_redirects$/.test(path) ? await workspace.text(path) : null;
  return path === null || text === null ? null : { path, text };
}

/** Adds a redirect before all others, because the first line that matches applies. False if there is no file. */
export async function addToRedirectFile(
  workspace: Workspace,
  { source, destination }: { source: Route; destination: string },
): Promise<boolean> {
  const file = await openRedirectFile(workspace);
  if (file === null) return false;
  const { path, text } = file;
  const first = text.search(/^[ \t]*[^\s#]/m);
  const start = first === -1 ? text.length : first;
  const isInLine = start > 0 && text[start - 1] !== "\n";
  const line = `${isInLine ? newlineOf(text) : ""}${source} ${destination} 301${newlineOf(text)}`;
  await workspace.write(path, editText(text, [{ start, end: start, text: line }]));
  return true;
}

/** Removes the redirects whose source matches. Returns their number; null if there is no file. */
export async function removeFromRedirectFile(
  workspace: Workspace,
  isMeant: (source: Route) => boolean,
): Promise<number | null> {
  const file = await openRedirectFile(workspace);
  if (file === null) return null;
  const { path, text } = file;
  // Only those that `tools/tool-configuration.ts` lets go.
  const meant = [...text.matchAll(/^(\/[^\s*:]+)[ \t]+\/[^\s*:]*(?:[ \t]+30[18])?\r?$/gm)].filter(([, source]) => {
    const route = canonicalPath(source!);
    return route !== null && isMeant(route);
  });
  const edits = meant.map(({ 0: line, index }) => removeLines(text, { start: index, end: index + line.length }));
  if (edits.length > 0) await workspace.write(path, editText(text, edits));
  return edits.length;
}
