import type { Snapshot } from "#docs/snapshot.ts";
import type { FileChange } from "#git/repo-store.ts";

/** Files with changes that the job's instruction does not name; compared byte for byte, with expressions only. */
export async function changedOutside(
  { chore, prompt }: { chore: string; prompt: string },
  { base, head, changes, term }: { base: Snapshot; head: Snapshot; changes: readonly FileChange[]; term: string },
): Promise<string[]> {
  const rest = restOf(chore, prompt, term);
  const outside: string[] = [];
  for (const { path, oldPath } of changes) {
    const before = await textOf(base, oldPath ?? path);
    const after = await textOf(head, path);
    const isConfig = path.endsWith(".json");
    const isNamed = before === null ? NEW_FILES.has(chore) : after === null ? GONE_FILES.has(chore) : false;
    if (before === null || after === null) {
      if (!isNamed) outside.push(path);
    } else if (isConfig ? !CONFIG.has(chore) : !isSame(chore, before, after) && rest(before) !== rest(after)) {
      outside.push(path);
    }
  }
  return outside;
}

async function textOf(snapshot: Snapshot, path: string): Promise<string | null> {
  const bytes = await snapshot.read(path);
  return bytes === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

const NEW_FILES = new Set(["add_page", "openapi_pages", "move_page"]);
const GONE_FILES = new Set(["remove_page", "move_page"]);
const CONFIG = new Set(["replace_term", "normalise_style", "add_page", "move_page", "remove_page", "openapi_pages", "repair_navigation"]); // oxfmt-ignore
const ONE_RANGE = new Set([
  "add_section",
  "add_callout",
  "remove_section",
  "replace_section",
  "changelog_from_history",
]);

/** One run of lines was added, removed or replaced: what a person reads as one change. */
function isSame(chore: string, before: string, after: string): boolean {
  if (!ONE_RANGE.has(chore)) return false;
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [gone, came] = [old.length - start - end, now.length - start - end];
  return chore === "replace_section" || (chore === "remove_section" ? came : gone) === 0;
}

const withoutAnchors = (text: string) => text.replaceAll(/#[^\s"'`)\]}>|]+/g, "#");
const withoutAddresses = (text: string) =>
  text
    .replaceAll(/(\]\(\s*<?)[^\s)>]+/g, "$1")
    .replaceAll(/\b(href|src|url|link|to)\s*([=:])\s*\{?["'`][^"'`]*["'`]\}?/g, "$1$2")
    .replaceAll(/^(\s*\[[^\]\n]+\]:\s*)\S+/gm, "$1")
    .replaceAll(/\b(from|import)\s*["'][^"']*["']/g, "$1");

/** The part of a page's text that such an instruction does not change. */
function restOf(chore: string, prompt: string, term: string): (text: string) => string {
  if (chore === "replace_term" || prompt.includes("glossary"))
    return (text) => withoutAnchors(text).replaceAll(`${term} Nova`, term);
  if (prompt.includes("list markers"))
    return (text) => text.replaceAll(/^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)+/gm, (marks) => marks.replaceAll(/[-+]/g, "*"));
  if (prompt.includes("case for headings"))
    return (text) =>
      withoutAnchors(
        text.replaceAll(/^[\s>]*#{1,6}\s.*$|^.*\r?\n[ \t]*(?:=+|-+)[ \t]*$/gm, (line) => line.toLowerCase()),
      );
  if (/front_matter|descriptions/.test(chore))
    return (text) =>
      text
        .replace(/^\uFEFF?---\r?\n[^]*?^---\r?\n/m, (head) =>
          head.replace(/^description:.*\r?\n(?:[ \t]+.*\r?\n)*/m, ""),
        )
        .replace(/^(\uFEFF?)(?:---\r?\n---\r?\n)?\s*/, "$1");
  if (chore === "set_alt_text")
    return (text) => text.replaceAll(/!\[[^\]\n]*\](?=\()|!\[A \\\[picture\\\][^\n]*?\](?=\()/g, "![]").replaceAll(/\s+alt=(?:"[^"]*"|'[^']*'|\{[^}]*\})/g, ""); // oxfmt-ignore
  if (chore === "move_page") return (text) => withoutAddresses(text).replace(/^title:.*\r?\n/m, "").replace(/^# .*\r?\n/m, ""); // oxfmt-ignore
  if (/^(?:fix_links|remove_page|remove_section|replace_section)$/.test(chore)) return withoutAddresses;
  return (text) => text;
}
