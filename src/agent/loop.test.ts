import { describe, expect, it } from "vitest";
import type { LanguageModelV4 } from "#models/message.ts";
import type { ResolvedModel } from "#models/model.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import type { BudgetLeft } from "./budget.ts";
import { type LoopOutcome, type LoopStep, runLoop } from "./loop.ts";
import type { LoopLimits } from "./loop-limits.ts";
import { INITIAL_LOOP_STATE, type LoopState } from "./loop-state.ts";
import { createAgentTools } from "./toolbox/tools.ts";

type Call = [name: string, input: Record<string, unknown> | string];
interface Answer {
  calls?: Call[];
  text?: string;
  input?: number;
  cached?: number;
  output?: number;
  finish?: "length" | "error";
}

const LIMITS: LoopLimits = {
  maxSteps: 30,
  deadline: new Date("2026-11-22T12:30:00Z"),
  turnMs: 30 * 60_000,
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  costMicroUsd: null,
  toolPatienceMs: 10_000,
  modelTimeoutMs: 10_000,
};
const NOW = new Date("2026-11-22T12:00:00Z");
const FILES = {
  "index.md": "# Start\n\nHarbor.\n",
  "long.md": `# Long\n\n${"All work and no play. \n".repeat(3_000)}`,
};
const read = (path = "index.md", offset = 1): Call => ["read_file", { path, offset }];
const write = (path: string, text: string): Call => ["write_file", { path, content: text }];
const done: Answer = { calls: [["finish", { outcome: "done", title: "Do it", summary: "Did it." }]] };

/** Runs the loop with a model that answers from a list, repeating the last entry, and a record that counts like the store's. */
async function play(
  answers: readonly Answer[],
  options: {
    limits?: Partial<LoopLimits>;
    left?: Partial<BudgetLeft>;
    state?: Partial<LoopState>;
    model?: Partial<ResolvedModel>;
    now?: (steps: number) => Date;
  } = {},
): Promise<{ outcome: LoopOutcome; steps: LoopStep[]; said: string[]; requests: string[]; outputs: number[] }> {
  const tools = createAgentTools();
  const bench = createAgentBench(tools, FILES);
  const limits = { ...LIMITS, ...options.limits };
  const said: string[] = [];
  const requests: string[] = [];
  const outputs: number[] = [];
  const model = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "m",
    supportedUrls: {},
    doStream: () => Promise.reject(new Error("not streamed")),
    doGenerate: (call) => {
      const answer = answers[Math.min(requests.length, answers.length - 1)]!;
      requests.push(JSON.stringify(call.prompt));
      outputs.push(call.maxOutputTokens ?? 0);
      const last = call.prompt.at(-1);
      said.push(last?.role === "user" ? JSON.stringify(last.content) : "");
      const calls = (answer.calls ?? []).map(([toolName, input], index) => ({
        type: "tool-call" as const,
        toolCallId: `call_${requests.length}_${index}`,
        toolName,
        input: typeof input === "string" ? input : JSON.stringify(input),
      }));
      return Promise.resolve({
        content: [...(answer.text ? [{ type: "text" as const, text: answer.text }] : []), ...calls],
        finishReason: { unified: answer.finish ?? (calls.length > 0 ? "tool-calls" : "stop"), raw: "stop" },
        usage: {
          inputTokens: {
            total: answer.input ?? 100,
            noCache: undefined,
            cacheRead: answer.cached,
            cacheWrite: undefined,
          },
          outputTokens: { total: answer.output ?? 10, text: undefined, reasoning: undefined },
        },
        warnings: [],
      });
    },
  } satisfies LanguageModelV4;
  const resolved: ResolvedModel = {
    name: "test/m",
    credential: "test",
    model,
    contextWindowTokens: 200_000,
    maxOutputTokens: 8_000,
    seesImages: true,
    providerOptions: {},
    price: null,
    weights: { cached: 0.1, cacheWrite: 1 },
    isBuiltin: false,
    ...options.model,
  };
  const left: BudgetLeft = {
    inputTokens: limits.inputTokens,
    outputTokens: limits.outputTokens,
    costMicroUsd: limits.costMicroUsd,
    isDay: false,
    ...options.left,
  };
  const steps: LoopStep[] = [];
  const outcome = await runLoop(
    {
      tools,
      environment: bench.environment,
      reportFault: ({ error }) => {
        throw error;
      },
      model: resolved,
      system: "You edit documentation.",
      clock: { now: () => options.now?.(steps.length) ?? NOW },
    },
    {
      conversation: [],
      prompts: ["Do it."],
      state: { ...INITIAL_LOOP_STATE, ...options.state },
      limits,
      left: { ...left },
      tree: JSON.stringify(await bench.contents()),
      signal: new AbortController().signal,
    },
    {
      async step(step) {
        steps.push(step);
        left.inputTokens -= step.weightedTokens;
        left.outputTokens -= step.usage.outputTokens;
        if (left.costMicroUsd !== null) left.costMicroUsd -= step.costMicroUsd;
        return { prompts: [], left: { ...left }, tree: JSON.stringify(await bench.contents()) };
      },
      failedCall: () => Promise.resolve(),
    },
  );
  return { outcome, steps, said, requests, outputs };
}

