import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";
import { writePolicyOf } from "./content-root.ts";
import { done, refused } from "./outcome.ts";
import { missingFile, pathOfFile, plainPath } from "./text-file.ts";

export function moveFileTool(): Tool {
  return defineTool({
    name: "move_file",
    description:
      "Moves or renames one file, byte for byte, and nothing else. For a page use move_page, which also updates the " +
      "navigation, adds a redirect and corrects the links to it.",
    input: z.strictObject({ from: z.string().min(1).max(1_000), to: z.string().min(1).max(1_000) }),
    mutates: true,
    async run(given, environment) {
      const { tree } = environment;
      const from = await pathOfFile(tree, given.from);
      const to = plainPath(given.to);
      const failed = `Did not move ${from}`;
      const policy = await writePolicyOf(environment);
      const refusal = policy.refuseMove(from, to);
      if (refusal !== null) return refused(failed, refusal);
      const bytes = await tree.read(from);
      if (bytes === null) return refused(failed, await missingFile(tree, from));
      if (await tree.exists(to)) return refused(failed, `${JSON.stringify(to)} exists already.`);
      tree.remove(from);
      tree.write(to, bytes);
      return done(`Moved ${from} to ${to}`, { from, to });
    },
  });
}
