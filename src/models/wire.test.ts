import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRawAnswers } from "#testing/model-server/raw-answers.ts";

// Responses of real providers, gateways and local servers, byte for byte over HTTP.

let server: Awaited<ReturnType<typeof createRawAnswers>>;
beforeAll(async () => {
  server = await createRawAnswers();
});
afterAll(() => server.close());

const ask = (...input: Parameters<typeof server.ask>) => server.ask(...input);
const stream = (...events: (object | string)[]) => server.stream(...events);
const json = (body: object, status?: number) => server.json(body, status);

describe("Anthropic's protocol", () => {
  const start = { type: "message_start", message: { id: "m", model: "m", usage: { input_tokens: 9 } } };
  const text = (index: number, words: string) => [
    { type: "content_block_start", index, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index, delta: { type: "text_delta", text: words } },
    { type: "content_block_stop", index },
  ];
  const call = (index: number, id: string, name: string, input: object) => [
    { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: JSON.stringify(input) } },
    { type: "content_block_stop", index },
  ];
  const end = (more: object = { usage: { output_tokens: 5 } }) => [
    { type: "message_delta", delta: { stop_reason: "end_turn" }, ...more },
    { type: "message_stop" },
  ];

  test.each([
    ["an event", [{ type: "weather_report", sky: "blue" }]],
    [
      "a content block with its deltas",
      [
        { type: "content_block_start", index: 7, content_block: { type: "hologram", cube: [1] } },
        { type: "content_block_delta", index: 7, delta: { type: "text_delta", text: "not for you" } },
        { type: "content_block_stop", index: 7 },
      ],
    ],
    ["a delta", [{ type: "content_block_delta", index: 0, delta: { type: "tone_delta", tone: "calm" } }]],
    ["an event without data", ["event: ping\ndata: {}", ": comment"]],
  ])("skips %s that this version does not know", async (_, unknown) => {
    const [first, ...rest] = text(0, "Hello.");
    stream(start, first!, ...unknown, ...rest, ...end());
    expect(await ask("anthropic")).toMatchObject({ ok: true, text: "Hello.", usage: { inputTokens: 9 } });
  });

  test("estimates tokens if a gateway does not count them", async () => {
    stream({ type: "message_start", message: { id: "m" } }, ...text(0, "Hello."), ...end({}));
    const step = await ask("anthropic");
    expect(step).toMatchObject({ ok: true, text: "Hello." });
    expect(step.usage.inputTokens).toBeGreaterThan(10);
    expect(step.usage.outputTokens).toBeGreaterThan(1);
  });

  const doubled = [
    { id: "t1", name: "read_file", input: { path: "a.md" } },
    { id: "t1", name: "read_file", input: { path: "b.md" } },
  ];
  test.each([true, false])("separates two calls with the same id, streamed: %s", async (streaming) => {
    if (streaming) stream(start, ...doubled.flatMap(({ id, name, input }, at) => call(at, id, name, input)), ...end());
    else {
      const content = [{ type: "hologram" }, ...doubled.map((one) => ({ type: "tool_use", ...one }))];
      json({ id: "m", type: "message", role: "assistant", model: "m", stop_reason: "tool_use", content });
    }
    const step = await ask("anthropic", { streaming });
    expect(step).toMatchObject({
      ok: true,
      toolCalls: [
        { id: "t1", input: { path: "a.md" } },
        { id: "t1_2", input: { path: "b.md" } },
      ],
    });
  });

  test.each([true, false])("says why the provider blocked an answer, streamed: %s", async (streaming) => {
    const stopped = { stop_reason: "refusal", stop_details: { type: "refusal", explanation: "It is about locks." } };
    const usage = { input_tokens: 9, output_tokens: 1 };
    if (streaming) stream(start, { type: "message_delta", delta: stopped, usage }, { type: "message_stop" });
    else json({ id: "m", type: "message", role: "assistant", model: "m", content: [], usage, ...stopped });
    const step = await ask("anthropic", { streaming });
    expect(step).toMatchObject({ ok: false, failure: { code: "refused" } });
    expect(step.ok || step.failure.message).toContain("It is about locks.");
  });
});

