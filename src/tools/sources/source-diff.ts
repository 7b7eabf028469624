import { createTwoFilesPatch } from "diff";
import { holdsCredentials } from "#docs/credential-files.ts";
import type { FileChange, ObjectId } from "#git/repo-store.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
import { textForModel } from "#tools/model-view.ts";
import type { SourceReader } from "#tools/source-reader.ts";
import { readTextFile } from "#tools/text-file.ts";

/** The changes between two commits of a source, up to a size limit. */
export interface SourceDiff {
  files: {
    path: string;
    oldPath?: string;
    status: FileChange["status"];
    additions: number | null;
    deletions: number | null;
  }[];
  /** How many more files changed. */
  moreFiles: number;
  /** Unified diffs of the text files, in order. */
  patch: string;
  /** Files whose diff is not shown, and why. */
  notShown: string[];
}

const MAX_LISTED = 200;
const MAX_FILE_CHARACTERS = 400_000;
/** Maximum number of different lines; beyond it the comparison is too expensive to be useful. */
const MAX_EDITS = 2_000;

/**
 * Compares whole texts without credentials, instead of git's output: half of a key in a hunk would not be detected. Files that
 * hold credentials are listed but not read.
 */
export async function diffSource(
  source: SourceReader,
  {
    base,
    head,
    isWanted = () => true,
    maxCharacters,
    redact,
  }: {
    base: ObjectId;
    head: ObjectId;
    isWanted?: (path: string) => boolean;
    maxCharacters: number;
    redact: Redact;
  },
): Promise<SourceDiff> {
  const changed = (await source.changes(base, head)).filter(
    ({ path, oldPath }) => isWanted(path) || isWanted(oldPath ?? path),
  );
  const listed = changed.slice(0, MAX_LISTED);
  const files = listed.map(({ path, oldPath, ...counts }) => ({
    path,
    ...(oldPath !== null && { oldPath }),
    ...counts,
  }));
  const [before, after] = [source.files(base), source.files(head)];
  const textOf = async (tree: typeof before, path: string | null): Promise<string | null> => {
    if (path === null) return "";
    const file = await readTextFile(tree, path).catch(() => null); // too large to be read at all
    return file?.ok && file.text.length <= MAX_FILE_CHARACTERS ? textForModel(file.text, redact) : null;
  };
  const notShown: string[] = [];
  let patch = "";
  for (const [index, { status, path, oldPath }] of listed.entries()) {
    const from = status === "added" ? null : (oldPath ?? path);
    const to = status === "removed" ? null : path;
    if (holdsCredentials(path) || holdsCredentials(from ?? path)) {
      notShown.push(`${path}: of a kind that holds credentials`);
      continue;
    }
    const [old, now] = [await textOf(before, from), await textOf(after, to)];
    if (old === null || now === null) {
      notShown.push(`${path}: no text, or too large`);
      continue;
    }
    if (old === now) continue;
    const own = createTwoFilesPatch(from ?? "/dev/null", to ?? "/dev/null", old, now, undefined, undefined, {
      context: 3,
      maxEditLength: MAX_EDITS,
    });
    if (own === undefined) {
      notShown.push(`${path}: it changed from end to end`);
      continue;
    }
    const text = own.replace(/^(?:Index:[^\n]*\n)?=+\n/, "");
    if (patch.length + text.length > maxCharacters) {
      patch += text.slice(0, maxCharacters - patch.length).toWellFormed();
      notShown.push(`${path} and ${listed.length - index - 1} after it: no room; ask for them by their paths`);
      break;
    }
    patch += text;
  }
  return { files, moreFiles: changed.length - listed.length, patch, notShown };
}
