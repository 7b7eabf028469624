import { setTimeout as sleep } from "node:timers/promises";
import { automationToJson, runToJson } from "#features/jobs/automations/routes.ts";
import { Line } from "#kit/http/schemas.ts";
import { Prompt } from "#features/jobs/http/schemas.ts";
import { type AutomationRun, listRuns } from "#features/jobs/automations/automation-runs.ts";
import {
  type AutomationName,
  createAutomation,
  deleteAutomation,
  listAutomations,
  requestRun,
  requireAutomation,
} from "#features/jobs/automations/automations.ts";
import { AppError } from "#lib/app-error.ts";
import { requireProject } from "#features/projects/projects.ts";
import { openInstance, type OpenInstance } from "./open-instance.ts";
import type { AutomationActions } from "./places/automations.ts";

const POLL_MS = 200;
const WAIT_MS = 10_000;

/** Automations of a project in the store of a data directory. */
export async function automationsInDirectory(
  options: { data?: string | undefined },
  named: string,
  signal: AbortSignal,
): Promise<AutomationActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const project = await requireProject(instance, named);
  const nameOf = (automationId: string): AutomationName => ({ projectId: project.id, automationId });
  const owned = stack.move();
  return {
    async create({ name, prompt, trigger, ...others }) {
      const settings = {
        ...others,
        name: checked(Line(100), "name", name),
        prompt: checked(Prompt, "prompt", prompt),
        trigger: trigger.kind === "push" ? { ...trigger, branch: trigger.branch ?? project.branch } : trigger,
        enabled: true,
      };
      return automationToJson(await createAutomation(instance, { projectId: project.id, settings }));
    },
    async list() {
      const { items } = await listAutomations(instance, { projectId: project.id, limit: 100, cursor: null });
      return items.map(automationToJson);
    },
    async run(id) {
      const before = await requireAutomation(instance, nameOf(id));
      await requestRun(instance, nameOf(id));
      const started = instance.isServing ? await nextRun(instance, nameOf(id), { after: before.runs, signal }) : null;
      return started && runToJson(started);
    },
    remove: (id) => deleteAutomation(instance, nameOf(id)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function checked(schema: typeof Prompt, what: string, text: string): string {
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid", `The ${what} ${parsed.error.issues[0]?.message ?? "is not valid"}.`);
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
