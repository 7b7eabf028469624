import { z } from "zod";
import { createGlob } from "#tools/glob.ts";
import { count, done, refused } from "#tools/outcome.ts";
import { diffSource } from "#tools/sources/source-diff.ts";
import { patchRoom } from "#tools/sources/source-history.ts";
import { defineTool, type Tool } from "#tools/tool.ts";
import { flawLines } from "./flaw-lines.ts";

/** Shows a model its own change as the reviewer of the pull request will see it. */
export function reviewChangesTool(): Tool {
  return defineTool({
    name: "review_changes",
    description:
      "Shows everything that you changed in this turn as a unified diff, with what the checks before publication say of it. " +
      "Read it before you finish: is each hunk asked for, and is anything left out?",
    input: z.strictObject({
      path: z.string().min(1).max(1_000).optional().describe("File, folder or pattern to show the diff of"),
    }),
    mutates: false,
    forModels: true,
    async run({ path }, { tree, turn, redact, maxResultCharacters }) {
      if (!turn) return refused("Could not review the changes", "No job is carried out.");
      const { base, head, errors, warnings } = await turn.review(tree);
      const diff = await diffSource(turn.docs, {
        base,
        head,
        isWanted: createGlob(path ?? ""),
        maxCharacters: patchRoom(maxResultCharacters),
        redact,
      });
      const files = diff.files.length + diff.moreFiles;
      if (files === 0) return done("Reviewed the changes: none", "No file is changed.");
      const named = diff.files.map(({ status, path: file, oldPath }) =>
        oldPath === undefined ? `${status} ${file}` : `${status} ${oldPath} to ${file}`,
      );
      const parts = [
        errors.length === 0 ? "The checks find no error." : `Errors, which stop the publication:\n${flawLines(errors)}`,
        warnings.length === 0 ? null : `Warnings, which reviewers see:\n${flawLines(warnings)}`,
        `${count(files, "file")} changed:\n${[...named, ...(diff.moreFiles > 0 ? [`… and ${diff.moreFiles} more`] : [])].join("\n")}`,
        diff.notShown.length === 0 ? null : `Not shown:\n${diff.notShown.join("\n")}`,
        diff.patch,
      ];
      const found = errors.length + warnings.length;
      const summary = `Reviewed the changes of ${count(files, "file")}: ${found === 0 ? "no finding" : count(found, "finding")}`;
      return done(summary, parts.filter((part) => part !== null).join("\n\n"));
    },
  });
}
