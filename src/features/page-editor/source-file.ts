import { holdsCredentials } from "#docs/credential-files.ts";
import { isLfsPointer } from "#docs/snapshot.ts";
import { decodeText, withoutByteOrderMark } from "#docs/text-encoding.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { pathProblem } from "#git/objects/path-policy.ts";
import { isToolConfiguration } from "#tools/tool-configuration.ts";
import { createWritePolicy } from "#tools/write-policy.ts";

/** Pages have a few KiB; a text area of a browser is slow far above this. */
export const MAX_EDITED_BYTES = 512 * 1024;

/** A file of a commit, for the editor. */
export type SourceFile =
  /** `source`: its text in full, with its own line ends and byte order mark. */
  { kind: "text"; source: string } | { kind: "missing" } | { kind: "refused"; reason: string };

/** The files of a version, and which of them are documentation. */
export type EditedVersion = Pick<SiteVersion, "snapshot"> & { docs: Pick<SiteVersion["docs"], "contentRoot"> };

/** Reads a file for the editor, or says why it cannot be edited there. */
export async function readSourceFile({ snapshot, docs }: EditedVersion, path: string): Promise<SourceFile> {
  const file = (await snapshot.files()).find((each) => each.path === path);
  if (!file) return { kind: "missing" };
  const refused = (reason: string): SourceFile => ({ kind: "refused", reason: `${reason} Change it with git.` });
  if (file.kind !== "file") return refused(`This is a ${file.kind === "symlink" ? "symbolic link" : "submodule"}.`);
  const problem = pathProblem(path);
  if (problem !== null) return refused(`This file cannot be edited in the browser: ${problem}.`);
  if (holdsCredentials(path)) return refused("Files with this name usually hold credentials and are not shown.");
  if (file.sizeBytes > MAX_EDITED_BYTES)
    return refused(
      `This file has ${kibibytes(file.sizeBytes)}. The limit of the editor is ${kibibytes(MAX_EDITED_BYTES)}.`,
    );
  const bytes = (await snapshot.read(path)) ?? new Uint8Array();
  if (isLfsPointer(bytes)) return refused("The content of this file is in Git LFS.");
  const { text, encoding } = decodeText(bytes);
  if (text.includes("\0")) return refused("This is not a text file.");
  if (encoding !== "UTF-8") return refused(`This file is ${encoding} text, and the editor writes UTF-8 alone.`);
  // Editors of a connected repository may have no other access to its code.
  const policy = await createWritePolicy(snapshot, docs.contentRoot);
  if (policy.refuseWrite(path, text, text) !== null)
    return refused("The browser editor changes only documentation: pages, their data files and the navigation.");
  return { kind: "text", source: text };
}

/** Why a text must not be written to a path, by the rules for documentation that apply to the agent too; null if it may. */
export async function writeProblem(
  { snapshot, docs }: EditedVersion,
  { path, text, before }: { path: string; text: string; before: string | null },
): Promise<string | null> {
  // `readSourceFile` has judged the names of other files that exist.
  if (before !== null && !isToolConfiguration(path)) return null;
  const policy = await createWritePolicy(snapshot, docs.contentRoot);
  const problem = policy.refuseWrite(path, text, before);
  if (problem === null || before === null) return problem;
  return `The browser editor changes only the navigation and the redirects in ${path}. Change the rest with git.`;
}

export const kibibytes = (bytes: number): string => `${Math.ceil(bytes / 1024).toLocaleString("en")} KiB`;

/** A file's text as a text area holds it: without a byte order mark, each line end as `\n`. */
export const editableText = (source: string): string => withoutByteOrderMark(source).replaceAll(/\r\n?/g, "\n");

/**
 * An edited text with the byte order mark and line ends of the file before it. Lines at the start and the end that were
 * not edited stay byte for byte, also in a file of mixed line ends; the others get the line end that most lines have.
 */
export function withLineEnds(source: string, edited: string): string {
  const text = withoutByteOrderMark(source);
  const old = linesOf(text);
  const now = linesOf(edited);
  const isKept = (at: number, beside: number) =>
    old[at] !== undefined && old[at].replace(/\r\n?$/, "\n") === now[beside];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && isKept(start, start)) start += 1;
  let end = 0;
  while (end < most - start && isKept(old.length - 1 - end, now.length - 1 - end)) end += 1;
  const usual = usualEnd(old);
  const changed = now.slice(start, now.length - end).map((line) => line.replace(/\n$/, usual));
  const mark = source.slice(0, source.length - text.length);
  const kept = [...old.slice(0, start), ...changed, ...old.slice(old.length - end)].join("");
  // In a file of mixed line ends, a kept `\r` before a new `\n` would be one line end.
  return mark + (editableText(kept) === edited ? kept : edited.replaceAll("\n", usual));
}

/** The lines of a text with their ends; the last one may have none. */
const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n|\r(?!\n))/));

function usualEnd(lines: readonly string[]): string {
  const counts = Map.groupBy(lines, (line) => /\r?\n$|\r$/.exec(line)?.[0] ?? "");
  counts.delete("");
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "\n";
}
