import { z } from "zod";
import { type CommitInfo, EMPTY_TREE } from "#git/objects/objects.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
import { cutText } from "#lib/cut-text.ts";
import { textForModel } from "#tools/model-view.ts";
import type { Tool } from "#tools/tool.ts";
import { createGlob } from "#tools/glob.ts";
import { count, done, refused } from "#tools/outcome.ts";
import { readTextFile } from "#tools/text-file.ts";
import { diffSource } from "./source-diff.ts";
import { Revision, SourceName, sourceTool } from "./source-tool.ts";

const MAX_PATCH_CHARACTERS = 60_000;
const MAX_MESSAGE_CHARACTERS = 4_000;
/** For all that stands around a patch. */
const ROOM_AROUND_PATCH = 20_000;
const MAX_BLAMED_LINES = 200;

const Path = z.string().min(1).max(1_000);
const Since = z.string().min(1).max(200).describe("Tag or commit before the first one wanted");

const patchRoom = (maxCharacters = Infinity) =>
  Math.max(2_000, Math.min(MAX_PATCH_CHARACTERS, Math.floor((maxCharacters - ROOM_AROUND_PATCH) / 2)));

/** A commit as the model gets it. Cut last: half a credential is not found. */
const shortOf =
  (redact: Redact) =>
  ({ id, subject, author, authoredAt }: CommitInfo) => ({
    commit: id,
    at: authoredAt.toISOString(),
    author: textForModel(author.name, redact),
    subject: cutText(textForModel(subject, redact), 300),
  });

/** What was changed in a source, when and by whom. */
export function sourceHistoryTools(): Tool[] {
  const log = sourceTool({
    name: "source_log",
    description: "Lists commits of a source, newest first: all, since a tag or commit, or those of one file or folder.",
    input: z.strictObject({
      source: SourceName,
      revision: Revision.optional(),
      since: Since.optional(),
      path: Path.optional().describe("File or folder"),
      limit: z.int().min(1).max(200).default(50),
    }),
    async run({ revision, since, path = null, limit }, source, { redact }) {
      const head = await source.resolve(revision ?? null);
      const base = since === undefined ? null : await source.resolve(since);
      const commits = await source.log({ base, head, path, limit });
      return done(`Listed ${count(commits.length, "commit")} of source ${source.name}`, {
        source: source.name,
        commits: commits.map(shortOf(redact)),
        more: commits.length === limit,
      });
    },
  });
  const show = sourceTool({
    name: "source_show",
    description:
      "Shows one commit of a source: its message, the files that it changed, and its diff as far as there is room.",
    input: z.strictObject({
      source: SourceName,
      commit: z.string().min(1).max(200).describe("Commit id, the start of one, or a tag"),
      path: Path.optional().describe("File, folder or pattern to show the diff of"),
    }),
    async run({ commit, path }, source, { redact, maxResultCharacters }) {
      const shown = await source.commit(await source.resolve(commit));
      const diff = await diffSource(source, {
        base: shown.parents[0] ?? EMPTY_TREE,
        head: shown.id,
        isWanted: createGlob(path ?? ""),
        maxCharacters: patchRoom(maxResultCharacters),
        redact,
      });
      return done(`Showed commit ${shown.id.slice(0, 10)} of source ${source.name}`, {
        source: source.name,
        ...shortOf(redact)(shown),
        message: cutText(textForModel(shown.body, redact), MAX_MESSAGE_CHARACTERS),
        ...diff,
      });
    },
  });
  const diff = sourceTool({
    name: "source_diff",
    description:
      "Compares two revisions of a source: the files that differ and the diff as far as there is room. Narrow it with a path.",
    input: z.strictObject({
      source: SourceName,
      base: z.string().min(1).max(200).describe("Tag or commit to compare with"),
      revision: Revision.optional(),
      path: Path.optional().describe("File, folder or pattern"),
    }),
    async run({ base: from, revision, path }, source, { redact, maxResultCharacters }) {
      const base = await source.resolve(from);
      const head = await source.resolve(revision ?? null);
      const maxCharacters = patchRoom(maxResultCharacters);
      const found = await diffSource(source, { base, head, isWanted: createGlob(path ?? ""), maxCharacters, redact });
      const files = count(found.files.length + found.moreFiles, "file");
      return done(`Compared ${files} of source ${source.name}`, { source: source.name, base, head, ...found });
    },
  });
  const blame = sourceTool({
    name: "source_blame",
    description: `Says for up to ${MAX_BLAMED_LINES} lines of a file of a source which commit each comes from.`,
    input: z.strictObject({
      source: SourceName,
      revision: Revision.optional(),
      path: Path,
      from: z.int().min(1).default(1).describe("First line, from 1"),
      limit: z.int().min(1).max(MAX_BLAMED_LINES).default(100).describe("Number of lines"),
    }),
    async run({ revision, path, from, limit }, source, { redact }) {
      const commit = await source.resolve(revision ?? null);
      const file = await readTextFile(source.files(commit), path);
      if (!file.ok) return refused(`Could not read ${path}`, file.message);
      // As a whole: a key over several lines is none line by line.
      const lines = textForModel(file.text, redact).split("\n");
      if (lines.at(-1) === "") lines.pop();
      if (from > lines.length) return refused(`Could not read ${path}`, `The file ends at line ${lines.length}.`);
      const to = Math.min(lines.length, from + limit - 1);
      const origins = await source.blame({ commit, path, from, to });
      const commits = await Promise.all([...new Set(origins.values())].map((id) => source.commit(id)));
      const shown = lines.slice(from - 1, to).map((text, index) => {
        const origin = origins.get(from + index) ?? "";
        return `${origin.slice(0, 10)} ${from + index}| ${cutText(text, 1_000)}`;
      });
      return done(`Blamed ${path}, lines ${from} to ${to} (source ${source.name})`, {
        source: source.name,
        path,
        lines: shown.join("\n"),
        commits: commits.map(shortOf(redact)),
      });
    },
  });
  return [log, show, diff, blame];
}
