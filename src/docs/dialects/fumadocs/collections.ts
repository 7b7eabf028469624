import { posix } from "node:path";
import { baseOf, folderOf, inside } from "#docs/dialects/paths.ts";
import { unwrapCalls } from "#docs/dialects/reading/computed.ts";
import type { FoundSite, ReadContext } from "#docs/dialects/tool-site.ts";
import { titleOfName } from "#docs/names.ts";
import { joinContentRoot } from "#docs/routes.ts";
import { createLineIndex } from "#lib/line-index.ts";

/** Pages in a folder, at a common address. */
export interface ContentCollection {
  /** Of its tab, where a site has several. */
  title: string;
  folder: string;
  base: string;
}

const SOURCE = /(?:^|\/)source(?:\/index)?\.[jt]sx?$/;
const MAX_FILES = 20;
const MAX_COLLECTIONS = 50;

interface Loader {
  /** Null where it is not written as an argument: the site's main collection. */
  collection: string | null;
  base: string;
}

/** What the loaders of a site show. `defineDocs` names the folders and `loader` the addresses, often in different files. */
export async function readCollections(
  { contentRoot, file }: FoundSite,
  { repository, problems }: ReadContext,
): Promise<ContentCollection[]> {
  const paths = repository.below(contentRoot);
  const folders = new Map<string, string>();
  const loaders: Loader[] = [];
  const config = file ?? "";
  for (const name of definedIn((await repository.text(config)) ?? "").keys()) {
    const defined = await repository.data(config, problems, name);
    const dir = defined.with(unwrapCalls(defined.raw)).get("dir").text();
    if (dir !== null) folders.set(name, folderOf(dir));
  }
  for (const path of paths.filter((each) => SOURCE.test(each)).slice(0, MAX_FILES)) {
    const source = joinContentRoot(path, contentRoot);
    const text = (await repository.text(source)) ?? "";
    for (const [name, dir] of definedIn(text)) if (dir !== null) folders.set(name, folderOf(dir));
    const warn = (offset: number) =>
      problems.warning(
        { path: source, line: createLineIndex(text)(offset) },
        '"baseUrl" is computed by a program, which Docent does not run. The pages are below /docs.',
      );
    loaders.push(...loadersIn(text, warn));
  }
  const hasFolder = (folder: string) => paths.some((path) => inside(path, folder) !== null);
  const folderNamed = (name: string) => folders.get(name) ?? [`content/${name}`].find(hasFolder) ?? null;
  const collections = new Map<string, ContentCollection>();
  for (const { collection, base } of loaders.slice(0, MAX_COLLECTIONS)) {
    const folder = collection === null ? null : folderNamed(collection);
    if (collection !== null && folder !== null && !collections.has(folder))
      collections.set(folder, { title: titleOfName(posix.basename(folder)), folder, base });
  }
  const main = folderNamed("docs") ?? "content/docs";
  const base = loaders.find(({ collection }) => collection === null)?.base ?? loaders[0]?.base ?? "/docs";
  const own = collections.get(main) ?? { title: "", folder: main, base };
  collections.delete(main);
  return [{ ...own, title: "Documentation" }, ...collections.values()];
}

/** The names of collections, with their folders where these are written as text. */
function definedIn(text: string): Map<string, string | null> {
  const defined = new Map<string, string | null>();
  for (const [name, part] of callsOf(text, /\b(\w{1,100})\s{0,5}=\s{0,5}define(?:Docs|Collections)\s{0,5}\(/g))
    defined.set(name, /\bdir:\s*["'`]([^"'`$]+)["'`]/.exec(part.text)?.[1] ?? null);
  return defined;
}

function loadersIn(text: string, warn: (offset: number) => void): Loader[] {
  return callsOf(text, /\b(loader)\s{0,5}\(/g).flatMap(([, { text: part, offset }]) => {
    const url = /\bbaseUrl\b(?::\s*["'`]([^"'`$]*)["'`])?/.exec(part);
    if (url === null) return [];
    const [, method, argument] =
      /\b(\w+)\.toFumadocsSource\(|\b(?:toFumadocsSource|createMDXSource)\(\s*(\w+)/.exec(part) ?? [];
    if (url[1] === undefined) warn(offset + url.index);
    return [{ collection: method ?? argument ?? null, base: url[1] === undefined ? "/docs" : baseOf(url[1]) }];
  });
}

/** The calls that an expression finds, each with the text up to the next one. */
function callsOf(text: string, call: RegExp): [name: string, part: { text: string; offset: number }][] {
  const found = [...text.matchAll(call)];
  return found.map(({ 1: name = "", index }, at) => [
    name,
    { text: text.slice(index, found[at + 1]?.index), offset: index },
  ]);
}
