import type { AgentJob } from "#client/answers.ts";
import { type CommandIo, printableLine, table, writeLine } from "./io.ts";

/** A job for a person. */
export function writeJob(io: CommandIo, job: AgentJob): void {
  const say = (line: string) => writeLine(io.stdout, line);
  say(`Job      ${job.id}`);
  say(`Status   ${job.status}${job.status === "active" ? ` (${job.phase})` : ""}`);
  if (job.title) say(`Title    ${printableLine(job.title)}`);
  if (job.source.ref) say(`Branch   ${job.source.ref}`);
  if (job.prLink) say(`Link     ${job.prLink}`);
  const trouble = job.error ?? job.lastMessage.error;
  if (trouble) {
    const { code, message, hint } = trouble;
    say(
      `${job.error ? "Error    " : "Refused  "}${code}: ${String(indented(message))}\n         ${String(indented(hint))}`,
    );
  }
  if (job.previewLink) say(`Preview  ${job.previewLink}`);
  if (job.summary) say(`\n${String(indented(`  ${job.summary}`))}`);
}

/** Jobs as a table. */
export const jobsTable = (jobs: readonly AgentJob[]): string =>
  table(
    ["ID", "CREATED", "STATUS", "PULL REQUEST", "TITLE"],
    jobs.map(({ id, createdAt, status, phase, pullRequest, title }) => [
      id,
      createdAt,
      status === "active" ? phase : status,
      pullRequest ? `#${pullRequest.number} ${pullRequest.state}` : "",
      title ?? "",
    ]),
  );

/** One line of a transcript for a terminal; null for what nobody needs to see there. */
export function eventLine(event: { type: string; data: object }): string | null {
  const data = Object.fromEntries(Object.entries(event.data).map(([name, value]) => [name, indented(value)]));
  switch (event.type) {
    case "turn.started":
      return `· works on ${String(data["branch"])}`;
    case "tool.finished":
      return [
        `${data["ok"] === true ? "✓" : "✗"} ${String(data["tool"])}: ${String(data["summary"])}`,
        ...(typeof data["reason"] === "string" ? [`  ${data["reason"]}`] : []),
      ].join("\n");
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

/** Further lines stand further in, so that no text passes for the next event. */
const indented = (value: unknown): unknown => (typeof value === "string" ? value.replace(/\r?\n/g, "\n  ") : value);
