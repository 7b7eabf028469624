import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createModelServer, type ModelServer } from "#testing/model-server/server.ts";
import { createModelCatalogue } from "./model.ts";
import { createProviderConnector } from "./providers.ts";
import { readModelSettings } from "./settings.ts";
import { runModelStep } from "./step.ts";

const turns = [{ text: "Hello.", calls: [{ name: "done", input: {} }] }];

let server: ModelServer;
beforeAll(async () => {
  server = await createModelServer({ script: { conversations: [{ marker: "*", turns, afterwards: "repeat" }] } });
});
afterAll(() => server.close());

/** The settings that docs/jobs/models.md prints, except for the host. */
const CLOUDS = [
  ["Azure OpenAI", { kind: "openai" }, "/openai/v1", "/openai/v1/responses", "authorization"],
  ["Azure OpenAI by its own header", { kind: "openai", apiKeyHeader: "api-key" }, "/openai/v1", "/openai/v1/responses", "api-key"],
  ["Claude on Amazon Bedrock", { kind: "anthropic" }, "/anthropic/v1", "/anthropic/v1/messages", "x-api-key"],
  ["OpenAI's models on Amazon Bedrock", { kind: "openai" }, "/openai/v1", "/openai/v1/responses", "authorization"],
  ["Gemini on Vertex AI", { kind: "google" }, "/v1/publishers/google", "/v1/publishers/google/models/m:generateContent", "x-goog-api-key"],
] as const; // oxfmt-ignore

test.each(CLOUDS.flatMap((cloud) => [true, false].map((streaming) => [...cloud, streaming] as const)))(
  "%s is reached with %j",
  async (_, settings, base, path, keyHeader, streaming) => {
    const provider = { ...settings, streaming, baseUrl: server.url + base, apiKeyEnv: "CLOUD_KEY" };
    const { providers } = readModelSettings(JSON.stringify({ providers: { cloud: provider } }), {
      CLOUD_KEY: "test-key",
    });
    const connect = createProviderConnector({ fetch });
    const builtin = new MockLanguageModelV4();
    const { model, providerOptions } = createModelCatalogue({ builtin, providers, allowed: null, connect }).resolve(
      "cloud/m",
    );
    const step = await runModelStep({
      model,
      providerOptions,
      system: "You edit documentation.",
      messages: [{ role: "user", content: "go" }],
      tools: [{ name: "done", description: "Ends.", inputSchema: { type: "object", properties: {} } }],
      signal: new AbortController().signal,
      maxOutputTokens: 1_000,
      timeoutMs: 10_000,
    });
    expect(step).toMatchObject({ ok: true, text: "Hello.", toolCalls: [{ name: "done" }] });
    const { path: asked, headers } = server.requests.at(-1)!;
    expect(asked).toBe(streaming ? path.replace(":generate", ":streamGenerate") : path);
    const carriers = ["authorization", "api-key", "x-api-key", "x-goog-api-key"].filter((name) => headers[name]);
    expect(carriers).toEqual([keyHeader]);
  },
);
