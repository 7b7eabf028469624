import { z } from "zod";
import { invisibleRuns } from "#lib/invisible-text.ts";
import { textForModel } from "./model-view.ts";
import { defineTool, type Tool } from "./tool.ts";
import { done, refused } from "./outcome.ts";
import { pathOfFile, readTextFile } from "./text-file.ts";

const MAX_ANSWER_BYTES = 64 * 1024;
const MIN_ANSWER_BYTES = 500;
/** For the path and the line numbers. */
const ROOM_AROUND_LINES = 300;
const MAX_LINE_CHARACTERS = 8_000;

export function readFileTool(): Tool {
  return defineTool({
    name: "read_file",
    description:
      'Reads a text file as numbered lines ("12| text"; the number and bar are not part of the file). ' +
      "At most 64 KB per call, less where the model reads less at once: continue with the offset that the answer names. For a page's shape use outline_page.",
    input: z.strictObject({
      path: z.string().min(1).max(1_000),
      offset: z.int().min(1).default(1).describe("First line, from 1"),
      limit: z.int().min(1).max(5_000).default(2_000).describe("Number of lines"),
    }),
    mutates: false,
    async run({ path: given, offset, limit }, { tree, redact, maxResultCharacters = Infinity }) {
      const path = await pathOfFile(tree, given);
      const file = await readTextFile(tree, path);
      if (!file.ok) return refused(`Could not read ${path}`, file.message);
      // On the whole text: a key over several lines is not detected line by line.
      const hidden = invisibleRuns(file.text).length;
      const lines = textForModel(file.text, redact)
        .replace(/^\uFEFF/, "")
        .split(/\r\n|\n/);
      if (lines.at(-1) === "") lines.pop();
      if (offset > Math.max(1, lines.length)) {
        return refused(`Could not read ${path}`, `The file ends at line ${lines.length}.`);
      }
      const maxBytes = Math.min(MAX_ANSWER_BYTES, Math.max(MIN_ANSWER_BYTES, maxResultCharacters - ROOM_AROUND_LINES));
      const maxLine = Math.min(MAX_LINE_CHARACTERS, maxBytes);
      const shown: string[] = [];
      let bytes = 0;
      for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
        const cut = line.length > maxLine ? `${line.slice(0, maxLine).toWellFormed()}… (line cut)` : line;
        const numbered = `${offset + index}| ${cut}`;
        bytes += Buffer.byteLength(numbered) + 1;
        // Always return the first line, otherwise no caller could continue.
        if (bytes > maxBytes && shown.length > 0) break;
        shown.push(numbered);
      }
      const last = offset + shown.length - 1;
      const head = [
        `${path}, lines ${offset} to ${last} of ${lines.length}.`,
        ...(last < lines.length ? [`Continue with offset ${last + 1}.`] : []),
        ...(hidden > 0 ? [`${hidden} places with invisible characters are left out.`] : []),
      ].join(" ");
      // Plain text: JSON would escape each quotation mark and line end, which models copy into their edits.
      return done(`Read ${path}, lines ${offset} to ${last} of ${lines.length}`, [head, ...shown].join("\n"));
    },
  });
}
