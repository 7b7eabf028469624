import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRawAnswers } from "#testing/model-server/raw-answers.ts";

let server: Awaited<ReturnType<typeof createRawAnswers>>;
beforeAll(async () => {
  server = await createRawAnswers();
});
afterAll(() => server.close());

describe("OpenAI's Responses protocol", () => {
  const response = (output: object[], more: object = {}) => ({
    id: "r",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output,
    usage: { input_tokens: 9, output_tokens: 5 },
    ...more,
  });
  const said = (annotations: object[] = []) => ({
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Hello.", annotations }],
  });
  const called = {
    type: "function_call",
    id: "fc_1",
    call_id: "c1",
    name: "read_file",
    arguments: '{"path":"a.md"}',
    status: "completed",
  };
  const events = (...output: object[]) => [
    { type: "response.created", response: response([], { status: "in_progress", usage: null }) },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      ...("content" in item
        ? [{ type: "response.output_text.delta", item_id: "msg_1", output_index, content_index: 0, delta: "Hello." }]
        : []),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: response(output) },
  ];
  const hosted = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } };

  test.each([true, false])(
    "skips tools that the provider ran itself, and unknown items, streamed: %s",
    async (streaming) => {
      const output = [hosted, { type: "hologram", id: "h_1" }, said(), called];
      if (streaming) server.stream(...events(...output));
      else server.json(response(output));
      const step = await server.ask("openai", { streaming });
      expect(step).toMatchObject({ ok: true, text: "Hello.", toolCalls: [{ id: "c1", name: "read_file" }] });
      expect(step.ok && step.toolCalls).toHaveLength(1);
    },
  );

  test.each([true, false])("accepts citations of any form, streamed: %s", async (streaming) => {
    const annotation = { type: "url_citation", url: "https://docs.example.com" };
    const [created, added, delta, ...end] = events(said([annotation]));
    const cited = { item_id: "msg_1", output_index: 0, content_index: 0, annotation_index: 0, annotation };
    if (streaming)
      server.stream(created!, added!, delta!, { type: "response.output_text.annotation.added", ...cited }, ...end);
    else server.json(response([said([annotation])]));
    expect(await server.ask("openai", { streaming })).toMatchObject({ ok: true, text: "Hello." });
  });

  test("retries a response that failed at the provider", async () => {
    server.json(response([], { status: "failed", error: { code: "server_error", message: "an error of ours" } }));
    const step = await server.ask("openai", { streaming: false });
    expect(step).toMatchObject({ ok: false, failure: { code: "model_unavailable", retryable: true } });
  });

  test.each([true, false])(
    "names the kind to set for a server that speaks Chat Completions, streamed: %s",
    async (streaming) => {
      const choices = [{ index: 0, delta: { content: "Hi" }, message: { role: "assistant", content: "Hi" } }];
      if (streaming) server.stream({ id: "c", object: "chat.completion.chunk", choices });
      else server.json({ id: "c", object: "chat.completion", choices });
      const step = await server.ask("openai", { streaming });
      expect(step).toMatchObject({ ok: false, failure: { code: "model_error", retryable: false } });
      expect(step.ok || step.failure.message).toContain('"kind": "openai-compatible"');
    },
  );

  test("sends the effort, and asks for encrypted thoughts, for a model of any name", async () => {
    server.json(response([said()]));
    await server.ask("openai", { streaming: false, effort: "high" });
    const thinking = { reasoning: { effort: "high" }, include: ["reasoning.encrypted_content"] };
    expect(server.requests).toMatchObject([thinking]);
    await server.ask("openai", { streaming: false });
    expect(server.requests[0]).not.toHaveProperty("include");
  });
});
