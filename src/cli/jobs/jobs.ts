import { readFile } from "node:fs/promises";
import { imageTypeOf } from "#features/jobs/attachments.ts";
import type { Schemas } from "#client/client.ts";
import type { AgentJob, AgentJobStatus, NewAgentJob } from "#client/answers.ts";
import { JOB_WAITS, noteWithoutServer, ONE_PROJECT, onJob, onProject, runAction } from "#cli/command/action.ts";
import { type Command, UsageError, wholeNumber } from "#cli/command/command.ts";
import type { Docent } from "#cli/command/docent.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";
import { eventLine, jobsTable, jobText } from "./job-text.ts";

const STATUSES: readonly AgentJobStatus[] = ["active", "completed", "failed", "archived"];
const ONE_JOB = { min: 1, max: 1, names: "one JOB" };

export const jobs: Command = {
  usage: `docent jobs create PROJECT "PROMPT" [--wait] [--model M] [--ref BRANCH] [--title T] [--draft] [--effort E] [--image FILE]... [--dry-run]
docent jobs list PROJECT [--status S]... [--limit N]
docent jobs show JOB
docent jobs watch JOB [--after SEQ]
docent jobs message JOB "PROMPT" [--wait] [--effort E] [--image FILE]...
docent jobs retry JOB [--wait]
docent jobs diff JOB
docent jobs merge JOB
docent jobs close JOB
docent jobs cancel JOB [--keep-work]

The server (\`docent serve\`) runs the jobs. --wait and watch follow a job until it ends and exit with status 1 if it failed. message
sends a follow-up for the same pull request. retry sends the last message again if it failed. diff prints a patch for \`git apply\`. merge
and close end the job's pull request. At a server (\`docent help places\`), JOB belongs to the project of the login, or to --project.

Options
  --wait         follow the job until it completes or fails
  --model M      model to use, such as docent/builtin-rules
  --ref BRANCH   branch to start from (default: the project's)
  --title T      title of the job and its pull request
  --draft        open the pull request as a draft
  --effort E     low, medium or high: how long the model thinks, in this and later messages
  --image FILE   PNG, JPEG, WebP or GIF image for the model; can be given up to 5 times
  --dry-run      show what would change, and publish nothing
  --status S     only jobs with this status: ${STATUSES.join(", ")}; can be repeated
  --limit N      jobs to show, 1 to 1000 (default 20)
  --after SEQ    watch only events after this one of the transcript
  --keep-work    publish the agent's work so far as a draft
  --json         one JSON object, as in the API (list: an array); watch prints one object per line, for each event of
                 the transcript and then the job; diff prints the changed files

Example
  docent jobs create harbor-docs 'Replace "Harbor Cloud" with "Harbor Platform".' --wait`,
  run: (args, io) => runAction("jobs", ACTIONS, args, io),
};

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

