import type { ModelFailure } from "#models/failure.ts";
import type { ModelMessage } from "#models/message.ts";
import type { ResolvedModel } from "#models/model.ts";
import { addUsage, type ModelUsage } from "#models/reply.ts";
import { type ModelStep, type OfferedTool, runModelStep } from "#models/step.ts";
import type { AgentEvent } from "./agent-event.ts";
import { compactConversation, estimateTokens } from "./compaction.ts";
import { interjection, type LoopState } from "./loop-state.ts";
import { runCalls } from "./step-calls.ts";
import type { FinishInput } from "./tool.ts";
import { jsonSchemaOf, type ToolDeps } from "./tool-call.ts";

export interface LoopLimits {
  maxSteps: number;
  /** Instant after which no further step begins and no model is waited for. */
  deadline: Date;
  /** Tokens that the job may still use. */
  inputTokens: number;
  outputTokens: number;
  /** Millionths of a dollar that the job may still cost; null where no budget is set. */
  costMicroUsd: number | null;
  toolTimeoutMs: number;
  modelTimeoutMs: number;
}

/** What a call of the model used up. */
export interface Spent {
  usage: ModelUsage;
  costMicroUsd: number;
  events: AgentEvent[];
}

export interface LoopStep extends Spent {
  messages: ModelMessage[];
  state: LoopState;
  /** Whether a tool that can change the tree ran. */
  mutated: boolean;
  finish: FinishInput | null;
}

/** Where the loop leaves its trace. What these throw ends the loop. */
export interface LoopRecord {
  /** Stores a step and answers with the messages that came in meanwhile. */
  step(step: LoopStep): Promise<{ prompts: readonly string[] }>;
  /** Stores what a model call used up that gave no step. */
  failedCall(spent: Spent): Promise<void>;
}

export type LoopFailCode =
  | "budget_exceeded"
  | "step_limit"
  | "time_limit"
  | "stuck"
  | "model_error"
  | "model_auth"
  | "context_overflow";

export type LoopOutcome = { ok: true; finish: FinishInput } | LoopFailure;
type LoopFailure = { ok: false; code: LoopFailCode; message: string; hint?: string };

/** Share of the context window that a request may fill before old results are cut, and how much is kept then. */
const USUAL_FILL = { share: 0.7, recentMessages: 10 };
const FILL_AFTER_OVERFLOW = { share: 0.35, recentMessages: 3 };

const STUCK: Record<"stuck" | "unreadable", LoopFailure> = {
  stuck: { ok: false, code: "stuck", message: "The agent repeated itself or failed again and again, and was stopped." },
  unreadable: {
    ok: false,
    code: "model_error",
    message:
      "The model went on sending tool calls that cannot be read: arguments that are not JSON, or tools that do not exist.",
    hint: "Choose a model that is good at calling tools, then send the message again.",
  },
};

interface LoopDeps extends ToolDeps {
  model: ResolvedModel;
  system: string;
  clock: { now(): Date };
}

/**
 * Lets the model work step by step until it calls `finish`. After each step `record.step` stores it; what that throws
 * ends the loop, and so does `signal`. Nothing is kept in here that the record did not see, so a turn can go on
 * anywhere from its last stored step.
 */
export async function runLoop(
  deps: LoopDeps,
  input: {
    /** Everything said before, stored steps of this turn included. */
    conversation: readonly ModelMessage[];
    /** What is to be said next to the model, in order. */
    prompts: readonly string[];
    state: LoopState;
    limits: LoopLimits;
    signal: AbortSignal;
  },
  record: LoopRecord,
): Promise<LoopOutcome> {
  const { limits, signal } = input;
  const conversation = [...input.conversation];
  const left: Left = { input: limits.inputTokens, output: limits.outputTokens, cost: limits.costMicroUsd };
  const offer = offerOf(deps);
  let { prompts, state } = input;

  for (;;) {
    signal.throwIfAborted();
    const refused = limitReached(deps.clock.now(), { state, limits, left });
    if (refused) return refused;

    const next = interjection(conversation, prompts, state);
    if (typeof next === "string") return STUCK[next];
    state = next.state;
    const said: ModelMessage[] = next.prompts.map((content) => ({ role: "user", content }));
    const notices: AgentEvent[] = [];
    const outcome = await callModel(deps, [...conversation, ...said], { ...offer, limits, left, signal, notices });
    const costMicroUsd = costOf(deps.model.price, outcome.usage);
    if (!outcome.ok) {
      await record.failedCall({ usage: outcome.usage, costMicroUsd, events: notices });
      signal.throwIfAborted();
      return failureOf(outcome.failure, deps.clock.now() >= limits.deadline);
    }
    const { toolTimeoutMs } = limits;
    const effect = await runCalls(deps, { answer: outcome, state, toolTimeoutMs, signal });
    state = effect.state;
    left.input -= outcome.usage.inputTokens;
    left.output -= outcome.usage.outputTokens;
    if (left.cost !== null) left.cost -= costMicroUsd;
    const messages = [...said, ...effect.messages];
    conversation.push(...messages);
    const events: AgentEvent[] = [...notices, ...effect.events, { type: "usage", ...outcome.usage }];
    const { usage } = outcome;
    const answer = await record.step({ ...effect, messages, events, usage, costMicroUsd });
    if (effect.finish) return { ok: true, finish: effect.finish };
    prompts = answer.prompts;
  }
}

