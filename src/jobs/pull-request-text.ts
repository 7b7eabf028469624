import { inertText, visibleText } from "#agent/finish-text.ts";
import { cutText } from "#lib/cut-text.ts";
import type { Job } from "./job.ts";

const MAX_TITLE_LENGTH = 72;
const MAX_QUOTED_PROMPT_LENGTH = 4_000;
/** GitHub takes 65,536 characters; leave room for what a template adds. */
const MAX_BODY_LENGTH = 60_000;

export interface AgentCommit {
  title: string;
  summary: string;
}

/** First line, summary, and the trailers by which a replayed turn recognises its own commit. */
export function commitMessage(commit: AgentCommit, options: { jobId: string; turn: number }): string {
  const body = commit.summary.trim() === "" ? "" : `${neutralTrailers(commit.summary.trim())}\n\n`;
  return `${titleLine(commit.title)}\n\n${body}Docent-Job: ${options.jobId}\nDocent-Turn: ${options.turn}\n`;
}

/** One line of at most 72 characters. */
export function titleLine(title: string): string {
  const line = title.replace(/\s+/g, " ").trim() || "Update the documentation";
  return line.length > MAX_TITLE_LENGTH ? `${cutText(line, MAX_TITLE_LENGTH - 1).trimEnd()}…` : line;
}

// A summary must not be able to forge our trailers.
const neutralTrailers = (text: string) => text.replace(/^(Docent-(?:Job|Turn)):/gim, "$1 :");

/** The pull request's description: what was done, at whose words, by which model. */
export function pullRequestBody(options: {
  job: Pick<Job, "id" | "model">;
  /** Newest last. */
  turns: readonly { prompt: string; summary: string }[];
  sections: readonly string[];
  /** Takes credentials out. */
  redact(text: string): string;
}): string {
  const parts: string[] = [];
  for (const [index, turn] of options.turns.entries()) {
    if (index > 0) parts.push("---");
    parts.push(turn.summary.trim() || "No summary was given.");
    parts.push(quoted(turn.prompt, options.redact));
  }
  parts.push(...options.sections.filter((section) => section !== ""));
  const maker =
    options.job.model === "docent/builtin-rules"
      ? "Made by Docent's built-in rules (`docent/builtin-rules`), which are not a language model"
      : `Made by Docent with \`${options.job.model}\``;
  parts.push(`<sub>${maker}, in job \`${options.job.id}\`. Read the changes before you merge them.</sub>`);
  const body = parts.join("\n\n");
  return body.length > MAX_BODY_LENGTH ? `${cutText(body, MAX_BODY_LENGTH)}\n\n… (shortened)` : body;
}

/** A prompt as a quotation that only says what was said: nothing in it acts, and no link hides where it leads. */
function quoted(prompt: string, redact: (text: string) => string): string {
  const text = redact(visibleText(prompt)).trim();
  const cut = text.length > MAX_QUOTED_PROMPT_LENGTH ? `${cutText(text, MAX_QUOTED_PROMPT_LENGTH)}…` : text;
  return inertText(cut)
    .replace(/\](?=[(:[])/g, "]\u200b")
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** `docent/<words of the prompt>-<end of the job's id>`, and `-2`, `-3` … for the branches after a merge. */
export function branchName(options: { jobId: string; prompt: string; attempt: number }): string {
  const words = options.prompt
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 32)
    .replace(/-+$/, "");
  const suffix = options.attempt > 1 ? `-${options.attempt}` : "";
  return `docent/${words === "" ? "job" : words}-${options.jobId.slice(-8)}${suffix}`;
}
