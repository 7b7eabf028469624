import { expect, it } from "vitest";
import type { ToolEnvironment } from "#tools/tool.ts";
import type { LoopLimits } from "./loop-limits.ts";
import { runSubtasksTool } from "./subtasks-tool.ts";
import { limitsOfSubtask } from "./subtasks.ts";

it("gives each sub-task an equal part of three quarters of the steps, tokens and money that are left, and ends it before the turn", () => {
  const deadline = new Date("2026-11-28T12:30:00Z");
  const limits: LoopLimits = {
    maxSteps: 120,
    inputTokens: 1_500_000,
    outputTokens: 100_000,
    costMicroUsd: 500_000,
    deadline,
    turnMs: 30 * 60_000,
    toolPatienceMs: 1,
    modelTimeoutMs: 1,
  };
  const left = { inputTokens: 800_000, outputTokens: 40_000, costMicroUsd: 400_000 };
  expect(limitsOfSubtask(limits, { number: 10, steps: 100, left })).toMatchObject({
    maxSteps: 7,
    inputTokens: 60_000,
    outputTokens: 3_000,
    costMicroUsd: 30_000,
    deadline: new Date("2026-11-28T12:28:30Z"),
  });
});

it.each([
  ["guide/A-page.md", "guide/a-page.md"],
  ["Guides/one.md", "guides/two.md"],
  ["fr", "fr/index.md"],
])("refuses %s beside %s, which may be the same file or folder on a disk", async (one, other) => {
  const subtasks = [one, other].map((file) => ({ title: file, instruction: "Write it.", files: [file] }));
  const environment: unknown = { turn: { stepsLeft: () => 100 } };
  const result = await runSubtasksTool().run({ subtasks }, environment as ToolEnvironment);
  expect(result.ok ? "" : result.message).toContain("would change the same files");
});
