import { posix } from "node:path";
import { createBreather } from "#lib/waiting/breather.ts";
import { type ApiSource, type ConfigNode, type ConfigSection, PLAIN_SECTION } from "#docs/config/written-navigation.ts";
import type { AddApiPages, SiteInLoading } from "#docs/tree/page-tree.ts";
import type { Page } from "#docs/tree/pages.ts";
import type { Place } from "#docs/problems.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { type ApiAddresses, noAddresses } from "#docs/api/api-addresses.ts";
import type { ApiDocument, ApiDocuments, ApiFiles } from "#docs/api/api-documents.ts";
import {
  type ApiPatience,
  type AwaitedDescription,
  CHANNEL,
  createFinder,
  type Finder,
  type Found,
  isAwaited,
} from "./description-finder.ts";
import { createGeneratedPages, type GeneratedPages } from "./generated-pages.ts";
import { type OperationReference, readChannelReference, readOperationReference } from "./operation-reference.ts";

/**
 * Creates the API pages of one project: for pages whose front matter names an operation, for operations in the navigation,
 * and for sections that name only a description. `known` has the copies of descriptions at addresses; the addresses that the
 * site names are added to `asked`. With `patience` the site is served before slow descriptions are read, and the pages that
 * depend on them say so. Without it, this waits for all of them.
 */
export function createAddApiPages(
  documents: ApiDocuments,
  owner: string,
  known: { addresses: ApiAddresses; asked?: Set<string>; patience?: ApiPatience } = { addresses: noAddresses },
): AddApiPages {
  return async (site) => {
    const files = await filesOf(site, { owner, addresses: known.addresses });
    const finder = createFinder(site, {
      documents,
      files,
      asked: known.asked ?? new Set(),
      patience: known.patience ?? null,
    });
    await documentPages(site, finder);
    if (site.config.navigation === null) return null;
    const pages = createGeneratedPages(site);
    return resolveNodes(site.config.navigation, {
      site,
      finder,
      pages,
      source: site.config.api.source,
      placeholders: new Set(),
    });
  };
}

async function filesOf(
  { snapshot, contentRoot }: SiteInLoading,
  of: { owner: string; addresses: ApiAddresses },
): Promise<ApiFiles> {
  const versions = new Map<string, string>();
  for (const { kind, path, version } of await snapshot.files()) if (kind === "file") versions.set(path, version);
  return { ...of, contentRoot, snapshot, versions };
}

/** Fields of the front matter that say what a page documents, with the problem if unreadable. A page's first one applies. */
const DOCUMENTED_BY = [
  ["asyncapi", "names no channel such as asyncapi.yaml chat."],
  ["openapi", "names no operation such as GET /users."],
  ["api", "is no method and address such as GET /users."],
] as const;

/** Reads what pages document by their front matter. */
async function documentPages(site: SiteInLoading, finder: Finder): Promise<void> {
  for (const [route, page] of site.pages) {
    const [field, complaint] = DOCUMENTED_BY.find(([name]) => page[name] !== null) ?? [];
    if (field === undefined) continue;
    const written = page[field] ?? "";
    const at = (): Place => ({ path: page.path, line: null });
    const reference = field === "asyncapi" ? channelReference(written) : readOperationReference(written);
    if (reference === null) {
      site.problems.warning(at, `"${field}: ${written.slice(0, 100)}" ${complaint}`, "api_description");
      continue;
    }
    if (field === "api") {
      site.pages.set(route, { ...page, operation: { ...reference, file: null } });
      continue;
    }
    const file = reference.file && fromPage(reference.file, stripContentRoot(page.path, site.contentRoot) ?? "");
    const found = await finder.find({ ...reference, file }, null, at);
    if (found !== null) site.pages.set(route, documented(page, found, site.untitled.has(route)));
  }
}

function channelReference(written: string): OperationReference | null {
  const reference = readChannelReference(written);
  return reference && { file: reference.file, method: CHANNEL, path: reference.channel };
}

