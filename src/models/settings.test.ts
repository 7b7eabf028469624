import { expect, test } from "vitest";
import { readModelSettings } from "./settings.ts";

const read = (settings: unknown, environment: Record<string, string> = {}) =>
  readModelSettings(JSON.stringify(settings), environment);

test("without settings, the providers are those whose usual key is set", () => {
  const { providers, allowed } = readModelSettings(null, {
    ANTHROPIC_API_KEY: "a",
    OPENAI_API_KEY: "",
    GOOGLE_GENERATIVE_AI_API_KEY: "g",
  });
  expect(providers.map(({ name, kind, apiKey }) => [name, kind, apiKey?.reveal()])).toEqual([
    ["anthropic", "anthropic", "a"],
    ["google", "google", "g"],
  ]);
  expect(allowed).toBeNull();
});

test("a provider's key comes from the variable it names, or from the usual one", () => {
  const { providers } = read(
    {
      providers: {
        work: { kind: "openai", apiKeyEnv: "WORK_KEY" },
        anthropic: { kind: "anthropic", baseUrl: "https://gateway.test/v1" },
      },
    },
    { WORK_KEY: "w", ANTHROPIC_API_KEY: "a" },
  );
  expect(providers.map(({ name, apiKey, baseUrl }) => [name, apiKey?.reveal(), baseUrl])).toEqual([
    ["work", "w", undefined],
    ["anthropic", "a", "https://gateway.test/v1"],
  ]);
});

test("a local server needs no key", () => {
  const { providers } = read({
    providers: { ollama: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1" } },
  });
  expect(providers).toMatchObject([{ name: "ollama", apiKey: null, streaming: true }]);
});

test("keys are hidden when settings are printed", () => {
  const { providers } = readModelSettings(null, { ANTHROPIC_API_KEY: "very secret" });
  expect(JSON.stringify(providers)).not.toContain("very secret");
});

test.each([
  ["not JSON", "{", "JSON"],
  ["an unknown field", { provider: {} }, "provider"],
  ["an unknown kind", { providers: { x: { kind: "cohere" } } }, "providers.x.kind"],
  [
    "a key in place of the name of its variable",
    { providers: { x: { kind: "openai", apiKeyEnv: "sk-123" } } },
    "providers.x.apiKeyEnv",
  ],
  [
    "a variable that is not set",
    { providers: { x: { kind: "openai", apiKeyEnv: "NOPE" } } },
    "providers.x.apiKeyEnv: NOPE is not set",
  ],
  ["no address", { providers: { x: { kind: "openai-compatible" } } }, "providers.x.baseUrl: is needed"],
  [
    "a file address",
    { providers: { x: { kind: "openai-compatible", baseUrl: "file:///etc/passwd" } } },
    "providers.x.baseUrl",
  ],
  [
    "our own name",
    { providers: { docent: { kind: "openai-compatible", baseUrl: "http://127.0.0.1/v1" } } },
    "providers.docent: this name",
  ],
  ["a name with capitals", { providers: { Ollama: { kind: "anthropic" } } }, "small letters"],
  ["an allowed name without a provider", { allowed: ["gpt-5"] }, "write provider/model"],
])("%s is refused, naming it", (_, settings, problem) => {
  const json = typeof settings === "string" ? settings : JSON.stringify(settings);
  expect(() => readModelSettings(json, {})).toThrow(problem);
});
