import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";
import { createGlob } from "./glob.ts";
import { count, done } from "./outcome.ts";

const MAX_ENTRIES = 1_000;

export function listFilesTool(): Tool {
  return defineTool({
    name: "list_files",
    description:
      "Lists the files of the repository with their sizes, in path order. Narrow it with a folder or a pattern " +
      '("guides", "**/*.mdx"). At most 1,000 per call; continue with offset.',
    input: z.strictObject({
      glob: z.string().max(400).optional().describe("Folder or pattern; everything when absent"),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(MAX_ENTRIES).default(200),
    }),
    mutates: false,
    async run({ glob, offset, limit }, { tree }) {
      const isWanted = createGlob(glob ?? "");
      const all = (await tree.files()).filter((file) => isWanted(file.path));
      const files = all
        .slice(offset, offset + limit)
        .map(({ path, sizeBytes, kind }) => (kind === "file" ? { path, sizeBytes } : { path, kind }));
      const nextOffset = offset + limit < all.length ? offset + limit : null;
      return done(`Listed ${count(files.length, "file")} of ${all.length}`, {
        files,
        total: all.length,
        nextOffset,
      });
    },
  });
}
