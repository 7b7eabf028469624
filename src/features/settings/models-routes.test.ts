import { afterAll, beforeAll, expect, it } from "vitest";
import { findProject, saveSettings } from "#features/projects/projects.ts";
import { createModelServer, type ModelServer } from "#testing/model-server/server.ts";
import type { Browsing } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import type { Project } from "#features/projects/project.ts";
import { withoutProvider } from "./model-providers.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let server: ModelServer;
let ollama: ModelServer;
let owner: Browsing;
let admin: Browsing;

const PAGE = "/harbor-docs/models";
const settings = async () => (await findProject(app, app.project.id))!.settings;
const turns = [{ calls: [{ name: "done", input: {} }] }];

beforeAll(async () => {
  ollama = await createModelServer({
    script: { conversations: [{ marker: "*", turns, afterwards: "repeat" }] },
    local: "ollama",
    models: ["llama3.2:latest", "qwen3:8b"],
  });
  app = await createTestApp("sqlite", { localPorts: { ollama: Number(new URL(ollama.url).port) } });
  server = await createModelServer({ script: { conversations: [{ marker: "*", turns, afterwards: "repeat" }] } });
  owner = await browseAs(app, await makePerson(app, { isOwner: true }));
  admin = await browseAs(app, await makePerson(app, { role: "admin" }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await ollama[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

it("shows the model of jobs, and offers an admin providers without an address", async () => {
  const { text } = await admin.get(PAGE);
  expect(text).toContain("Jobs use <code>docent/builtin-rules</code>, the server");
  expect(text).not.toContain("Ollama</option>");
  expect((await owner.get(PAGE)).text).toContain("Ollama</option>");
});

it("saves a model whose provider responds, with a key that no page shows", async () => {
  const form = { provider: "openai-compatible", model: "writer", address: `${server.url}/v1`, key: "test-key" };
  expect((await owner.post(`${PAGE}/add`, form)).location).toBe(`${PAGE}?done=add`);
  expect(await settings()).toMatchObject({
    model: "at-127-0-0-1/writer",
    models: {
      providers: {
        "at-127-0-0-1": { kind: "openai-compatible", baseUrl: `${server.url}/v1`, apiKeyEnv: "AT_127_0_0_1_API_KEY" },
      },
    },
    sealedKeys: { AT_127_0_0_1_API_KEY: expect.stringMatching(/^(?!.*test-key)/) as string },
  });
  expect(server.requests).toHaveLength(1);
  const { text } = await owner.get(PAGE);
  expect(text).toContain("Jobs use <code>at-127-0-0-1/writer</code>");
  expect(text).not.toContain("test-key");
  // The stored key is kept when another model of the provider is added.
  expect((await owner.post(`${PAGE}/add`, { ...form, model: "reader", key: "" })).status).toBe(303);
  expect((await settings()).model).toBe("at-127-0-0-1/reader");
});

it("saves nothing if the test call fails, and shows the error", async () => {
  const before = await settings();
  const form = { provider: "openai-compatible", model: "writer", address: `${server.url}/v1`, key: "another-key" };
  const refusals: [change: Record<string, string>, problem: string][] = [
    [{}, "the provider refused our API key (401). Check the API key"],
    [{ address: "http://127.0.0.1:9/v1" }, "the provider could not answer"],
    [{ address: "" }, "Enter the address of the provider"],
    [{ address: "file:///etc/passwd" }, "Enter the address of the provider"],
    [{ provider: "anthropic", key: "" }, "Enter your API key of Anthropic."],
    [{ provider: "bedrock", address: "" }, "such as https://bedrock-mantle.us-east-1.api.aws"],
    [{ provider: "azure", address: "" }, "such as https://NAME.openai.azure.com"],
    [{ provider: "nobody" }, "Choose a provider from the list."],
    [{ model: "" }, "Enter the name of a model"],
    [{ key: "two words" }, "An API key is one word."],
  ];
  for (const [change, problem] of refusals) {
    const answer = await owner.post(`${PAGE}/add`, { ...form, ...change });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(problem)]);
    expect(answer.text).not.toContain("another-key");
  }
  const chosen = await owner.post(`${PAGE}/choose`, { model: "nobody/model" });
  expect([chosen.status, chosen.text]).toEqual([400, expect.stringContaining("No provider")]);
  expect(await settings()).toEqual(before);
});

it("saves no model that answers without the tool call that it was asked for", async () => {
  await using talker = await createModelServer({
    script: { conversations: [{ marker: "*", turns: [{ text: "Done." }], afterwards: "repeat" }] },
  });
  const form = { provider: "openai-compatible", model: "talker", address: `${talker.url}/v1`, key: "test-key" };
  const answer = await owner.post(`${PAGE}/add`, form);
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining("choose a model that supports tool calls"),
  ]);
});

it("counts a test call as a call of the project, and makes none beyond the limit", async () => {
  await using limited = await createTestApp("sqlite", { agentCallsPerHour: 1 });
  const person = await browseAs(limited, await makePerson(limited, { isOwner: true }));
  const before = server.requests.length;
  const form = { provider: "openai-compatible", model: "writer", address: `${server.url}/v1`, key: "test-key" };
  expect((await person.post(`${PAGE}/add`, form)).status).toBe(303);
  expect((await person.post(`${PAGE}/add`, form)).status).toBe(429);
  expect(server.requests.length - before).toBe(1);
});

it("completes the address of a cloud, and calls it with the vendor's own API", async () => {
  const form = { provider: "azure", model: "writer", address: server.url, key: "test-key" };
  expect((await owner.post(`${PAGE}/add`, form)).location).toBe(`${PAGE}?done=add`);
  expect(server.requests.at(-1)!.path).toBe("/openai/v1/responses");
  expect(await settings()).toMatchObject({
    model: "azure/writer",
    models: {
      providers: { azure: { kind: "openai", baseUrl: `${server.url}/openai/v1`, apiKeyEnv: "AZURE_API_KEY" } },
    },
  });
  await owner.post(`${PAGE}/remove`, { provider: "azure" });
  await owner.post(`${PAGE}/choose`, { model: "at-127-0-0-1/reader" });
});

it("requires an owner of the server to enter or remove an address", async () => {
  const before = await settings();
  const form = { provider: "ollama", model: "qwen3:8b", address: `${server.url}/v1`, key: "" };
  for (const [action, fields] of [["add", form], ["remove", { provider: "at-127-0-0-1" }]] as const) {
    const answer = await admin.post(`${PAGE}/${action}`, fields);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("Only owners of the server")]);
  } // oxfmt-ignore
  expect(await settings()).toEqual(before);
  expect((await admin.post(`${PAGE}/choose`, { model: "at-127-0-0-1/writer" })).status).toBe(303);
});

