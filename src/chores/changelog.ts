import { newlineOf } from "./edits/navigation/written-lines.ts";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { markdownFormat } from "#docs/parser.ts";
import type { HistoryEntry } from "#tools/history.ts";
import { count } from "#tools/outcome.ts";
import { SourceName } from "#tools/sources/source-tool.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { escapeMdx } from "./edits/markdown-text.ts";
import { editText } from "./edits/page-edits.ts";
import { resolvePage, Name } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const Input = z.strictObject({
  page: Name.optional().describe("The changelog page; found by its name when absent"),
  version: z.string().trim().min(1).max(60).optional().describe("Heading of the entry; the date when absent"),
  since: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Tag or commit before the first change; the last tag when absent"),
  source: SourceName.optional().describe("Name of a source to take the commits of; the docs themselves when absent"),
});
type Input = z.infer<typeof Input>;

const MAX_COMMITS = 500;
const MAX_LINES = 200;
// https://www.conventionalcommits.org/en/v1.0.0/ : types that do not matter to readers of a changelog.
const INTERNAL = /^(?:chore|ci|build|test|tests|style|refactor|revert|wip)(?:\([^)]*\))?!?:/i;
const TYPED = /^(feat|feature|fix|docs|perf|security)(?:\([^)]*\))?(!)?:\s*/i;
const GROUPS: readonly { title: string; types: RegExp | null }[] = [
  { title: "Added", types: /^feat/i },
  { title: "Fixed", types: /^(?:fix|security)/i },
  { title: "Changed", types: /^perf/i },
  { title: "Documentation", types: /^docs/i },
];

export const changelogTool = choreTool({
  name: "changelog_from_history",
  description:
    "Adds an entry to the changelog made of the subjects of commits since a tag: grouped when they are conventional " +
    "commits, merges and internal ones left out. The subjects are used unchanged.",
  input: Input,
  mutates: true,
  readsMore: () => true,
  run: addEntry,
});

async function addEntry(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  const page = input.page === undefined ? findChangelog([...docs.pages.values()]) : resolvePage(docs, input.page);
  const parsed = await workspace.page(page.path);
  if (parsed === null) throw new AppError("invalid", `${page.path} does not parse, so nothing can be added.`);
  const { text, root } = parsed;

  const all = await workspace.history({ since: input.since ?? null, limit: MAX_COMMITS }, input.source);
  const commits = input.since === undefined ? sinceLastTag(all) : all;
  const shown = commits.filter(({ subject }) => !/^Merge\b/.test(subject) && !INTERNAL.test(subject));
  const newest = commits[0];
  if (shown.length === 0 || newest === undefined) {
    return { summary: `Found no change to report since ${input.since ?? "the last tag"}`, notes: [] };
  }
  const date = newest.authoredAt.toISOString().slice(0, 10);
  const title = input.version ?? date;
  const updates = root.children.filter((node) => node.type === "mdxJsxFlowElement" && node.name === "Update");
  const headings = root.children.filter((node) => node.type === "heading" && node.depth === 2);
  const known =
    text.includes(`label="${title}"`) ||
    headings.some((node) => text.slice(node.position?.start.offset, node.position?.end.offset).includes(title));
  if (known) throw new AppError("conflict", `${page.path} has an entry for ${title} already.`);

  const escape = markdownFormat(page.path) === "mdx" ? escapeMdx : (line: string) => line.replaceAll(/[<]/g, "\\$&");
  const list = entryLines(shown.slice(0, MAX_LINES), escape, updates.length > 0 || headings.length > 0);
  const entry =
    updates.length > 0
      ? `<Update label="${title.replaceAll('"', "&quot;")}" description="${date}">\n${list.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n</Update>\n\n`
      : `## ${input.version === undefined ? date : `${title} (${date})`}\n\n${list.join("\n")}\n\n`;
  const at = [...updates, ...headings].map((node) => node.position?.start.offset ?? 0).toSorted((a, b) => a - b)[0];
  const newline = newlineOf(text);
  const written = entry.replaceAll("\n", newline);
  const edit =
    at === undefined
      ? { start: text.trimEnd().length, end: text.length, text: `${newline}${newline}${written.trimEnd()}${newline}` }
      : { start: at, end: at, text: written };
  await workspace.write(page.path, editText(text, [edit]));
  const notes = [
    `From ${count(commits.length, "commit")}, ${commits.length - shown.length} of them internal or merges.`,
  ];
  if (commits.length === MAX_COMMITS)
    notes.push(`Only the newest ${MAX_COMMITS} commits were read. Name the tag of the last release to have fewer.`);
  if (shown.length > MAX_LINES) notes.push(`${shown.length - MAX_LINES} older ones were left out.`);
  return {
    summary: `Added ${count(list.filter((line) => line.startsWith("- ")).length, "change")} to ${page.path} under “${title}”`,
    notes,
  };
}

function findChangelog<P extends { path: string; title: string }>(pages: readonly P[]): P {
  const found = pages.filter((page) =>
    /(?:^|\/)(?:changelog|release[-_]?notes|releases|whats[-_]new)(?:\/index)?\.\w+$/i.test(page.path),
  );
  const [page, second] = found;
  if (page && !second) return page;
  throw new AppError(
    page ? "invalid" : "not_found",
    page
      ? `There are several changelogs: ${found.map((each) => each.path).join(", ")}. Name the one.`
      : "There is no changelog page. Name the page to add to.",
  );
}

/** History is newest first: the commits after the last tagged one, or all of them. */
function sinceLastTag(commits: readonly HistoryEntry[]): HistoryEntry[] {
  const at = commits.findIndex((commit, index) => commit.tags.length > 0 && index > 0);
  return commits.slice(0, at === -1 ? undefined : at);
}

function entryLines(commits: readonly HistoryEntry[], escape: (line: string) => string, isGrouped: boolean): string[] {
  const lineOf = ({ subject }: HistoryEntry) => {
    const breaking = TYPED.exec(subject)?.[2] === "!" ? "**Breaking:** " : "";
    const bare = subject.replace(TYPED, "").trim();
    return `- ${breaking}${escape(bare.charAt(0).toUpperCase() + bare.slice(1))}`;
  };
  const typed = commits.filter(({ subject }) => TYPED.test(subject));
  if (!isGrouped || typed.length * 2 < commits.length) return [...new Set(commits.map(lineOf))];
  const lines: string[] = [];
  const rest = commits.filter(({ subject }) => !GROUPS.some(({ types }) => types?.test(subject)));
  for (const { title, types } of GROUPS) {
    const own = [...commits.filter(({ subject }) => types?.test(subject)), ...(title === "Changed" ? rest : [])];
    if (own.length > 0) lines.push(...(lines.length > 0 ? [""] : []), `**${title}**`, "", ...new Set(own.map(lineOf)));
  }
  return lines;
}
