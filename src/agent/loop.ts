import { createHash } from "node:crypto";
import type { ModelMessage } from "ai";
import type { ModelFailure } from "#models/failure.ts";
import type { ResolvedModel } from "#models/model.ts";
import type { RequestedCall } from "#models/reply.ts";
import { type ModelStep, runModelStep } from "#models/step.ts";
import type { AgentEvent } from "./agent-event.ts";
import { compactConversation } from "./compaction.ts";
import { FINISH_TOOL, type FinishInput, type Tool, type ToolEnvironment, type ToolResult } from "./tool.ts";
import { jsonSchemaOf, runTool } from "./tool-call.ts";

/** What the loop must remember between steps; stored with each of them, so that a resumed turn decides the same. */
export interface LoopState {
  stepsInTurn: number;
  /** Failed tool calls since the last one that worked. */
  errorsInRow: number;
  /** Hashes of the newest calls with their results. */
  recentCalls: string[];
  nudged: boolean;
  reminded: boolean;
  /** Rounds of findings handed back by the gate. */
  repairs: number;
}

export const INITIAL_LOOP_STATE: LoopState = {
  stepsInTurn: 0,
  errorsInRow: 0,
  recentCalls: [],
  nudged: false,
  reminded: false,
  repairs: 0,
};

export interface LoopLimits {
  maxSteps: number;
  /** Instant after which no further step begins. */
  deadline: Date;
  /** Tokens that the job may still use. */
  inputTokens: number;
  outputTokens: number;
  /** Millionths of a dollar that the job may still cost; null where no price is known or no budget set. */
  costMicroUsd: number | null;
  toolTimeoutMs: number;
  modelTimeoutMs: number;
}

export interface LoopStep {
  messages: ModelMessage[];
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number };
  costMicroUsd: number;
  events: AgentEvent[];
  state: LoopState;
  /** Whether a tool that can change the tree ran. */
  mutated: boolean;
  finish: FinishInput | null;
}

export type LoopFailCode =
  | "budget_exceeded"
  | "step_limit"
  | "time_limit"
  | "stuck"
  | "model_error"
  | "model_auth"
  | "context_overflow";

export type LoopOutcome = { ok: true; finish: FinishInput } | { ok: false; code: LoopFailCode; message: string; hint?: string };

const REPEATS_THAT_MEAN_STUCK = 3;
const ERRORS_THAT_MEAN_STUCK = 4;
const REMEMBERED_CALLS = 12;
/** Share of the context window that the conversation may fill before old results are cut. */
const CONTEXT_SHARE = 0.7;
const OVERFLOW_SHARE = 0.35;

const REMINDER = "Use the tools to carry out the instruction. When everything is done, call the finish tool.";
const NUDGE =
  "You have repeated the same calls or failed several times in a row. Change your approach, or call finish with outcome \"impossible\" and say why.";

/**
 * Lets the model work step by step until it calls `finish`. After each step `onStep` stores it and answers with the
 * messages that came in meanwhile; what it throws ends the loop, and so does `signal`. Nothing is kept in here that
 * `onStep` did not see, so a turn can go on anywhere from its last stored step.
 */
export async function runLoop(
  deps: { model: ResolvedModel; system: string; tools: readonly Tool[]; environment: ToolEnvironment; clock: { now(): Date } },
  input: {
    /** Everything said before, stored steps of this turn included. */
    conversation: readonly ModelMessage[];
    /** What is to be said next to the model, in order. */
    prompts: readonly string[];
    state: LoopState;
    limits: LoopLimits;
    signal: AbortSignal;
  },
  onStep: (step: LoopStep) => Promise<{ prompts: readonly string[] }>,
): Promise<LoopOutcome> {
  const { limits, signal } = input;
  const conversation = [...input.conversation];
  let prompts = input.prompts;
  let state = input.state;
  const left = { input: limits.inputTokens, output: limits.outputTokens, cost: limits.costMicroUsd };

  for (;;) {
    signal.throwIfAborted();
    const refused = limitReached(deps.clock.now(), state, limits, left);
    if (refused) return refused;

    const next = interjection(conversation, prompts, state);
    if (next === "stuck") {
      return { ok: false, code: "stuck", message: "The agent repeated itself or failed again and again, and was stopped." };
    }
    state = next.state;
    const said: ModelMessage[] = next.prompts.map((content) => ({ role: "user", content }));
    const notices: AgentEvent[] = [];
    const outcome = await callModel(deps, [...conversation, ...said], { limits, left, signal, notices });
    if (!outcome.ok) {
      signal.throwIfAborted();
      return failureOf(outcome.failure);
    }
    const step = await runCalls(deps, { said, outcome, state, notices, limits, signal });
    state = step.state;
    left.input -= step.usage.inputTokens;
    left.output -= step.usage.outputTokens;
    if (left.cost !== null) left.cost -= step.costMicroUsd;
    conversation.push(...step.messages);
    const answer = await onStep(step);
    if (step.finish) return { ok: true, finish: step.finish };
    prompts = answer.prompts;
  }
}

/**
 * What the loop itself has to say next: a nudge to a model that runs in circles, a reminder to one that only talks.
 * Derived from what is stored, so that a resumed turn says the same.
 */
function interjection(
  conversation: readonly ModelMessage[],
  prompts: readonly string[],
  state: LoopState,
): { prompts: readonly string[]; state: LoopState } | "stuck" {
  if (state.errorsInRow >= ERRORS_THAT_MEAN_STUCK || repeats(state) >= REPEATS_THAT_MEAN_STUCK) {
    if (state.nudged) return "stuck";
    return { prompts: [...prompts, NUDGE], state: { ...state, nudged: true, errorsInRow: 0, recentCalls: [] } };
  }
  if (prompts.length === 0 && conversation.at(-1)?.role === "assistant") {
    return { prompts: [REMINDER], state: { ...state, reminded: true } };
  }
  return { prompts, state };
}

