import { createHash } from "node:crypto";
import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { AppError } from "#lib/app-error.ts";
import { overStream } from "./collect-stream.ts";
import type { Effort, ModelLimits, ModelPrice, ProviderSettings } from "./settings.ts";

/** Options for one provider's package, passed through untouched. */
export type ProviderOptions = SharedV4ProviderOptions;

/** `provider/model`, the model in the provider's own spelling, which may contain slashes. */
export interface ModelName {
  provider: string;
  model: string;
}

/** The model that needs no provider: a rule engine with the interface of a language model. */
export const BUILTIN_RULES = "docent/builtin-rules";

const EMBEDDED_PROVIDER = "docent";
const MODEL_NAME = /^([a-z0-9][a-z0-9-]{0,40})\/([^\s/][^\s]{0,199})$/;

/** Null if the text is not a model name. */
export function parseModelName(text: string): ModelName | null {
  const match = MODEL_NAME.exec(text);
  return match?.[1] && match[2] ? { provider: match[1], model: match[2] } : null;
}

/** A model ready for use; `model`, `providerOptions` and `maxOutputTokens` are inputs of `runModelStep`. */
export interface ResolvedModel {
  name: string;
  /** Equal for models with the same address and key: an outage affects them together. */
  credential: string;
  model: LanguageModelV4;
  contextWindowTokens: number;
  maxOutputTokens: number;
  providerOptions: ProviderOptions;
  /** Whether it receives the images attached to messages. */
  seesImages: boolean;
  /** Absent for the provider's own default. */
  effort?: Effort | undefined;
  /** Null if the owner has set none; the cost is then unknown. */
  price: ModelPrice | null;
  /** How much a token read from, or written to, the provider's cache counts in a token budget. */
  weights: TokenWeights;
  /** The embedded rule engine: answers state that no language model was used. */
  isBuiltin: boolean;
}

export interface TokenWeights {
  cached: number;
  cacheWrite: number;
}

/** Creates a provider's model; the adapter to the providers' packages. */
export type ConnectProvider = (
  settings: ProviderSettings,
  model: string,
) => { model: LanguageModelV4; providerOptions: ProviderOptions };

export interface ModelCatalogue {
  /** Throws `AppError invalid` for a name that cannot be used, listing those that can. */
  resolve(name: string): ResolvedModel;
  /** Usable models, for display: names, and `provider/…` where any model of a provider may be used. */
  list(): string[];
  /** The same with a project's own providers, which override those of the same name, and its narrower selection. */
  forProject(project: Pick<CatalogueOptions, "providers" | "allowed" | "fallback">): ModelCatalogue;
  /** Names of fallback models for a provider outage, in order. */
  fallback: readonly string[];
}

interface CatalogueOptions {
  builtin: LanguageModelV4;
  providers: readonly ProviderSettings[];
  /** Names or `provider/*`; null allows all. The embedded model is always allowed. */
  allowed: readonly string[] | null;
  /** Null: no fallback for an instance; the instance's fallback for a project. */
  fallback?: readonly string[] | null;
  connect: ConnectProvider;
}

// The smallest window of each vendor's current models. Too low means compacting early, too high a refused request.
const windows: Record<ProviderSettings["kind"], number> = {
  anthropic: 200_000,
  openai: 128_000,
  google: 1_000_000,
  "openai-compatible": 32_000,
};
const MAX_OUTPUT_TOKENS = 8_000;
// A local model on a slow machine reads a long prompt for minutes before its first token.
const STREAM_IDLE_MS = 240_000;

