import type { PlanStep } from "#tools/plan.ts";

/** An event of the loop, for the transcript. */
export type AgentEvent =
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
  | { type: "notice"; code: string; text: string };