const search = (text: string): Answer => ({ calls: [["search_files", { text }]] });
const searches = (count: number) => Array.from({ length: count }, (_, at) => search(`word ${at}`));
const failing: Call = ["edit_file", { path: "index.md", edits: [{ old: "nowhere in it", new: "x" }] }];

describe("an answer that was cut off", () => {
  const half: Answer = { text: "I will now write the whole page, which begins with", finish: "length" };

  it("is not the end of the work, and the model is told why it was cut off", async () => {
    const { outcome, said } = await play([half, half, half, done]);
    expect(outcome).toMatchObject({ ok: true, finish: { summary: "Did it." } });
    expect(said.slice(1)).toEqual(Array(3).fill(expect.stringContaining("cut off at the limit of output tokens")));
  });

  it("ends the work as stuck when no other comes", async () => {
    const { outcome, steps } = await play([half]);
    expect(outcome).toMatchObject({ ok: false, code: "stuck" });
    expect(steps).toHaveLength(8);
  });
});

describe("steps", () => {
  it("stop exactly at the limit, and the model is told which one is the last", async () => {
    const { outcome, steps, said } = await play(searches(30), { limits: { maxSteps: 7 } });
    expect(outcome).toMatchObject({ ok: false, code: "step_limit", message: "The agent was not done after 7 steps." });
    expect(steps).toHaveLength(7);
    expect(said.map((text) => /this is your last answer/.test(text))).toEqual([...Array<boolean>(6).fill(false), true]);
  });

  it("may end with finish in the last step", async () => {
    const { outcome } = await play([...searches(6), done], { limits: { maxSteps: 7 } });
    expect(outcome).toMatchObject({ ok: true, finish: { summary: "Did it." } });
  });

  it("are reported to the model once when half is left and once when a quarter is left", async () => {
    const { said } = await play([...searches(18), done], { limits: { maxSteps: 20 } });
    const told = said.flatMap((text, index) => (text.includes("For this turn you have") ? [index] : []));
    expect(told).toEqual([10, 15]);
    expect(said[15]).toContain("you have 5 steps");
  });
});

describe("a model", () => {
  it("is stuck if it repeats the same call with the same result on the same files after a nudge", async () => {
    const { outcome, steps, said } = await play([{ calls: [read()] }]);
    expect(outcome).toMatchObject({ ok: false, code: "stuck" });
    expect(said.filter((text) => text.includes("Change your approach"))).toHaveLength(1);
    expect(steps).toHaveLength(9);
  });

  it("is not stuck if it repeats a check after each change", async () => {
    const pages = Array.from({ length: 9 }, (_, at) => `p${at}.md`);
    const answers = pages.flatMap((page): Answer[] => [
      { calls: [write(page, "# Page\n\nText.\n")] },
      { calls: [["check_links", {}]] },
    ]);
    const { outcome, said } = await play([...answers, done]);
    expect(outcome.ok).toBe(true);
    expect(said.join("")).not.toContain("Change your approach");
  });

  it("is not stuck if the same call changes the files each time", async () => {
    const edit: Call = ["edit_file", { path: "index.md", edits: [{ old: "# Start\n", new: "# Start\n\nMore.\n" }] }];
    const { outcome, said } = await play([...Array<Answer>(9).fill({ calls: [edit] }), done]);
    expect(outcome.ok).toBe(true);
    expect(said.join("")).not.toContain("Change your approach");
  });

  it("is not stuck if each answer has a successful call among failures", async () => {
    const answers = [1, 2, 3, 4, 5, 6].map((at): Answer => ({
      calls: [failing, failing, failing, failing, write(`p${at}.md`, `# ${at}\n`)],
    }));
    const { outcome, said } = await play([...answers, done]);
    expect(outcome.ok).toBe(true);
    expect(said.join("")).not.toContain("Change your approach");
  });

  it("is nudged again after progress", async () => {
    const circle = Array<Answer>(4).fill({ calls: [failing] });
    const got = (at: number): Answer => ({ calls: [write(`a${at}.md`, `# ${at}\n`)] });
    const { outcome, said } = await play([...circle, got(1), ...circle, got(2), ...circle, got(3), done]);
    expect(outcome.ok).toBe(true);
    expect(said.filter((text) => text.includes("Change your approach"))).toHaveLength(3);
  });

  it("is stuck if all calls of several answers fail, counted by answers", async () => {
    const { outcome, steps } = await play([{ calls: [failing, failing, failing, failing] }]);
    expect(outcome).toMatchObject({ ok: false, code: "stuck" });
    expect(steps).toHaveLength(8);
  });

  it("fails with model_error if its calls are unreadable", async () => {
    const { outcome } = await play([{ calls: [["read_file", "{"]] }]);
    expect(outcome).toMatchObject({
      ok: false,
      code: "model_error",
      message: expect.stringContaining("cannot be read") as string,
    });
  });
});

