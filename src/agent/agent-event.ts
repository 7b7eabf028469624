import type { PlanStep } from "#tools/plan.ts";

/** An event of the loop, for the transcript. `subtask`: number of the sub-task that it belongs to. */
export type AgentEvent = { subtask?: number } & (
  | { type: "message"; role: "assistant"; text: string }
  | { type: "tool.started"; id: string; tool: string; input: unknown }
  | {
      type: "tool.finished";
      id: string;
      tool: string;
      ok: boolean;
      summary: string;
      /** Why it failed. */
      reason?: string;
      durationMs: number;
    }
  | { type: "plan.updated"; steps: PlanStep[] }
  | { type: "usage"; inputTokens: number; cachedTokens: number; cacheWriteTokens: number; outputTokens: number }
  | { type: "notice"; code: string; text: string }
  | { type: "subtasks.started"; subtasks: { subtask: number; title: string; files: string[] }[] }
  | {
      type: "subtask.finished";
      subtask: number;
      title: string;
      /** Whether it carried out its instruction. */
      ok: boolean;
      /** How it ended, and its report. */
      summary: string;
      changed: string[];
      steps: number;
      inputTokens: number;
      outputTokens: number;
      costUsd: number;
    }
);
