import { RE2JS, RE2JSSyntaxException } from "re2js";
import { z } from "zod";
import { isMedia } from "#git/mirror/fetched-ahead.ts";
import { SECRET_MASK } from "#lib/secrets/secret-scan.ts";
import { defineTool, type Tool } from "./tool.ts";
import { createGlob } from "./glob.ts";
import { count, done, refused } from "./outcome.ts";

const MAX_HITS = 100;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
// How much text one call searches. On this repository's own docs that took 0.9 s of CPU time for a text, and 0.5 to 3.4 s for
// an expression (a case-insensitive text is one).
const MAX_SEARCHED_BYTES = { text: 256 * 1024 * 1024, pattern: 32 * 1024 * 1024 };
const EXCERPT_CHARACTERS = 240;

export function searchFilesTool(): Tool {
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
    async run(input, { tree, signal, redact }) {
      let find: LineFinder;
      try {
        find = createLineFinder(input);
      } catch (error) {
        if (!(error instanceof RE2JSSyntaxException)) throw error;
        return refused("Could not search", `The pattern is not valid in RE2 syntax: ${error.message}`);
      }
      const isWanted = createGlob(input.glob ?? "");
      const hits: { path: string; line: number; text: string }[] = [];
      const maxBytes = MAX_SEARCHED_BYTES[input.pattern === undefined && input.caseSensitive ? "text" : "pattern"];
      let searched = 0;
      let searchedBytes = 0;
      let isComplete = true;
      for (const file of await tree.files()) {
        if (file.kind !== "file" || file.sizeBytes > MAX_FILE_BYTES || !isWanted(file.path)) continue;
        if (isPictureElsewhere(file)) continue;
        signal.throwIfAborted();
        if (hits.length >= input.limit || searchedBytes >= maxBytes) {
          isComplete = false;
          break;
        }
        const bytes = await tree.read(file.path);
        if (bytes === null || bytes.subarray(0, 8_000).includes(0)) continue;
        searched += 1;
        searchedBytes += bytes.length;
        const text = new TextDecoder().decode(bytes);
        const limit = input.limit - hits.length;
        // Results come from the redacted text, so that searching the original text first reveals nothing.
        const found = find(text, text, 1).length > 0 ? find(text, redact(text), limit) : [];
        for (const hit of found) hits.push({ path: file.path, ...hit });
      }
      const more = isComplete && hits.length < input.limit ? null : "There may be more hits: narrow the search.";
      return done(`Found ${count(hits.length, "line")} in ${count(searched, "file")} searched`, { hits, more });
    },
  });
}

/** Its size is unknown while it is only at the code host, and it is not fetched just to be skipped. */
const isPictureElsewhere = ({ path, sizeBytes }: { path: string; sizeBytes: number }): boolean =>
  sizeBytes === 0 && isMedia(path);

/** Lines of `shown`, which is `text` with its credentials masked. */
type LineFinder = (text: string, shown: string, limit: number) => { line: number; text: string }[];

// Operators that depend on adjacent text: next to a mask they would reveal what it hides.
const LOOKS_AROUND = /[\^$]|\\[bBAzZG]/;

function createLineFinder(input: {
  text?: string | undefined;
  pattern?: string | undefined;
  caseSensitive: boolean;
}): LineFinder {
  const flags = input.caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const literal = input.text !== undefined && input.caseSensitive ? input.text : null;
  const expression = RE2JS.compile(input.pattern ?? RE2JS.quote(input.text ?? ""), flags);
  const startIn = (line: string) => (literal === null ? matchStart(expression, line) : line.indexOf(literal));
  const looksAround = input.pattern !== undefined && LOOKS_AROUND.test(input.pattern);
  return (text, shown, limit) => {
    if (literal !== null && !text.includes(literal)) return [];
    const found: { line: number; text: string }[] = [];
    const originals = shown === text ? null : text.split(/\r\n|\n/);
    for (const [index, line] of shown.split(/\r\n|\n/).entries()) {
      if (found.length >= limit) break;
      const isMasked = originals !== null && originals[index] !== line;
      const at = !isMasked ? startIn(line) : looksAround ? -1 : startBesideMasks(line, startIn);
      if (at === -1) continue;
      const from = Math.max(0, at - EXCERPT_CHARACTERS / 3);
      found.push({ line: index + 1, text: line.slice(from, from + EXCERPT_CHARACTERS).toWellFormed() });
    }
    return found;
  };
}

/** Searches only between the masks: a mask is not text of the file. */
function startBesideMasks(line: string, startIn: (piece: string) => number): number {
  let offset = 0;
  for (const piece of line.split(SECRET_MASK)) {
    const at = piece === "" ? -1 : startIn(piece);
    if (at !== -1) return offset + at;
    offset += piece.length + SECRET_MASK.length;
  }
  return -1;
}

function matchStart(expression: RE2JS, line: string): number {
  const matcher = expression.matcher(line);
  return matcher.find() ? matcher.start() : -1;
}
