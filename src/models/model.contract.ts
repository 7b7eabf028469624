import { expect, test } from "vitest";
import type { ModelMessage } from "./message.ts";
import type { ProviderOptions } from "./model.ts";
import type { LanguageModelV4 } from "./message.ts";
import { type OfferedTool, runModelStep } from "./step.ts";

/** A model under test, a prompt that it answers with a tool call, and that tool's result. */
export interface ContractSubject {
  model: LanguageModelV4;
  providerOptions: ProviderOptions;
  prompt: string;
  tools: readonly OfferedTool[];
  /** The tool's result for any call. */
  result: string;
}

/** What the loop requires of every model, including the embedded one. */
export function describeModel(subjectOf: () => ContractSubject | Promise<ContractSubject>): void {
  async function step(
    subject: ContractSubject,
    messages: readonly ModelMessage[],
    signal = new AbortController().signal,
  ) {
    const { model, providerOptions, tools } = subject;
    return runModelStep({
      model,
      providerOptions,
      tools,
      messages,
      signal,
      system: "You edit documentation.",
      maxOutputTokens: 2_000,
      timeoutMs: 20_000,
      retries: { attempts: 1, firstWaitMs: 0, totalWaitMs: 0 },
    });
  }
  const prompt = (subject: ContractSubject): ModelMessage[] => [{ role: "user", content: subject.prompt }];

  async function firstStep(subject: ContractSubject) {
    const first = await step(subject, prompt(subject));
    if (!first.ok) throw new Error(first.failure.message);
    return first;
  }

  test("answers with calls of offered tools, each with an object as input and a unique id", async () => {
    const subject = await subjectOf();
    const { toolCalls } = await firstStep(subject);
    expect(toolCalls.length).toBeGreaterThan(0);
    for (const call of toolCalls) {
      expect(call.invalid).toBeNull();
      expect(subject.tools.map((tool) => tool.name)).toContain(call.name);
    }
    expect(new Set(toolCalls.map((call) => call.id)).size).toBe(toolCalls.length);
  });

  test("accepts its stored messages and the tool results in the next step", async () => {
    const subject = await subjectOf();
    const { messages, toolCalls } = await firstStep(subject);
    expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);
    const results: ModelMessage = {
      role: "tool",
      content: toolCalls.map((call) => ({
        type: "tool-result",
        toolCallId: call.id,
        toolName: call.name,
        output: { type: "text", value: subject.result },
      })),
    };
    const stored = JSON.stringify([...prompt(subject), ...messages, results]);
    const next = await step(subject, JSON.parse(stored) as ModelMessage[]);
    expect(next).toMatchObject({ ok: true });
  });

  test("answers the same messages the same way, so that a resumed turn repeats itself", async () => {
    const subject = await subjectOf();
    const first = await firstStep(subject);
    const again = await firstStep(subject);
    const callsOf = (step: typeof first) => step.toolCalls.map(({ name, input }) => ({ name, input })); // Gemini's ids are random
    expect(callsOf(again)).toEqual(callsOf(first));
    expect(again.text).toBe(first.text);
  });

  test("counts tokens as whole, nonnegative numbers", async () => {
    const { usage } = await firstStep(await subjectOf());
    for (const tokens of Object.values(usage)) {
      expect(Number.isSafeInteger(tokens)).toBe(true);
      expect(tokens).toBeGreaterThanOrEqual(0);
    }
    expect(usage.cachedTokens).toBeLessThanOrEqual(usage.inputTokens);
  });

  test("makes no call once cancelled", async () => {
    const subject = await subjectOf();
    expect(await step(subject, prompt(subject), AbortSignal.abort())).toMatchObject({
      ok: false,
      failure: { code: "cancelled" },
    });
  });
}
