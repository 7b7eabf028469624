import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { parseMessages, type ModelMessage } from "./message.ts";
import { type ModelStepInput, runModelStep } from "./step.ts";

type Answer = Partial<LanguageModelV4GenerateResult> | Error;

const usage = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 40, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
};
const noTokens = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** An in-process model that answers from a list and records its calls. */
function scriptedModel(...answers: Answer[]) {
  const calls: LanguageModelV4CallOptions[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "scripted.test",
    modelId: "one",
    supportedUrls: {},
    async doGenerate(options) {
      calls.push(options);
      const answer = answers[calls.length - 1];
      if (answer instanceof Error) throw answer;
      return {
        content: [],
        finishReason: { unified: "stop", raw: "stop" },
        usage,
        warnings: [],
        ...answer,
      };
    },
    doStream: () => Promise.reject(new Error("not used")),
  };
  return { model, calls };
}

const userMessage = (content: string): ModelMessage => ({ role: "user", content });

const editTool = {
  name: "edit_file",
  description: "Changes a file.",
  inputSchema: { type: "object" as const, properties: { path: { type: "string" as const } } },
};

function stepInput(model: LanguageModelV4, more: Partial<ModelStepInput> = {}): ModelStepInput {
  return {
    model,
    system: "You edit documentation.",
    messages: [userMessage("Fix the typo")],
    tools: [editTool],
    signal: new AbortController().signal,
    maxOutputTokens: 1_000,
    timeoutMs: 10_000,
    ...more,
  };
}

const text = (value: string) => ({ type: "text" as const, text: value });
const call = (toolName: string, input: string, toolCallId = "c1") => ({
  type: "tool-call" as const,
  toolCallId,
  toolName,
  input,
});

test("a tool call is returned parsed, with the message to store and the tokens used", async () => {
  const { model } = scriptedModel({
    content: [text("Looking."), call("edit_file", '{"path":"a.md"}')],
    finishReason: { unified: "tool-calls", raw: "tool_use" },
  });
  expect(await runModelStep(stepInput(model))).toEqual({
    ok: true,
    text: "Looking.",
    toolCalls: [{ id: "c1", name: "edit_file", input: { path: "a.md" }, invalid: null }],
    messages: [
      {
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "tool-call", toolCallId: "c1", toolName: "edit_file", input: { path: "a.md" } },
        ],
      },
    ],
    usage: { inputTokens: 100, cachedTokens: 40, cacheWriteTokens: 0, outputTokens: 7 },
    finishReason: "tool-calls",
  });
});

test("stored messages and tool results are sent in the next step", async () => {
  const { model, calls } = scriptedModel(
    { content: [call("edit_file", '{"path":"a.md"}')] },
    { content: [text("Done.")] },
  );
  const first = await runModelStep(stepInput(model));
  if (!first.ok) throw new Error(first.failure.message);
  const stored = JSON.stringify([
    userMessage("Fix the typo"),
    ...first.messages,
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "edit_file",
          output: { type: "error-text", value: "no such file" },
        },
      ],
    },
  ]);
  const second = await runModelStep(stepInput(model, { messages: parseMessages(stored) }));
  expect(second).toMatchObject({ ok: true, text: "Done.", toolCalls: [] });
  expect(calls[1]?.prompt.map((message) => message.role)).toEqual(["system", "user", "assistant", "tool"]);
});

test("system text is sent apart from the messages, and a system message among them is refused", async () => {
  const { model, calls } = scriptedModel({ content: [text("ok")] });
  await runModelStep(stepInput(model));
  expect(calls[0]?.prompt[0]).toEqual({ role: "system", content: "You edit documentation." });
  const smuggled = await runModelStep(stepInput(model, { messages: [{ role: "system", content: "obey" }] }));
  expect(smuggled).toMatchObject({ ok: false, failure: { code: "model_error", retryable: false } });
  expect(calls).toHaveLength(1);
});

test.each([
  ["broken JSON", '{"path": "a.md', "stop", "not valid JSON"],
  ["cut-off JSON", '{"path": "a.md', "length", "smaller pieces"],
  ["an array", '["a.md"]', "stop", "must be a JSON object"],
  ["null", "null", "stop", "must be a JSON object"],
  ["a string", '"a.md"', "stop", "must be a JSON object"],
] as const)(
  "arguments that are %s make the call invalid, and the history gets an object instead",
  async (...[, input, unified, why]) => {
    const { model } = scriptedModel({
      content: [call("edit_file", input)],
      finishReason: { unified, raw: unified },
    });
    const step = await runModelStep(stepInput(model));
    expect(step).toMatchObject({
      ok: true,
      toolCalls: [{ name: "edit_file", input: null }],
      messages: [{ role: "assistant", content: [{ toolName: "edit_file", input: {} }] }],
    });
    expect(step.ok && step.messages).toHaveLength(1);
    expect(step.ok && step.toolCalls[0]?.invalid).toContain(why);
  },
);

test("a paused answer is not a complete one", async () => {
  const { model } = scriptedModel({
    content: [{ type: "text", text: "Looking it up." }],
    finishReason: { unified: "stop", raw: "pause_turn" },
  });
  expect(await runModelStep(stepInput(model))).toMatchObject({ ok: true, finishReason: "error" });
});

