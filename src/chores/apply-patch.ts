import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { count } from "#tools/outcome.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import type { Workspace } from "./edits/workspace.ts";

const MAX_CHARACTERS = 200_000;

const Input = z.strictObject({
  patch: z
    .string()
    .min(1)
    .max(MAX_CHARACTERS)
    .describe("A unified patch of text files, as `git diff` prints it, made from the branch that it is applied to"),
});

export const applyPatchTool = choreTool({
  name: "apply_patch",
  description:
    "Applies a patch that the caller made, exactly: every hunk has to fit. For changes made in an editor: the checks before a pull request are the same.",
  input: Input,
  mutates: true,
  isForCallers: true,
  run: applyAll,
});

async function applyAll({ patch }: z.infer<typeof Input>, workspace: Workspace): Promise<ChoreReport> {
  const files = filesIn(patch);
  for (const file of files) await applyOne(file, workspace);
  return { summary: `Applied a patch to ${count(files.length, "file")}`, notes: [] };
}

function filesIn(patch: string): StructuredPatch[] {
  let files: StructuredPatch[];
  try {
    files = parsePatch(patch);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("invalid", `The patch cannot be read: ${reason.slice(0, 300)}.`, { cause });
  }
  if (files.every(({ hunks, isGit }) => hunks.length === 0 && isGit !== true))
    throw new AppError("invalid", "That is not a patch. Send what `git diff` prints.");
  return files;
}

async function applyOne(file: StructuredPatch, workspace: Workspace): Promise<void> {
  const from = pathOf(file.oldFileName, "a/");
  const to = pathOf(file.newFileName, "b/");
  const path = to ?? from;
  if (path === null) throw new AppError("invalid", "The patch has a part that names no file.");
  if (file.isBinary === true)
    throw new AppError("invalid", `${JSON.stringify(path)} is a binary file: a patch changes text files alone.`);
  if (from === null && (await workspace.tree.exists(path)))
    throw new AppError("conflict", `${JSON.stringify(path)} exists already: the patch would make it.`);
  if (file.newMode === "120000" || file.oldMode === "120000")
    throw new AppError("invalid", `${JSON.stringify(path)} is a symbolic link: a patch changes text files alone.`);
  // With its credentials: the patch has them too where it removes them or has them next to its changes.
  const before = from === null ? "" : await workspace.unsealedText(from);
  if (before === null) throw new AppError("not_found", `There is no text file ${JSON.stringify(from)}.`);
  const after = matchesFile(file, before) && applyPatch(before, file);
  if (after === false)
    throw new AppError(
      "conflict",
      `The patch does not fit ${JSON.stringify(path)} as it is on the branch. Make it again from the branch's newest commit.`,
    );
  if (to === null) return workspace.remove(path);
  if (from !== null && from !== to) {
    if (file.isCopy !== true) await workspace.move(from, to);
    else if (await workspace.tree.exists(to)) throw new AppError("conflict", `${JSON.stringify(to)} exists already.`);
  }
  await workspace.write(to, after);
}

/**
 * Whether the lines that the hunks name are in the file. The library searches line by line from there, so a line far outside
 * takes a minute of the process, or all of its memory. A hunk without a line of context must match exactly.
 */
function matchesFile({ hunks }: StructuredPatch, text: string): boolean {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  return hunks.every(({ oldStart, oldLines, lines: changed }) => {
    // For a hunk that only adds lines, the library reports the line after the one in the patch.
    if (oldStart < 0 || oldLines > count || oldStart > count + (oldLines > 0 ? 0 : 1)) return false;
    if (oldLines === 0 || changed.some((line) => line.startsWith(" "))) return true;
    const removed = changed.filter((line) => line.startsWith("-")).map((line) => line.slice(1).replace(/\r$/, ""));
    return removed.every((line, index) => lines[oldStart - 1 + index] === line);
  });
}

const pathOf = (name: string | undefined, prefix: string): string | null =>
  name === undefined || name === "/dev/null" ? null : name.startsWith(prefix) ? name.slice(prefix.length) : name;
