import { createHash } from "node:crypto";
import { createActivity } from "#lib/activity.ts";
import type { ModelMessage } from "#models/message.ts";
import type { RequestedCall } from "#models/reply.ts";
import type { ModelStep } from "#models/step.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { LoopState } from "./loop-state.ts";
import { PLAN_TOOL, planSteps } from "#tools/plan.ts";
import { textForModel, valueForModel } from "#tools/model-view.ts";
import { withSummary } from "./short-messages.ts";
import { subtasksIn, SUBTASKS_TOOL } from "./subtasks-tool.ts";
import { FINISH_TOOL, type FinishInput, type ToolResult } from "#tools/tool.ts";
import { refusedBesideSubtasks, type StartedSubtasks } from "./subtasks.ts";
import { runTool, type ToolDeps } from "./tool-call.ts";
import { writtenCalls } from "./written-calls.ts";

/** Calls of tools; `tool` is null for a name that the model made up. */
export const toolCalls = createActivity<{ tool: string | null; ok?: boolean }>("tool call");

export type Answered = Extract<ModelStep, { ok: true }>;

/** The effect of one answer of the model, after its calls were run. */
export interface AnswerEffect {
  /** The answer and the results of its calls, to store and to send back. */
  messages: ModelMessage[];
  events: AgentEvent[];
  state: LoopState;
  mutated: boolean;
  finish: FinishInput | null;
  /** Sub-tasks to run before the next step; null for none. */
  started: StartedSubtasks | null;
}

// Real models send 1 to 10 calls; a thousand would only fill the store, transcript and context.
const MAX_CALLS = 32;
const REMEMBERED_CALLS = 64;
// The limit of output tokens, Gemini's MALFORMED_FUNCTION_CALL, a pause. A text before that is not the end of the work.
const BROKEN_ENDINGS = new Set<Answered["finishReason"]>(["length", "error"]);
// Far above what a model writes within its output limit; truncates a provider that ignores the limit.
const MAX_TEXT_LENGTH = 100_000;
const MAX_INPUT_LENGTH = 250_000;
const MAX_RESULT_LENGTH = 150_000;
// Enough for an error message, regardless of the number of calls in an answer.
const MIN_RESULT_LENGTH = 1_000;
// For the reason of a failed call in the transcript.
const MAX_REASON_LENGTH = 1_000;

/** Runs the tool calls of an answer one by one. Throws only errors of `signal` or the tree. */
export async function runCalls(
  deps: ToolDeps,
  {
    answer: given,
    state,
    tree,
    toolPatienceMs,
    resultCharacters,
    signal,
  }: {
    answer: Answered;
    state: LoopState;
    /** Id of the tree before the calls. */
    tree: string;
    toolPatienceMs: number;
    /** Limit for the results of all calls together. */
    resultCharacters: number;
    signal: AbortSignal;
  },
): Promise<AnswerEffect> {
  const answer = withWrittenCalls(given, deps.tools);
  const calls = answer.toolCalls.slice(0, MAX_CALLS);
  const leftOutCalls = answer.toolCalls.length - calls.length;
  const events: AgentEvent[] = [];
  if (answer.text.trim() !== "") events.push({ type: "message", role: "assistant", text: answer.text });
  const results: CarriedCall[] = [];
  let room = resultCharacters;
  let finish: FinishInput | null = null;
  let mutated = false;
  let started: StartedSubtasks | null = null;
  for (const [index, call] of calls.entries()) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    events.push({ type: "tool.started", id: call.id, tool: call.name, input: call.input });
    const maxCharacters = Math.min(
      MAX_RESULT_LENGTH,
      Math.max(MIN_RESULT_LENGTH, Math.floor(room / (calls.length - index))),
    );
    const environment = { ...deps.environment, maxResultCharacters: maxCharacters };
    const refusal: ToolResult | null = started && refusedBesideSubtasks(call.name);
    const { result, tool, input }: Awaited<ReturnType<typeof runTool>> = refusal
      ? { result: refusal, tool: null }
      : await tracedTool({ ...deps, environment }, call, toolPatienceMs);
    const durationMs = Math.round(performance.now() - startedAt);
    const { redact } = deps.environment;
    events.push({
      type: "tool.finished",
      id: call.id,
      tool: call.name,
      ok: result.ok,
      summary: result.summary,
      ...(!result.ok && { reason: reasonOf(result, redact) }),
      durationMs,
    });
    const seen = answerOf(result, redact);
    const text = cut(seen, maxCharacters);
    room -= text.length;
    results.push({ call, result, text });
    mutated ||= tool?.mutates ?? false;
    const plan = call.name === PLAN_TOOL && result.ok ? planSteps(input) : null;
    if (plan) events.push({ type: "plan.updated", steps: plan });
    if (call.name === FINISH_TOOL && result.ok) finish = result.content as FinishInput;
    if (call.name === SUBTASKS_TOOL && result.ok) {
      // Stored as they are, unlike the call, which is encrypted if it contains a credential.
      started = JSON.parse(redact(JSON.stringify({ call: call.id, subtasks: subtasksIn(input) }))) as StartedSubtasks;
      finish = null; // it cannot know the reports
    }
  }
  if (started) events.push(startedEvent(started));
  if (leftOutCalls > 0) {
    const text = `${leftOutCalls} of ${answer.toolCalls.length} calls in one answer were not run: at most ${MAX_CALLS} are.`;
    events.push({ type: "notice", code: "too_many_calls", text });
  }
  const isBroken = results.length === 0 && BROKEN_ENDINGS.has(answer.finishReason);
  if (results.length === 0 && state.reminded && !isBroken) finish = finishFromText(answer.text);
  const messages = bounded(answer.messages, new Set(calls.map((call) => call.id)));
  if (results.length > 0) {
    messages.push({ role: "tool", content: results.map((done) => toolResultPart(done, deps.environment.redact)) });
  }
  return {
    messages,
    events,
    mutated,
    finish,
    started,
    state: stateAfter(state, { results, tree, leftOutCalls, brokenBy: isBroken ? answer.finishReason : null }),
  };
}

