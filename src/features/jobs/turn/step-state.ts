import { z } from "zod";
import { INITIAL_LOOP_STATE, type LoopState } from "#agent/loop-state.ts";
import type { StartedSubtasks, SubtaskUsage } from "#agent/subtasks.ts";
import type { FinishInput } from "#tools/tool.ts";

/** What a step passes to the next one in addition to the conversation. */
export interface StepState {
  loop: LoopState;
  /** What the agent said when it finished; null until then. */
  finish: FinishInput | null;
  /** Sub-tasks that the step started, until their reports are in its messages. */
  started?: StartedSubtasks | undefined;
  /** Set if the step belongs to a sub-task, not to the conversation of the turn. */
  subtask?: SubtaskStep | undefined;
}

interface SubtaskStep {
  /** Its number among those that were started with it, from 1. */
  number: number;
  /** Including this step. */
  usage: SubtaskUsage;
}

const initial = INITIAL_LOOP_STATE;

// An older version may have stored less.
const StoredLoop = z.object({
  stepsInTurn: z.number().default(initial.stepsInTurn),
  idleAnswers: z.number().default(initial.idleAnswers),
  unreadableAnswers: z.number().default(initial.unreadableAnswers),
  recentCalls: z.array(z.string()).default(initial.recentCalls),
  leftOutCalls: z.number().default(initial.leftOutCalls),
  wasCutOff: z.boolean().default(initial.wasCutOff),
  nudged: z.boolean().default(initial.nudged),
  reminded: z.boolean().default(initial.reminded),
  repairs: z.number().default(initial.repairs),
  challenged: z.boolean().default(initial.challenged),
  advised: z.boolean().default(initial.advised),
  toldOfLimits: z.number().default(initial.toldOfLimits),
  isLast: z.boolean().default(initial.isLast),
  cut: z.object({ stubbed: z.number(), folded: z.number() }).default(initial.cut),
  fill: z.number().default(initial.fill),
  cachedShare: z.number().nullable().default(initial.cachedShare),
}) satisfies z.ZodType<LoopState>;

const StoredState = z.object({
  loop: StoredLoop.prefault({}),
  finish: z
    .object({
      outcome: z.enum(["done", "not_understood", "impossible"]),
      title: z.string(),
      summary: z.string(),
      hint: z.string().optional(),
      question: z.string().optional(),
      files: z.array(z.object({ path: z.string(), why: z.string() })).optional(),
      forLaterJobs: z.array(z.string()).optional(),
    })
    .nullable()
    .default(null),
  started: z
    .object({
      call: z.string(),
      subtasks: z.array(z.object({ title: z.string(), instruction: z.string(), files: z.array(z.string()) })),
    })
    .optional(),
  subtask: z
    .object({
      number: z.number(),
      usage: z.object({
        steps: z.number(),
        inputTokens: z.number(),
        weightedTokens: z.number(),
        outputTokens: z.number(),
        costMicroUsd: z.number(),
      }),
    })
    .optional(),
}) satisfies z.ZodType<StepState>;

export const readStepState = (text: string): StepState => StoredState.parse(JSON.parse(text));