type Left = { input: number; output: number; cost: number | null };

function limitReached(now: Date, state: LoopState, limits: LoopLimits, left: Left): LoopOutcome | null {
  if (state.stepsInTurn >= limits.maxSteps) {
    return { ok: false, code: "step_limit", message: `The agent was not done after ${limits.maxSteps} steps.` };
  }
  if (now >= limits.deadline) {
    return { ok: false, code: "time_limit", message: "The agent was not done within the time limit of a turn." };
  }
  if (left.input <= 0 || left.output <= 0 || (left.cost !== null && left.cost <= 0)) {
    return { ok: false, code: "budget_exceeded", message: "The job has used up its budget of tokens or money." };
  }
  return null;
}

type Deps = Parameters<typeof runLoop>[0];

/** One model call; when the provider says that the conversation is too long, once more with less of it. */
async function callModel(
  deps: Deps,
  conversation: ModelMessage[],
  { limits, left, signal, notices }: { limits: LoopLimits; left: Left; signal: AbortSignal; notices: AgentEvent[] },
): Promise<ModelStep> {
  const call = (share: number) =>
    runModelStep({
      model: deps.model.model,
      system: deps.system,
      messages: compactConversation(conversation, Math.floor(deps.model.contextWindowTokens * share)),
      tools: deps.tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        inputSchema: jsonSchemaOf(tool),
      })),
      signal,
      maxOutputTokens: Math.min(deps.model.maxOutputTokens, Math.max(1, left.output)),
      timeoutMs: limits.modelTimeoutMs,
      onRetry: ({ failure, waitMs }) =>
        notices.push({ type: "notice", code: failure.code, text: `${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s.` }),
      providerOptions: deps.model.providerOptions,
    });
  const first = await call(CONTEXT_SHARE);
  return !first.ok && first.failure.code === "context_overflow" ? call(OVERFLOW_SHARE) : first;
}

function failureOf(failure: ModelFailure): LoopOutcome {
  const code = failure.code === "model_auth" || failure.code === "context_overflow" ? failure.code : "model_error";
  return { ok: false, code, message: failure.message, hint: failure.hint };
}

type Answered = Extract<ModelStep, { ok: true }>;

async function runCalls(
  deps: Deps,
  {
    said,
    outcome,
    state,
    notices,
    limits,
    signal,
  }: {
    said: ModelMessage[];
    outcome: Answered;
    state: LoopState;
    notices: AgentEvent[];
    limits: LoopLimits;
    signal: AbortSignal;
  },
): Promise<LoopStep> {
  const events: AgentEvent[] = [...notices];
  if (outcome.text.trim() !== "") events.push({ type: "message", role: "assistant", text: outcome.text });
  const results: { call: RequestedCall; result: ToolResult }[] = [];
  let finish: FinishInput | null = null;
  let mutated = false;
  for (const call of outcome.toolCalls) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    events.push({ type: "tool.started", id: call.id, tool: call.name, input: call.input });
    const { result, tool } = await runTool(deps.tools, call, deps.environment, limits.toolTimeoutMs);
    const durationMs = Math.round(performance.now() - startedAt);
    events.push({ type: "tool.finished", id: call.id, tool: call.name, ok: result.ok, summary: result.summary, durationMs });
    results.push({ call, result });
    mutated ||= tool?.mutates ?? false;
    if (call.name === FINISH_TOOL && result.ok) finish = result.content as FinishInput;
  }
  const messages: ModelMessage[] = [...said, ...outcome.messages];
  if (results.length > 0) messages.push({ role: "tool", content: results.map(({ call, result }) => toolResultPart(call, result)) });
  if (results.length === 0 && state.reminded) finish = finishFromText(outcome.text);
  events.push({ type: "usage", ...outcome.usage });
  const hashes = results.map(({ call, result }) => hashOf([call.name, call.input, result]));
  return {
    messages,
    usage: outcome.usage,
    costMicroUsd: costOf(deps.model.price, outcome.usage),
    events,
    mutated,
    finish,
    state: {
      ...state,
      stepsInTurn: state.stepsInTurn + 1,
      errorsInRow: results.reduce((count, { result }) => (result.ok ? 0 : count + 1), state.errorsInRow),
      recentCalls: [...state.recentCalls, ...hashes].slice(-REMEMBERED_CALLS),
    },
  };
}

function toolResultPart(call: RequestedCall, result: ToolResult) {
  const value = result.ok ? JSON.stringify(result.content) : result.message;
  return {
    type: "tool-result" as const,
    toolCallId: call.id,
    toolName: call.name,
    output: result.ok ? { type: "text" as const, value } : { type: "error-text" as const, value },
  };
}

/** A model that answers in words, twice, has nothing more to do: its words are the summary. */
function finishFromText(text: string): FinishInput {
  const summary = text.trim() || "The model ended without saying what it did.";
  return { outcome: "done", title: summary.split("\n")[0]!.slice(0, 72), summary };
}

function repeats(state: LoopState): number {
  const counts = new Map<string, number>();
  for (const hash of state.recentCalls) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

function costOf(price: ResolvedModel["price"], usage: LoopStep["usage"]): number {
  if (!price) return 0;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens);
  // Dollars per million tokens are millionths of a dollar per token.
  return Math.ceil(
    fresh * price.inputPerMillionUsd +
      usage.cachedTokens * price.cachedInputPerMillionUsd +
      usage.outputTokens * price.outputPerMillionUsd,
  );
}

const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value) ?? "").digest("base64url").slice(0, 16);
