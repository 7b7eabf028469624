import type { ModelFailure } from "#models/failure.ts";
import type { ModelMessage, UserContent } from "#models/message.ts";
import type { ResolvedModel } from "#models/model.ts";
import { addUsage, type ModelUsage } from "#models/reply.ts";
import { createMeasure, secondsSince } from "#lib/measure.ts";
import type { ModelStep, ModelStepInput, OfferedTool } from "#models/step.ts";
import type { AgentEvent } from "./agent-event.ts";
import { affordableOutput, affordableTokens, type BudgetLeft, type Spent, spentOn } from "./budget.ts";
import { charactersFor, type Cut, conversationTokens, estimateTokens, fitConversation } from "./compaction.ts";
import {
  limitNear,
  limitReached,
  type LoopFailure,
  type LoopLimits,
  newsOfLimits,
  OUT_OF_TIME,
  outOfBudget,
  WRAP_UP,
} from "./loop-limits.ts";
import { FILL_AFTER_OVERFLOW, interjection, type LoopState } from "./loop-state.ts";
import { runCalls } from "./step-calls.ts";
import type { StartedSubtasks } from "./subtasks.ts";
import type { FinishInput } from "#tools/tool.ts";
import { tracedModelStep } from "./traced-step.ts";
import { jsonSchemaOf, type ToolDeps } from "./tool-call.ts";

/** Model steps including retries; `model` is `provider/model`, `result` is `ok` or a failure code. */
export const modelSteps = createMeasure<{ model: string; result: string; usage: ModelUsage; seconds: number }>(
  "model step",
);

export interface LoopStep extends Spent {
  messages: ModelMessage[];
  events: AgentEvent[];
  state: LoopState;
  /** Whether a tool that can change the tree was run. */
  mutated: boolean;
  finish: FinishInput | null;
  /** Sub-tasks that the record runs before it returns. */
  started: StartedSubtasks | null;
}

/** Facts known after a step is stored. */
export interface AfterStep {
  /** Messages that have arrived meanwhile. */
  prompts: readonly UserContent[];
  left: BudgetLeft;
  /** Id of the current tree. */
  tree: string;
  /** The step as it is stored now, if its sub-tasks completed it. */
  completed?: Pick<LoopStep, "messages" | "state"> | undefined;
}

/** Receives the loop's steps. An error thrown here ends the loop. */
export interface LoopRecord {
  /** Stores a step. */
  step(step: LoopStep): Promise<AfterStep>;
  /** Stores the usage of a failed model call. */
  failedCall(spent: Spent & { events: AgentEvent[] }): Promise<void>;
}

export type LoopOutcome = { ok: true; finish: FinishInput } | LoopFailure;

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

export interface LoopDeps extends ToolDeps {
  model: ResolvedModel;
  system: string;
  clock: { now(): Date };
  /** Replaces image references in messages by their content; absent if there are no images. */
  showImages?: ((messages: readonly ModelMessage[]) => Promise<ModelMessage[]>) | undefined;
  /** Shows an answer while it arrives. */
  onReceived?: ModelStepInput["onReceived"];
}

interface LoopInput extends AfterStep {
  /** The whole earlier conversation, including stored steps of this turn. */
  conversation: readonly ModelMessage[];
  state: LoopState;
  limits: LoopLimits;
  signal: AbortSignal;
}

/**
 * Runs model steps until the model calls `finish`. `record.step` stores each step; an error from it ends the loop, and
 * so does `signal`. All state is passed to the record, so any node can resume a turn from its last stored step. Near a
 * limit the model gets one more answer to wrap up.
 */