type Left = { input: number; output: number; cost: number | null };

function limitReached(
  now: Date,
  { state, limits, left }: { state: LoopState; limits: LoopLimits; left: Left },
): LoopFailure | null {
  if (state.stepsInTurn >= limits.maxSteps) {
    return { ok: false, code: "step_limit", message: `The agent was not done after ${limits.maxSteps} steps.` };
  }
  if (now >= limits.deadline) return OUT_OF_TIME;
  if (left.input <= 0 || left.output <= 0) {
    return { ok: false, code: "budget_exceeded", message: "The job has used up its budget of tokens." };
  }
  if (left.cost !== null && left.cost <= 0) {
    return { ok: false, code: "budget_exceeded", message: "The job has used up its budget of money." };
  }
  return null;
}

const OUT_OF_TIME: LoopFailure = {
  ok: false,
  code: "time_limit",
  message: "The agent was not done within the time limit of a turn.",
};

interface CallOptions extends Offer {
  limits: LoopLimits;
  left: Left;
  signal: AbortSignal;
  notices: AgentEvent[];
}

interface Offer {
  tools: OfferedTool[];
  /** What is sent with every request has its place in the context window too. */
  fixedTokens: number;
}

function offerOf({ tools, system }: LoopDeps): Offer {
  const offered = tools.map((tool): OfferedTool => ({
    name: tool.name,
    description: tool.description,
    inputSchema: jsonSchemaOf(tool),
  }));
  const fixedTokens = estimateTokens([{ role: "system", content: system + JSON.stringify(offered) }]);
  return { tools: offered, fixedTokens };
}

/** One model call; when the provider says that the conversation is too long, once more with less of it. */
async function callModel(
  deps: LoopDeps,
  conversation: ModelMessage[],
  { limits, left, signal, notices, tools, fixedTokens }: CallOptions,
): Promise<ModelStep> {
  const timeLeftMs = limits.deadline.getTime() - deps.clock.now().getTime();
  const call = ({ share, recentMessages }: typeof USUAL_FILL) => {
    const budgetTokens = Math.floor(deps.model.contextWindowTokens * share) - fixedTokens;
    return runModelStep({
      model: deps.model.model,
      system: deps.system,
      messages: compactConversation(conversation, { budgetTokens, recentMessages }),
      tools,
      signal,
      maxOutputTokens: Math.min(deps.model.maxOutputTokens, Math.max(1, left.output)),
      timeoutMs: Math.max(1, Math.min(limits.modelTimeoutMs, timeLeftMs)),
      onRetry: ({ failure, waitMs }) =>
        notices.push({
          type: "notice",
          code: failure.code,
          text: `${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`,
        }),
      providerOptions: deps.model.providerOptions,
    });
  };
  const first = await call(USUAL_FILL);
  if (first.ok || first.failure.code !== "context_overflow") return first;
  notices.push({
    type: "notice",
    code: "context_overflow",
    text: `${first.failure.message} Trying again with less of the conversation.`,
  });
  const second = await call(FILL_AFTER_OVERFLOW);
  return { ...second, usage: addUsage(first.usage, second.usage) };
}

/** A provider's trouble in the words of a job: the failure says what happened and what to do. */
function failureOf(failure: ModelFailure, isLate: boolean): LoopFailure {
  if (failure.code === "model_timeout" && isLate) return OUT_OF_TIME;
  const code = failure.code === "model_auth" || failure.code === "context_overflow" ? failure.code : "model_error";
  return { ok: false, code, message: failure.message, hint: failure.hint };
}

function costOf(price: ResolvedModel["price"], usage: ModelUsage): number {
  if (!price) return 0;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens);
  // Dollars per million tokens are millionths of a dollar per token.
  return Math.ceil(
    fresh * price.inputPerMillionUsd +
      usage.cachedTokens * price.cachedInputPerMillionUsd +
      usage.outputTokens * price.outputPerMillionUsd,
  );
}
