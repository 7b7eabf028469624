import type { ApiSource, ConfigNode } from "#content/docs-navigation.ts";
import { joinContentRoot, stripContentRoot } from "#content/routes.ts";
import type { ApiFiles } from "./api-documents.ts";
import { apiFilePath } from "./operation-reference.ts";

const MAX_FOUND = 20;
const MAX_LOOKED_AT = 60;

/** What a navigation names as descriptions of APIs, in reading order. */
export function sourcesIn(nodes: readonly ConfigNode[]): ApiSource[] {
  return nodes.flatMap((node) => {
    if (node.kind === "page" || node.kind === "link" || node.kind === "operation") return [];
    return [...(node.api === null ? [] : [node.api]), ...sourcesIn(node.children)];
  });
}

/**
 * The file that `openapi` is short for: one of those that the site names, else one beside it. What is a file as written, or no file at all,
 * stays as it is.
 */
export function withExtension(path: string, { versions, contentRoot }: ApiFiles, named: readonly string[]): string {
  const isFile = (each: string) => versions.has(joinContentRoot(each, contentRoot));
  if (isFile(path)) return path;
  const isMeant = (each: string) => {
    const stem = each.replace(/\.(?:json|ya?ml)$/i, "");
    return stem === path || (!path.includes("/") && stem.split("/").at(-1) === path);
  };
  const declared = named.map(apiFilePath).find((each) => each !== null && isMeant(each) && isFile(each));
  return declared ?? [".json", ".yaml", ".yml"].map((end) => path + end).find(isFile) ?? path;
}

/** Descriptions of APIs that nothing names: files that begin as one does, the likeliest names first. */
export async function discoverDocuments(files: ApiFiles): Promise<string[]> {
  const candidates = [...files.versions.keys()]
    .map((path) => stripContentRoot(path, files.contentRoot))
    .filter(
      (path): path is string =>
        path !== null && /\.(?:json|ya?ml)$/i.test(path) && !/(?:^|\/)(?:\.|node_modules\/)/.test(path),
    )
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, MAX_LOOKED_AT);
  const found: string[] = [];
  for (const path of candidates) {
    if (found.length >= MAX_FOUND) break;
    const bytes = await files.snapshot.read(files.contentRoot === "" ? path : `${files.contentRoot}/${path}`);
    const start = new TextDecoder("utf-8").decode(bytes?.subarray(0, 4_096), { stream: true });
    if (/^[\s{]{0,100}["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(start)) found.push(path);
  }
  return found;
}

function rank(path: string): number {
  return (/openapi|swagger|asyncapi/i.test(path) ? 0 : /api/i.test(path) ? 100 : 200) + path.split("/").length;
}
