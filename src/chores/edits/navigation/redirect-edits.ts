import type { Node } from "jsonc-parser";
import { writeHref } from "#docs/links/href-writer.ts";
import { resolveHref } from "#docs/hrefs.ts";
import { canonicalPath, type Route } from "#docs/routes.ts";
import { count } from "#tools/outcome.ts";
import {
  configDocuments,
  propertyOf,
  replaceString,
  sitePathOf,
  stringProperty,
  walkJson,
  writeDocument,
  type ConfigDocument,
} from "./config-document.ts";
import { addProperty, insertElement, removeElement } from "./json-edits.ts";
import { configurationMentions } from "./tool-navigation.ts";
import { addToolRedirect, removeToolRedirects, retargetToolRedirects, toolRedirectsTo } from "./tool-redirects.ts";
import { placesIn, type TextEdit } from "#chores/edits/page-edits.ts";
import type { Workspace } from "#chores/edits/workspace.ts";

const MAX_LISTED = 40;
const LINK_KEYS = new Set(["href", "url", "link", "destination"]);

/** The places where the configuration itself links or redirects to a page, as `path:line`. */
export async function configurationLinks(workspace: Workspace, to: Route): Promise<string[]> {
  const docs = await workspace.docs();
  if (docs.tool !== null) {
    const page = { path: docs.pages.get(to)?.path ?? "", route: to };
    return [...(await toolRedirectsTo(workspace, page.path)), ...(await configurationMentions(workspace, page))];
  }
  return (await configDocuments(workspace)).flatMap((document) => {
    const at = placesIn(document.path, document.text);
    return linksIn(document, to).map((node) => `\`${at(node.offset)}\``);
  });
}

function linksIn(document: ConfigDocument, to: Route): Node[] {
  const found: Node[] = [];
  walkJson(document.root, (node, key) => {
    if (node.type !== "string" || key === null || !LINK_KEYS.has(key)) return;
    const value = String(node.value);
    const href = resolveHref(value, "index.md");
    if (value.startsWith("/") && href.kind === "internal" && canonicalPath(encodeURI(href.path)) === to)
      found.push(node);
  });
  return found;
}

/**
 * Changes the configuration's own links and redirect targets from one page to another. Returns a line that names the places,
 * if there are any. Anchors are kept if the page moved to the new path, and dropped for another page.
 */
export async function retargetConfiguration(
  workspace: Workspace,
  from: { path: string; route: Route },
  to: { path: string; route: Route; keepsAnchors: boolean },
): Promise<string[]> {
  const target = await sitePathOf(workspace, to.path);
  const places = await retargetToolRedirects(workspace, from.path, to);
  for (const document of await configDocuments(workspace)) {
    const at = placesIn(document.path, document.text);
    const edits = linksIn(document, from.route).map((node): TextEdit => {
      const value = String(node.value);
      const href = resolveHref(value, "index.md");
      const hash = to.keepsAnchors && href.kind === "internal" ? href.hash : null;
      const url = writeHref({ like: value, from: "index.md", target, hash });
      places.push(`\`${at(node.offset)}\``);
      return replaceString(node, url);
    });
    if (edits.length > 0) await writeDocument(workspace, document, edits);
  }
  const kept = await configurationMentions(workspace, from);
  const notes =
    kept.length === 0
      ? []
      : [`Left the address \`${from.route}\` at ${kept.slice(0, MAX_LISTED).join(", ")}: change it there.`];
  if (places.length === 0) return notes;
  const more = places.length > MAX_LISTED ? " …" : "";
  const listed = places.slice(0, MAX_LISTED).join(", ") + more;
  return [...notes, `Links and redirects of the configuration that lead to \`${to.route}\` now: ${listed}.`];
}

/**
 * Adds a redirect and removes redirects that would hide the destination or conflict with it. Returns lines that report this;
 * the docs may have no configuration to hold the redirect. `file` is the former path of the page.
 */
export async function addRedirect(
  workspace: Workspace,
  { source, destination, file }: { source: Route; destination: string; file: string },
): Promise<string[]> {
  const { configFile, tool } = await workspace.docs();
  const canHold = configFile !== null || (tool?.chores?.redirects ?? null) !== null;
  const stale = [source, canonicalPath(destination.replace(/[?#].*/s, "")) ?? ""];
  const dropped = canHold ? await dropRedirects(workspace, stale) : 0;
  const isAdded = canHold && (await insertRedirect(workspace, { source, destination, file }));
  const lost = `\`${source}\` answers “not found” from now on`;
  return [
    isAdded
      ? `Added a redirect from \`${source}\` to \`${destination}\`.`
      : tool === null
        ? `There is no docs.json to hold a redirect, so ${lost}.`
        : `No redirect was added, so ${lost}: chores cannot edit ${tool.redirects}.`,
    ...(dropped === 0 ? [] : [`Dropped ${count(dropped, "redirect")} that stood in its way.`]),
  ];
}

/** Appends a redirect to the list, which is created if missing. False when the configuration has no place for it. */
export async function insertRedirect(
  workspace: Workspace,
  { file, ...redirect }: { source: Route; destination: string; file?: string },
): Promise<boolean> {
  if ((await workspace.docs()).tool !== null) return addToolRedirect(workspace, { ...redirect, file });
  const list = await redirectList(workspace);
  if (list) {
    await writeDocument(workspace, list.document, [insertElement(list.document.text, list.node, { value: redirect })]);
    return true;
  }
  const [document] = await configDocuments(workspace);
  if (document?.root.type !== "object" || propertyOf(document.root, "redirects") !== undefined) return false;
  await writeDocument(workspace, document, [
    addProperty(document.text, document.root, { name: "redirects", value: [redirect] }),
  ]);
  return true;
}

/** Removes the redirects from these addresses, which conflict with pages. Returns their number. */
export function dropRedirects(workspace: Workspace, sources: readonly Route[]): Promise<number> {
  return removeRedirectsFrom(workspace, (written) => {
    const path = canonicalPath(written);
    return path !== null && sources.includes(path);
  });
}

/** Removes the redirects whose source, as written, matches. Returns their number. */
export async function removeRedirectsFrom(workspace: Workspace, isMeant: (source: string) => boolean): Promise<number> {
  const inTool = await removeToolRedirects(workspace, isMeant);
  if (inTool !== null) return inTool;
  for (let removed = 0; ; removed += 1) {
    const list = await redirectList(workspace);
    const meant = list?.node.children?.find((node) => isMeant(stringProperty(node, "source") ?? "%"));
    if (!list || !meant) return removed;
    await writeDocument(workspace, list.document, [removeElement(list.document.text, list.node, meant)]);
  }
}

async function redirectList(workspace: Workspace): Promise<{ document: ConfigDocument; node: Node } | null> {
  const documents = await configDocuments(workspace);
  const main = documents[0];
  const direct = main && propertyOf(main.root, "redirects");
  if (main && direct?.type === "array") return { document: main, node: direct };
  const reference = direct === undefined ? null : stringProperty(direct, "$ref");
  if (reference === null) return null;
  const name = reference.replace(/^.*\//, "");
  const other = documents.find((document) => document.path.endsWith(name) && document.root.type === "array");
  return other ? { document: other, node: other.root } : null;
}
