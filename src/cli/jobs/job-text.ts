import type { AgentJob } from "#client/answers.ts";
import { printableLine, table } from "#cli/command/io.ts";
import { count } from "#tools/outcome.ts";

/** Formats a job. */
export function jobText(job: AgentJob): string {
  const trouble = job.error ?? job.lastMessage.error;
  const lines = [
    `Job      ${job.id}`,
    `Status   ${job.status}${job.status === "active" ? ` (${job.phase})` : ""}`,
    job.dryRun && "Dry run  publishes nothing",
    job.waitingFor &&
      `Waiting  for ${job.waitingFor.provider} since ${job.waitingFor.since}; asks again at ${job.waitingFor.retryAt}: ${indented(job.waitingFor.reason)}`,
    job.notice && `Notice   ${job.notice}`,
    job.title && `Title    ${printableLine(job.title)}`,
    job.source.ref && `Branch   ${job.source.ref}`,
    job.prLink && `Link     ${job.prLink}`,
    trouble && `${job.error ? "Error    " : "Refused  "}${trouble.code}: ${indented(trouble.message)}`,
    trouble && `         ${indented(trouble.hint)}`,
    ...suggestionLines(job.id, trouble),
    job.lastMessage.question && `Question ${indented(job.lastMessage.question)}`,
    job.previewLink && `Preview  ${job.previewLink}`,
    job.summary && `\n${indented(`  ${job.summary}`)}`,
  ];
  return lines.filter((line) => typeof line === "string").join("\n");
}

function suggestionLines(id: string, trouble: AgentJob["error"]): string[] {
  const suggestions = trouble?.suggestions ?? [];
  if (suggestions.length === 0) return [];
  const lines = suggestions.flatMap(({ title, files, places }) => [
    `  ${printableLine(title)} (${count(files, "file")}, ${count(places, "line")})`,
    `    docent jobs message ${id} ${quoted(title)} --wait`,
  ]);
  return ["", "What works without a language model:", ...lines];
}

/** Quotes a word for the shell. */
const quoted = (text: string): string => `'${printableLine(text).replaceAll("'", String.raw`'\''`)}'`;

/** Formats jobs as a table. */
export const jobsTable = (jobs: readonly AgentJob[]): string =>
  table(
    ["ID", "CREATED", "STATUS", "PULL REQUEST", "TITLE"],
    jobs.map(({ id, createdAt, status, phase, pullRequest, title, dryRun }) => [
      id,
      createdAt,
      status === "active" ? phase : status,
      pullRequest ? `#${pullRequest.number} ${pullRequest.state}` : dryRun ? "dry run" : "",
      title ?? "",
    ]),
  );

/** Formats an event of a transcript as one line; null for events that are of no use there. */
export function eventLine(event: { type: string; data: object }): string | null {
  const line = ownLine(event);
  const { subtask } = event.data as { subtask?: unknown };
  return line !== null && typeof subtask === "number" ? `[${subtask}] ${line}` : line;
}

function ownLine(event: { type: string; data: object }): string | null {
  const data = Object.fromEntries(
    Object.entries(event.data).map(([name, value]) => [name, typeof value === "string" ? indented(value) : value]),
  );
  switch (event.type) {
    case "turn.started":
      return `· works on ${String(data["branch"])}`;
    case "tool.finished":
      return [
        `${data["ok"] === true ? "✓" : "✗"} ${String(data["tool"])}: ${String(data["summary"])}`,
        ...(typeof data["reason"] === "string" ? [`  ${data["reason"]}`] : []),
      ].join("\n");
    case "plan.updated":
      return ["· plan", ...planLines(data["steps"])].join("\n");
    case "subtasks.started":
      return ["· sub-tasks", ...subtaskLines(data["subtasks"])].join("\n");
    case "subtask.finished":
      return `${endedSubtask(data)}\n  ${String(data["summary"])}`;
    case "notice":
      return `! ${String(data["text"])}`;
    case "message":
      return `» ${String(data["text"])}`;
    case "commit.pushed":
      return `· pushed ${String(data["commit"]).slice(0, 10)}`;
    case "pull_request.opened":
    case "pull_request.updated":
      return `· pull request ${String(data["url"])}`;
    case "pull_request.merged":
    case "pull_request.closed":
    case "pull_request.reopened":
      return `· pull request ${event.type.slice("pull_request.".length)}`;
    default:
      return null;
  }
}

const subtaskLines = (subtasks: unknown): string[] =>
  (Array.isArray(subtasks) ? (subtasks as { subtask?: unknown; title?: unknown; files?: unknown }[]) : []).map(
    ({ subtask, title, files }) =>
      `  ${String(subtask)}. ${indented(String(title))} (${indented(Array.isArray(files) ? files.join(", ") : "")})`,
  );

/** `✓ French: 3 files, 5 steps, 12000 tokens, $0.0100`. */
function endedSubtask(data: Record<string, unknown>): string {
  const number = (name: string) => (typeof data[name] === "number" ? data[name] : 0);
  const files = Array.isArray(data["changed"]) ? data["changed"].length : 0;
  const parts = [
    count(files, "file"),
    count(number("steps"), "step"),
    count(number("inputTokens") + number("outputTokens"), "token"),
    ...(number("costUsd") > 0 ? [`$${number("costUsd").toFixed(4)}`] : []),
  ];
  return `${data["ok"] === true ? "✓" : "✗"} ${String(data["title"])}: ${parts.join(", ")}`;
}

const PLAN_MARKS: Record<string, string> = { done: "✓", in_progress: "▸", dropped: "–" };

const planLines = (steps: unknown): string[] =>
  (Array.isArray(steps) ? (steps as { text?: unknown; state?: unknown }[]) : []).map(
    ({ text, state }) => `  ${PLAN_MARKS[String(state)] ?? "○"} ${indented(String(text))}`,
  );

/** Indents continuation lines, so that no text looks like the next event. */
const indented = (text: string): string => text.replace(/\r?\n/g, "\n  ");
