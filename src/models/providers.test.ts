import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import type { ScriptInput, TurnInput } from "#testing/model-server/script.ts";
import { type ModelServer, createModelServer } from "#testing/model-server/server.ts";
import { imageAt, type ModelMessage, parseMessages, withImages } from "./message.ts";
import { describeModel } from "./model.contract.ts";
import { type ResolvedModel, createModelCatalogue } from "./model.ts";
import { createProviderConnector } from "./providers.ts";
import { readModelSettings } from "./settings.ts";
import { type ModelStep, type ModelStepInput, type OfferedTool, runModelStep } from "./step.ts";

const apiKey = "test-key";
const tools: OfferedTool[] = [
  {
    name: "read_file",
    description: "Reads a file.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
      additionalProperties: false,
    },
  },
  { name: "finish", description: "Ends the work.", inputSchema: { type: "object", properties: {} } },
];
const say = (content: string): ModelMessage => ({ role: "user", content });
const oneTurn = (turn: TurnInput): ScriptInput => ({ conversations: [{ marker: "*", turns: [turn] }] });
const quick = { attempts: 3, firstWaitMs: 1, totalWaitMs: 3_000 };

const kinds = ["anthropic", "openai", "google", "openai-compatible"] as const;
const formats = {
  anthropic: "anthropic",
  openai: "openai-responses",
  google: "google",
  "openai-compatible": "openai-chat",
};
const transports = kinds.flatMap((kind) => [
  { kind, streaming: true, name: `${kind}, streamed` },
  { kind, streaming: false, name: `${kind}, not streamed` },
]);
/** Fields that a request must have in addition to the conversation. */
const requiredFields = {
  anthropic: { cache_control: { type: "ephemeral" } },
  openai: { store: false },
  google: {},
  "openai-compatible": {},
};