test.each([true, false])("refuses a response with thousands of calls, streamed: %s", async (streaming) => {
  const input = { path: "a.md" };
  const ids = Array.from({ length: 20_000 }, () => "same");
  const content = ids.map((id) => ({ type: "tool_use", id, name: "read_file", input }));
  if (streaming) {
    stream(
      { type: "message_start", message: { id: "m" } },
      ...content.map((content_block, index) => ({ type: "content_block_start", index, content_block })),
    );
  } else json({ id: "m", type: "message", role: "assistant", model: "m", stop_reason: "tool_use", content });
  const refused = { ok: false, failure: { code: "model_error", retryable: false } };
  expect(await ask("anthropic", { streaming })).toMatchObject(refused);
  const tool_calls = ids.map((id, index) => ({ index, id, function: { name: "read_file", arguments: "{}" } }));
  if (streaming) stream(...tool_calls.map((call) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })));
  else
    json({ id: "c", choices: [{ index: 0, message: { role: "assistant", tool_calls }, finish_reason: "tool_calls" }] });
  expect(await ask("openai-compatible", { streaming })).toMatchObject(refused);
});

describe("OpenAI's chat protocol", () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: "c",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const stop = chunk({}, "stop");
  const done = "data: [DONE]";
  const hello = { ok: true, text: "Hello.", finishReason: "stop" };

  test.each(["event: ping\ndata: {}", "data:", ": keep-alive"])("skips %j", async (ping) => {
    stream(chunk({ role: "assistant", content: "Hello." }), ping, stop, done);
    expect(await ask("openai-compatible")).toMatchObject(hello);
  });

  test.each([
    [429, "rate_limited"],
    [500, "model_unavailable"],
    [502, "model_unavailable"],
    [503, "model_unavailable"],
    ["503", "model_unavailable"],
  ])("retries after an error %j in the stream", async (code, expected) => {
    stream(chunk({ content: "Hel" }), { error: { message: "no capacity", type: "ServiceUnavailableError", code } });
    const step = await ask("openai-compatible");
    expect(step).toMatchObject({ ok: false, failure: { code: expected, retryable: true } });
    expect(server.requests).toHaveLength(2);
  });

  test("does not retry after an error that blames the request", async () => {
    stream({ error: { message: "no such parameter", code: 400 } });
    expect(await ask("openai-compatible")).toMatchObject({ ok: false, failure: { code: "model_error", status: 400 } });
    expect(server.requests).toHaveLength(1);
  });

  const calling = (input: unknown) => ({
    tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "read_file", arguments: input } }],
  });
  test("accepts arguments that are an object", async () => {
    stream(chunk(calling({ path: "a.md" })), chunk({}, "tool_calls"), done);
    expect(await ask("openai-compatible")).toMatchObject({ toolCalls: [{ input: { path: "a.md" } }] });
  });

  test("accepts an end without a finish reason, but not a truncated stream", async () => {
    stream(chunk({ content: "Hello." }), done);
    expect(await ask("openai-compatible")).toMatchObject(hello);
    stream(chunk(calling('{"path":"a.md"}')), done);
    expect(await ask("openai-compatible")).toMatchObject({ finishReason: "tool-calls", toolCalls: [{ id: "c1" }] });
    stream(chunk({ content: "Hel" }));
    expect(await ask("openai-compatible")).toMatchObject({ ok: false, failure: { code: "model_unavailable" } });
  });

  test("accepts a response that is not streamed although it requested a stream", async () => {
    const message = { role: "assistant", content: "Hello.", ...calling({ path: "a.md" }) };
    json({ id: "c", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
    const read = { text: "Hello.", toolCalls: [{ id: "c1", input: { path: "a.md" } }] };
    expect(await ask("openai-compatible")).toMatchObject(read);
    expect(await ask("openai-compatible", { streaming: false })).toMatchObject(read);
  });

  test("names the setting to change when the response is not a stream", async () => {
    server.answerWith(() => ({ type: "application/json", body: "Hello." }));
    const step = await ask("openai-compatible");
    expect(step).toMatchObject({ ok: false, failure: { code: "model_error" } });
    expect(step.ok || step.failure.message).toContain('"streaming": false');
  });

  test("caps token counts at the output limit and at the size of the request", async () => {
    const usage = { prompt_tokens: 99_999_999, completion_tokens: 99_999_999, total_tokens: 199_999_998 };
    stream(chunk({ content: "Hello." }), { ...stop, usage }, done);
    const step = await ask("openai-compatible");
    expect(step.usage.outputTokens).toBe(1_000);
    expect(step.usage.inputTokens).toBeLessThan(10_000);
  });

  const answer = { role: "assistant", content: "Hello." };
  test.each([
    [
      "reasoning tokens that are not part of the completion, as xAI counts them",
      { prompt_tokens: 7, completion_tokens: 2, total_tokens: 29, completion_tokens_details: { reasoning_tokens: 20 } },
      { inputTokens: 7, outputTokens: 22 },
    ],
    [
      "reasoning tokens that are part of the completion",
      {
        prompt_tokens: 7,
        completion_tokens: 22,
        total_tokens: 29,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { inputTokens: 7, outputTokens: 22 },
    ],
    [
      "cached tokens at the top, as Moonshot sends them",
      { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, cached_tokens: 5 },
      { cachedTokens: 5 },
    ],
    [
      "cached tokens by DeepSeek's name",
      { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, prompt_cache_hit_tokens: 4 },
      { cachedTokens: 4 },
    ],
  ])("counts %s", async (_, usage, counted) => {
    stream(chunk({ content: "Hello." }), { ...stop, usage }, done);
    expect(await ask("openai-compatible")).toMatchObject({ usage: counted });
    json({
      id: "c",
      object: "chat.completion",
      choices: [{ index: 0, message: answer, finish_reason: "stop" }],
      usage,
    });
    expect(await ask("openai-compatible", { streaming: false })).toMatchObject({ usage: counted });
  });

  test.each([true, false])(
    "retries when one choice failed at the provider behind a gateway, streamed: %s",
    async (streaming) => {
      const failed = { index: 0, finish_reason: "error", error: { code: 502, message: "upstream is gone" } };
      if (streaming) stream(chunk({ content: "Hel" }), { ...chunk({}), choices: [{ ...failed, delta: {} }] }, done);
      else
        json({
          id: "c",
          object: "chat.completion",
          choices: [{ ...failed, message: { role: "assistant", content: "Hel" } }],
        });
      const step = await ask("openai-compatible", { streaming });
      expect(step).toMatchObject({ ok: false, failure: { code: "model_unavailable", retryable: true } });
      expect(step.ok || step.failure.message).toContain("upstream is gone");
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each(["error", "insufficient_system_resource"])("retries an answer that ended with %s", async (reason) => {
    stream(chunk({ content: "Hel" }), chunk({}, reason), done);
    expect(await ask("openai-compatible")).toMatchObject({ ok: false, failure: { code: "model_unavailable" } });
    expect(server.requests).toHaveLength(2);
  });

  test("reads the status of an error that came with 200", async () => {
    json({ error: { code: 503, message: "no instance" } });
    const unavailable = { ok: false, failure: { code: "model_unavailable", status: 503 } };
    expect(await ask("openai-compatible", { streaming: false })).toMatchObject(unavailable);
  });

  test("sends the output limit by its newer name to a server that asks for it", async () => {
    const message = "'max_tokens' is not supported here. Use 'max_completion_tokens'.";
    const refusal = {
      error: { message, type: "invalid_request_error", param: "max_tokens", code: "unsupported_parameter" },
    };
    const events = [chunk({ content: "Hello." }), stop].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    server.answerWith(() =>
      "max_tokens" in (server.requests.at(-1) as object)
        ? { type: "application/json", body: JSON.stringify(refusal), status: 400 }
        : { type: "text/event-stream", body: events },
    );
    expect(await ask("openai-compatible")).toMatchObject(hello);
    expect(server.requests).toMatchObject([{ max_tokens: 1_000 }, { max_completion_tokens: 1_000 }]);
  });

  test("names the limit to raise when the model used all of it for thinking", async () => {
    stream(chunk({ reasoning_content: "Let me see" }), chunk({}, "length"), done);
    const step = await ask("openai-compatible");
    expect(step).toMatchObject({ ok: false, failure: { code: "model_error", retryable: false } });
    expect(step.ok || step.failure.hint).toContain("maxOutputTokens");
    expect(server.requests).toHaveLength(1);
  });
});
