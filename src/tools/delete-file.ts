import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";
import { writePolicyOf } from "./content-root.ts";
import { done, refused } from "./outcome.ts";
import { missingFile, pathOfFile } from "./text-file.ts";

export function deleteFileTool(): Tool {
  return defineTool({
    name: "delete_file",
    description:
      "Deletes one file and nothing else. For a page use remove_page, which also clears the navigation and adds a redirect.",
    input: z.strictObject({ path: z.string().min(1).max(1_000) }),
    mutates: true,
    async run({ path: given }, environment) {
      const { tree } = environment;
      const path = await pathOfFile(tree, given);
      const failed = `Did not delete ${path}`;
      const policy = await writePolicyOf(environment);
      const refusal = policy.refuseRemove(path);
      if (refusal !== null) return refused(failed, refusal);
      if ((await tree.read(path)) === null) return refused(failed, await missingFile(tree, path));
      tree.remove(path);
      return done(`Deleted ${path}`, { path });
    },
  });
}
