import { z } from "zod";
import { defineTool, type Tool } from "#agent/tool.ts";
import { done, refused } from "./outcome.ts";
import { readTextFile } from "./text-file.ts";

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_LINE_CHARACTERS = 8_000;

export function readFileTool(): Tool {
  return defineTool({
    name: "read_file",
    description:
      'Reads a text file as numbered lines ("12| text"; the number and bar are not part of the file). ' +
      "At most 64 KB per call: continue with the offset that the answer names. For a page's shape use outline_page.",
    input: z.strictObject({
      path: z.string().min(1).max(1_000),
      offset: z.int().min(1).default(1).describe("First line, from 1"),
      limit: z.int().min(1).max(5_000).default(2_000).describe("Number of lines"),
    }),
    mutates: false,
    async run({ path, offset, limit }, { tree }) {
      const file = await readTextFile(tree, path);
      if (!file.ok) return refused(`Could not read ${path}`, file.message);
      const lines = file.text.replace(/^\uFEFF/, "").split(/\r\n|\n/);
      if (lines.at(-1) === "") lines.pop();
      if (offset > Math.max(1, lines.length)) {
        return refused(`Could not read ${path}`, `The file ends at line ${lines.length}.`);
      }
      const shown: string[] = [];
      let bytes = 0;
      for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
        const cut = line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}… (line cut)` : line;
        const numbered = `${offset + index}| ${cut}`;
        bytes += Buffer.byteLength(numbered) + 1;
        if (bytes > MAX_ANSWER_BYTES) break;
        shown.push(numbered);
      }
      const last = offset + shown.length - 1;
      return done(`Read ${path}, lines ${offset} to ${last} of ${lines.length}`, {
        path,
        lines: shown.join("\n"),
        totalLines: lines.length,
        nextOffset: last < lines.length ? last + 1 : null,
      });
    },
  });
}
