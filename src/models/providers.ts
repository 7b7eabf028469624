import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ConnectProvider, ProviderOptions } from "./model.ts";
import type { ProviderSettings } from "./settings.ts";
import { lenientFetch } from "./wire.ts";

const addresses = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
} as const;

/**
 * Connects to providers through the packages of the AI SDK. Address and key are always given, so that no package reads
 * them from the environment. Also disables two defaults of the SDK: a model named by a string would use its vendor's
 * hosted gateway, and warnings would be printed to the console.
 */
export function createProviderConnector(deps: { fetch: typeof globalThis.fetch }): ConnectProvider {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  globalThis.AI_SDK_DEFAULT_PROVIDER = closedProvider;
  return (settings, model) => ({
    model: connect(settings, model, lenientFetch(keyedFetch(deps.fetch, settings), settings.kind)),
    providerOptions: optionsFor(settings),
  });
}

function connect(settings: ProviderSettings, model: string, fetch: typeof globalThis.fetch): LanguageModelV4 {
  const { headers } = settings;
  const apiKey = settings.apiKey?.reveal() ?? "none";
  switch (settings.kind) {
    case "anthropic":
      return createAnthropic({ apiKey, headers, fetch, baseURL: settings.baseUrl ?? addresses.anthropic })(model);
    case "openai":
      return createOpenAI({ apiKey, headers, fetch, baseURL: settings.baseUrl ?? addresses.openai }).responses(model);
    case "google":
      return createGoogle({ apiKey, headers, fetch, baseURL: settings.baseUrl ?? addresses.google })(model);
    case "openai-compatible":
      return createOpenAICompatible({
        name: settings.name,
        headers,
        fetch,
        baseURL: settings.baseUrl ?? "",
        includeUsage: true, // streams have no token counts otherwise
        ...(settings.apiKey ? { apiKey } : {}),
      }).chatModel(model);
  }
}

const USUAL_KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key"];

/** Sends the key in the configured header only: a gateway may read the usual one as a token of its own. */
function keyedFetch(fetch: typeof globalThis.fetch, settings: ProviderSettings): typeof globalThis.fetch {
  const { apiKeyHeader, apiKey } = settings;
  if (apiKeyHeader === undefined || apiKey === null) return fetch;
  return (address, init) => {
    const headers = new Headers(init?.headers);
    for (const usual of USUAL_KEY_HEADERS) headers.delete(usual);
    headers.set(apiKeyHeader, apiKey.reveal());
    return fetch(address, { ...init, headers });
  };
}

function optionsFor(settings: ProviderSettings): ProviderOptions {
  switch (settings.kind) {
    case "anthropic":
      // Eager streaming of arguments may send broken JSON, and gateways refuse the field that asks for it.
      return {
        anthropic: { toolStreaming: false, ...(settings.promptCaching ? { cacheControl: { type: "ephemeral" } } : {}) },
      };
    case "openai":
      return { openai: { store: false } }; // the vendor keeps conversations for 30 days otherwise
    case "google":
    case "openai-compatible":
      return {};
  }
}

function closed(): never {
  throw new Error("A model must be given as an object, not by name.");
}

const closedProvider = {
  specificationVersion: "v4" as const,
  languageModel: closed,
  embeddingModel: closed,
  imageModel: closed,
};
