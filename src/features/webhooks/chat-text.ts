import type { Job } from "#features/jobs/job.ts";
import { jobNews, type NewsJob, pullRequestLine } from "#features/jobs/job-news.ts";
import { jobName } from "#features/jobs/job.ts";
import { chatLink, escapedForChat } from "#lib/chat-markup.ts";
import { oneLine } from "#lib/one-line.ts";
import { EVENT_WORDS } from "./messages.ts";

/** A longer text ends with an ellipsis; the job's page has all of it. */
const MAX_TEXT = 2_000;
const ENDS = ["job.completed", "job.failed", "message.refused"];
const WORDS: Readonly<Record<string, string>> = EVENT_WORDS;

/**
 * An event as a message in the format of Slack's incoming webhooks: `<address|words>` is a link there and in Mattermost,
 * Rocket.Chat and Google Chat. `job`: null for a test.
 */
export function chatText(
  type: string,
  {
    project,
    projectUrl,
    job,
    prompt,
  }: {
    project: string;
    projectUrl: string;
    job: (NewsJob & Pick<Job, "id" | "title">) | null;
    /** The first instruction, which names a job without a title. */
    prompt?: string | undefined;
  },
): string {
  if (job === null) return `*${plain(project)}*: This is a test message from Docent.`;
  const link = chatLink(`${projectUrl}/jobs/${job.id}`, oneLine(jobName(job, prompt)));
  const news = ENDS.includes(type) ? jobNews(job) : [pullRequestLine(job)];
  const text = news.filter((line) => typeof line === "string").join("\n");
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
  return [`*${plain(project)}*: ${WORDS[type] ?? type}: ${link}`, escapedForChat(shown)].join("\n").trim();
}

/** Escapes a text and puts it on one line. */
const plain = (text: string) => escapedForChat(oneLine(text));
