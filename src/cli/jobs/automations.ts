import type { Item, Schemas } from "#client/client.ts";
import { JOB_WAITS, noteWithoutServer, ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import { type Command, UsageError } from "#cli/command/command.ts";
import { table } from "#cli/command/io.ts";

export const automations: Command = {
  usage: `docent automations create PROJECT NAME "PROMPT" [--cron "M H D M W" [--time-zone Z] | --push [--branch NAME] | --source NAME [--merged]]
docent automations list PROJECT
docent automations run PROJECT AUTOMATION
docent automations delete PROJECT AUTOMATION

An automation runs the same prompt repeatedly: on a schedule, on pushes, or when you start it. It has at most one open pull request, and
later runs add to it. Without --cron, --push or --source, it runs only when you start it, with \`run\` or through the API. The server
(\`docent serve\`) runs automations.

Options
  --cron "…"       minute, hour, day, month and weekday, such as "0 6 * * 1" for Mondays at six
  --time-zone Z    time zone of the schedule, such as Europe/Berlin (default UTC)
  --push           run after a push to the project's branch
  --branch NAME    watch this branch instead of the project's
  --source NAME    run after a push to this source of the project
  --merged         run only after a pull request is merged there
  --ref BRANCH     branch to start from (default: the project's)
  --model M        model to use
  --effort E       low, medium or high: how long the model thinks
  --draft          open the pull request as a draft
  --json           one JSON object (create, run, delete) or array (list) on standard output

Example
  docent automations create harbor-docs "Broken links" "Fix the broken links." --cron "0 6 * * 1"`,
  run: (args, io) => runAction("automations", ACTIONS, args, io),
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const ONE_AUTOMATION = { min: 2, max: 2, names: "PROJECT and AUTOMATION" };

const ACTIONS = {
  create: onProject(
    { min: 3, max: 3, names: 'PROJECT, NAME and "PROMPT" (in quotes)' },
    {
      cron: text,
      "time-zone": text,
      push: flag,
      source: text,
      merged: flag,
      branch: text,
      ref: text,
      model: text,
      effort: text,
      draft: flag,
    },
    ({ words: [, name, prompt], values }) => {
      const { ref = null, model = null, draft = false } = values;
      const effort = (values.effort ?? null) as Schemas["Automation"]["effort"]; // the server validates it
      const body = { name: name!, prompt: prompt!, trigger: readTrigger(values), ref, model, effort, draft };
      return async ({ call }) => {
        const made = await call("createAutomation", { body });
        const next = made.nextRunAt ? `\nNext run  ${made.nextRunAt}` : "";
        return { json: made, text: `Created ${made.id} (${made.name}).${next}` };
      };
    },
  ),
  list: onProject(ONE_PROJECT, {}, () => async ({ all }) => {
    const found = await all("listAutomations", {});
    const rows = found.map((one) => [
      one.id,
      one.name,
      triggerText(one.trigger),
      String(one.runs),
      one.enabled ? (one.nextRunAt ?? "") : "disabled",
    ]);
    const none = "No automations yet. `docent automations create` makes one.";
    return { json: found, text: rows.length === 0 ? none : table(["ID", "NAME", "TRIGGER", "RUNS", "NEXT RUN"], rows) };
  }),
  run: onProject(ONE_AUTOMATION, {}, ({ words: [, id], io }) => async (docent) => {
    const job = await docent.call("runAutomation", { id: id! });
    const { runs } = await docent.call("listAutomationRuns", { id: id! });
    noteWithoutServer(docent, io, JOB_WAITS);
    const started = runs.find(({ jobId }) => jobId === job.id);
    const words = started ? `Run ${started.number} is message ${started.messageSeq} of job` : "It is part of job";
    return { json: started ?? null, text: `${words} ${job.id}.` };
  }),
  delete: onProject(ONE_AUTOMATION, {}, ({ words: [, id] }) => async ({ call }) => {
    await call("deleteAutomation", { id: id! });
    return { json: { id }, text: `Deleted ${id}.` };
  }),
};

function readTrigger(values: {
  cron?: string | undefined;
  "time-zone"?: string | undefined;
  push?: boolean | undefined;
  branch?: string | undefined;
  source?: string | undefined;
  merged?: boolean | undefined;
}): Schemas["AutomationTrigger"] {
  const isPush = values.push || values.branch !== undefined;
  if ([values.cron !== undefined, isPush, values.source !== undefined].filter(Boolean).length > 1) {
    throw new UsageError("Give only one trigger: --cron, --push or --source.");
  }
  if (values.merged && values.source === undefined) throw new UsageError("--merged needs --source.");
  if (values.source !== undefined)
    return { kind: values.merged ? "source_merge" : "source_push", source: values.source };
  if (values.cron !== undefined) return { kind: "schedule", cron: values.cron, timeZone: values["time-zone"] ?? "UTC" };
  if (values["time-zone"] !== undefined) throw new UsageError("--time-zone needs --cron.");
  if (isPush) return { kind: "push", ...(values.branch !== undefined && { branch: values.branch }) };
  return { kind: "api" };
}

function triggerText(trigger: Item<"listAutomations">["trigger"]): string {
  if (trigger.kind === "schedule") return `${trigger.cron} ${trigger.timeZone}`;
  if (trigger.kind === "source_push") return `push to source ${trigger.source}`;
  if (trigger.kind === "source_merge") return `merge in source ${trigger.source}`;
  return trigger.kind === "push" ? `push to ${trigger.branch ?? "the project's branch"}` : "api";
}
