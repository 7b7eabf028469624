import { z } from "zod";
import { type CommitInfo, EMPTY_TREE } from "#git/objects/objects.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
import { cutText } from "#lib/cut-text.ts";
import { textForModel } from "#tools/model-view.ts";
import type { SourceReader } from "#tools/source-reader.ts";
import type { Tool, ToolEnvironment, ToolResult } from "#tools/tool.ts";
import { createGlob } from "#tools/glob.ts";
import { count, done, refused } from "#tools/outcome.ts";
import { readTextFile } from "#tools/text-file.ts";
import { diffSource } from "./source-diff.ts";
import { docsTool, Revision, SourceName, sourceTool } from "./source-tool.ts";

const MAX_PATCH_CHARACTERS = 60_000;
const MAX_MESSAGE_CHARACTERS = 4_000;
/** For everything around a patch. */
const ROOM_AROUND_PATCH = 20_000;
const MAX_BLAMED_LINES = 200;

const Path = z.string().min(1).max(1_000);
const Since = z.string().min(1).max(200).describe("Tag or commit before the first one wanted");

/** The space for the patch in a tool's result. */
export const patchRoom = (maxCharacters = Infinity) =>
  Math.max(2_000, Math.min(MAX_PATCH_CHARACTERS, Math.floor((maxCharacters - ROOM_AROUND_PATCH) / 2)));

/** A commit as the model sees it. Truncated last: half a credential is not detected. */
const shortOf =
  (redact: Redact) =>
  ({ id, subject, author, authoredAt }: CommitInfo) => ({
    commit: id,
    at: authoredAt.toISOString(),
    author: textForModel(author.name, redact),
    subject: cutText(textForModel(subject, redact), 300),
  });

interface Scope {
  prefix: "source" | "docs";
  /** For descriptions. */
  noun: string;
  /** Declares a tool with `shape` as its input, and the name of the source if there are several. */
  tool<Shape extends z.ZodRawShape>(tool: {
    name: string;
    description: string;
    shape: Shape;
    run(input: z.output<z.ZodObject<Shape>>, reader: SourceReader, environment: ToolEnvironment): Promise<ToolResult>;
  }): Tool;
}

const ofSources: Scope = {
  prefix: "source",
  noun: "a source",
  tool: ({ shape, run, ...tool }) =>
    sourceTool<{ source: string }>({
      ...tool,
      input: z.strictObject({ source: SourceName, ...shape }) as z.ZodType<{ source: string }>,
      async run(input, reader, environment) {
        const result = await run(input as never, reader, environment);
        return result.ok ? { ...result, content: { source: reader.name, ...(result.content as object) } } : result;
      },
    }),
};

const ofDocs: Scope = {
  prefix: "docs",
  noun: "this repository",
  tool: ({ shape, run, ...tool }) =>
    docsTool({
      ...tool,
      input: z.strictObject(shape) as z.ZodType<object>,
      run: (input, reader, environment) => run(input as never, reader, environment),
    }),
};

/** Tools for what was changed in a source, when and by whom. */
export const sourceHistoryTools = (): Tool[] => [...historyTools(ofSources), diffTool(ofSources)];

/** The same for the documentation repository: the reason for a page's content, and earlier changes of the same kind. */
export const docsHistoryTools = (): Tool[] => historyTools(ofDocs);

function historyTools({ prefix, noun, tool }: Scope): Tool[] {
  const log = tool({
    name: `${prefix}_log`,
    description: `Lists commits of ${noun}, newest first: all, since a tag or commit, or those of one file or folder.`,
    shape: {
      revision: Revision.optional(),
      since: Since.optional(),
      path: Path.optional().describe("File or folder"),
      limit: z.int().min(1).max(200).default(50),
    },
    async run({ revision, since, path = null, limit }, reader, { redact }) {
      const head = await reader.resolve(revision ?? null);
      const base = since === undefined ? null : await reader.resolve(since);
      const commits = await reader.log({ base, head, path, limit });
      return done(`Listed ${count(commits.length, "commit")} of ${reader.title}`, {
        commits: commits.map(shortOf(redact)),
        more: commits.length === limit,
      });
    },
  });
  const show = tool({
    name: `${prefix}_show`,
    description: `Shows one commit of ${noun}: its message, the files that it changed, and its diff as far as there is room.`,
    shape: {
      commit: z.string().min(1).max(200).describe("Commit id, the start of one, or a tag"),
      path: Path.optional().describe("File, folder or pattern to show the diff of"),
    },
    async run({ commit, path }, reader, { redact, maxResultCharacters }) {
      const shown = await reader.commit(await reader.resolve(commit));
      const diff = await diffSource(reader, {
        base: shown.parents[0] ?? EMPTY_TREE,
        head: shown.id,
        isWanted: createGlob(path ?? ""),
        maxCharacters: patchRoom(maxResultCharacters),
        redact,
      });
      return done(`Showed commit ${shown.id.slice(0, 10)} of ${reader.title}`, {
        ...shortOf(redact)(shown),
        message: cutText(textForModel(shown.body, redact), MAX_MESSAGE_CHARACTERS),
        ...diff,
      });
    },
  });
  const blame = tool({
    name: `${prefix}_blame`,
    description: `Says for up to ${MAX_BLAMED_LINES} lines of a file of ${noun} which commit each comes from.`,
    shape: {
      revision: Revision.optional(),
      path: Path,
      from: z.int().min(1).default(1).describe("First line, from 1"),
      limit: z.int().min(1).max(MAX_BLAMED_LINES).default(100).describe("Number of lines"),
    },
    async run({ revision, path, from, limit }, reader, { redact }) {
      const commit = await reader.resolve(revision ?? null);
      const file = await readTextFile(reader.files(commit), path);
      if (!file.ok) return refused(`Could not read ${path}`, file.message);
      // On the whole text: a key over several lines is not detected line by line.
      const lines = textForModel(file.text, redact).split("\n");
      if (lines.at(-1) === "") lines.pop();
      if (from > lines.length) return refused(`Could not read ${path}`, `The file ends at line ${lines.length}.`);
      const to = Math.min(lines.length, from + limit - 1);
      const origins = await reader.blame({ commit, path, from, to });
      const commits = await Promise.all([...new Set(origins.values())].map((id) => reader.commit(id)));
      const shown = lines.slice(from - 1, to).map((text, index) => {
        const origin = origins.get(from + index) ?? "";
        return `${origin.slice(0, 10)} ${from + index}| ${cutText(text, 1_000)}`;
      });
      return done(`Blamed ${path}, lines ${from} to ${to} (${reader.title})`, {
        path,
        lines: shown.join("\n"),
        commits: commits.map(shortOf(redact)),
      });
    },
  });
  return [log, show, blame];
}

const diffTool = ({ prefix, noun, tool }: Scope): Tool =>
  tool({
    name: `${prefix}_diff`,
    description: `Compares two revisions of ${noun}: the files that differ and the diff as far as there is room. Narrow it with a path.`,
    shape: {
      base: z.string().min(1).max(200).describe("Tag or commit to compare with"),
      revision: Revision.optional(),
      path: Path.optional().describe("File, folder or pattern"),
    },
    async run({ base: from, revision, path }, reader, { redact, maxResultCharacters }) {
      const base = await reader.resolve(from);
      const head = await reader.resolve(revision ?? null);
      const maxCharacters = patchRoom(maxResultCharacters);
      const found = await diffSource(reader, { base, head, isWanted: createGlob(path ?? ""), maxCharacters, redact });
      const files = count(found.files.length + found.moreFiles, "file");
      return done(`Compared ${files} of ${reader.title}`, { base, head, ...found });
    },
  });