export async function runLoop(deps: LoopDeps, input: LoopInput, record: LoopRecord): Promise<LoopOutcome> {
  const { limits, signal } = input;
  const conversation = [...input.conversation];
  const offer = offerOf(deps);
  let { state } = input;
  let after: AfterStep = input;

  for (;;) {
    signal.throwIfAborted();
    const next = nextPrompts(deps, { conversation, state, limits, after });
    if ("ok" in next) return next;
    state = next.state;
    const said: ModelMessage[] = next.prompts.map((content) => ({ role: "user", content }));
    const notices: AgentEvent[] = [];
    const call = { ...offer, limits, left: after.left, state, signal, notices };
    const called = await callModel(deps, [...conversation, ...said], call);
    if (!called.outcome) return outOfBudget(limits, after.left);
    const { outcome } = called;
    const spent = spentOn(deps.model, outcome.usage);
    if (!outcome.ok) {
      await record.failedCall({ ...spent, events: notices });
      signal.throwIfAborted();
      return failureOf(outcome.failure, deps.clock.now() >= limits.deadline);
    }
    const effect = await runCalls(deps, {
      answer: outcome,
      state: called.state,
      tree: after.tree,
      toolPatienceMs: limits.toolPatienceMs,
      resultCharacters: resultCharacters(deps.model, offer),
      signal,
    });
    state = effect.state;
    const messages = [...said, ...effect.messages];
    const events: AgentEvent[] = [...notices, ...effect.events, { type: "usage", ...outcome.usage }];
    after = await record.step({ ...effect, ...spent, messages, events });
    conversation.push(...(after.completed?.messages ?? messages));
    state = after.completed?.state ?? state;
    if (effect.finish) return { ok: true, finish: effect.finish };
  }
}

/** The prompts of the next step, or the failure that ends the loop. */
function nextPrompts(
  deps: LoopDeps,
  options: { conversation: readonly ModelMessage[]; state: LoopState; limits: LoopLimits; after: AfterStep },
): { prompts: readonly UserContent[]; state: LoopState } | LoopFailure {
  const { conversation, state, limits, after } = options;
  const isFree = deps.model.isBuiltin;
  const inputs = { now: deps.clock.now(), state, limits, left: after.left, isFree };
  const reached = limitReached(inputs);
  if (reached) return reached;
  const near = limitNear(inputs);
  // The model had its last answer and did not call finish. A new message may have raised the limit meanwhile.
  if (state.isLast && near) return near;
  const next = interjection(conversation, after.prompts, { ...state, isLast: false });
  if (typeof next === "string") return STUCK[next];
  if (near) return { prompts: [...next.prompts, WRAP_UP], state: { ...next.state, isLast: true } };
  const news = newsOfLimits(inputs);
  if (!news) return next;
  return { prompts: [...next.prompts, news.text], state: { ...next.state, toldOfLimits: news.told } };
}

interface CallOptions extends Offer {
  limits: LoopLimits;
  left: BudgetLeft;
  state: LoopState;
  signal: AbortSignal;
  notices: AgentEvent[];
}

interface Offer {
  tools: OfferedTool[];
  /** Size of the system prompt and tools, which every request contains. */
  fixedTokens: number;
}

function offerOf({ tools, system }: LoopDeps): Offer {
  const offered = tools.map((tool): OfferedTool => ({
    name: tool.name,
    description: tool.description,
    inputSchema: jsonSchemaOf(tool),
  }));
  return { tools: offered, fixedTokens: estimateTokens(system + JSON.stringify(offered)) };
}

// Even if the tools barely fit the window, some of the conversation is sent; the provider rejects too large requests.
const LEAST_CONVERSATION_TOKENS = 2_000;

const conversationLimit = (requestTokens: number, { fixedTokens }: Offer) =>
  Math.max(LEAST_CONVERSATION_TOKENS, Math.floor(requestTokens) - fixedTokens);

/** The part of the window that is available for the request. */
const windowTokens = ({ contextWindowTokens, maxOutputTokens }: ResolvedModel, fill: number) =>
  Math.min(contextWindowTokens * fill, Math.max(contextWindowTokens * 0.4, contextWindowTokens - maxOutputTokens));

// Timers support at most 24 days, and the built-in rules have no deadline.
const LONGEST_STEP_MS = 24 * 3_600_000;

const LONGEST_RESULTS = 400_000;