/** The models of an instance. `resolve` checks everything; connections are made only by calls. */
export function createModelCatalogue(options: CatalogueOptions): ModelCatalogue {
  const { builtin, providers, allowed, connect } = options;
  const isAllowed = (name: string) => allowed === null || allowed.some((pattern) => matches(pattern, name));

  function list(): string[] {
    const named = providers.flatMap((provider) => {
      const listed = Object.keys(provider.models).map((model) => `${provider.name}/${model}`);
      return [...listed, `${provider.name}/…`];
    });
    const usable =
      allowed === null
        ? named
        : allowed.filter((name) => providers.some((provider) => name.startsWith(`${provider.name}/`)));
    return [BUILTIN_RULES, ...usable.map((name) => name.replace(/\/\*$/, "/…"))];
  }

  function refuse(problem: string): never {
    const message = `${problem} You can use: ${list().join(", ")}.`;
    throw new AppError("invalid", message, { details: [{ path: "model", message }] });
  }

  return {
    list,
    fallback: options.fallback ?? [],
    resolve(name) {
      const parsed = parseModelName(name);
      if (!parsed) refuse(`"${name.slice(0, 200)}" is not the name of a model, which is written provider/model.`);
      if (parsed.provider === EMBEDDED_PROVIDER) {
        if (name !== BUILTIN_RULES) refuse(`There is no embedded model "${name}".`);
        return {
          name,
          credential: "",
          model: builtin,
          contextWindowTokens: Number.MAX_SAFE_INTEGER,
          maxOutputTokens: Number.MAX_SAFE_INTEGER,
          seesImages: false,
          providerOptions: {},
          price: FREE,
          weights: USUAL_WEIGHTS,
          isBuiltin: true,
        };
      }
      const provider = providers.find((one) => one.name === parsed.provider);
      if (!provider) refuse(`No provider "${parsed.provider}" is set up.`);
      if (!isAllowed(name)) refuse(`The model "${name}" is not allowed here.`);
      const limits: ModelLimits = { ...provider.defaults, ...provider.models[parsed.model] };
      const { model, providerOptions } = connect(provider, parsed.model);
      return {
        name,
        credential: credentialOf(provider),
        model: provider.streaming ? overStream(model, { idleMs: STREAM_IDLE_MS }) : model,
        contextWindowTokens: limits.contextWindowTokens ?? windows[provider.kind],
        maxOutputTokens: limits.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
        seesImages: limits.images ?? provider.kind !== "openai-compatible",
        providerOptions,
        effort: limits.effort,
        ...pricesOf(provider.kind, limits.price),
        isBuiltin: false,
      };
    },
    forProject(project) {
      const own = new Set(project.providers.map((provider) => provider.name));
      const inherited = providers.filter((provider) => !own.has(provider.name));
      // The instance does not restrict models that a project pays for with its own key.
      const permitted =
        allowed === null
          ? null
          : [
              ...allowed.filter((pattern) => !own.has(pattern.split("/", 1)[0] ?? "")),
              ...[...own].map((name) => `${name}/*`),
            ];
      const narrowed = project.allowed === null ? permitted : narrow(project.allowed, permitted);
      return createModelCatalogue({
        ...options,
        providers: [...project.providers, ...inherited],
        allowed: narrowed,
        fallback: project.fallback ?? options.fallback ?? null,
      });
    },
  };
}

function credentialOf({ kind, baseUrl, apiKey, headers }: ProviderSettings): string {
  const parts = [kind, baseUrl ?? null, apiKey?.reveal() ?? null, headers];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

const FREE: ModelPrice = {
  inputPerMillionUsd: 0,
  cachedInputPerMillionUsd: 0,
  cacheWritePerMillionUsd: 0,
  outputPerMillionUsd: 0,
};
// Vendor prices, November 2026: cached input costs a tenth; Anthropic charges a quarter more for writing to the cache.
const USUAL_WEIGHTS: TokenWeights = { cached: 0.1, cacheWrite: 1 };
const CACHE_WRITE_FACTORS: Partial<Record<ProviderSettings["kind"], number>> = { anthropic: 1.25 };

function pricesOf(
  kind: ProviderSettings["kind"],
  given: ModelLimits["price"],
): Pick<ResolvedModel, "price" | "weights"> {
  const factor = CACHE_WRITE_FACTORS[kind] ?? 1;
  if (!given) return { price: null, weights: { ...USUAL_WEIGHTS, cacheWrite: factor } };
  const { inputPerMillionUsd: input } = given;
  const price: ModelPrice = {
    ...given,
    cachedInputPerMillionUsd: given.cachedInputPerMillionUsd ?? input,
    cacheWritePerMillionUsd: given.cacheWritePerMillionUsd ?? input * factor,
  };
  if (input === 0) return { price, weights: { ...USUAL_WEIGHTS, cacheWrite: factor } };
  return {
    price,
    weights: { cached: price.cachedInputPerMillionUsd / input, cacheWrite: price.cacheWritePerMillionUsd / input },
  };
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Patterns that allow what both lists allow. */
function narrow(wanted: readonly string[], permitted: readonly string[] | null): string[] {
  if (permitted === null) return [...wanted];
  const inBoth = wanted.filter((name) => permitted.some((pattern) => matches(pattern, name)));
  const narrower = permitted.filter(
    (name) => !inBoth.includes(name) && wanted.some((pattern) => matches(pattern, name)),
  );
  return [...inBoth, ...narrower];
}