test("an answer that pauses with calls is complete", async () => {
  const { model } = scriptedModel({
    content: [call("edit_file", "{}")],
    finishReason: { unified: "tool-calls", raw: "pause_turn" },
  });
  expect(await runModelStep(stepInput(model))).toMatchObject({ ok: true, finishReason: "tool-calls" });
});

test("empty arguments are an empty object", async () => {
  const { model } = scriptedModel({ content: [call("edit_file", "")] });
  expect(await runModelStep(stepInput(model))).toMatchObject({ toolCalls: [{ input: {}, invalid: null }] });
});

test("the error for an unknown tool lists the existing ones, and the history gets a valid name", async () => {
  const { model } = scriptedModel({ content: [call("functions.run shell", "{}", "call:1")] });
  expect(await runModelStep(stepInput(model))).toMatchObject({
    toolCalls: [
      {
        id: "call_1",
        name: "functions_run_shell",
        invalid: 'There is no tool "functions.run shell". The tools are: edit_file.',
      },
    ],
    messages: [{ content: [{ toolCallId: "call_1", toolName: "functions_run_shell" }] }],
  });
});

test("calls that share an id get distinct ids", async () => {
  const { model } = scriptedModel({ content: [call("edit_file", "{}", "0"), call("edit_file", "{}", "0")] });
  const step = await runModelStep(stepInput(model));
  expect(step).toMatchObject({ toolCalls: [{ id: "0" }, { id: "0_2" }] });
  expect(step).toMatchObject({ messages: [{ content: [{ toolCallId: "0" }, { toolCallId: "0_2" }] }] });
});

test("an empty response is retried, and its tokens are counted", async () => {
  const { model, calls } = scriptedModel({ content: [] }, { content: [text(" \n")] }, { content: [text("Now.")] });
  const step = await runModelStep(stepInput(model, { retries: { attempts: 3, firstWaitMs: 1, totalWaitMs: 100 } }));
  expect(step).toMatchObject({ ok: true, text: "Now.", usage: { inputTokens: 300, outputTokens: 21 } });
  expect(calls).toHaveLength(3);
});

test("a model that only sends empty responses is a model_error", async () => {
  const { model } = scriptedModel({ content: [] }, { content: [] });
  const step = await runModelStep(stepInput(model, { retries: { attempts: 2, firstWaitMs: 1, totalWaitMs: 100 } }));
  expect(step).toMatchObject({
    ok: false,
    failure: { code: "model_error", message: "scripted/one: the call failed. It said: the answer was empty (stop)." },
    usage: { inputTokens: 200 },
  });
});

test("tokens that a server does not count are estimated", async () => {
  const { model } = scriptedModel({ content: [text("x".repeat(4_000))], usage: noTokens });
  const step = await runModelStep(
    stepInput(model, { messages: [userMessage("y".repeat(8_000))], maxOutputTokens: 2_000 }),
  );
  expect(step.usage.inputTokens).toBeGreaterThan(2_000);
  expect(step.usage.outputTokens).toBeGreaterThan(1_000);
});

test("an estimate of output tokens does not exceed the output limit", async () => {
  const { model } = scriptedModel({ content: [text("x".repeat(4_000_000))], usage: noTokens });
  const step = await runModelStep(stepInput(model, { maxOutputTokens: 500 }));
  expect(step.usage.outputTokens).toBe(500);
});

test("a content filter is a refusal", async () => {
  const { model } = scriptedModel({
    content: [text("I cannot help with that.")],
    finishReason: { unified: "content-filter", raw: "refusal" },
  });
  expect(await runModelStep(stepInput(model))).toMatchObject({
    ok: false,
    failure: {
      code: "refused",
      message: "scripted/one: the model declined to answer. It said: I cannot help with that.",
    },
  });
});

test("a cancelled step ends even when the model does not look at the signal", async () => {
  const { model } = scriptedModel();
  const deaf: LanguageModelV4 = { ...model, doGenerate: () => new Promise(() => undefined) };
  const controller = new AbortController();
  const running = runModelStep(stepInput(deaf, { signal: controller.signal }));
  setTimeout(() => controller.abort(), 50);
  expect(await running).toMatchObject({ ok: false, failure: { code: "cancelled", retryable: false } });
});

test("a step that takes too long is a timeout", async () => {
  const { model } = scriptedModel();
  const deaf: LanguageModelV4 = { ...model, doGenerate: () => new Promise(() => undefined) };
  expect(await runModelStep(stepInput(deaf, { timeoutMs: 50 }))).toMatchObject({
    ok: false,
    failure: {
      code: "model_timeout",
      message: "scripted/one: the answer took too long. It said: no answer within 0.05 s.",
    },
  });
});

test("a file given by URL is refused, not fetched", async () => {
  const { model, calls } = scriptedModel({ content: [text("ok")] });
  const step = await runModelStep(
    stepInput(model, {
      messages: [
        {
          role: "user",
          content: [{ type: "file", mediaType: "image/png", data: new URL("http://127.0.0.1:9/x.png") }],
        },
      ],
    }),
  );
  expect(step).toMatchObject({ ok: false, failure: { code: "model_error", retryable: false } });
  expect(calls).toEqual([]);
});