/** Maximum total length of the results of one answer's calls: half of the conversation that fits the window. */
const resultCharacters = (model: ResolvedModel, offer: Offer) =>
  Math.min(LONGEST_RESULTS, charactersFor(conversationLimit(windowTokens(model, FILL_AFTER_OVERFLOW * 2), offer) / 2));

/**
 * One model call. If the provider rejects the conversation as too long, half of it is sent in a retry, and later steps
 * send no more than that. `outcome` is null if the budget was too small and nothing was sent.
 */
async function callModel(
  deps: LoopDeps,
  conversation: ModelMessage[],
  options: CallOptions,
): Promise<{ outcome: ModelStep | null; state: LoopState }> {
  const { left, signal, notices, tools, fixedTokens } = options;
  const call = async (state: LoopState): Promise<{ outcome: ModelStep | null; cut: Cut; requestTokens: number }> => {
    const room = deps.model.isBuiltin
      ? Infinity
      : Math.min(
          windowTokens(deps.model, state.fill),
          affordableTokens(deps.model, state, { left, steps: options.limits.maxSteps - state.stepsInTurn }),
        );
    const { messages, cut } = fitConversation(conversation, state.cut, conversationLimit(room, options));
    const requestTokens = fixedTokens + conversationTokens(messages);
    const maxOutputTokens = affordableOutput(deps.model, state, { left, requestTokens });
    if (maxOutputTokens === null) return { outcome: null, cut, requestTokens };
    const timeLeftMs = Math.min(LONGEST_STEP_MS, options.limits.deadline.getTime() - deps.clock.now().getTime());
    const startMs = performance.now();
    const outcome = await tracedModelStep(deps.model.name, {
      model: deps.model.model,
      system: deps.system,
      messages: (await deps.showImages?.(messages)) ?? messages,
      tools,
      signal,
      maxOutputTokens,
      timeoutMs: Math.max(1, timeLeftMs),
      attemptTimeoutMs: options.limits.modelTimeoutMs,
      onRetry: ({ failure, waitMs }) =>
        notices.push({
          type: "notice",
          code: failure.code,
          text: `${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`,
        }),
      providerOptions: deps.model.providerOptions,
      effort: deps.model.effort,
      onReceived: deps.onReceived,
    });
    modelSteps.publish({
      model: deps.model.name,
      result: outcome.ok ? "ok" : outcome.failure.code,
      usage: outcome.usage,
      seconds: secondsSince(startMs),
    });
    return { outcome, cut, requestTokens };
  };
  const done = (state: LoopState, { outcome, cut }: Awaited<ReturnType<typeof call>>) => ({
    outcome,
    state: { ...state, cut, ...(outcome?.ok && { cachedShare: cachedShare(outcome.usage) }) },
  });
  const first = await call(options.state);
  if (!first.outcome || first.outcome.ok || first.outcome.failure.code !== "context_overflow") {
    return done(options.state, first);
  }
  notices.push({
    type: "notice",
    code: "context_overflow",
    text: `${first.outcome.failure.message} Trying again with less of the conversation.`,
  });
  const state = { ...options.state, cut: first.cut, fill: FILL_AFTER_OVERFLOW };
  const second = await call(state);
  if (!second.outcome) return done(state, first);
  return done(state, {
    ...second,
    outcome: { ...second.outcome, usage: addUsage(first.outcome.usage, second.outcome.usage) },
  });
}

const cachedShare = ({ inputTokens, cachedTokens }: ModelUsage) => (inputTokens === 0 ? 0 : cachedTokens / inputTokens);

const OUTAGES = new Set<ModelFailure["code"]>(["rate_limited", "model_unavailable", "model_timeout"]);

/** A model failure as a job failure, with its message and hint. */
function failureOf(failure: ModelFailure, isLate: boolean): LoopFailure {
  if (failure.code === "model_timeout" && isLate) return OUT_OF_TIME;
  const code = failure.code === "model_auth" || failure.code === "context_overflow" ? failure.code : "model_error";
  const isOutage = failure.retryable && OUTAGES.has(failure.code);
  return { ok: false, code, message: failure.message, hint: failure.hint, ...(isOutage && { outage: failure }) };
}
