import type { TurnBudget } from "./budget.ts";
import type { LoopFailure, LoopLimits } from "./loop-limits.ts";
import type { ModelMessage } from "#models/message.ts";
import { withSummary } from "./short-messages.ts";
import { count, listed, refused } from "#tools/outcome.ts";
import { PLAN_TOOL } from "#tools/plan.ts";
import { ownsFile, type Subtask, shareOfSubtask, SUBTASKS_TOOL } from "./subtasks-tool.ts";
import { FINISH_TOOL, type FinishInput, type Tool } from "#tools/tool.ts";

/** Sub-tasks of a step, and the call that started them. */
export interface StartedSubtasks {
  call: string;
  subtasks: Subtask[];
}

/** Usage of a sub-task so far. */
export interface SubtaskUsage {
  steps: number;
  inputTokens: number;
  /** Counted as in a budget: tokens from the cache count less. */
  weightedTokens: number;
  outputTokens: number;
  costMicroUsd: number;
}

export interface SubtaskEnd {
  /** Null if it was stopped by a limit or by its model. */
  finish: FinishInput | null;
  failure: LoopFailure | null;
  /** Paths of the files that it changed. */
  changed: string[];
  usage: SubtaskUsage;
}

/** More would reach the rate limits of usual accounts. */
export const SUBTASKS_AT_ONCE = 4;

// Of the turn's time: left for the agent that reads the reports.
const LAST_PART_OF_TURN = 0.05;

/** Limits of one of `number` sub-tasks that share what was left of the turn when they started. */
export function limitsOfSubtask(
  limits: LoopLimits,
  { number, steps, left }: { number: number; steps: number; left: TurnBudget },
): LoopLimits {
  return {
    ...limits,
    maxSteps: Math.max(1, shareOfSubtask(steps, number)),
    inputTokens: shareOfSubtask(left.inputTokens, number),
    outputTokens: shareOfSubtask(left.outputTokens, number),
    costMicroUsd: left.costMicroUsd === null ? null : shareOfSubtask(left.costMicroUsd, number),
    deadline: new Date(limits.deadline.getTime() - limits.turnMs * LAST_PART_OF_TURN),
  };
}

/** The first message of a sub-task after the material. */
export const subtaskPrompt = ({ instruction, files }: Subtask, { maxSteps }: LoopLimits): string =>
  `This is one sub-task of a larger instruction. Others work on other files at the same time.
- You may change these files and folders only: ${files.join(", ")}. Other files are for others: report what they need.
- You have ${count(maxSteps, "answer")} instead of those of a turn, and cannot start sub-tasks of your own.
- Call finish when this sub-task is done. Its summary is your report to the agent that continues: what you changed, what you left, and why.

The sub-task:
${instruction}`;

/**
 * The tools of a sub-task: the same list, so that the start of the request is the same as in the turn and comes from
 * the provider's cache. A call that changes another file is refused.
 */
export const toolsOfSubtask = (tools: readonly Tool[], subtask: Subtask): Tool[] =>
  tools.map((tool) => {
    if (tool.name === SUBTASKS_TOOL || tool.name === PLAN_TOOL) return { ...tool, run: refuseInSubtask };
    return tool.mutates ? withinFiles(tool, subtask) : tool;
  });

const refuseInSubtask: Tool["run"] = () =>
  Promise.resolve(
    refused("Not for a sub-task", "A sub-task has no plan and cannot start sub-tasks. Do the work yourself."),
  );

const MAX_NAMED = 5;

function withinFiles(tool: Tool, subtask: Subtask): Tool {
  return {
    ...tool,
    async run(input, environment) {
      const before = environment.tree.edits();
      const result = await tool.run(input, environment);
      const others = [...environment.tree.edits()].flatMap(([path, content]) =>
        before.get(path) === content || ownsFile(subtask, path) ? [] : [path],
      );
      if (!result.ok || others.length === 0) return result;
      const refusal = `It would change ${listed(others.sort(), MAX_NAMED)}, and this sub-task may change ${subtask.files.join(", ")} only. Change your own files, and name the rest in your report.`;
      return refused(`Did not run ${tool.name}`, refusal);
    },
  };
}

const MAX_REPORT = 4_000;
/** About 6,000 tokens for the reports of all sub-tasks, which stay in the conversation. */
const MAX_REPORTS = 24_000;
const MAX_CHANGED = 40;

/** The result of the call that started the sub-tasks. */
export function reportsOf(subtasks: readonly Subtask[], ends: readonly SubtaskEnd[]): string {
  const finished = ends.filter(({ finish }) => finish?.outcome === "done").length;
  const longest = Math.min(MAX_REPORT, Math.floor(MAX_REPORTS / subtasks.length));
  const reports = subtasks.map(({ title }, index) => {
    const end = ends[index]!;
    const changed = end.changed.length === 0 ? "no file" : listed(end.changed, MAX_CHANGED);
    const { finish } = end;
    const report = [finish?.summary, finish?.hint, finish?.question && `Question: ${finish.question}`];
    const said = report.filter((text) => text).join("\n\n");
    return `${index + 1}. ${title}: ${howItEnded(end)} after ${count(end.usage.steps, "step")}. Changed ${changed}.${said && `\n${cutReport(said, longest)}`}`;
  });
  return [`${finished} of ${count(subtasks.length, "sub-task")} done.`, ...reports].join("\n\n");
}

/** How a sub-task ended, in a few words. */
export function howItEnded({ finish, failure }: SubtaskEnd): string {
  if (finish) return finish.outcome === "done" ? "done" : "not done";
  if (failure?.code === "budget_exceeded") return "stopped, because its share of the budget is used up";
  if (failure?.code === "step_limit") return "stopped, because its share of the steps is used up";
  return `stopped (${failure?.message ?? "no reason given"})`;
}

const cutReport = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)`;

/** The messages of the step with the result of one call replaced. */
export const withResult = (messages: readonly ModelMessage[], call: string, text: string): ModelMessage[] =>
  messages.map((message) =>
    message.role === "tool"
      ? {
          ...message,
          content: message.content.map((part) =>
            part.type === "tool-result" && part.toolCallId === call
              ? { ...part, output: { type: "text" as const, value: text }, ...withSummary(text.split("\n", 1)[0]!) }
              : part,
          ),
        }
      : message,
  );

/** Why a call is refused in an answer that has started sub-tasks; null if it is not. */
export const refusedBesideSubtasks = (name: string) =>
  name === SUBTASKS_TOOL || name === FINISH_TOOL
    ? refused("Not with sub-tasks", "Call it in your next answer, after you have read the reports of the sub-tasks.")
    : null;