it("removes a provider with its key, and reverts to the server's default", async () => {
  expect((await owner.post(`${PAGE}/remove`, { provider: "at-127-0-0-1" })).location).toBe(`${PAGE}?done=remove`);
  expect(await settings()).toEqual({ sealedKeys: {} });
  expect((await owner.post(`${PAGE}/remove`, { provider: "at-127-0-0-1" })).status).toBe(409);
});

it("offers an owner the models of this machine, and uses one on request", async () => {
  const isOffered = async (who: Browsing, page: string) => (await who.get(page)).text.includes("Found on this machine");
  expect([await isOffered(admin, PAGE), await isOffered(owner, PAGE)]).toEqual([false, true]);
  expect([await isOffered(admin, "/harbor-docs"), await isOffered(owner, "/harbor-docs")]).toEqual([false, true]);
  expect(ollama.requests).toEqual([]);
  const [, address] = /name="address" value="(http[^"]+)"/.exec((await owner.get(PAGE)).text)!;
  const form = { provider: "ollama", model: "qwen3:8b", address: address!, images: "yes" };
  expect((await owner.post(`${PAGE}/add`, form)).location).toBe(`${PAGE}?done=add`);
  expect(await settings()).toMatchObject({
    model: "ollama/qwen3:8b",
    models: {
      providers: {
        ollama: {
          kind: "openai-compatible",
          baseUrl: `${ollama.url}/v1`,
          models: { "qwen3:8b": { images: true } },
        },
      },
    },
  });
  expect(ollama.requests).toHaveLength(1);
  expect((await owner.get(PAGE)).text).toContain("qwen3:8b (in use)");
  expect(await isOffered(owner, "/harbor-docs")).toBe(false);
  await owner.post(`${PAGE}/remove`, { provider: "ollama" });
});

it("reports models that can no longer be used", async () => {
  await saveSettings(app, app.project, { model: "gone/model" });
  expect((await admin.get(PAGE)).text).toContain("No provider &quot;gone&quot; is set up.");
  await admin.post(`${PAGE}/choose`, { model: "" });
  expect(await settings()).toEqual({});
});

it("keeps a key that another provider of the project needs", () => {
  const secretsOf = (settings: Project["settings"], name: string) => withoutProvider({ settings }, name).secrets;
  const provider = { kind: "openai-compatible", baseUrl: "https://models.example/v1", apiKeyEnv: "LLM_API_KEY" };
  const two = { models: { providers: { a: provider, b: provider } }, sealedKeys: { LLM_API_KEY: "sealed" } };
  expect(secretsOf(two, "a")).toBeUndefined();
  const own = { models: { providers: { eu: { kind: "openai" } } }, sealedKeys: { OPENAI_API_KEY: "sealed" } };
  expect(secretsOf({ ...own, model: "openai/gpt-5" }, "eu")).toBeUndefined();
  expect(secretsOf({ ...own, model: "eu/gpt-5" }, "eu")).toEqual({ OPENAI_API_KEY: null });
});