const EFFORT = {
  anthropic: /"effort":"high"/,
  openai: /"reasoning":\{"effort":"high"/,
  google: /"thinkingLevel":"high"/i,
  "openai-compatible": /"reasoning_effort":"high"/,
};

let server: ModelServer;
beforeAll(async () => {
  server = await createModelServer({ script: oneTurn({ text: "ok" }), apiKey });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

describe.each(transports)("$name", ({ kind, streaming }) => {
  const resolve = (key = apiKey, model = "some-model", defaults = {}): ResolvedModel => {
    const { providers } = readModelSettings(
      JSON.stringify({
        providers: {
          mine: {
            kind,
            streaming,
            baseUrl: `${server.url}/${kind === "google" ? "v1beta" : "v1"}`,
            apiKeyEnv: "MY_KEY",
            defaults,
          },
        },
      }),
      { MY_KEY: key },
    );
    const connect = createProviderConnector({ fetch });
    return createModelCatalogue({ builtin: new MockLanguageModelV4(), providers, allowed: null, connect }).resolve(
      `mine/${model}`,
    );
  };
  const step = (more: Partial<ModelStepInput> = {}, key?: string): Promise<ModelStep> => {
    const { model, providerOptions, maxOutputTokens } = resolve(key);
    return runModelStep({
      model,
      providerOptions,
      maxOutputTokens,
      tools,
      system: "You edit documentation.",
      messages: [say("go")],
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      retries: quick,
      ...more,
    });
  };
  const answered = (done: ModelStep) => {
    if (!done.ok) throw new Error(done.failure.message);
    return done;
  };
  const resultsFor = (done: ModelStep, text: string): ModelMessage => ({
    role: "tool",
    content: answered(done).toolCalls.map((call) => ({
      type: "tool-result",
      toolCallId: call.id,
      toolName: call.name,
      output: { type: "text", value: text },
    })),
  });

  describeModel(() => {
    server.setScript({
      conversations: [
        {
          marker: "rename",
          turns: [
            { text: "Looking.", calls: [{ name: "read_file", input: { path: "a.md" } }] },
            { calls: [{ name: "finish", input: {} }] },
          ],
        },
      ],
    });
    const { model, providerOptions } = resolve();
    return { model, providerOptions, tools, prompt: "please rename", result: "# A" };
  });

  test("a whole conversation survives the transport: thoughts, two calls, results, a follow-up, an end", async () => {
    server.setScript({
      conversations: [
        {
          marker: "first task",
          turns: [
            {
              reasoning: "I should look first.",
              text: "Let me look. ",
              calls: [
                { name: "read_file", input: { path: 'a "quoted" ✓.md' } },
                { name: "read_file", input: { path: "b.md" } },
              ],
              usage: { inputTokens: 500, cachedTokens: 300, outputTokens: 20 },
            },
            { text: "Read: {{lastResult}}" },
          ],
        },
        { marker: "second task", turns: [{ calls: [{ name: "finish", input: {} }] }] },
      ],
    });
    let messages: ModelMessage[] = [say("first task")];
    const first = answered(await step({ messages }));
    expect(first).toMatchObject({
      text: "Let me look.",
      finishReason: "tool-calls",
      usage: { inputTokens: 500, cachedTokens: 300, cacheWriteTokens: 0, outputTokens: 20 },
      toolCalls: [
        { name: "read_file", input: { path: 'a "quoted" ✓.md' } },
        { name: "read_file", input: { path: "b.md" } },
      ],
    });
    messages = JSON.parse(
      JSON.stringify([...messages, ...first.messages, resultsFor(first, "# Page")]),
    ) as ModelMessage[];
    const second = answered(await step({ messages }));
    expect(second).toMatchObject({ text: "Read: # Page", toolCalls: [], finishReason: "stop" });
    messages = [...messages, ...second.messages, say("second task")];
    const third = answered(await step({ messages }));
    expect(third.toolCalls).toMatchObject([{ name: "finish", input: {} }]);

    expect(server.requests.map((request) => request.status)).toEqual([200, 200, 200]);
    expect(server.requests.map((request) => request.format)).toEqual(Array(3).fill(formats[kind]));
    const last = server.requests[2]!.conversation!;
    expect(last.streamed).toBe(streaming);
    expect(last.model).toBe("some-model");
    expect(last.system).toBe("You edit documentation.");
    expect(last.maxOutputTokens).toBe(8_000);
    expect(last.tools.map((tool) => tool.name)).toEqual(["read_file", "finish"]);
    expect(last.messages.map((message) => message.role)).toEqual(["user", "assistant", "results", "assistant", "user"]);
  });

  test("an image is sent with its content, and estimated in tokens if the provider does not count", async () => {
    const usage = { inputTokens: -1, outputTokens: 1 };
    server.setScript(oneTurn({ text: "I see it.", usage }));
    const content = Buffer.alloc(100_000, 7);
    const stored: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "Look." }, imageAt("1/1", "image/png")] },
    ];
    const messages = await withImages(parseMessages(JSON.stringify(stored)), async () => content);
    const done = answered(await step({ messages }));
    const [message] = server.requests[0]!.conversation!.messages;
    expect(message).toEqual({ role: "user", text: "Look.\n[image/png, 100000 bytes]" });
    expect(done.usage.inputTokens).toBeLessThan(5_000);
  });

  test("requests turn off storage at the provider, and turn on caching where it is opt-in", async () => {
    server.setScript(oneTurn({ text: "ok" }));
    await step();
    expect(server.requests[0]!.body).toMatchObject(requiredFields[kind]);
  });

  test.runIf(kind === "anthropic")(
    "the instructions with the tools, and the first message, are cached separately",
    async () => {
      server.setScript(oneTurn({ text: "ok" }));
      await step({ messages: [say("material"), say("go")] });
      const { system, messages } = server.requests[0]!.body as {
        system: unknown[];
        messages: { content: { text: string; cache_control?: object }[] }[];
      };
      const cache_control = { type: "ephemeral" };
      expect(system).toEqual([{ type: "text", text: "You edit documentation.", cache_control }]);
      const marked = messages.flatMap(({ content }) => content).filter((part) => part.cache_control);
      expect(marked).toEqual([{ type: "text", text: "material", cache_control }]);
    },
  );

  test("effort is sent in the provider's own field", async () => {
    server.setScript(oneTurn({ text: "ok" }));
    const model = {
      anthropic: "claude-opus-4-6",
      openai: "gpt-5",
      google: "gemini-3-pro",
      "openai-compatible": "qwen3",
    };
    const { effort, ...resolved } = resolve(apiKey, model[kind], { effort: "high" });
    expect((await step({ model: resolved.model, effort })).ok).toBe(true);
    expect(JSON.stringify(server.requests[0]!.body)).toMatch(EFFORT[kind]);
    server.requests.length = 0;
    await step({ model: resolved.model });
    expect(JSON.stringify(server.requests[0]!.body)).not.toMatch(EFFORT[kind]);
  });

  const failures: [fault: string, code: string, calls: number][] = [
    ["rate_limited", "rate_limited", 3],
    ["no_credit", "quota_exceeded", 1],
    ["overflow", "context_overflow", 1],
    ["server_error", "model_unavailable", 3],
    ["overloaded", "model_unavailable", 3],
    ["auth", "model_auth", 1],
    ["no_model", "model_not_found", 1],
    ["invalid", "model_error", 1],
    ["cut", "model_unavailable", 3],
    ["truncated", "model_unavailable", 3],
    ["error_in_stream", "model_unavailable", 3],
    ["not_json", "model_unavailable", 3],
    ["empty", "model_error", 3],
  ];
  test.each(failures)("a permanent %s ends as %s after %i calls", async (fault, code, calls) => {
    server.setScript(oneTurn({ text: "Never said.", faults: [{ kind: fault as "cut", times: "always" }] }));
    const done = await step();
    expect(done).toMatchObject({ ok: false, failure: { code } });
    expect(server.requests).toHaveLength(calls);
    const { failure } = done as Extract<ModelStep, { ok: false }>;
    expect(failure.message).toMatch(/^(mine|anthropic|openai|google)\/some-model: /);
    expect(failure.hint).not.toBe("");
    expect(JSON.stringify(failure)).not.toMatch(/test-key|sk-pro/);
  });

  test.each([
    "rate_limited",
    "server_error",
    "overloaded",
    "cut",
    "truncated",
    "error_in_stream",
    "not_json",
    "empty",
  ] as const)("a single %s is retried, and the broken response is discarded", async (kindOfFault) => {
    const turn = {
      text: "The whole answer, long enough to be cut in the middle.",
      calls: [{ name: "read_file", input: { path: "a.md" } }],
    };
    server.setScript(oneTurn({ ...turn, faults: [{ kind: kindOfFault }] }));
    const done = answered(await step());
    expect(done).toMatchObject({ text: turn.text, toolCalls: [{ input: { path: "a.md" } }] });
    expect(server.requests).toHaveLength(2);
  });

  test("a provider's Retry-After is respected and reported", async () => {
    server.setScript(oneTurn({ text: "ok", faults: [{ kind: "rate_limited", retryAfterSeconds: 0.05 }] }));
    const retries: number[] = [];
    const started = performance.now();
    answered(await step({ onRetry: ({ waitMs }) => retries.push(waitMs) }));
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
    expect(retries).toEqual([50]);
  });

  test("a Retry-After beyond the limit ends the step and is part of the failure", async () => {
    server.setScript(oneTurn({ text: "ok", faults: [{ kind: "rate_limited", retryAfterSeconds: 3_600 }] }));
    expect(await step()).toMatchObject({
      ok: false,
      failure: { code: "rate_limited", retryable: true, retryAfterMs: 3_600_000, status: 429 },
    });
  });

  const endless: [string, TurnInput][] = [["call", { text: "ok", faults: [{ kind: "hang" }] }]];
  // Without streaming the slow answer arrives at once.
  if (streaming) endless.push(["slow answer", { text: "slow ".repeat(2_000), eventDelayMs: 100 }]);
  test.each(endless)("cancelling ends a %s", async (_, turn) => {
    server.setScript(oneTurn(turn));
    const controller = new AbortController();
    const running = step({ signal: controller.signal, timeoutMs: 600_000 });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    expect(await running).toMatchObject({ ok: false, failure: { code: "cancelled" } });
    expect(server.requests).toHaveLength(1);
  });

  test("cancelling ends a wait", async () => {
    server.setScript(oneTurn({ text: "ok", faults: [{ kind: "rate_limited", retryAfterSeconds: 300 }] }));
    const controller = new AbortController();
    const done = await step({
      signal: controller.signal,
      timeoutMs: 600_000,
      retries: { ...quick, totalWaitMs: 600_000 },
      onRetry: () => setTimeout(() => controller.abort(), 20),
    });
    expect(done).toMatchObject({ ok: false, failure: { code: "cancelled" } });
    expect(server.requests).toHaveLength(1);
  });

  test("cancelling aborts the request to the provider", async () => {
    server.setScript(oneTurn({ text: "ok", faults: [{ kind: "hang" }] }));
    const controller = new AbortController();
    const running = step({ signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await running;
    await expect.poll(() => server.requests[0]!.aborted).toBe(true);
  });

  test("arguments that are not JSON become an invalid call, or cause a retry", async () => {
    server.setScript(oneTurn({ text: "Hm.", calls: [{ name: "read_file", rawInput: '{"path": "a.md' }] }));
    const done = answered(await step());
    // Gemini does not send such calls: it ends with MALFORMED_FUNCTION_CALL and keeps the text.
    expect(done.toolCalls).toMatchObject(kind === "google" ? [] : [{ name: "read_file", input: null }]);
  });

  test("the conversation continues after a call of an unknown tool", async () => {
    server.setScript({
      conversations: [
        { marker: "go", turns: [{ calls: [{ name: "run.shell now", input: { command: "ls" } }] }, { text: "Sorry." }] },
      ],
    });
    const first = answered(await step());
    expect(first.toolCalls).toMatchObject([{ name: "run_shell_now", input: null }]);
    const second = await step({ messages: [say("go"), ...first.messages, resultsFor(first, "no such tool")] });
    expect(second).toMatchObject({ ok: true, text: "Sorry." });
  });

  test("a tool call without its result is refused before any request", async () => {
    server.setScript({
      conversations: [{ marker: "go", turns: [{ calls: [{ name: "finish", input: {} }] }, { text: "Next." }] }],
    });
    const first = answered(await step());
    const done = await step({ messages: [say("go"), ...first.messages, say("and?")] });
    expect(done).toMatchObject({ ok: false, failure: { code: "model_error", retryable: false } });
    expect(server.requests).toHaveLength(1);
  });

  test("a content filter and an output limit are reported as such", async () => {
    server.setScript(oneTurn({ text: "I will not.", finish: "filtered" }));
    expect(await step()).toMatchObject({ ok: false, failure: { code: "refused" } });
    server.setScript(oneTurn({ text: "Half a sen", finish: "length" }));
    expect(await step()).toMatchObject({ ok: true, text: "Half a sen", finishReason: "length" });
  });

  test.runIf(LONG_TESTS || kind === "openai")("an answer of four megabytes arrives whole", async () => {
    server.setScript(oneTurn({ text: "0123456789abcdef", repeatText: 262_144 }));
    expect(answered(await step()).text).toHaveLength(4_194_304);
  });

  test("a wrong key is model_auth, and is not in the message", async () => {
    server.setScript(oneTurn({ text: "ok" }));
    const done = await step({}, "wrong-key-4711");
    expect(done).toMatchObject({ ok: false, failure: { code: "model_auth", retryable: false } });
    expect(JSON.stringify(done)).not.toContain("wrong-key");
  });
});

test("a port without a server is model_unavailable", async () => {
  const { providers } = readModelSettings(
    JSON.stringify({ providers: { ollama: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } } }),
    {},
  );
  const connect = createProviderConnector({ fetch });
  const { model } = createModelCatalogue({
    builtin: new MockLanguageModelV4(),
    providers,
    allowed: null,
    connect,
  }).resolve("ollama/qwen3");
  const done = await runModelStep({
    model,
    system: "",
    messages: [say("go")],
    tools: [],
    signal: new AbortController().signal,
    maxOutputTokens: 100,
    timeoutMs: 5_000,
    retries: { attempts: 2, firstWaitMs: 1, totalWaitMs: 10 },
  });
  expect(done).toMatchObject({ ok: false, failure: { code: "model_unavailable", retryable: true, status: null } });
});

test("a model given by name is refused, not sent to the SDK's hosted gateway", async () => {
  createProviderConnector({ fetch });
  const { generateText } = await import("ai");
  await expect(generateText({ model: "openai/gpt-5", prompt: "hello" })).rejects.toThrow("must be given as an object");
});
