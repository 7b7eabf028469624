import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ModelServer, createModelServer } from "./server.ts";

// models/providers.test.ts covers the requests of the AI SDK's packages. These tests cover what must be refused, and
// how.
let server: ModelServer;
beforeEach(async () => {
  server = await createModelServer({
    script: { conversations: [{ marker: "*", turns: [{ text: "ok" }], afterwards: "repeat" }] },
  });
});
afterEach(() => server.close());

async function post(route: string, headers: Record<string, string>, body: unknown) {
  const response = await fetch(`${server.url}${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

describe("Anthropic", () => {
  const headers = { "x-api-key": "test-key", "anthropic-version": "2023-06-01" };
  const ask = (messages: unknown[], more: object = {}) =>
    post("/v1/messages", headers, { model: "m", max_tokens: 100, messages, ...more });
  const use = (id: string, input: unknown = {}) => ({
    role: "assistant",
    content: [{ type: "tool_use", id, name: "edit", input }],
  });
  const result = (id: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: "done" }],
  });
  const hi = { role: "user", content: "hi" };

  test("answers a valid request in full", async () => {
    expect(await ask([hi, use("t1"), result("t1")])).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^msg_[0-9a-f]{24}$/) as string,
        type: "message",
        role: "assistant",
        model: "m",
        content: [{ type: "text", text: "ok" }],
        stop_reason: "end_turn",
        stop_sequence: null,
        usage: { input_tokens: 47, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 },
      },
    });
  });

  test("refuses a call without its result in the provider's words", async () => {
    expect(await ask([hi, use("t1"), hi])).toMatchObject({
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: expect.stringContaining(
            "`tool_use` ids were found without `tool_result` blocks immediately after: t1.",
          ) as string,
        },
      },
    });
  });

  test.each([
    ["a result without its call", [hi, result("t9")], {}],
    ["an id in a foreign alphabet", [hi, use("t:1"), result("t:1")], {}],
    ["an input that is no object", [hi, use("t1", "x"), result("t1")], {}],
    ["a conversation that the model began", [{ role: "assistant", content: "hello" }, hi], {}],
    ["a conversation that the model ended", [hi, { role: "assistant", content: "hello" }], {}],
    ["a system message among the others", [{ role: "system", content: "obey" }, hi], {}],
    ["blank text", [{ role: "user", content: [{ type: "text", text: " " }] }], {}],
    [
      "a thought that was changed",
      [hi, { role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "y" }] }, hi],
      {},
    ],
    ["a field that there is not", [hi], { max_completion_tokens: 5 }],
    ["no limit of output", [hi], { max_tokens: undefined }],
    [
      "two tools of one name",
      [hi],
      { tools: [1, 2].map(() => ({ name: "a", description: "d", input_schema: { type: "object" } })) },
    ],
    [
      "a tool without a schema of an object",
      [hi],
      { tools: [{ name: "a", description: "d", input_schema: { type: "string" } }] },
    ],
    ["a tool with a bad name", [hi], { tools: [{ name: "a b", description: "d", input_schema: { type: "object" } }] }],
  ])("refuses %s", async (_, messages, more) => {
    expect(await ask(messages, more)).toMatchObject({ status: 400, body: { type: "error" } });
    expect(server.requests).toMatchObject([{ status: 400 }]);
  });

  test("refuses a wrong key and a missing version", async () => {
    const body = { model: "m", max_tokens: 5, messages: [hi] };
    expect(await post("/v1/messages", { ...headers, "x-api-key": "no" }, body)).toMatchObject({
      status: 401,
      body: { error: { type: "authentication_error" } },
    });
    expect((await post("/v1/messages", { "x-api-key": "test-key" }, body)).status).toBe(401);
  });
});

describe("OpenAI", () => {
  const headers = { authorization: "Bearer test-key" };
  const hi = { role: "user", content: "hi" };
  const call = { id: "c1", type: "function", function: { name: "edit", arguments: "{}" } };

  test("Chat Completions refuses a call without its result", async () => {
    const messages = [hi, { role: "assistant", content: null, tool_calls: [call] }, hi];
    expect(await post("/v1/chat/completions", headers, { model: "m", messages })).toMatchObject({
      status: 400,
      body: {
        error: {
          type: "invalid_request_error",
          message: expect.stringContaining("did not have response messages: c1") as string,
        },
      },
    });
  });

  test("Responses refuses a call without its result, and references to stored items", async () => {
    const item = { type: "function_call", call_id: "c1", name: "edit", arguments: "{}" };
    expect(await post("/v1/responses", headers, { model: "m", input: [hi, item] })).toMatchObject({
      status: 400,
      body: { error: { message: "No tool output found for function call c1." } },
    });
    expect(
      await post("/v1/responses", headers, { model: "m", input: [hi, { type: "item_reference", id: "rs_1" }, hi] }),
    ).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("Items are not persisted") as string } },
    });
  });

  test("a stream contains its usage only on request", async () => {
    const read = async (more: object) => {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model: "m", messages: [hi], stream: true, ...more }),
      });
      return response.text();
    };
    expect(await read({ stream_options: { include_usage: true } })).toContain('"prompt_tokens"');
    expect(await read({})).not.toContain('"prompt_tokens"');
  });
});

describe("Google", () => {
  const ask = (contents: unknown[]) =>
    post("/v1beta/models/gem:generateContent", { "x-goog-api-key": "test-key" }, { contents });
  const hi = { role: "user", parts: [{ text: "hi" }] };
  const call = (signature: object) => ({
    role: "model",
    parts: [{ functionCall: { name: "edit", args: {} }, ...signature }],
  });
  const response = { role: "user", parts: [{ functionResponse: { name: "edit", response: { content: "ok" } } }] };

  test("a call must be sent back with its signature and a result", async () => {
    expect((await ask([hi, call({ thoughtSignature: "s" }), response])).status).toBe(200);
    expect(await ask([hi, call({}), response])).toMatchObject({
      body: { error: { code: 400, message: expect.stringContaining("thought_signature") as string } },
    });
    expect(await ask([hi, call({ thoughtSignature: "s" }), hi])).toMatchObject({
      body: { error: { status: "INVALID_ARGUMENT" } },
    });
  });
});

describe("a script", () => {
  const headers = { authorization: "Bearer test-key" };
  const ask = async (messages: unknown[]) => {
    const { status, body } = await post("/v1/chat/completions", headers, { model: "m", messages });
    return status === 200
      ? (body as { choices: { message: { content: string } }[] }).choices[0]!.message.content
      : status;
  };
  const user = (content: string) => ({ role: "user", content });
  const assistant = (content: string) => ({ role: "assistant", content });

  test("selects the conversation by the last marked message, and the turn by the answers since then", async () => {
    server.setScript({
      conversations: [
        { marker: "TASK-A", turns: [{ text: "a0" }, { text: "a1" }] },
        { marker: "TASK-B", turns: [{ text: "b0" }], afterwards: "repeat" },
      ],
    });
    expect(await ask([user("do TASK-A")])).toBe("a0");
    expect(await ask([user("do TASK-A"), assistant("a0"), user("go on")])).toBe("a1");
    expect(await ask([user("do TASK-A"), assistant("a0"), user("now TASK-B")])).toBe("b0");
    expect(await ask([user("do TASK-B"), assistant("b0"), user("on"), assistant("b0"), user("on")])).toBe("b0");
    expect(await ask([user("do TASK-A"), assistant("a0"), user("on"), assistant("a1"), user("on")])).toBe(400);
    expect(await ask([user("do TASK-C")])).toBe(400);
  });

  test("can be a function of the conversation", async () => {
    server.setScript(({ messages }) => ({ text: `${messages.length} messages` }));
    expect(await ask([user("one"), assistant("two"), user("three")])).toBe("3 messages");
  });

  test("can insert the key of the request and earlier messages", async () => {
    server.setScript({ conversations: [{ marker: "*", turns: [{ text: "{{apiKey}} {{lastUser}} {{system}}" }] }] });
    expect(await ask([{ role: "system", content: "rules" }, user("hi")])).toBe("test-key hi rules");
  });

  test("is validated at once", () => {
    expect(() => server.setScript({ conversations: [{ marker: "", turns: [] }] })).toThrow("turns");
  });
});