const ACTIONS = {
  create: onProject(
    { min: 2, max: 2, names: 'PROJECT and "PROMPT" (in quotes)' },
    { wait: flag, model: text, ref: text, title: text, draft: flag, effort: text, image: texts, "dry-run": flag },
    ({ words: [, prompt], values, io }) => {
      const { model, ref, title, draft, effort, "dry-run": dryRun, json: asJson } = values;
      const asked = { model, ref, title, draft, effort, dryRun };
      const said = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
      return async (docent) => {
        const attachments = await attachmentsIn(values.image);
        const job = await docent.call("createAgentJob", { body: { ...said, ...attachments, prompt: prompt! } });
        noteWithoutServer(docent, io, JOB_WAITS);
        return outcomeOf(values.wait ? await ended(docent, job, { after: 0, asJson, io }) : job);
      };
    },
  ),
  list: onProject(ONE_PROJECT, { status: texts, limit: text }, ({ values }) => {
    const status = (values.status ?? []).map(readStatus);
    const limit = wholeNumber("--limit", values.limit ?? "20", 1, 1_000);
    return async ({ all }) => {
      const found = await all("listAgentJobs", { query: { status } }, limit);
      return { json: found, text: found.length === 0 ? "No jobs." : jobsTable(found) };
    };
  }),
  show: onJob(ONE_JOB, {}, ({ words: [id] }) => async ({ call, all }) => {
    const { json, text: facts } = outcomeOf(await call("getAgentJob", { id: id! }));
    const events = (await all("listAgentJobEvents", { id: id! })).filter(({ type }) => type.startsWith("subtask"));
    return { json, text: [facts, ...events.map(eventLine)].join("\n") };
  }),
  watch: onJob(ONE_JOB, { after: text }, ({ words: [id], values, io }) => {
    const after = values.after === undefined ? 0 : wholeNumber("--after", values.after, 0, 999_999_999);
    return async (docent) => {
      const job = await docent.call("getAgentJob", { id: id! });
      if (job.status === "active") noteWithoutServer(docent, io, JOB_WAITS);
      for await (const event of docent.follow(id!, after)) {
        const line = values.json ? JSON.stringify(event) : eventLine(event);
        if (line) writeLine(io.stdout, line);
      }
      if (!values.json) writeLine(io.stdout);
      return outcomeOf(await atRest(docent, job));
    };
  }),
  message: onJob(
    { min: 2, max: 2, names: 'JOB and "PROMPT" (in quotes)' },
    { wait: flag, effort: text, image: texts },
    ({ words: [id, prompt], values, io }) =>
      async (docent) => {
        const after = values.wait ? await lastEvent(docent, id!) : 0;
        const { effort } = values;
        const body = {
          prompt: prompt!,
          ...(await attachmentsIn(values.image)),
          ...(effort !== undefined && { effort: effort as NonNullable<Schemas["AgentMessage"]["effort"]> }),
        };
        const job = await docent.call("sendAgentMessage", { id: id!, body });
        noteWithoutServer(docent, io, JOB_WAITS);
        return outcomeOf(values.wait ? await ended(docent, job, { after, asJson: values.json, io }) : job);
      },
  ),
  retry: onJob(ONE_JOB, { wait: flag }, ({ words: [id], values, io }) => async (docent) => {
    const after = values.wait ? await lastEvent(docent, id!) : 0;
    const job = await docent.call("retryAgentJob", { id: id! });
    noteWithoutServer(docent, io, JOB_WAITS);
    return outcomeOf(values.wait ? await ended(docent, job, { after, asJson: values.json, io }) : job);
  }),
  diff: onJob(ONE_JOB, {}, ({ words: [id], values, io }) => async (docent) => {
    if (values.json) return { json: await docent.call("getAgentJobDiff", { id: id! }), text: "" };
    const patch = await docent.text("getAgentJobDiff", { id: id!, accept: "text/x-diff" });
    // `git apply` gets the raw patch; a terminal gets a printable one.
    if (patch === "") writeLine(io.stderr, "The job has changed nothing.");
    else if (process.stdout.isTTY) writeLine(io.stdout, patch.replace(/\n$/, ""));
    else io.stdout(patch);
    return undefined;
  }),
  merge: onJob(ONE_JOB, {}, ({ words: [id] }) => async ({ call }) => {
    const job = await call("mergeAgentJob", { id: id! });
    return { json: job, text: `Merged ${job.pullRequest?.url ?? job.id}` };
  }),
  close: onJob(ONE_JOB, {}, ({ words: [id] }) => async ({ call }) => {
    const job = await call("closeAgentJob", { id: id! });
    return { json: job, text: `Closed ${job.pullRequest?.url ?? job.id}` };
  }),
  cancel: onJob(ONE_JOB, { "keep-work": flag }, ({ words: [id], values }) => async ({ call }) => {
    const keepWork = values["keep-work"] ?? false;
    const job = await call("cancelAgentJob", { id: id!, ...(keepWork && { body: { keepWork } }) });
    return { json: job, text: job.status === "active" ? `${job.id} ends within seconds.` : `${job.id} is cancelled.` };
  }),
};

/** Reads the files of `--image` in the format of the API. */
async function attachmentsIn(paths: readonly string[] | undefined): Promise<Pick<NewAgentJob, "attachments">> {
  if (paths === undefined) return {};
  const attachments = paths.map(async (path) => {
    const content = await readFile(path).catch((error: unknown) => {
      throw new UsageError(`--image: ${error instanceof Error ? error.message : path}`);
    });
    const mediaType = imageTypeOf(content);
    if (mediaType === null) throw new UsageError(`--image: ${path} is not a PNG, JPEG, WebP or GIF image.`);
    return { mediaType, data: content.toString("base64") };
  });
  return { attachments: await Promise.all(attachments) };
}

function readStatus(text: string): AgentJobStatus {
  const status = STATUSES.find((one) => one === text);
  if (status) return status;
  throw new UsageError(`--status takes ${STATUSES.join(", ")}, not "${text}".`);
}

export const outcomeOf = (job: AgentJob) => ({ json: job, text: jobText(job) });

/**
 * The last event of an inactive job, so that only later ones are shown; 0 for an active job, which is shown from the
 * start.
 */
export async function lastEvent(docent: Docent, id: string): Promise<number> {
  let last = 0;
  if ((await docent.call("getAgentJob", { id })).status === "active") return last;
  for await (const { seq } of docent.follow(id, 0)) last = seq;
  return last;
}

/** Follows a job until it is no longer active. */
export async function ended(
  docent: Docent,
  job: AgentJob,
  { after, asJson, io }: { after: number; asJson: boolean | undefined; io: CommandIo },
): Promise<AgentJob> {
  for await (const event of docent.follow(job.id, after)) {
    const line = eventLine(event);
    if (line && !asJson) writeLine(io.stderr, line);
  }
  return atRest(docent, job);
}

/** The job when it is no longer active. Exit status 1 if its last message failed or was refused. */
async function atRest({ call }: Docent, { id }: AgentJob): Promise<AgentJob> {
  const last = await call("getAgentJob", { id });
  if (last.lastMessage.error) process.exitCode = 1;
  return last;
}