function tracedTool(deps: ToolDeps, call: RequestedCall, patienceMs: number): ReturnType<typeof runTool> {
  const isKnown = deps.tools.some(({ name }) => name === call.name);
  const traced: Parameters<typeof toolCalls.run>[0] = { tool: isKnown ? call.name : null };
  return toolCalls.run(traced, async () => {
    const done = await runTool(deps, call, patienceMs);
    traced.ok = done.result.ok;
    return done;
  });
}

/** With the instructions left out: they are in the input of the call. */
const startedEvent = ({ subtasks }: StartedSubtasks): AgentEvent => ({
  type: "subtasks.started",
  subtasks: subtasks.map(({ title, files }, index) => ({ subtask: index + 1, title, files })),
});

/** Why a call failed, for people, without repeating its summary. */
function reasonOf({ summary, message }: ToolResult & { ok: false }, redact: (text: string) => string): string {
  const rest = message.startsWith(summary) ? message.slice(summary.length).trim() : message;
  return cut(textForModel(rest, redact), MAX_REASON_LENGTH);
}

/** Text is sent unchanged, everything else as JSON. */
function answerOf(result: ToolResult, redact: (text: string) => string): string {
  if (!result.ok) return textForModel(result.message, redact);
  if (typeof result.content === "string") return textForModel(result.content, redact);
  return JSON.stringify(valueForModel(result.content, redact));
}

/** Converts calls that the model wrote in its text into tool calls. */
function withWrittenCalls(answer: Answered, tools: ToolDeps["tools"]): Answered {
  if (answer.toolCalls.length > 0) return answer;
  const names = tools.map(({ name }) => name);
  const toolCalls = writtenCalls(answer.text, names);
  if (toolCalls.length === 0) return answer;
  const content = toolCalls.map(({ id, name, input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input: input ?? {},
  }));
  return { ...answer, text: "", toolCalls, messages: [{ role: "assistant", content }] };
}

interface CarriedCall {
  call: RequestedCall;
  result: ToolResult;
  /** The result that is sent to the model. */
  text: string;
}

/** Progress is a successful call that was not made before on the same files with the same result. */
function stateAfter(
  state: LoopState,
  {
    results,
    tree,
    leftOutCalls,
    brokenBy,
  }: { results: readonly CarriedCall[]; tree: string; leftOutCalls: number; brokenBy: Answered["finishReason"] | null },
): LoopState {
  const before = new Set(state.recentCalls);
  const worked = results
    .filter(({ result }) => result.ok)
    .map(({ call, result }) => hashOf([call.name, call.input, result, tree]));
  const isIdle = brokenBy !== null || (results.length > 0 && worked.every((hash) => before.has(hash)));
  const isUnreadable = isIdle && results.length > 0 && results.every(({ call }) => call.invalid !== null);
  const isProgress = results.length > 0 && !isIdle;
  return {
    ...state,
    stepsInTurn: state.stepsInTurn + 1,
    idleAnswers: isProgress ? 0 : state.idleAnswers + (isIdle ? 1 : 0),
    unreadableAnswers: isProgress ? 0 : state.unreadableAnswers + (isUnreadable ? 1 : 0),
    nudged: state.nudged && !isProgress,
    reminded: state.reminded && !isProgress,
    recentCalls: [...new Set([...state.recentCalls, ...worked])].slice(-REMEMBERED_CALLS),
    leftOutCalls,
    wasCutOff: brokenBy === "length",
  };
}

/** The answer without calls that were not run, and with texts and inputs small enough to store and resend. */
function bounded(messages: readonly ModelMessage[], kept: ReadonlySet<string>): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || typeof message.content === "string") return message;
    const content = message.content
      .filter((part) => part.type !== "tool-call" || kept.has(part.toolCallId))
      .map((part) => {
        if (part.type === "text") return { ...part, text: cut(part.text, MAX_TEXT_LENGTH) };
        if (part.type !== "tool-call") return part;
        const length = JSON.stringify(part.input).length;
        return length > MAX_INPUT_LENGTH ? { ...part, input: { leftOut: `an input of ${length} characters` } } : part;
      });
    return { ...message, content };
  });
}

function toolResultPart({ call, result, text }: CarriedCall, redact: (text: string) => string) {
  return {
    type: "tool-result" as const,
    toolCallId: call.id,
    toolName: call.name,
    output: { type: result.ok ? ("text" as const) : ("error-text" as const), value: text },
    ...withSummary(textForModel(result.summary, redact)),
  };
}

/** A model that twice answers only with text is done: its text is the summary. */
function finishFromText(text: string): FinishInput {
  const summary = cut(text.trim(), 20_000) || "The model ended without saying what it did.";
  // The title is truncated later, after credentials are removed: half a credential would not be recognized.
  return { outcome: "done", title: summary.split("\n")[0]!, summary };
}

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}… (${text.length} characters)` : text;

const hashOf = (value: unknown) =>
  createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64url")
    .slice(0, 16);
