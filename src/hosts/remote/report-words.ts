import { backticksAround } from "#lib/backticks.ts";
import type { RemoteKind } from "#hosts/code-host.ts";
import { previewLine } from "#hosts/preview-line.ts";
import { answerMark } from "./addressed.ts";

/** A problem that a pull request would add. */
export interface PullRequestProblem {
  severity: "error" | "warning";
  path: string;
  /** From 1; null where no line is known. */
  line: number | null;
  message: string;
}

/** The problems in the docs of a pull request. */
export interface PullRequestReport {
  /** "12 pages, 1 error, 3 warnings" */
  summary: string;
  /** Problems that its base does not have, errors first. */
  added: readonly PullRequestProblem[];
  /** The page with the whole report. */
  href: string;
}

const MARK = answerMark("preview");
const MAX_FINDINGS = 20;
const MAX_MESSAGE_LENGTH = 300;
const MAX_PATH_LENGTH = 200;

/** The comment with a pull request's preview; `check` is added when the report is ready. */
export const previewComment = (address: string, check: string | null = null) =>
  [previewLine(address), ...(check === null ? [] : [check]), MARK].join("\n\n");

/** Whether a comment belongs to this preview, with a report or without. Hosts change line ends and trailing space. */
export function isPreviewComment(body: string, address: string): boolean {
  const text = body.replaceAll("\r\n", "\n").trim();
  return text.startsWith(`${previewLine(address)}\n`) && text.endsWith(MARK);
}

/** The report in the hosts' Markdown: new problems first, with links to the lines of the commit. */
export function reportMarkdown(
  { summary, added, href }: PullRequestReport,
  place: { kind: RemoteKind; url: string; commit: string },
): string {
  const heading = `**Check:** ${summary}. [All problems](${href})`;
  if (added.length === 0) return `${heading}\n\nThis pull request adds none.`;
  const listed = added.slice(0, MAX_FINDINGS);
  const items = listed.map((finding) => `- **${finding.severity}** ${placeLink(finding, place)} ${code(finding.message, MAX_MESSAGE_LENGTH)}`); // oxfmt-ignore
  const more = added.length - listed.length;
  return [
    heading,
    `New with this pull request:`,
    items.join("\n"),
    ...(more > 0 ? [`And ${more.toLocaleString("en")} more.`] : []),
  ].join("\n\n");
}

/**
 * The path between a repository's address and the commit on a host's page of a file, and the anchor that selects lines.
 */
const VIEWERS: Readonly<Record<RemoteKind, { place: string; query: string }>> = {
  github: { place: "blob", query: "?plain=1" },
  gitlab: { place: "-/blob", query: "?plain=1" },
  gitea: { place: "src/commit", query: "?display=source" },
  forgejo: { place: "src/commit", query: "?display=source" },
};

function placeLink(
  { path, line }: PullRequestProblem,
  { kind, url, commit }: { kind: RemoteKind; url: string; commit: string },
) {
  const label = code(line === null ? path : `${path}:${line}`, MAX_PATH_LENGTH);
  const { place, query } = VIEWERS[kind];
  const file = path.toWellFormed().split("/").map(encoded).join("/");
  const root = url.replace(/\/$/, "").replace(/\.git$/, "");
  return `[${label}](${root}/${place}/${commit}/${file}${query}${line === null ? "" : `#L${line}`})`;
}

/** Brackets would end the address. */
const encoded = (part: string) =>
  encodeURIComponent(part).replaceAll(/[()!'*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Text of strangers as a code span, in which no host interprets anything: no mention, image, reference, HTML or
 * command. A span ends at as many backticks as it began with, so it begins with more than the text has in a row.
 */
function code(text: string, maxLength: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const shown = (line.length > maxLength ? `${line.slice(0, maxLength)}…` : line).toWellFormed();
  const marks = backticksAround(shown, 1);
  return `${marks} ${shown || "?"} ${marks}`;
}
