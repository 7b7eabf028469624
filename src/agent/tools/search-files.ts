import { RE2JS, RE2JSSyntaxException } from "re2js";
import { z } from "zod";
import { defineTool, type Tool } from "#agent/tool.ts";
import { createGlob } from "./glob.ts";
import { count, done, refused } from "./outcome.ts";

const MAX_HITS = 100;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_TIME_MS = 5_000;
const EXCERPT_CHARACTERS = 240;

export function searchFilesTool(now: () => number = () => performance.now()): Tool {
  return defineTool({
    name: "search_files",
    description:
      "Finds lines that hold a text, or match a regular expression (RE2 syntax: no look-around, no back-references). " +
      "At most 100 hits; narrow the search with a glob. Binary files and files over 2 MB are passed over.",
    input: z
      .strictObject({
        text: z.string().min(1).max(1_000).optional().describe("Literal text"),
        pattern: z.string().min(1).max(1_000).optional().describe("Regular expression, matched line by line"),
        glob: z.string().max(400).optional().describe('Folder or path pattern, such as "guides/**/*.mdx"'),
        caseSensitive: z.boolean().default(true),
        limit: z.int().min(1).max(MAX_HITS).default(50),
      })
      .refine((input) => (input.text === undefined) !== (input.pattern === undefined), {
        error: 'give either "text" or "pattern"',
      }),
    mutates: false,
    async run(input, { tree, signal }) {
      let find: LineFinder;
      try {
        find = createLineFinder(input);
      } catch (error) {
        if (!(error instanceof RE2JSSyntaxException)) throw error;
        return refused("Could not search", `The pattern is not valid in RE2 syntax: ${error.message}`);
      }
      const isWanted = createGlob(input.glob ?? "");
      const hits: { path: string; line: number; text: string }[] = [];
      const started = now();
      let searched = 0;
      let isComplete = true;
      for (const file of await tree.files()) {
        if (file.kind !== "file" || file.sizeBytes > MAX_FILE_BYTES || !isWanted(file.path)) continue;
        signal.throwIfAborted();
        if (hits.length >= input.limit || now() - started > MAX_TIME_MS) {
          isComplete = false;
          break;
        }
        const bytes = await tree.read(file.path);
        if (bytes === null || bytes.subarray(0, 8_000).includes(0)) continue;
        searched += 1;
        for (const hit of find(new TextDecoder().decode(bytes), input.limit - hits.length)) {
          hits.push({ path: file.path, ...hit });
        }
      }
      const more = isComplete && hits.length < input.limit ? null : "There may be more hits: narrow the search.";
      return done(`Found ${count(hits.length, "line")} in ${count(searched, "file")} searched`, { hits, more });
    },
  });
}

type LineFinder = (text: string, limit: number) => { line: number; text: string }[];

function createLineFinder(input: {
  text?: string | undefined;
  pattern?: string | undefined;
  caseSensitive: boolean;
}): LineFinder {
  const flags = input.caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const literal = input.text !== undefined && input.caseSensitive ? input.text : null;
  const expression = RE2JS.compile(input.pattern ?? RE2JS.quote(input.text ?? ""), flags);
  return (text, limit) => {
    if (literal !== null && !text.includes(literal)) return [];
    const found: { line: number; text: string }[] = [];
    for (const [index, line] of text.split(/\r\n|\n/).entries()) {
      if (found.length >= limit) break;
      const at = literal === null ? matchStart(expression, line) : line.indexOf(literal);
      if (at === -1) continue;
      const from = Math.max(0, at - EXCERPT_CHARACTERS / 3);
      found.push({ line: index + 1, text: line.slice(from, from + EXCERPT_CHARACTERS).toWellFormed() });
    }
    return found;
  };
}

function matchStart(expression: RE2JS, line: string): number {
  const matcher = expression.matcher(line);
  return matcher.find() ? matcher.start() : -1;
}
