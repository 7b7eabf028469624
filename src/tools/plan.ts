import { z } from "zod";
import { count, done } from "./outcome.ts";
import { defineTool, type Tool } from "./tool.ts";

export const PLAN_TOOL = "update_plan";
export const PLAN_STATES = ["open", "in_progress", "done", "dropped"] as const;

export interface PlanStep {
  text: string;
  state: (typeof PLAN_STATES)[number];
}

const Plan = z.strictObject({
  steps: z
    .array(z.strictObject({ text: z.string().min(1).max(300), state: z.enum(PLAN_STATES) }))
    .min(1)
    .max(30),
});

/** The loop records the call as an event, and asks about open steps when the agent reports that it is done. */
export function planTool(): Tool {
  return defineTool({
    name: PLAN_TOOL,
    description:
      "Writes down the plan for an instruction with several parts, for yourself and for the people who watch. Send all steps each time, with their states; " +
      "keep it up to date. Not needed for a single change.",
    input: Plan,
    mutates: false,
    forModels: true,
    run: async ({ steps }) => {
      const finished = steps.filter(({ state }) => state === "done").length;
      return done(`Planned ${count(steps.length, "step")}, ${finished} done`, { ok: true });
    },
  });
}

/** The steps of the newest plan in a conversation that are neither done nor dropped. */
export function openSteps(calls: readonly { toolName: string; input: unknown }[]): string[] {
  const last = calls.findLast(({ toolName, input }) => toolName === PLAN_TOOL && Plan.safeParse(input).success);
  const plan = Plan.safeParse(last?.input).data;
  return (plan?.steps ?? []).filter(({ state }) => state === "open" || state === "in_progress").map(({ text }) => text);
}

export const planSteps = (input: unknown): PlanStep[] | null => Plan.safeParse(input).data?.steps ?? null;
