import type { ApiSource, ConfigNode } from "#docs/config/written-navigation.ts";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import { decodeText } from "#docs/text-encoding.ts";
import type { ApiFiles } from "#docs/api/api-documents.ts";
import { apiFilePath } from "./operation-reference.ts";

/** Their first bytes are read when a page names an operation that no named description has: 5,000 take about a second. */
const MAX_LOOKED_AT = 5_000;
const MAX_LOOKED_AT_BYTES = 200_000_000;

export interface Discovered {
  /** Of descriptions, the likeliest first. */
  paths: string[];
  /** How many files were not looked at. */
  leftOut: number;
}

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
export async function discoverDocuments(files: ApiFiles): Promise<Discovered> {
  const candidates = [...files.versions.keys()]
    .map((path) => stripContentRoot(path, files.contentRoot))
    .filter(
      (path): path is string =>
        path !== null && /\.(?:json|ya?ml)$/i.test(path) && !/(?:^|\/)(?:\.|node_modules\/)/.test(path),
    )
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const paths: string[] = [];
  let [lookedAt, bytesLeft] = [0, MAX_LOOKED_AT_BYTES];
  for (const path of candidates) {
    if (lookedAt >= MAX_LOOKED_AT || bytesLeft <= 0) break;
    lookedAt += 1;
    const bytes = await files.snapshot.read(files.contentRoot === "" ? path : `${files.contentRoot}/${path}`);
    const { text: start } = decodeText(bytes?.subarray(0, 4_096) ?? new Uint8Array(), { isCut: true });
    if (/^[\uFEFF\s{]{0,100}["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(start)) paths.push(path);
    bytesLeft -= bytes?.length ?? 0;
  }
  return { paths, leftOut: candidates.length - lookedAt };
}

function rank(path: string): number {
  return (/openapi|swagger|asyncapi/i.test(path) ? 0 : /api/i.test(path) ? 100 : 200) + path.split("/").length;
}
