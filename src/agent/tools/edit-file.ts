import { z } from "zod";
import { defineTool, type Tool } from "#agent/tool.ts";
import { createWritePolicy } from "#agent/write-policy.ts";
import { contentRootOf } from "./content-root.ts";
import { nearestLines } from "./nearest-lines.ts";
import { count, done, refused } from "./outcome.ts";
import { newSyntaxProblem } from "./syntax.ts";
import { lineAt, readTextFile, withLineEndsOf } from "./text-file.ts";

const Replacement = z.strictObject({
  old: z.string().max(200_000).describe("Exact text of the file, long enough to occur once"),
  new: z.string().max(500_000),
  all: z.boolean().default(false).describe("Replace every occurrence"),
});

export function editFileTool(): Tool {
  return defineTool({
    name: "edit_file",
    description:
      'Replaces exact pieces of a text file, all or none of them. Each "old" must occur exactly once unless "all" is ' +
      "set; edits apply in order. An edit that makes a page, JSON or YAML file unparsable is refused.",
    input: z.strictObject({
      path: z.string().min(1).max(1_000),
      edits: z.array(Replacement).min(1).max(100),
    }),
    mutates: true,
    async run({ path, edits }, environment) {
      const { tree, parser } = environment;
      const failed = `Did not edit ${path}`;
      const file = await readTextFile(tree, path);
      if (!file.ok) return refused(failed, file.message);
      let text = file.text;
      let replaced = 0;
      for (const [index, edit] of edits.entries()) {
        const outcome = replaceExactly(text, edit);
        if (!outcome.ok)
          return refused(failed, `Edit ${index + 1} of ${edits.length}: ${outcome.message} Nothing was changed.`);
        text = outcome.text;
        replaced += outcome.count;
      }
      const policy = await createWritePolicy(tree, await contentRootOf(environment));
      const refusal = policy.refuseWrite(path, text);
      if (refusal !== null) return refused(failed, refusal);
      const problem = await newSyntaxProblem(parser, { path, before: file.text, after: text });
      if (problem !== null) {
        return refused(failed, `After the edit the file would not parse: ${problem}. Nothing was changed.`);
      }
      tree.write(path, text);
      return done(`Edited ${path}: ${count(replaced, "replacement")}`, { path, replacements: replaced });
    },
  });
}

type Replaced = { ok: true; text: string; count: number } | { ok: false; message: string };

function replaceExactly(text: string, edit: z.infer<typeof Replacement>): Replaced {
  const old = withLineEndsOf(text, edit.old);
  const replacement = withLineEndsOf(text, edit.new);
  if (old.trim() === "") return { ok: false, message: '"old" is empty or only white space.' };
  if (old === replacement) return { ok: false, message: '"old" and "new" are the same.' };
  const parts = text.split(old);
  const found = parts.length - 1;
  if (found === 0) return { ok: false, message: `"old" does not occur. ${nearestLines(text, old)}` };
  if (found > 1 && !edit.all) {
    const lines = occurrences(text, old, 10).map((offset) => lineAt(text, offset));
    return {
      ok: false,
      message: `"old" occurs ${found} times, on lines ${lines.join(", ")}${found > 10 ? " …" : ""}. Add lines around it, or set "all".`,
    };
  }
  return { ok: true, text: parts.join(replacement), count: found };
}

function occurrences(text: string, wanted: string, limit: number): number[] {
  const offsets: number[] = [];
  for (
    let at = text.indexOf(wanted);
    at !== -1 && offsets.length < limit;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    offsets.push(at);
  }
  return offsets;
}