describe("a budget", () => {
  it("counts input tokens from the provider's cache as a tenth", async () => {
    const answer = { ...search("a"), input: 100_000, cached: 90_000 };
    const { steps } = await play([answer, done]);
    expect(steps[0]).toMatchObject({ weightedTokens: 19_000, usage: { inputTokens: 100_000, cachedTokens: 90_000 } });
  });

  it("allows one more answer to wrap up when a tenth is left", async () => {
    const answers = Array.from({ length: 30 }, (_, at): Answer => ({ ...search(`w${at}`), input: 95_000 }));
    const { outcome, said } = await play(answers);
    expect(outcome).toMatchObject({ ok: false, code: "budget_exceeded" });
    expect(said.filter((text) => text.includes("this is your last answer"))).toHaveLength(1);
    expect(said.at(-1)).toContain("this is your last answer");
    const wrapped = await play([...answers.slice(0, 10), done]);
    expect(wrapped.outcome.ok).toBe(true);
  });

  it("is checked before a request is sent, including the tool definitions", async () => {
    const { outcome, requests } = await play([done], { limits: { inputTokens: 5_000 } });
    expect(outcome).toMatchObject({ ok: false, code: "budget_exceeded" });
    expect(requests).toEqual([]);
  });

  it("of money limits the length of the answer too", async () => {
    const price = {
      inputPerMillionUsd: 1,
      cachedInputPerMillionUsd: 0.1,
      cacheWritePerMillionUsd: 1,
      outputPerMillionUsd: 100,
    };
    const { outputs, outcome } = await play([done], { model: { price }, limits: { costMicroUsd: 50_000 } });
    expect(outcome.ok).toBe(true);
    expect(outputs[0]).toBeGreaterThan(300);
    expect(outputs[0]).toBeLessThan(500);
    const dear = await play([done], {
      model: { price: { ...price, inputPerMillionUsd: 100 } },
      limits: { costMicroUsd: 50_000 },
    });
    expect(dear.outcome).toMatchObject({ ok: false, message: expect.stringContaining("budget of money") as string });
    expect(dear.requests).toEqual([]);
  });

  it("of the project's day says so", async () => {
    const { outcome } = await play([done], { left: { inputTokens: 0, isDay: true } });
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining("for today") as string });
  });

  it("is never increased by negative token counts", async () => {
    const { steps } = await play([{ ...search("a"), input: -500_000, output: -5, cached: -3 }, done]);
    expect(steps[0]!.weightedTokens).toBeGreaterThan(4_000);
    expect(steps[0]!.usage.outputTokens).toBeGreaterThanOrEqual(0);
    expect(steps[0]!.usage.cachedTokens).toBe(0);
  });
});

it.each([4, 1])(
  "allows one more answer when a tenth of the time is left, at %i minutes per answer",
  async (minutes) => {
    const now = (steps: number) => new Date(NOW.getTime() + steps * minutes * 60_000);
    const { outcome, said } = await play(searches(40), { now, limits: { maxSteps: 100 } });
    expect(outcome).toMatchObject({ ok: false, code: "time_limit" });
    expect(said.filter((text) => text.includes("this is your last answer"))).toHaveLength(1);
  },
);

describe("results", () => {
  it("of one answer's calls fit the window together, and name the offset to continue at", async () => {
    const calls = [1, 1, 1].map(() => read("long.md"));
    const { steps, requests } = await play([{ calls }, done], { model: { contextWindowTokens: 32_000 } });
    expect(requests[1]!.length / 3.5).toBeLessThan(32_000 * 0.7 - 5_000);
    const results = JSON.stringify(steps[0]!.messages.at(-1));
    expect(results).toMatch(/Continue with offset \d+/);
    const { content } = steps[0]!.messages.at(-1)!;
    const parts = (Array.isArray(content) ? content : []).map((part) => JSON.stringify(part).length);
    expect(parts).toHaveLength(3);
    expect(Math.min(...parts) / Math.max(...parts)).toBeGreaterThan(0.8);
  });

  it("fit a tiny window, to which the conversation is cut for every request", async () => {
    const answers = Array.from({ length: 20 }, (_, at): Answer => ({ calls: [read("long.md", 1 + at * 100)] }));
    const { outcome, requests } = await play([...answers, done], {
      model: { contextWindowTokens: 16_000, maxOutputTokens: 2_000 },
    });
    expect(outcome.ok).toBe(true);
    for (const request of requests) expect(request.length / 3.5).toBeLessThan(16_000 * 0.7);
  });
});
