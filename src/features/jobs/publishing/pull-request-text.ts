import { inertText, cleanText } from "#agent/finish-text.ts";
import { cutText } from "#lib/cut-text.ts";
import { trimEndOf, trimStartOf, withoutClosingMarks } from "#lib/trim.ts";
import type { Identity } from "#git/objects/objects.ts";
import type { Job } from "#features/jobs/job.ts";
import { moreLine } from "./pull-request-sections.ts";
import type { DescribedTurn } from "#features/jobs/turn/turn-history.ts";
import type { FileReason } from "#tools/tool.ts";

const MAX_TITLE_LENGTH = 72;
const MAX_QUOTED_LENGTH = 4_000;
const MAX_FILE_REASONS = 30;
/** GitHub accepts 65,536 characters; this leaves room for a template. */
const MAX_BODY_LENGTH = 60_000;

export interface AgentCommit {
  title: string;
  summary: string;
  /** The person who requested it, named as co-author. */
  askedBy?: Identity | null;
}

/** First line, summary, and the trailers by which a replayed turn recognizes its own commit. */
export function commitMessage(commit: AgentCommit, options: { jobId: string; turn: number }): string {
  const body = commit.summary.trim() === "" ? "" : `${neutralTrailers(commit.summary.trim())}\n\n`;
  const { askedBy = null } = commit;
  // Hosts show co-authors with their own accounts.
  const coAuthor = askedBy === null ? "" : `Co-authored-by: ${trailerName(askedBy.name)} <${askedBy.email}>\n`;
  return `${titleLine(commit.title)}\n\n${body}Docent-Job: ${options.jobId}\nDocent-Turn: ${options.turn}\n${coAuthor}`;
}

/** One line of at most 72 characters. */
export function titleLine(title: string): string {
  const line = title.replace(/\s+/g, " ").trim() || "Update the documentation";
  return line.length > MAX_TITLE_LENGTH ? `${cutText(line, MAX_TITLE_LENGTH - 1).trimEnd()}…` : line;
}

/** A title that is inert at a code host. A title within the limit stays within it; a person's longer title is kept. */
export function publishedTitle(title: string): string {
  const inert = inertText(title);
  return title.length <= MAX_TITLE_LENGTH ? titleLine(inert) : inert;
}

const trailerName = (name: string) => name.replaceAll(/[<>\r\n]/g, "").trim();

// A summary must not be able to forge our trailers.
const neutralTrailers = (text: string) => text.replace(/^(Docent-(?:Job|Turn)):/gim, "$1 :");

/**
 * The pull request's description: first Docent's own facts, then each request with what the agent says it did. The agent's
 * words are quoted below Docent's, so that they cannot pass for Docent's.
 */
export function pullRequestBody(options: {
  job: Pick<Job, "id" | "model">;
  /** Newest last. */
  turns: readonly DescribedTurn[];
  sections: readonly string[];
  /** The page with the complete lists that are too long for a description. */
  reviewUrl: string;
  /** Removes credentials. */
  redact(text: string): string;
}): string {
  const { job, turns, redact } = options;
  const isRules = job.model === "docent/builtin-rules";
  const maker = isRules
    ? "Made by Docent's built-in rules (`docent/builtin-rules`), which are not a language model"
    : `Made by Docent with \`${job.model}\``;
  const speaker = isRules ? "**The built-in rules say:**" : `**The agent says**, and nobody has checked it:`;
  const parts = options.sections.filter((section) => section !== "");
  parts.push(`<sub>${maker}, in job \`${job.id}\`. Read the changes before you merge them.</sub>`);
  for (const [index, turn] of turns.entries()) {
    parts.push(turns.length === 1 ? "### Request" : `### Request ${index + 1}`);
    parts.push(quoted(turn.prompt, redact));
    parts.push(speaker, turn.summary.trim() === "" ? "> Nothing." : saidInTurn(turn.summary, options));
    if (turn.files !== undefined && turn.files.length > 0) parts.push(fileReasons(turn.files, options));
  }
  const body = parts.join("\n\n");
  return body.length > MAX_BODY_LENGTH
    ? `${cutText(body, MAX_BODY_LENGTH)}\n\n… (shortened: [see all](${options.reviewUrl}))`
    : body;
}

/** The agent's reason for each file, quoted like its other words. */
function fileReasons(
  files: readonly FileReason[],
  { redact, reviewUrl }: { redact(text: string): string; reviewUrl: string },
): string {
  const line = ({ path, why }: FileReason) =>
    quoted(`- \`${path.replaceAll("`", "")}\`: ${withoutHeadings(why)}`, redact);
  const more = files.length - MAX_FILE_REASONS;
  const lines = files.slice(0, MAX_FILE_REASONS).map(line);
  if (more > 0) lines.push(`> ${moreLine(more, reviewUrl)}`);
  return ["> File by file:", ">", ...lines].join("\n");
}

/**
 * Turns the headings of a text into bold lines, so that a quotation has no headings that could pass for ours. Removes
 * lines that underline a heading or look like the end of the quotation.
 */
function withoutHeadings(text: string): string {
  return cleanText(text)
    .split("\n")
    .map((line) => (isRule(line) ? "" : withoutHeading(line)))
    .join("\n");
}

/** Whether a line underlines a heading or is a thematic break. */
function isRule(line: string): boolean {
  const marks = trimEndOf(trimStartOf(line, " \t>"), " \t");
  return /^(?:=+|-+)$/.test(marks) || /^[-*_]{3,}$/.test(marks.replace(/[ \t]+/g, ""));
}

function withoutHeading(line: string): string {
  const [, start = "", rest] = /^([ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)*)#{1,6}(.*)$/s.exec(line) ?? [];
  const words = rest === undefined ? null : withoutClosingMarks(rest);
  return words === null || /^[^ \t]/.test(words) ? line : bold(start, words);
}

const bold = (start: string, words: string) => {
  const bare = words.replace(/[*_]{2,}/g, "").trim();
  return bare === "" ? start : `${start}**${bare}**`;
};

/** The summary of a turn. A long one ends with a whole line, and with where the rest is. */
function saidInTurn(
  summary: string,
  { redact, reviewUrl }: { redact(text: string): string; reviewUrl: string },
): string {
  const text = redact(withoutHeadings(summary)).trim();
  const end = text.length > MAX_QUOTED_LENGTH ? text.lastIndexOf("\n", MAX_QUOTED_LENGTH) : -1;
  if (end === -1) return quoted(text, redact);
  const more = text
    .slice(end + 1)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
  return `${quoted(text.slice(0, end), redact)}\n> ${moreLine(more, reviewUrl)}`;
}

/** Quotes someone else's text so that it is inert and no link hides its target. */
function quoted(prompt: string, redact: (text: string) => string): string {
  const text = redact(cleanText(prompt)).trim();
  const cut = text.length > MAX_QUOTED_LENGTH ? `${cutText(text, MAX_QUOTED_LENGTH)}…` : text;
  return inertText(cut)
    .replace(/\](?=[(:[])/g, "]\u200b")
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
