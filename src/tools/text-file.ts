import { distance } from "fastest-levenshtein";
import type { VirtualTree } from "./virtual-tree.ts";
import { trimEndOf } from "#lib/trim.ts";

/** A text file of the tree, or why it cannot be read, with the nearest paths. */
export type TextFile = { ok: true; path: string; text: string } | { ok: false; message: string };

/** A path without the `/` or `./` that models put before it. Other path segments (`..`) stay, to be refused. */
export const plainPath = (path: string): string => path.replace(/^(?:\.?\/)+/, "") || path;

/** The intended path: as given, without a leading `/` or `./`, or the only page with that name (`guide` for `guide.mdx`). */
export async function pathOfFile(tree: VirtualTree, given: string): Promise<string> {
  if (await tree.exists(given)) return given;
  const path = plainPath(given);
  if (await tree.exists(path)) return path;
  const pages: string[] = [];
  for (const page of [`${path}.mdx`, `${path}.md`]) if (await tree.exists(page)) pages.push(page);
  return pages.length === 1 ? pages[0]! : path;
}

/** Reads UTF-8 text and keeps byte order mark and line ends. */
export async function readTextFile(tree: VirtualTree, path: string): Promise<TextFile> {
  const bytes = await tree.read(path);
  if (bytes === null) return { ok: false, message: await missingFile(tree, path) };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return { ok: true, path, text };
  } catch {
    // falls through: not UTF-8
  }
  return { ok: false, message: `${JSON.stringify(path)} is not a text file in UTF-8.` };
}

/** The message for a path without a regular file. */
export async function missingFile(tree: VirtualTree, path: string): Promise<string> {
  const files = await tree.files();
  const other = files.find((file) => file.path === path);
  if (other?.kind === "file")
    return `${JSON.stringify(path)} is of a kind that holds credentials: the agent does not read it.`;
  if (other) return `${JSON.stringify(path)} is a ${other.kind}: its content cannot be read.`;
  if (files.some((file) => file.path.startsWith(`${trimEndOf(path, "/")}/`))) {
    return `${JSON.stringify(path)} is a folder. list_files shows what is in it.`;
  }
  const near = nearest(
    path,
    files.map((file) => file.path),
    3,
  );
  const suggestion = near.length > 0 ? ` Did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?` : "";
  return `There is no file ${JSON.stringify(path.slice(0, 200))}.${suggestion}`;
}

/** The `candidates` that differ from `wanted` by a typo, nearest first. Bounded work for long lists. */
export function nearest(wanted: string, candidates: readonly string[], limit: number): string[] {
  const target = wanted.slice(0, 200).toLowerCase();
  const tail = target.slice(target.lastIndexOf("/") + 1);
  const bound = Math.max(2, Math.floor(target.length / 3));
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of candidates.slice(0, 20_000)) {
    const lower = candidate.slice(0, 200).toLowerCase();
    const lowerTail = lower.slice(lower.lastIndexOf("/") + 1);
    const whole = Math.abs(lower.length - target.length) > bound ? Infinity : distance(target, lower);
    const last = Math.abs(lowerTail.length - tail.length) > 3 ? Infinity : distance(tail, lowerTail) + 1;
    const score = Math.min(whole, last <= 1 + Math.floor(tail.length / 4) ? last : Infinity);
    if (score <= bound) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, limit).map(({ candidate }) => candidate);
}

/** The line end that a file uses throughout; null when it has none or mixes them. */
export function lineEndOf(text: string): "\n" | "\r\n" | null {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1;
  if (lf === 0 || text.replaceAll("\r\n", "").includes("\r")) return null;
  return crlf === lf ? "\r\n" : crlf === 0 ? "\n" : null;
}

/** `text` with the line ends of its target file, which callers cannot know from numbered lines. */
export function withLineEndsOf(file: string, text: string): string {
  return lineEndOf(file) === "\r\n" && !text.includes("\r") ? text.replaceAll("\n", "\r\n") : text;
}
