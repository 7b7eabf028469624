import type { ChangedText } from "./judge.ts";

/** Half of a page's lines elsewhere: the page moved there. */
const MOVED_SHARE = 0.5;
/** A line that more texts got, such as a mark of front matter, says nothing of where a page went. */
const MAX_HOLDERS = 8;

/**
 * The files that took the texts of files that are gone, by the path of the one that is gone: where half of its lines were
 * added, links' addresses left out, as a move corrects them.
 */
export function heirsOf(texts: readonly ChangedText[]): Map<string, string> {
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
  const heirs = new Map<string, string>();
  for (const { path, before, after } of texts) {
    if (before === "" || after !== "") continue;
    const told = [...new Set(linesOf(before))]
      .map((line) => holders.get(line) ?? [])
      .filter((paths) => paths.length <= MAX_HOLDERS);
    const counts = new Map<string, number>();
    for (const holder of told.flat()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    if (best !== undefined && best[1] >= told.length * MOVED_SHARE) heirs.set(path, best[0]);
  }
  return heirs;
}

/** A line as it is told again after a move: without the addresses of its links. */
export function withoutAddresses(line: string): string {
  return line
    .replaceAll(/\]\([^)\s]*/g, "](")
    .replaceAll(/=\s*(?:"[^"]*"|'[^']*')/g, "=")
    .replace(/^(\s*\[[^\]]+\]:).*/, "$1")
    .trim();
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(withoutAddresses)
    .filter((line) => line !== "");
