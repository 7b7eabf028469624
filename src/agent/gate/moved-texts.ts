import { markdownFormat } from "#docs/parser.ts";
import { putIncludesIn } from "#docs/syntax/includes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { ChangedText } from "./judge.ts";

/**
 * The texts of a move to a docs.json, which renames pages and writes what they included into them: each page is compared with
 * the page that had its address, as readers saw it.
 */
export async function movedTexts(
  texts: readonly ChangedText[],
  { base, before, after }: { base: Snapshot; before: Docs; after: Docs },
): Promise<ChangedText[]> {
  const byPath = new Map(texts.map((text) => [text.path, text]));
  const formerOf = ({ path, before: old, after: now }: ChangedText): ChangedText | null => {
    const route = old === "" && now !== "" ? after.pagesByPath.get(path)?.route : undefined;
    const former = route === undefined ? undefined : byPath.get(before.pages.get(route)?.path ?? "");
    return former?.after === "" ? former : null;
  };
  const pairs = new Map(texts.map((text) => [text.path, formerOf(text)]));
  const paired = new Set([...pairs.values()].map((former) => former?.path));
  const read = async (path: string) => {
    const bytes = await base.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  const { contentRoot, config } = before;
  const places = { dialect: config.dialect, rules: config.rules, contentRoot };
  const including = { ...places, readsValues: true, read, warn: () => undefined };
  return await Promise.all(
    texts
      .filter(({ path }) => !paired.has(path))
      .map(async (text) => {
        const { path, before: old } = pairs.get(text.path) ?? text;
        if (!before.pagesByPath.has(path)) return text;
        const { source } = await putIncludesIn(old, path, including);
        return { ...text, before: source, ...(path !== text.path && { from: path }) };
      }),
  );
}

/** The texts, each new file compared with the deleted one whose text it has now. A deleted file has at most one such file. */
export function renamedTexts(texts: readonly ChangedText[]): ChangedText[] {
  const isPage = (path: string) => markdownFormat(path) !== null;
  const [added, removed] = [texts.filter(isAdded), texts.filter(isRemoved)];
  if (added.length === 0 || removed.length === 0) return [...texts];
  const byPath = new Map(removed.map((text) => [text.path, text]));
  const formers = new Map<string, ChangedText>();
  for (const [from, to] of successorsOf([...added, ...removed])) {
    const former = byPath.get(from);
    if (former !== undefined && isPage(from) === isPage(to) && !formers.has(to)) formers.set(to, former);
  }
  return texts.map((text) => {
    const former = formers.get(text.path);
    return former ? { ...text, from: former.path, before: former.before } : text;
  });
}

const isAdded = ({ before, after }: ChangedText) => before === "" && after !== "";
const isRemoved = ({ before, after }: ChangedText) => before !== "" && after === "";

/** A page moved to the file that has at least this share of its lines. */
const MOVED_SHARE = 0.5;
/** A line that was added to more texts, such as a front matter delimiter, does not identify a successor. */
const MAX_HOLDERS = 8;

/**
 * For each deleted file, the file that now has its text: at least half of its lines were added there. Link addresses
 * are ignored, because a move corrects them.
 */
export function successorsOf(texts: readonly ChangedText[]): Map<string, string> {
  const holders = new Map<string, string[]>();
  for (const { path, before, after } of texts) {
    const had = new Set(linesOf(before));
    for (const line of new Set(linesOf(after))) {
      if (had.has(line)) continue;
      const known = holders.get(line);
      if (known) known.push(path);
      else holders.set(line, [path]);
    }
  }
  const successors = new Map(texts.flatMap(({ path, from }) => (from === undefined ? [] : [[from, path] as const])));
  for (const { path, before, after } of texts) {
    if (before === "" || after !== "") continue;
    const places = [...new Set(linesOf(before))]
      .map((line) => holders.get(line) ?? [])
      .filter((paths) => paths.length <= MAX_HOLDERS);
    const counts = new Map<string, number>();
    for (const holder of places.flat()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    if (best !== undefined && best[1] >= places.length * MOVED_SHARE) successors.set(path, best[0]);
  }
  return successors;
}

/** A line without the addresses of its links, which a move corrects. */
export function withoutLinkTargets(line: string): string {
  return line
    .replaceAll(/\]\([^)\s]*/g, "](")
    .replaceAll(/=\s*(?:"[^"]*"|'[^']*')/g, "=")
    .replace(/^(\s*\[[^\]]+\]:).*/, "$1")
    .trim();
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(withoutLinkTargets)
    .filter((line) => line !== "");
