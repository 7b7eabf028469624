import { z } from "zod";
import { SECRET_MASK } from "#lib/secrets/secret-scan.ts";
import { defineTool, type Tool } from "./tool.ts";
import { MAX_FILE_BYTES } from "./write-policy.ts";
import { writePolicyOf } from "./content-root.ts";
import { done, refused } from "./outcome.ts";
import { syntaxProblem } from "./syntax.ts";
import { plainPath, readTextFile, withLineEndsOf } from "./text-file.ts";

const MAX_REPLACED_LINES = 400;

export function writeFileTool(): Tool {
  return defineTool({
    name: "write_file",
    description:
      'Writes a whole text file: a new one, or with "replace" an existing one of up to 400 lines. For a few changes ' +
      "use edit_file; for a new page that belongs in the navigation use add_page.",
    input: z.strictObject({
      path: z.string().min(1).max(1_000),
      content: z.string().max(MAX_FILE_BYTES),
      replace: z.boolean().default(false).describe("The file exists and is to be replaced"),
    }),
    mutates: true,
    async run({ path: given, content, replace }, environment) {
      const path = plainPath(given);
      const { tree, parser } = environment;
      const failed = `Did not write ${path}`;
      const policy = await writePolicyOf(environment);
      const refusal = policy.refuseWrite(path, content);
      if (refusal !== null) return refused(failed, refusal);
      let text = content;
      if (await tree.exists(path)) {
        if (!replace) return refused(failed, 'The file exists. Use edit_file, or set "replace" to write it anew.');
        const file = await readTextFile(tree, path);
        if (!file.ok) return refused(failed, file.message);
        const lines = file.text.split("\n").length;
        if (lines > MAX_REPLACED_LINES) {
          return refused(failed, `The file has ${lines} lines: change it with edit_file, piece by piece.`);
        }
        if (content.includes(SECRET_MASK) && !file.text.includes(SECRET_MASK)) {
          return refused(failed, `"${SECRET_MASK}" stands for a credential that is not shown to you. Use edit_file.`);
        }
        text = withLineEndsOf(file.text, content);
        if (file.text.startsWith("\uFEFF") && !text.startsWith("\uFEFF")) text = `\uFEFF${text}`;
        if (text === file.text) return refused(failed, "The file has this content already.");
      } else if (replace)
        return refused(failed, 'There is no such file to replace. Leave "replace" out for a new one.');
      const problem = await syntaxProblem(parser, path, text);
      if (problem !== null) return refused(failed, `The file would not parse: ${problem}. Nothing was written.`);
      tree.write(path, text);
      return done(`Wrote ${path}`, { path, sizeBytes: Buffer.byteLength(text) });
    },
  });
}
