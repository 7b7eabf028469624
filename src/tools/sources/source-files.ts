import { z } from "zod";
import type { Tool, ToolEnvironment, ToolResult } from "#tools/tool.ts";
import type { SourceReader } from "#tools/source-reader.ts";
import { createGlob } from "#tools/glob.ts";
import { listFilesTool } from "#tools/list-files.ts";
import { done, refused } from "#tools/outcome.ts";
import { readFileTool } from "#tools/read-file.ts";
import { searchFilesTool } from "#tools/search-files.ts";
import { Revision, SourceName, sourceTool } from "./source-tool.ts";

/** Files are read one by one; the tool's other limit is in bytes. */
const MAX_SEARCHED_FILES = 20_000;

/** The tools for the files of the docs, applied to those of a source. */
export function sourceFileTools(): Tool[] {
  const list = sourceTool({
    name: "list_source_files",
    description: "Lists the files of a source with their sizes. Narrow it with a folder or a pattern.",
    input: z.strictObject({
      source: SourceName,
      revision: Revision.optional(),
      glob: z.string().max(400).optional().describe("Folder or pattern; everything when absent"),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(1_000).default(200),
    }),
    run: ({ source: _, revision, ...input }, source, environment) =>
      onFiles(listFilesTool(), input, { source, revision, environment }),
  });
  const read = sourceTool({
    name: "read_source_file",
    description: 'Reads a text file of a source as numbered lines ("12| text"), as read_file does.',
    input: z.strictObject({
      source: SourceName,
      revision: Revision.optional(),
      path: z.string().min(1).max(1_000),
      offset: z.int().min(1).default(1).describe("First line, from 1"),
      limit: z.int().min(1).max(5_000).default(2_000).describe("Number of lines"),
    }),
    run: ({ source: _, revision, ...input }, source, environment) =>
      onFiles(readFileTool(), input, { source, revision, environment }),
  });
  const search = sourceTool({
    name: "search_source",
    description:
      "Finds lines in the files of a source that hold a text or match a regular expression, as search_files does.",
    input: z.strictObject({
      source: SourceName,
      revision: Revision.optional(),
      text: z.string().min(1).max(1_000).optional().describe("Literal text"),
      pattern: z.string().min(1).max(1_000).optional().describe("Regular expression (RE2), matched line by line"),
      glob: z.string().max(400).optional().describe("Folder or path pattern"),
      caseSensitive: z.boolean().default(true),
      limit: z.int().min(1).max(100).default(50),
    }),
    async run({ source: _, revision, ...input }, source, environment) {
      const isWanted = createGlob(input.glob ?? "");
      const files = (await source.files(await source.resolve(revision ?? null)).files()).filter(({ path }) =>
        isWanted(path),
      );
      if (files.length > MAX_SEARCHED_FILES) {
        return refused(
          "Could not search",
          `It is ${files.length} files: name a folder or a pattern of at most ${MAX_SEARCHED_FILES}.`,
        );
      }
      return onFiles(searchFilesTool(), input, { source, revision, environment });
    },
  });
  return [list, read, search];
}

async function onFiles(
  tool: Tool,
  input: unknown,
  where: { source: SourceReader; revision: string | undefined; environment: ToolEnvironment },
): Promise<ToolResult> {
  const { source, revision, environment } = where;
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return refused("The tool's input was not valid.", z.prettifyError(parsed.error));
  const commit = await source.resolve(revision ?? null);
  const result = await tool.run(parsed.data, { ...environment, tree: source.files(commit) });
  const named = `${result.summary} (source ${source.name})`;
  if (!result.ok) return { ...result, summary: named };
  if (typeof result.content === "string") return done(named, `Source ${source.name} at ${commit}.\n${result.content}`);
  return done(named, { source: source.name, commit, ...(result.content as object) });
}
