import { jobToJson } from "#http/job-json.ts";
import { NewJobBody } from "#http/schemas.ts";
import type { JobEvent } from "#jobs/events.ts";
import type { Job } from "#jobs/job.ts";
import { findAnyJob } from "#jobs/jobs.ts";
import { followJob } from "#jobs/stream.ts";
import { createJob } from "#jobs/requests/submit.ts";
import { eventToJson } from "#jobs/transcript.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId } from "#lib/ids.ts";
import { composeModels, composeSecrets } from "#compose/models.ts";
import { projectCatalogue } from "#projects/project-models.ts";
import { findProject, requireProject } from "#projects/projects.ts";
import { type Command, readArguments } from "./command.ts";
import { type CommandIo, printableLine, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openInstance, type OpenInstance, openVault, repositoryUrlOf } from "./open-instance.ts";

export const jobs: Command = {
  usage: `docent jobs create PROJECT "PROMPT" [--wait] [--model M] [--ref BRANCH] [--title T] [--draft] [--dry-run]
docent jobs show JOB
docent jobs watch JOB [--after SEQ]

A job runs in the server (\`docent serve\`); --wait and watch follow it to its end and exit with 1 if it fails.

Options
  --wait         follow the job until it is completed or failed
  --model M      model to use, for example docent/builtin-rules
  --ref BRANCH   branch to start from (default: the project's)
  --title T      title of the job and its pull request
  --draft        open the pull request as a draft
  --dry-run      tell what would change, and publish nothing
  --after SEQ    watch only what happens after this event of the transcript
  --data DIR     data directory (default ./data, or DOCENT_DATA)
  --json         the job as one JSON object on standard output, as the API shows it; with watch one object a line:
                 each event of the transcript, then the job

Example
  docent jobs create harbor-docs 'Replace "Harbor Cloud" with "Harbor Platform".' --wait`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "create") return create(rest, io);
    if (action === "show") return show(rest, io);
    if (action === "watch") return watch(rest, io);
    throw new AppError("invalid", "jobs takes `create`, `show` or `watch`.");
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
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const asked = NewJobBody.safeParse({
    prompt: positionals[1],
    model: values.model,
    ref: values.ref,
    title: values.title,
    draft: values.draft,
    dryRun: values["dry-run"],
  });
  if (!asked.success) {
    const [issue] = asked.error.issues;
    throw new AppError("invalid", `The ${issue?.path.join(".") ?? "job"} ${issue?.message ?? "is not valid"}.`);
  }
  const { prompt, model, ref, title, draft, dryRun } = asked.data;
  if (ref !== undefined && (await instance.repoStore.resolve(project.id, `refs/heads/${ref}`)) === null) {
    throw new AppError("invalid", `The repository has no branch "${ref}".`);
  }
  const vault = await openVault(instance);
  const models = projectCatalogue({ models: composeModels(instance.config), vault }, project);
  const { instance: ours, redactFor } = composeSecrets(instance.config, vault);
  const { job } = await createJob(
    {
      ...instance,
      redact: ours.redact,
      redactFor,
      agentCallsPerHour: instance.config.limits.agentCallsPerHour,
    },
    {
      projectId: project.id,
      prompt,
      model: models.resolve(model ?? project.settings.model ?? instance.config.jobs.defaultModel).name,
      baseRef: ref ?? project.branch,
      draft: draft ?? false,
      dryRun: dryRun ?? false,
      title: title ?? null,
    },
    null,
  );
  if (!instance.isServing) {
    writeLine(io.stderr, "No server runs on this data directory: the job waits until `docent serve` does.");
  }
  const show = (event: JobEvent) => {
    const line = eventLine(event);
    if (line && !values.json) writeLine(io.stderr, line);
  };
  const last = values.wait ? await follow(instance, { job, after: 0, signal: io.signal }, show) : job;
  await print(instance, last, io, values.json ?? false);
  if (values.wait && last.status === "failed") process.exitCode = 1;
}

async function show(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one JOB" });
  await using instance = await openInstance(values);
  await print(instance, await requireJob(instance, positionals[0]!), io, values.json ?? false);
}

async function requireJob(instance: OpenInstance, id: string): Promise<Job> {
  const job = await findAnyJob(instance, id as JobId);
  if (!job) throw new AppError("not_found", `There is no job "${id}".`);
  return job;
}

async function watch(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { after: { type: "string" } },
    { min: 1, max: 1, names: "one JOB" },
  );
  const after = values.after === undefined ? 0 : wholeNumber("--after", values.after, 0, 1_000_000_000);
  await using instance = await openInstance(values);
  const asJson = values.json ?? false;
  const job = await requireJob(instance, positionals[0]!);
  if (job.status === "active" && !instance.isServing) {
    writeLine(io.stderr, "No server runs on this data directory: the job waits until `docent serve` does.");
  }
  const last = await follow(instance, { job, after, signal: io.signal }, (event) => {
    const line = asJson ? JSON.stringify(eventToJson(event)) : eventLine(event);
    if (line) writeLine(io.stdout, line);
  });
  if (!asJson) writeLine(io.stdout);
  await print(instance, last, io, asJson);
  if (last.status === "failed") process.exitCode = 1;
}

async function follow(
  instance: OpenInstance,
  { job, after, signal }: { job: Job; after: number; signal: AbortSignal },
  onEvent: (event: JobEvent) => void,
): Promise<Job> {
  const isAllowed = () => Promise.resolve(true); // whoever has the data directory needs no key
  for await (const item of followJob(instance, { jobId: job.id, after, isAllowed, signal })) {
    if (item.kind === "events") item.events.forEach(onEvent);
  }
  signal.throwIfAborted();
  return requireJob(instance, job.id);
}

/** One line of a transcript for a terminal; null for what nobody needs to see there. */
export function eventLine(event: JobEvent): string | null {
  const data = Object.fromEntries(Object.entries(event.data).map(([name, value]) => [name, indented(value)]));
  switch (event.type) {
    case "turn.started":
      return `· works on ${String(data["branch"])}`;
    case "tool.finished":
      return `${data["ok"] === true ? "✓" : "✗"} ${String(data["tool"])}: ${String(data["summary"])}`;
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

async function print(instance: OpenInstance, job: Job, io: CommandIo, asJson: boolean): Promise<void> {
  const project = await findProject(instance, job.projectId);
  const body = jobToJson(job, project ? repositoryUrlOf(instance, project) : "");
  if (asJson) return writeLine(io.stdout, JSON.stringify(body));
  writeLine(io.stdout, `Job      ${body.id}`);
  writeLine(io.stdout, `Status   ${body.status}${body.status === "active" ? ` (${body.phase})` : ""}`);
  if (body.title) writeLine(io.stdout, `Title    ${printableLine(body.title)}`);
  if (body.source.ref) writeLine(io.stdout, `Branch   ${body.source.ref}`);
  if (body.prLink) writeLine(io.stdout, `Link     ${body.prLink}`);
  if (body.error)
    writeLine(
      io.stdout,
      `Error    ${body.error.code}: ${printableLine(body.error.message)}\n         ${printableLine(body.error.hint)}`,
    );
  if (body.previewLink) writeLine(io.stdout, `Preview  ${body.previewLink}`);
  if (body.summary) writeLine(io.stdout, `\n${String(indented(`  ${body.summary}`))}`);
}
