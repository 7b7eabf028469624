import type { LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import { z } from "zod";
import type { ChoreCall } from "./chores/chore-form.ts";
import {
  type ChoreResult,
  type FinishReport,
  finished,
  impossible,
  notUnderstood,
  type FailedChore,
} from "./report.ts";
import { aboutPlace, placeOfRequest, wholePageNote } from "./about-place.ts";
import { widerThanSaid } from "./wide-change.ts";
import { choresOfCorrection } from "./corrections.ts";
import { choresOfFollowUp } from "./follow-ups.ts";
import { NOTHING_BEFORE, type TurnBefore } from "./turn-before.ts";
import { indexNames, type KnownNames, Names } from "./grammar/names.ts";
import { type Understanding, understand } from "./understanding.ts";

/** The next tool call of a turn. */
export interface NextCall {
  tool: string;
  input: Record<string, unknown>;
}

const FINISH = "finish";
export const CHECK_CHORES = "check_chores";
const LOOK_UP = "look_up_names";
// A longer request is not a sentence that names could help to understand.
const mayKnowNames = (request: string): boolean => request.length <= 20_000;
/** Tools that work on plain files, or on the turn itself; every other offered tool is a chore. */
const NO_CHORES =
  /^(?:list_files|read_file|search_files|outline_page|edit_file|write_file|move_file|delete_file|finish|check_chores|look_up_names)$/;

/** The report for “never mind”. */
const LEFT: FinishReport = {
  outcome: "done",
  title: "Change nothing",
  summary: "Nothing was changed, and what this job did before stays. “Undo that” takes the last change back.",
};

export interface MadeCall {
  tool: string;
  ok: boolean;
  /** JSON on success, text on failure. */
  output: string;
}

const Checks = z.object({
  results: z.array(z.looseObject({ ok: z.boolean(), message: z.string().optional(), hint: z.string().optional() })),
});
const Ended = z.looseObject({ outcome: z.literal("done") });
const Result = z.looseObject({
  summary: z.string().catch("Done"),
  notes: z.array(z.string()).catch([]),
  changedCount: z.number().catch(0),
});

/**
 * The next call, derived from the messages alone: the same conversation gives the same call, so an interrupted turn continues
 * where it stopped. Only the messages since the end of the last turn are read. The chores of a message are tried together
 * (`check_chores`) before the first of them runs.
 */
export function nextCall(prompt: LanguageModelV4Prompt, toolNames: readonly string[]): NextCall {
  const { requests, made, before } = readTurn(prompt);
  const choreNames = toolNames.filter((name) => !NO_CHORES.test(name));
  const calls: ChoreCall[] = [];
  const results: ChoreResult[] = [];
  const remarks = new Set<string>();
  let at = 0;
  for (const [index, request] of requests.entries()) {
    // A message that arrives during a turn refers to this turn, which has not ended yet, so it has nothing to refer to.
    const referredTurn = index === 0 ? before : NOTHING_BEFORE;
    const place = placeOfRequest(request);
    if (place) remarks.add(wholePageNote(place));
    const read = (names?: KnownNames) => {
      const readOne = (words: string) =>
        followed(words, referredTurn, choreNames, names) ?? understand(words, choreNames, names);
      return place ? aboutPlace(place, readOne) : readOne(request);
    };
    // Form alone does not identify names: the repository is searched for those in the request.
    const looked = made[at]?.tool === LOOK_UP ? made[at] : undefined;
    let understanding: Understanding;
    if (looked) {
      at += 1;
      const names = Names.safeParse(parseJson(looked.output));
      understanding = looked.ok && names.success ? read(indexNames(names.data)) : read();
    } else {
      understanding = read();
      const mayBeNames = toolNames.includes(LOOK_UP) && mayKnowNames(request);
      if (understanding.refused.length > 0 && mayBeNames) return { tool: LOOK_UP, input: { text: request } };
    }
    if (understanding.refused.length > 0) return finishCall(notUnderstood(understanding, request));
    const unknown = understanding.calls.find((call) => !toolNames.includes(call.tool));
    if (unknown)
      return finishCall(impossible([{ call: unknown, message: `there is no tool ${unknown.tool} here.` }], results));
    if (understanding.calls.length > 0 && toolNames.includes(CHECK_CHORES)) {
      const check = made[at];
      if (!check) return { tool: CHECK_CHORES, input: { chores: understanding.calls } };
      at += 1;
      const problems = problemsOf(check, understanding.calls);
      if (problems.length > 0) return finishCall(impossible(problems, results));
      const wide = widerThanSaid(check.output, request, understanding.calls);
      if (wide !== null) return finishCall(impossible([wide], results));
    }
    for (const call of understanding.calls) {
      const run = made[at];
      if (!run) return { tool: call.tool, input: call.input };
      at += 1;
      if (!run.ok) return finishCall(impossible([{ call, message: run.output }], results));
      calls.push(call);
      results.push(readResult(run.output));
    }
  }
  return finishCall(calls.length === 0 ? LEFT : finished(calls, results, [...remarks]));
}

/** The result of a chore. */
export const readResult = (output: string): ChoreResult => Result.parse(parseJson(output));

export function finishCall(ending: FinishReport): NextCall {
  return { tool: FINISH, input: { ...ending } };
}

/** The chores of a request that refers to the previous turn; null when it does not. */
function followed(request: string, before: TurnBefore, toolNames: string[], names?: KnownNames): Understanding | null {
  const options = { toolNames, ...(names && { names }) };
  const calls = choresOfCorrection(request, before, options) ?? choresOfFollowUp(request, before, options);
  return calls && { calls, understood: [request], refused: [], hint: null };
}

/** User texts since the last turn's end, the calls made since with their results, and the outcome of the previous turn. */
export function readTurn(prompt: LanguageModelV4Prompt): { requests: string[]; made: MadeCall[]; before: TurnBefore } {
  const requests: string[] = [];
  let before = NOTHING_BEFORE;
  const chores: ChoreCall[] = [];
  let made: MadeCall[] = [];
  let pending = new Map<string, string>();
  for (const message of prompt) {
    if (message.role === "user") {
      const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      if (text.trim() !== "") requests.push(text);
    } else if (message.role === "assistant") {
      const called = message.content.filter((part) => part.type === "tool-call");
      if (called.length === 0 || called.some((part) => part.toolName === FINISH)) {
        const done = chores.splice(0);
        const isCarriedOut = called.some(({ input }) => Ended.safeParse(input).success);
        before = {
          requests: [...requests],
          isCarriedOut,
          isAfterRefusal: before.requests.length > 0 && !before.isCarriedOut,
          turns: isCarriedOut ? [...before.turns, done] : before.turns,
        };
        requests.length = 0;
        made = [];
        pending = new Map();
      } else {
        for (const part of called) {
          pending.set(part.toolCallId, part.toolName);
          const isChore = !NO_CHORES.test(part.toolName) && typeof part.input === "object" && part.input !== null;
          if (isChore) chores.push({ tool: part.toolName, input: part.input as Record<string, unknown> });
        }
      }
    } else if (message.role === "tool") {
      for (const part of message.content) {
        const tool = part.type === "tool-result" ? pending.get(part.toolCallId) : undefined;
        if (part.type === "tool-result" && tool !== undefined) made.push({ tool, ...readOutput(part.output) });
      }
    }
  }
  return { requests, made, before };
}

function readOutput(output: LanguageModelV4ToolResultOutput): { ok: boolean; output: string } {
  switch (output.type) {
    case "text":
    case "error-text":
      return { ok: output.type === "text", output: output.value };
    case "json":
    case "error-json":
      return { ok: output.type === "json", output: JSON.stringify(output.value) };
    case "execution-denied":
      return { ok: false, output: output.reason ?? "It was not allowed." };
    case "content":
      return { ok: true, output: output.value.map((part) => (part.type === "text" ? part.text : "")).join("") };
  }
}

export function problemsOf(check: MadeCall, calls: readonly ChoreCall[]): FailedChore[] {
  const [first] = calls;
  if (!check.ok) return first ? [{ call: first, message: check.output }] : [];
  const parsed = Checks.safeParse(parseJson(check.output));
  if (!parsed.success) return [];
  return parsed.data.results.flatMap(({ ok, message, hint }, index) => {
    const call = calls[index];
    return ok || !call ? [] : [{ call, message: message ?? "It cannot be done.", ...(hint !== undefined && { hint }) }];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
