import { posix } from "node:path";
import { isSection, type NavigationNode, routesBelow } from "#docs/tree/navigation.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { isJsonObject } from "#docs/json-document.ts";
import type { Route } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { setFrontMatter } from "#chores/edits/front-matter-edits.ts";
import { editText } from "#chores/edits/page-edits.ts";
import type { Workspace } from "#chores/edits/workspace.ts";
import { openYaml, pairOf, yamlRange, rewriteScalar, yamlText } from "./yaml-text.ts";

/** A group that a tool makes from a folder. */
export interface GeneratedGroup {
  title: string;
  trail: string;
  pages: Route[];
}

/** The groups that readers see in the navigation of a tool, with their direct pages. */
export function generatedGroups({ navigation }: Docs): GeneratedGroup[] {
  const below = (nodes: readonly NavigationNode[], trail: readonly string[]): GeneratedGroup[] =>
    nodes.filter(isSection).flatMap((section) => {
      const own = [...trail, section.title];
      const direct = section.children.flatMap((node) => (node.kind === "page" ? [node.route] : []));
      const pages = section.route === null ? direct : [section.route, ...direct];
      return [{ title: section.title, trail: own.join(" > "), pages }, ...below(section.children, own)];
    });
  return below(navigation, []);
}

/** Throws `AppError invalid` unless a page is in a group that a tool makes from a folder. */
export async function requireInGroup(workspace: Workspace, path: string, trail: string): Promise<void> {
  const docs = await workspace.docs();
  const route = docs.pagesByPath.get(path)?.route ?? "";
  if (generatedGroups(docs).some((group) => group.trail === trail && group.pages.includes(route))) return;
  throw new AppError(
    "invalid",
    `${docs.tool?.title} makes the group “${trail}” from a folder, and ${path} is in another one. Give it a path in that folder.`,
  );
}

/**
 * Gives a new page in a folder of Docusaurus its place after another one, if that has a position. Returns a note if it has
 * another place in the end.
 */
export async function orderAfter(workspace: Workspace, path: string, after: Page): Promise<string[]> {
  const { config, pages } = await workspace.docs();
  if (await isNext(workspace, path, after)) return [];
  const text = await workspace.text(path);
  if (config.dialect === "docusaurus" && after.order !== null && text !== null) {
    const position = after.order;
    const folder = posix.dirname(path);
    const later = [...pages.values()].filter(
      (each) => posix.dirname(each.path) === folder && (each.order ?? 0) > position,
    );
    const next = Math.min(position + 1, ...later.map((each) => each.order ?? 0));
    await workspace.write(path, setFrontMatter(text, { sidebar_position: (position + next) / 2 }));
    if (await isNext(workspace, path, after)) return [];
  }
  const { tool } = await workspace.docs();
  return [`Check its place: in the navigation of ${tool?.title} it does not follow “${after.title}”.`];
}

async function isNext(workspace: Workspace, path: string, after: Page): Promise<boolean> {
  const { navigation, pagesByPath } = await workspace.docs();
  const routes = routesBelow(navigation);
  return routes[routes.indexOf(after.route) + 1] === pagesByPath.get(path)?.route;
}

const NAMES = ["_category_.json", "_category_.yml", "_category_.yaml"];

/** Gives a group of Docusaurus another title in the `_category_` file of its folder, which is created if missing. */
export async function renameCategory(workspace: Workspace, group: GeneratedGroup, title: string): Promise<void> {
  const docs = await workspace.docs();
  const page = docs.pages.get(group.pages[0] ?? "");
  if (docs.config.dialect !== "docusaurus" || page === undefined)
    throw new AppError(
      "invalid",
      `${docs.tool?.title} makes the group “${group.trail}” from a folder, which has that name.`,
    );
  const folder = posix.dirname(page.path);
  const files = NAMES.map((name) => `${folder}/${name}`);
  const texts = await Promise.all(files.map((path) => workspace.text(path)));
  const found = texts.findIndex((text) => text !== null);
  const path = files[Math.max(found, 0)]!;
  await workspace.write(path, labelled(path, texts[found] ?? null, title));
  // A page of the folder, or a sidebar, may give it the title.
  const after = generatedGroups(await workspace.docs());
  if (after.some(({ title: own, pages }) => own === title && pages.includes(page.route))) return;
  throw new AppError("invalid", `The title of “${group.trail}” comes from elsewhere than ${path}. Change it there.`);
}

function labelled(path: string, text: string | null, title: string): string {
  if (path.endsWith(".json")) {
    const settings: unknown = text === null ? {} : JSON.parse(text);
    if (!isJsonObject(settings as never)) throw new AppError("invalid", `${path} is no object of settings.`);
    const indent = /\n([ \t]+)"/.exec(text ?? "")?.[1] ?? "  ";
    const written = JSON.stringify({ ...(settings as object), label: title }, null, indent);
    return `${written}${text === null || text.endsWith("\n") ? "\n" : ""}`;
  }
  const { contents } = openYaml({ path, text: text ?? "" });
  const label = yamlRange(pairOf(contents, "label")?.value);
  if (label === null) return `label: ${yamlText(title)}\n${text}`;
  const old = (text ?? "").slice(label.start, label.end);
  return editText(text ?? "", [{ ...label, text: rewriteScalar(title, old) }]);
}
