import type { AgentJob, AgentJobStatus, NewAgentJob } from "#client/answers.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { eventLine, jobsTable, writeJob } from "./job-text.ts";
import { wholeNumber } from "./numbers.ts";
import { openJobs } from "./open-places.ts";
import type { JobActions } from "./places/jobs.ts";
import { around } from "./progress.ts";

const STATUSES: readonly AgentJobStatus[] = ["active", "completed", "failed", "archived"];
const ONE_JOB = { min: 1, max: 1, names: "one JOB" };

export const jobs: Command = {
  usage: `docent jobs create PROJECT "PROMPT" [--wait] [--model M] [--ref BRANCH] [--title T] [--draft] [--dry-run]
docent jobs list PROJECT [--status S]... [--limit N]
docent jobs show JOB
docent jobs watch JOB [--after SEQ]
docent jobs message JOB "PROMPT" [--wait]
docent jobs diff JOB
docent jobs merge JOB
docent jobs close JOB
docent jobs cancel JOB [--keep-work]

A job runs in the server (\`docent serve\`); --wait and watch follow it to its end and exit with 1 if it fails. message
sends a follow-up, which lands on the same pull request. diff prints a patch for \`git apply\`. merge and close end the job's pull
request. At a server (\`docent help places\`) a JOB is one of the login's project; --project says another.

Options
  --wait         follow the job until it is completed or failed
  --model M      model to use, for example docent/builtin-rules
  --ref BRANCH   branch to start from (default: the project's)
  --title T      title of the job and its pull request
  --draft        open the pull request as a draft
  --dry-run      tell what would change, and publish nothing
  --status S     only jobs that are ${STATUSES.join(", ")}; may be repeated
  --limit N      jobs to show, 1 to 1000 (default 20)
  --after SEQ    watch only what happens after this event of the transcript
  --keep-work    publish what the agent has made so far as a draft
  --json         one JSON object, as the API shows it (list: an array); with watch one object a line: each event of
                 the transcript, then the job; with diff the changed files

Example
  docent jobs create harbor-docs 'Replace "Harbor Cloud" with "Harbor Platform".' --wait`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "create") return create(rest, io);
    if (action === "list") return list(rest, io);
    if (action === "show") return show(rest, io);
    if (action === "watch") return watch(rest, io);
    if (action === "message") return message(rest, io);
    if (action === "diff") return diff(rest, io);
    if (action === "merge") return merge(rest, io);
    if (action === "close") return close(rest, io);
    if (action === "cancel") return cancel(rest, io);
    throw new UsageError(
      "jobs takes `create`, `list`, `show`, `watch`, `message`, `diff`, `merge`, `close` or `cancel`.",
    );
  },
};

async function create(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    {
      wait: { type: "boolean" },
      model: { type: "string" },
      ref: { type: "string" },
      title: { type: "string" },
      draft: { type: "boolean" },
      "dry-run": { type: "boolean" },
    },
    { min: 2, max: 2, names: 'PROJECT and "PROMPT" (in quotes)' },
  );
  const { model, ref, title, draft, "dry-run": dryRun } = values;
  const asked = { prompt: positionals[1]!, model, ref, title, draft, dryRun };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  await using place = await openJobs(values, positionals[0]!, around(io));
  const job = await place.create(given as unknown as NewAgentJob);
  noteThatItWaits(place, io);
  await end(place, io, { job, isWaiting: values.wait ?? false, asJson: values.json ?? false, after: 0 });
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { status: { type: "string", multiple: true }, limit: { type: "string" } },
    { min: 1, max: 1, names: "one PROJECT" },
  );
  const statuses = (values.status ?? []).map(readStatus);
  const limit = wholeNumber("--limit", values.limit ?? "20", 1, 1_000);
  await using place = await openJobs(values, positionals[0]!, around(io));
  const found = await place.list({ statuses, limit });
  if (values.json) return writeLine(io.stdout, JSON.stringify(found));
  writeLine(io.stdout, found.length === 0 ? "No jobs." : jobsTable(found));
}

function readStatus(text: string): AgentJobStatus {
  const status = STATUSES.find((one) => one === text);
  if (status) return status;
  throw new UsageError(`--status takes ${STATUSES.join(", ")}, not "${text}".`);
}

async function show(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, ONE_JOB);
  await using place = await openJobs(values, null, around(io));
  print(await place.find(positionals[0]!), io, values.json ?? false);
}

