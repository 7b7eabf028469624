import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { AppError } from "#lib/app-error.ts";
import { type ConnectProvider, createModelCatalogue, parseModelName } from "./model.ts";
import { readModelSettings } from "./settings.ts";

const builtin = new MockLanguageModelV4({ modelId: "rules" });
const connect: ConnectProvider = (settings, model) => ({
  model: new MockLanguageModelV4({ provider: settings.name, modelId: model }),
  providerOptions: { [settings.kind]: { from: settings.apiKey?.reveal() ?? "no key" } },
});

function catalogue(providers: Record<string, unknown>, allowed: string[] | null = null) {
  const settings = readModelSettings(JSON.stringify({ providers, allowed }), { KEY: "instance key" });
  return createModelCatalogue({ builtin, connect, ...settings });
}
const ollama = { kind: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1" };
const claude = { kind: "anthropic", apiKeyEnv: "KEY" };

test.each([
  ["anthropic/claude-sonnet-4-5", { provider: "anthropic", model: "claude-sonnet-4-5" }],
  ["router/meta-llama/llama-3:free", { provider: "router", model: "meta-llama/llama-3:free" }],
  ["docent/builtin-rules", { provider: "docent", model: "builtin-rules" }],
  ["gpt-5", null],
  ["/gpt-5", null],
  ["openai/", null],
  ["OpenAI/gpt-5", null],
  ["openai/gpt 5", null],
  ["openai//x", null],
  ["", null],
])("the name %j is read as %j", (text, name) => {
  expect(parseModelName(text)).toEqual(name);
});

test("the embedded model is always available, free and unlimited", () => {
  const resolved = catalogue({}, []).resolve("docent/builtin-rules");
  expect(resolved).toMatchObject({ model: builtin, isBuiltin: true, price: { outputPerMillionUsd: 0 } });
});

test("limits and price come from the model's settings, then the provider's, then the kind's defaults", () => {
  const models = catalogue({
    work: {
      ...claude,
      defaults: { contextWindowTokens: 100_000, price: { inputPerMillionUsd: 3, outputPerMillionUsd: 15 } },
      models: { big: { contextWindowTokens: 900_000, maxOutputTokens: 64_000 } },
    },
    ollama,
  });
  expect(models.resolve("work/big")).toMatchObject({
    name: "work/big",
    contextWindowTokens: 900_000,
    maxOutputTokens: 64_000,
    providerOptions: { anthropic: { from: "instance key" } },
    price: { inputPerMillionUsd: 3, cachedInputPerMillionUsd: 3, outputPerMillionUsd: 15 },
    isBuiltin: false,
  });
  expect(models.resolve("work/small")).toMatchObject({ contextWindowTokens: 100_000, maxOutputTokens: 8_000 });
  expect(models.resolve("ollama/qwen3:8b")).toMatchObject({ contextWindowTokens: 32_000, price: null });
});

test.each([
  ["gpt-5", '"gpt-5" is not the name of a model, which is written provider/model.'],
  ["openai/gpt-5", 'No provider "openai" is set up.'],
  ["work/small", 'The model "work/small" is not allowed here.'],
  ["docent/other", 'There is no embedded model "docent/other".'],
])("an error for %s lists the usable models", (name, problem) => {
  const models = catalogue({ work: claude, ollama }, ["work/big", "ollama/*"]);
  const refused = () => models.resolve(name);
  expect(refused).toThrow(AppError);
  expect(refused).toThrow(`${problem} You can use: docent/builtin-rules, work/big, ollama/….`);
});

test("the list has configured models, and provider/… for providers that allow any", () => {
  expect(catalogue({ ollama: { ...ollama, models: { qwen3: {} } } }).list()).toEqual([
    "docent/builtin-rules",
    "ollama/qwen3",
    "ollama/…",
  ]);
});

test("a project's provider overrides the instance's of the same name, with the project's key", () => {
  const own = readModelSettings(JSON.stringify({ providers: { work: claude } }), { KEY: "project key" }).providers;
  const models = catalogue({ work: claude, ollama }, ["ollama/*"]).forProject({ providers: own, allowed: null });
  expect(models.resolve("work/any")).toMatchObject({ providerOptions: { anthropic: { from: "project key" } } });
  expect(models.resolve("ollama/any").name).toBe("ollama/any");
});

test("a project can narrow what the instance allows, not widen it", () => {
  const models = catalogue({ work: claude, ollama }, ["work/big", "work/small"]);
  const narrowed = models.forProject({ providers: [], allowed: ["work/small", "ollama/qwen3"] });
  expect(narrowed.resolve("work/small").name).toBe("work/small");
  expect(() => narrowed.resolve("work/big")).toThrow("not allowed");
  expect(() => narrowed.resolve("ollama/qwen3")).toThrow("not allowed");
  const pattern = models.forProject({ providers: [], allowed: ["work/*"] });
  expect(pattern.resolve("work/big").name).toBe("work/big");
  expect(() => pattern.resolve("work/other")).toThrow("not allowed");
});
