import type { ApiDocument, ApiDocuments } from "#docs/api/api-documents.ts";
import { OVERVIEW } from "#docs/api/operations.ts";
import type { LinkedOperation } from "#docs/api/reading/overview-view.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import type { RenderInput } from "#docs/render/page.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { SiteVersion } from "./site-version.ts";
import type { ApiSettings } from "#docs/config/docs-config.ts";
import type { PageOperation } from "#docs/tree/pages.ts";

interface Place {
  project: ProjectId;
  version: SiteVersion;
  page: Page;
}

/** Changes with everything that a page shows of an API. */
export async function operationKey(documents: ApiDocuments, place: Place): Promise<string> {
  const { docs } = place.version;
  const document = await documentOf(documents, place);
  return document === null ? JSON.stringify(docs.config.api) : `${document.version} ${JSON.stringify(docs.config.api)}`;
}

/** The operation that a page documents, as input for the render process. */
export async function operationOf(
  documents: ApiDocuments,
  place: Place,
): Promise<Pick<RenderInput, "operation" | "readDocument">> {
  const { operation, description: lead } = place.page;
  if (operation === null) return {};
  const { languages, hasPlayground } = place.version.docs.config.api;
  const { method, path } = operation;
  const document = await documentOf(documents, place);
  if (document !== null) {
    const listed = method === OVERVIEW ? linkedOperations(document, place) : [];
    return {
      operation: { documentKey: document.version, method, path, languages, hasPlayground, listed, lead },
      readDocument: () => Promise.resolve(document.document),
    };
  }
  const written = writtenDocument(operation, place.version.docs.config.api);
  return {
    operation: { documentKey: written.document, method, path: written.path, languages, hasPlayground, lead },
    readDocument: () => Promise.resolve(written.document),
  };
}

const MAX_LISTED = 5_000;

/** The operations that the API's overview page links to: those that the navigation lists, too. */
function linkedOperations({ path, operations }: ApiDocument, { page: own, version }: Place): LinkedOperation[] {
  const nameOf = (operation: { method: string; path: string }) => `${operation.method} ${operation.path}`;
  const pages = new Map<string, Page>();
  for (const page of version.docs.pages.values()) {
    if (page.operation?.file !== path || page.hidden) continue;
    const name = nameOf(page.operation);
    // When several pages document one operation, prefer one in this folder.
    if (!pages.has(name) || page.route.startsWith(`${own.route}/`)) pages.set(name, page);
  }
  const shown = operations.filter(({ isHidden, isExcluded }) => !isHidden && !isExcluded);
  return shown.slice(0, MAX_LISTED).flatMap((operation): LinkedOperation[] => {
    const page = pages.get(nameOf(operation));
    if (page === undefined) return [];
    const { title, description, route } = page;
    return [{ method: operation.method, title, description, group: operation.tag ?? "API reference", href: route }];
  });
}

/** Null for a page that itself contains what it documents. */
async function documentOf(documents: ApiDocuments, { project, version, page }: Place): Promise<ApiDocument | null> {
  const { docs, snapshot, files, addresses } = version;
  const file = page.operation?.file ?? null;
  if (file === null) return null;
  const from = { owner: project, contentRoot: docs.contentRoot, snapshot, versions: files, addresses };
  return documents.read(from, file);
}

/** A description for a page's own `api: GET https://api.example.com/users`, and the operation's path in it. */
function writtenDocument(
  { method, path: written }: PageOperation,
  { server, auth }: ApiSettings,
): { document: string; path: string } {
  const [, origin = null, rest = ""] = /^(https?:\/\/[^/?#]{1,300})?(.*)$/is.exec(written) ?? [];
  const path = rest === "" ? "/" : rest;
  const url = origin ?? server;
  const scheme =
    auth.method === "key"
      ? { type: "apiKey", in: "header", name: auth.name ?? "X-API-Key" }
      : { type: "http", scheme: auth.method };
  const parameters = [...path.matchAll(/\{([^{}/]{1,100})\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    "x-hidden": true, // the page's own front matter describes it
  }));
  const document = {
    openapi: "3.1.0",
    paths: { [path]: { [method.toLowerCase()]: { parameters } } },
    ...(url === null ? {} : { servers: [{ url }] }),
    ...(auth.method === "none" ? {} : { security: [{ [auth.name ?? "auth"]: [] }] }),
    components: { securitySchemes: { [auth.name ?? "auth"]: scheme } },
  };
  return { document: JSON.stringify(document), path };
}