async function watch(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, { after: { type: "string" } }, ONE_JOB);
  const after = values.after === undefined ? 0 : wholeNumber("--after", values.after, 0, 999_999_999);
  await using place = await openJobs(values, null, around(io));
  const asJson = values.json ?? false;
  const id = positionals[0]!;
  if ((await place.find(id)).status === "active") noteThatItWaits(place, io);
  for await (const event of place.follow(id, { after, signal: io.signal })) {
    const line = asJson ? JSON.stringify(event) : eventLine(event);
    if (line) writeLine(io.stdout, line);
  }
  if (!asJson) writeLine(io.stdout);
  const last = await place.find(id);
  print(last, io, asJson);
  if (last.lastMessage.error) process.exitCode = 1;
}

async function message(args: readonly string[], io: CommandIo): Promise<void> {
  const names = 'JOB and "PROMPT" (in quotes)';
  const { values, positionals } = readArguments(args, { wait: { type: "boolean" } }, { min: 2, max: 2, names });
  await using place = await openJobs(values, null, around(io));
  const after = values.wait ? await lastEvent(place, positionals[0]!, io) : 0;
  const job = await place.message(positionals[0]!, positionals[1]!);
  noteThatItWaits(place, io);
  await end(place, io, { job, isWaiting: values.wait ?? false, asJson: values.json ?? false, after });
}

/** Of a job at rest, so that only what follows is shown; 0 of an active one, which is shown whole. */
async function lastEvent(place: JobActions, id: string, io: CommandIo): Promise<number> {
  let last = 0;
  if ((await place.find(id)).status === "active") return last;
  for await (const { seq } of place.follow(id, { after: 0, signal: io.signal })) last = seq;
  return last;
}

async function diff(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, ONE_JOB);
  await using place = await openJobs(values, null, around(io));
  if (values.json) return writeLine(io.stdout, JSON.stringify(await place.changes(positionals[0]!)));
  const patch = await place.patch(positionals[0]!);
  if (patch === "") return writeLine(io.stderr, "The job has changed nothing.");
  // A patch is taken as it is by `git apply`; a terminal gets it printable.
  if (process.stdout.isTTY) writeLine(io.stdout, patch.replace(/\n$/, ""));
  else io.stdout(patch);
}

const merge = (args: readonly string[], io: CommandIo) => endPullRequest("merge", args, io);
const close = (args: readonly string[], io: CommandIo) => endPullRequest("close", args, io);

async function endPullRequest(how: "merge" | "close", args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, ONE_JOB);
  await using place = await openJobs(values, null, around(io));
  const job = await place[how](positionals[0]!);
  if (values.json) return writeLine(io.stdout, JSON.stringify(job));
  writeLine(io.stdout, `${how === "merge" ? "Merged" : "Closed"} ${job.pullRequest?.url ?? job.id}`);
}

async function cancel(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, { "keep-work": { type: "boolean" } }, ONE_JOB);
  await using place = await openJobs(values, null, around(io));
  const job = await place.cancel(positionals[0]!, { keepWork: values["keep-work"] ?? false });
  if (values.json) return writeLine(io.stdout, JSON.stringify(job));
  writeLine(io.stdout, job.status === "active" ? `${job.id} ends within seconds.` : `${job.id} is cancelled.`);
}

function noteThatItWaits({ isServing }: JobActions, io: CommandIo): void {
  if (isServing) return;
  writeLine(io.stderr, "No server runs on this data directory: the job waits until `docent serve` does.");
}

/** Prints a job, at its end when it is waited for; one whose last message failed or was refused ends with 1. */
async function end(
  place: JobActions,
  io: CommandIo,
  { job, isWaiting, asJson, after }: { job: AgentJob; isWaiting: boolean; asJson: boolean; after: number },
): Promise<void> {
  if (!isWaiting) return print(job, io, asJson);
  for await (const event of place.follow(job.id, { after, signal: io.signal })) {
    const line = eventLine(event);
    if (line && !asJson) writeLine(io.stderr, line);
  }
  const last = await place.find(job.id);
  print(last, io, asJson);
  if (last.lastMessage.error) process.exitCode = 1;
}

const print = (job: AgentJob, io: CommandIo, asJson: boolean): void =>
  asJson ? writeLine(io.stdout, JSON.stringify(job)) : writeJob(io, job);
