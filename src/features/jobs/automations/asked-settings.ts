import type { z } from "@hono/zod-openapi";
import type { Project } from "#features/projects/project.ts";
import type { AutomationRunDeps } from "./automation-runs.ts";
import type { AutomationSettings, AutomationTrigger } from "./automations.ts";
import type { NewAutomationBody, TriggerBody } from "./bodies.ts";

/** The settings that a body of `createAutomation` requests. `AppError invalid` for a model that may not be used. */
export function askedSettings(
  { chooseModel }: Pick<AutomationRunDeps, "chooseModel">,
  project: Project,
  { trigger, ...settings }: z.infer<typeof NewAutomationBody>,
): AutomationSettings {
  chooseModel(project, settings.model);
  return { ...settings, trigger: completeTrigger(trigger, project) };
}

export function completeTrigger(trigger: z.infer<typeof TriggerBody>, project: Project): AutomationTrigger {
  return trigger.kind === "push" ? { kind: "push", branch: trigger.branch ?? project.branch } : trigger;
}
