import { setTimeout as sleep } from "node:timers/promises";
import { automationToJson, runToJson } from "#http/routes/automations.ts";
import { Line, Prompt } from "#http/schemas.ts";
import { type AutomationRun, listRuns } from "#jobs/automations/automation-runs.ts";
import {
  type AutomationName,
  type AutomationTrigger,
  createAutomation,
  deleteAutomation,
  listAutomations,
  requestRun,
  requireAutomation,
} from "#jobs/automations/automations.ts";
import { AppError } from "#lib/app-error.ts";
import type { Project } from "#projects/project.ts";
import { requireProject } from "#projects/projects.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openInstance, type OpenInstance } from "./open-instance.ts";

const POLL_MS = 200;
const WAIT_MS = 10_000;

export const automations: Command = {
  usage: `docent automations create PROJECT NAME "PROMPT" [--cron "M H D M W" [--time-zone Z] | --push [--branch NAME] | --source NAME [--merged]]
docent automations list PROJECT
docent automations run PROJECT AUTOMATION
docent automations delete PROJECT AUTOMATION

An automation has one open pull request: while it is open, later runs add to it. Without --cron, --push or --source it
runs only when it is called, here or by the API. The server (\`docent serve\`) runs automations.

Options
  --cron "…"       minute, hour, day, month, weekday, for example "0 6 * * 1" for Mondays at six
  --time-zone Z    in which the schedule is read, for example Europe/Berlin (default UTC)
  --push           run when somebody pushes to the project's branch
  --branch NAME    watch this branch in place of the project's
  --source NAME    run when somebody pushes to this source of the project
  --merged         only when a pull request was merged there
  --ref BRANCH     branch to start from (default: the project's)
  --model M        model to use
  --draft          open the pull request as a draft
  --data DIR       data directory (default ./data, or DOCENT_DATA)
  --json           one JSON object (create, run, delete) or array (list) on standard output

Example
  docent automations create harbor-docs "Broken links" "Fix the broken links." --cron "0 6 * * 1"`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "create") return create(rest, io);
    if (action === "list") return list(rest, io);
    if (action === "run") return run(rest, io);
    if (action === "delete") return remove(rest, io);
    throw new UsageError("automations takes `create`, `list`, `run` or `delete`.");
  },
};

async function create(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    {
      cron: { type: "string" },
      "time-zone": { type: "string" },
      push: { type: "boolean" },
      source: { type: "string" },
      merged: { type: "boolean" },
      branch: { type: "string" },
      ref: { type: "string" },
      model: { type: "string" },
      draft: { type: "boolean" },
    },
    { min: 3, max: 3, names: 'PROJECT, NAME and "PROMPT" (in quotes)' },
  );
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const automation = await createAutomation(instance, {
    projectId: project.id,
    settings: {
      name: checked(Line(100), "name", positionals[1]),
      prompt: checked(Prompt, "prompt", positionals[2]),
      trigger: readTrigger(values, project),
      ref: values.ref ?? null,
      model: values.model ?? null,
      draft: values.draft ?? false,
      enabled: true,
    },
  });
  const json = automationToJson(automation);
  if (values.json) return writeLine(io.stdout, JSON.stringify(json));
  writeLine(io.stdout, `Created ${json.id} (${json.name}).`);
  if (json.nextRunAt) writeLine(io.stdout, `Next run  ${json.nextRunAt}`);
}

function readTrigger(
  values: {
    cron?: string;
    "time-zone"?: string;
    push?: boolean;
    branch?: string;
    source?: string;
    merged?: boolean;
  },
  project: Project,
): AutomationTrigger {
  const isPush = values.push || values.branch !== undefined;
  if ([values.cron !== undefined, isPush, values.source !== undefined].filter(Boolean).length > 1) {
    throw new AppError("invalid", "An automation has one trigger: --cron, --push or --source.");
  }
  if (values.merged && values.source === undefined) throw new AppError("invalid", "--merged belongs to --source.");
  if (values.source !== undefined)
    return { kind: values.merged ? "source_merge" : "source_push", source: values.source };
  if (values.cron !== undefined) return { kind: "schedule", cron: values.cron, timeZone: values["time-zone"] ?? "UTC" };
  if (values["time-zone"] !== undefined) throw new AppError("invalid", "--time-zone belongs to --cron.");
  if (isPush) return { kind: "push", branch: values.branch ?? project.branch };
  return { kind: "api" };
}

function checked(schema: typeof Prompt, what: string, text: string | undefined): string {
  const parsed = schema.safeParse(text);
  if (!parsed.success)
    throw new AppError("invalid", `The ${what} ${parsed.error.issues[0]?.message ?? "is not valid"}.`);
  return parsed.data;
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const { items } = await listAutomations(instance, { projectId: project.id, limit: 100, cursor: null });
  const all = items.map(automationToJson);
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No automations yet. `docent automations create` makes one.");
  const rows = all.map((one) => [
    one.id,
    one.name,
    triggerText(one),
    String(one.runs),
    one.enabled ? (one.nextRunAt ?? "") : "disabled",
  ]);
  writeLine(io.stdout, table(["ID", "NAME", "TRIGGER", "RUNS", "NEXT RUN"], rows));
}

function triggerText({ trigger }: { trigger: AutomationTrigger }): string {
  if (trigger.kind === "schedule") return `${trigger.cron} ${trigger.timeZone}`;
  if (trigger.kind === "source_push") return `push to source ${trigger.source}`;
  if (trigger.kind === "source_merge") return `merge in source ${trigger.source}`;
  return trigger.kind === "push" ? `push to ${trigger.branch}` : "api";
}

async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and AUTOMATION" });
  await using instance = await openInstance(values);
  const name = await automationName(instance, positionals);
  const before = await requireAutomation(instance, name);
  await requestRun(instance, name);
  const started = instance.isServing ? await nextRun(instance, name, { after: before.runs, signal: io.signal }) : null;
  if (values.json) return writeLine(io.stdout, JSON.stringify(started ? runToJson(started) : { requested: true }));
  if (started?.jobId)
    writeLine(io.stdout, `Run ${started.number} is message ${started.messageSeq} of job ${started.jobId}.`);
  else if (started) writeLine(io.stdout, `Run ${started.number} made no job: ${started.note}`);
  else
    writeLine(
      io.stdout,
      "The run is requested; a server starts it as soon as one is there and the rate limit lets it.",
    );
}

async function nextRun(
  instance: OpenInstance,
  name: AutomationName,
  { after, signal }: { after: number; signal: AbortSignal },
): Promise<AutomationRun | null> {
  for (const until = performance.now() + WAIT_MS; performance.now() < until;) {
    const { runs } = await listRuns(instance, { automationId: name.automationId, before: null, limit: 1 });
    if (runs[0] && runs[0].number > after) return runs[0];
    await sleep(POLL_MS, undefined, { signal });
  }
  return null;
}

async function remove(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and AUTOMATION" });
  await using instance = await openInstance(values);
  const name = await automationName(instance, positionals);
  await deleteAutomation(instance, name);
  writeLine(io.stdout, values.json ? JSON.stringify({ id: name.automationId }) : `Deleted ${name.automationId}.`);
}

async function automationName(
  instance: OpenInstance,
  [project, automation]: readonly string[],
): Promise<AutomationName> {
  return { projectId: (await requireProject(instance, project!)).id, automationId: automation! };
}
