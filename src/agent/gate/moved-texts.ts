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
  const { dialect } = before.config;
  const including = { dialect, contentRoot: before.contentRoot, readsValues: true, read, warn: () => undefined };
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
