import { toString } from "cronstrue";
import type { AutomationTriggerKind } from "#db/tables/jobs.ts";
import type { AutomationTrigger } from "./automations.ts";

/** Labels of the choices in the form. */
export const TRIGGER_KINDS: Readonly<Record<AutomationTriggerKind, string>> = {
  schedule: "On a schedule",
  push: "When a branch is pushed to",
  source_push: "When a source is pushed to",
  source_merge: "When a pull request of a source is merged",
  api: "Only when you run it",
};

/** What started a run. */
export const RUN_STARTS: Readonly<Record<AutomationTriggerKind, string>> = {
  schedule: "Schedule",
  push: "Push",
  source_push: "Push to a source",
  source_merge: "Merge in a source",
  api: "Run by hand or over HTTP",
};

export function triggerWords(trigger: AutomationTrigger): string {
  switch (trigger.kind) {
    case "schedule":
      return `${cronWords(trigger.cron)} (${trigger.timeZone})`;
    case "push":
      return `On each push to ${trigger.branch}`;
    case "source_push":
      return `On each push to the source ${trigger.source}`;
    case "source_merge":
      return `When a pull request of the source ${trigger.source} is merged`;
    case "api":
      return TRIGGER_KINDS.api;
  }
}

/** "At 06:00, only on Monday"; a schedule that cannot be put into words is shown unchanged. */
function cronWords(cron: string): string {
  try {
    return toString(cron, { use24HourTimeFormat: true });
  } catch {
    return cron;
  }
}
