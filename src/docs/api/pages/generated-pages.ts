import { titleOfName } from "#docs/names.ts";
import type { Page } from "#docs/tree/pages.ts";
import type { SiteInLoading } from "#docs/tree/page-tree.ts";
import { joinContentRoot, routeOfStem, type Route } from "#docs/routes.ts";
import type { ApiDocument } from "#docs/api/api-documents.ts";
import { apiAddress } from "#docs/api/api-addresses.ts";
import { apiFilePath } from "./operation-reference.ts";
import { type ListedOperation, OVERVIEW } from "#docs/api/operations.ts";

/** The folder that other hosts use for such pages by default. */
const DEFAULT_DIRECTORY = "api-reference";
/** The folder of a site that only describes one API. */
const ROOT = "/";
const MAX_GENERATED = 20_000;

/** Generates pages of operations. */
export interface GeneratedPages {
  /** The route of the operation's page in a folder, created on first use; null past the limit. */
  add(document: ApiDocument, operation: ListedOperation, directory: string | null): Route | null;
  /** The placeholder page of an API whose description is still being read, at the folder's address; null if that is taken. */
  addAwaited(description: string, directory: string | null): Route | null;
  /** The page of the API as a whole, at the folder's address; null if another page has that. */
  addOverview(document: ApiDocument, directory: string | null): Route | null;
}

export function createGeneratedPages({ pages, contentRoot, problems }: SiteInLoading): GeneratedPages {
  const routes = new Map<string, Route>();
  const copies = new Map<string, number>();
  const placeOf = ({ path }: Pick<ApiDocument, "path">) =>
    apiAddress(path) === null ? joinContentRoot(path, contentRoot) : path;
  return {
    add(document, operation, directory) {
      const key = [document.path, operation.method, operation.path, directory ?? ""].join("\n");
      const known = routes.get(key);
      if (known !== undefined) return known;
      const path = placeOf(document);
      if (routes.size >= MAX_GENERATED) {
        const message = `Only the first ${MAX_GENERATED} operations have pages.`;
        problems.warning({ path, line: null }, message, "api_description");
        return null;
      }
      const own = operation.href === null ? null : apiFilePath(operation.href);
      const stem =
        own ??
        [apiFilePath(directory ?? DEFAULT_DIRECTORY) ?? "", operation.slug].filter((part) => part !== "").join("/");
      let route = routeOfStem(stem);
      while (pages.get(route)?.isGenerated === true) {
        const count = (copies.get(stem) ?? 0) + 1;
        copies.set(stem, count);
        route = routeOfStem(`${stem}-${count}`);
      }
      routes.set(key, route);
      const written = pages.get(route);
      const reference = { file: document.path, method: operation.method, path: operation.path };
      if (written !== undefined) {
        // The address belongs to the author's own page: it documents the operation, unless it names another one.
        if (written.operation === null) pages.set(route, { ...written, operation: reference });
        return route;
      }
      const title = operation.title ?? titleOfName(operation.slug.split("/").at(-1) ?? operation.path);
      const { description, isDeprecated, isHidden } = operation;
      const made = generatedPage({ route, path, title, description, operation: reference, version: document.version });
      pages.set(route, { ...made, tag: isDeprecated ? "deprecated" : null, hidden: isHidden });
      return route;
    },
    addAwaited(description, directory) {
      const folder = folderOf(directory);
      if (folder === null) return null;
      const { route, title } = folder;
      const there = pages.get(route);
      if (there !== undefined) return there.isGenerated && there.awaits !== null ? route : null;
      const path = placeOf({ path: description });
      const page = generatedPage({ route, path, title, description: null, operation: null, version: "" });
      pages.set(route, { ...page, awaits: description, noindex: true });
      return route;
    },
    addOverview(document, directory) {
      const folder = folderOf(directory);
      if (folder === null) return null;
      const { route } = folder;
      if (pages.has(route)) return pages.get(route)?.operation?.file === document.path ? route : null;
      const path = placeOf(document);
      const { title, summary: description, version } = document;
      const operation = { file: document.path, method: OVERVIEW, path: "/" };
      pages.set(route, generatedPage({ route, path, title: title ?? folder.title, description, operation, version }));
      return route;
    },
  };
}

/** The page at a folder's address, and its default title; null for a folder outside the site. */
function folderOf(directory: string | null): { route: Route; title: string } | null {
  const stem = directory === ROOT ? "" : apiFilePath(directory ?? DEFAULT_DIRECTORY);
  return stem === null ? null : { route: routeOfStem(stem), title: titleOfName(stem.split("/").at(-1) ?? stem) };
}

function generatedPage(page: Pick<Page, "route" | "path" | "title" | "description" | "operation" | "version">): Page {
  return {
    ...page,
    sidebarTitle: null,
    tag: null,
    hidden: false,
    noindex: false,
    openapi: null,
    asyncapi: null,
    api: null,
    order: null,
    format: "md",
    isGenerated: true,
    awaits: null,
    sizeBytes: 0,
  };
}