/** `../pets.json` is relative to the page's folder, any other path to the site's root. */
function fromPage(file: string, page: string): string {
  return /^\.{1,2}\//.test(file) ? posix.join(posix.dirname(page), file) : file;
}

function documented(page: Page, found: Found | AwaitedDescription, isUntitled: boolean): Page {
  if (isAwaited(found)) return { ...page, awaits: found.awaits };
  const { document, operation } = found;
  return {
    ...page,
    title: isUntitled ? (operation.title ?? page.title) : page.title,
    description: page.description ?? operation.description,
    tag: page.tag ?? (operation.isDeprecated ? "deprecated" : null),
    operation: { file: document.path, method: operation.method, path: operation.path },
  };
}

interface Walk {
  site: SiteInLoading;
  finder: Finder;
  pages: GeneratedPages;
  /** The description of the nearest section that names one. */
  source: ApiSource | null;
  /** Pages in the navigation for descriptions that are still being read. */
  placeholders: Set<string>;
}

async function resolveNodes(nodes: readonly ConfigNode[], walk: Walk): Promise<ConfigNode[]> {
  const resolved: ConfigNode[] = [];
  const breathe = createBreather();
  for (const node of nodes) {
    const rest = breathe();
    if (rest) await rest;
    if (node.kind === "operation") resolved.push(...(await pageOfOperation(node, walk)));
    else if (node.kind === "page" || node.kind === "link") resolved.push(node);
    else resolved.push(await resolveSection(node, { ...walk, source: node.api ?? walk.source }));
  }
  return resolved;
}

async function pageOfOperation(node: ConfigNode & { kind: "operation" }, walk: Walk): Promise<ConfigNode[]> {
  const reference = readOperationReference(node.reference);
  if (reference === null) return [];
  const found = await walk.finder.find(reference, walk.source, node.locate);
  if (isAwaited(found)) return awaitedPage(found, walk, walk.source?.directory ?? null, node.locate);
  if (found === null || found.operation.isExcluded) return [];
  const route = walk.pages.add(found.document, found.operation, walk.source?.directory ?? null);
  return route === null ? [] : [{ kind: "page", page: route, locate: node.locate }];
}

/** One page per folder in place of all pages of a description that is still being read. */
function awaitedPage(
  { awaits }: AwaitedDescription,
  { pages, placeholders }: Walk,
  directory: string | null,
  locate: () => Place,
): ConfigNode[] {
  const route = pages.addAwaited(awaits, directory);
  if (route === null || placeholders.has(route)) return [];
  placeholders.add(route);
  return [{ kind: "page", page: route, locate }];
}

async function resolveSection(section: ConfigSection, walk: Walk): Promise<ConfigSection> {
  if (section.api === null || section.children.length > 0) {
    return { ...section, children: await resolveNodes(section.children, walk) };
  }
  const groups = new Map<string, ConfigNode[]>();
  let first: ApiDocument | null = null;
  const awaited: ConfigNode[] = [];
  const { locate, directory } = section.api;
  for (const file of section.api.files) {
    const document = await walk.finder.document(file, locate);
    if (isAwaited(document)) {
      awaited.push(...awaitedPage(document, walk, directory, locate));
      continue;
    }
    for (const operation of document?.operations ?? []) {
      if (document === null || operation.isExcluded) continue;
      const route = walk.pages.add(document, operation, directory);
      if (route === null || operation.isHidden) continue;
      first ??= document;
      const title = operation.tag ?? "API reference";
      const group = groups.get(title) ?? [];
      groups.set(title, group);
      group.push({ kind: "page", page: route, locate });
    }
  }
  const root = section.root ?? (first && walk.pages.addOverview(first, directory));
  const [only] = groups.values();
  if (section.kind === "group" && groups.size === 1 && only !== undefined) {
    return { ...section, root, children: [...awaited, ...only] };
  }
  const children = [...groups].map(([title, each]) => groupOf(title, each));
  return { ...section, root, children: [...awaited, ...children] };
}

function groupOf(title: string, children: readonly ConfigNode[]): ConfigSection {
  return { ...PLAIN_SECTION, kind: "group", title, root: null, hidden: false, api: null, children };
}
