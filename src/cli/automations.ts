import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openAutomations } from "./open-places.ts";
import type { Trigger } from "./places/automations.ts";
import { around } from "./progress.ts";

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
  const trigger = readTrigger(values);
  await using place = await openAutomations(values, positionals[0]!, around(io));
  const made = await place.create({
    name: positionals[1]!,
    prompt: positionals[2]!,
    trigger,
    ref: values.ref ?? null,
    model: values.model ?? null,
    draft: values.draft ?? false,
  });
  if (values.json) return writeLine(io.stdout, JSON.stringify(made));
  writeLine(io.stdout, `Created ${made.id} (${made.name}).`);
  if (made.nextRunAt) writeLine(io.stdout, `Next run  ${made.nextRunAt}`);
}

function readTrigger(values: {
  cron?: string;
  "time-zone"?: string;
  push?: boolean;
  branch?: string;
  source?: string;
  merged?: boolean;
}): Trigger {
  const isPush = values.push || values.branch !== undefined;
  if ([values.cron !== undefined, isPush, values.source !== undefined].filter(Boolean).length > 1) {
    throw new UsageError("An automation has one trigger: --cron, --push or --source.");
  }
  if (values.merged && values.source === undefined) throw new UsageError("--merged belongs to --source.");
  if (values.source !== undefined)
    return { kind: values.merged ? "source_merge" : "source_push", source: values.source };
  if (values.cron !== undefined) return { kind: "schedule", cron: values.cron, timeZone: values["time-zone"] ?? "UTC" };
  if (values["time-zone"] !== undefined) throw new UsageError("--time-zone belongs to --cron.");
  if (isPush) return { kind: "push", ...(values.branch !== undefined && { branch: values.branch }) };
  return { kind: "api" };
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openAutomations(values, positionals[0]!, around(io));
  const all = await place.list();
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No automations yet. `docent automations create` makes one.");
  const rows = all.map((one) => [
    one.id,
    one.name,
    triggerText(one.trigger),
    String(one.runs),
    one.enabled ? (one.nextRunAt ?? "") : "disabled",
  ]);
  writeLine(io.stdout, table(["ID", "NAME", "TRIGGER", "RUNS", "NEXT RUN"], rows));
}

function triggerText(trigger: Trigger): string {
  if (trigger.kind === "schedule") return `${trigger.cron} ${trigger.timeZone}`;
  if (trigger.kind === "source_push") return `push to source ${trigger.source}`;
  if (trigger.kind === "source_merge") return `merge in source ${trigger.source}`;
  return trigger.kind === "push" ? `push to ${trigger.branch ?? "the project's branch"}` : "api";
}

async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and AUTOMATION" });
  await using place = await openAutomations(values, positionals[0]!, around(io));
  const started = await place.run(positionals[1]!);
  if (values.json) return writeLine(io.stdout, JSON.stringify(started ?? { requested: true }));
  if (started?.jobId)
    writeLine(io.stdout, `Run ${started.number} is message ${started.messageSeq} of job ${started.jobId}.`);
  else if (started) writeLine(io.stdout, `Run ${started.number} made no job: ${started.note}`);
  else
    writeLine(
      io.stdout,
      "The run is requested; a server starts it as soon as one is there and the rate limit lets it.",
    );
}

async function remove(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and AUTOMATION" });
  await using place = await openAutomations(values, positionals[0]!, around(io));
  const id = positionals[1]!;
  await place.remove(id);
  writeLine(io.stdout, values.json ? JSON.stringify({ id }) : `Deleted ${id}.`);
}
