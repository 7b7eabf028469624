import { z } from "zod";
import type { ErrorDetail } from "#lib/app-error.ts";
import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { schemaProblems } from "#lib/schema-words.ts";

const Price = z.strictObject({
  inputPerMillionUsd: z.number().min(0),
  /** Price of input read from the provider's cache; the input price by default. */
  cachedInputPerMillionUsd: z.number().min(0).optional(),
  /** Price of input written to the provider's cache; by default the input price, for Anthropic 1.25 times that. */
  cacheWritePerMillionUsd: z.number().min(0).optional(),
  outputPerMillionUsd: z.number().min(0),
});

/** The SDK maps these to each provider's own setting. */
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];

/** The levels that projects and jobs may choose: those that every provider with such a setting accepts. */
export const COMMON_EFFORTS = ["low", "medium", "high"] as const satisfies readonly Effort[];
export type CommonEffort = (typeof COMMON_EFFORTS)[number];

const Limits = z.strictObject({
  /** Size of the model's context window. */
  contextWindowTokens: z.int().min(1_000).optional(),
  /** Maximum tokens of one response. */
  maxOutputTokens: z.int().min(16).optional(),
  /** How long the model thinks before it answers; the provider's default if omitted. */
  effort: z.enum(EFFORTS).optional(),
  /** Whether the model can see images; off by default for `openai-compatible`, on for the others. */
  images: z.boolean().optional(),
  /** Costs are not counted without a price. */
  price: Price.optional(),
});

const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,40}$/;

const Provider = z.strictObject({
  kind: z.enum(["anthropic", "openai", "google", "openai-compatible"]),
  /** The provider's base URL; required for `openai-compatible`, by default the vendor's. */
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the environment variable that holds the API key. A local server needs none. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .optional(),
  /** Header for the key instead of the provider's usual one, for gateways: `api-key` for Azure. */
  apiKeyHeader: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/)
    .optional(),
  /** Sent with every request, for gateways. Not for keys: settings are visible. */
  headers: z.record(z.string(), z.string()).default({}),
  /** Off for servers that cannot stream tool calls. */
  streaming: z.boolean().default(true),
  /** Anthropic: caches the start of the conversation at the provider, which makes a job several times cheaper. */
  promptCaching: z.boolean().default(true),
  defaults: Limits.default({}),
  /** Overrides for single models, by the provider's name of the model. */
  models: z.record(z.string().min(1), Limits).default({}),
});

/**
 * The shape of the model settings of an instance: `{"providers": {"ollama": {"kind": "openai-compatible", "baseUrl":
 * "http://127.0.0.1:11434/v1"}}, "allowed": ["ollama/*"]}`. `allowed` names models or `provider/*`; without it every
 * model of every provider may be used. The owner chooses the provider names.
 */
export const ModelSettings = z.strictObject({
  providers: z.record(z.string(), Provider).default({}),
  allowed: z
    .array(z.string().regex(/^[^/\s]+\/\S+$/, "write provider/model or provider/*"))
    .nullable()
    .default(null),
  /** Models that continue a job during an outage of its own model's provider, in order. */
  fallback: z
    .array(z.string().regex(/^[^/\s]+\/\S+$/, "write provider/model"))
    .max(10)
    .optional(),
});
export type ModelSettings = z.output<typeof ModelSettings>;

export type ModelPrice = Record<keyof z.output<typeof Price>, number>;
export type ModelLimits = z.output<typeof Limits>;
/** A provider with its key. */
export type ProviderSettings = Omit<z.output<typeof Provider>, "apiKeyEnv"> & { name: string; apiKey: Secret | null };

/** Providers that need no settings: setting their usual variable makes them available. */
export const wellKnownKeys = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
} as const;

/**
 * Reads model settings from JSON text and the keys that they name, and adds the well-known providers whose key is set.
 * Throws `AppError invalid`, naming each mistake.
 */
export function readModelSettings(
  json: string | null,
  environment: Record<string, string | undefined>,
): { providers: ProviderSettings[]; allowed: string[] | null; fallback: string[] | null } {
  const parsed = ModelSettings.safeParse(json === null ? {} : parseJson(json));
  if (!parsed.success) refuse(schemaProblems(parsed.error.issues));
  const settings = parsed.data;
  const details: ErrorDetail[] = [];
  const providers = Object.entries(settings.providers).map(([name, { apiKeyEnv, ...provider }]): ProviderSettings => {
    const path = `providers.${name}`;
    if (!PROVIDER_NAME.test(name))
      details.push({ path, message: "a provider is named with small letters, digits and hyphens" });
    if (name === "docent") details.push({ path, message: "this name is for the embedded models" });
    if (provider.kind === "openai-compatible") {
      if (!provider.baseUrl) details.push({ path: `${path}.baseUrl`, message: "is needed for openai-compatible" });
    } else if (apiKeyEnv === undefined) apiKeyEnv = wellKnownKeys[provider.kind];
    const key = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv];
    if (apiKeyEnv !== undefined && !key)
      details.push({ path: `${path}.apiKeyEnv`, message: `${apiKeyEnv} is not set` });
    return { ...provider, name, apiKey: key ? new Secret(key) : null };
  });
  for (const [kind, variable] of Object.entries(wellKnownKeys)) {
    const key = environment[variable];
    if (!key || providers.some((provider) => provider.name === kind)) continue;
    providers.push({ ...Provider.parse({ kind }), name: kind, apiKey: new Secret(key) });
  }
  if (details.length > 0) refuse(details);
  return { providers, allowed: settings.allowed, fallback: settings.fallback ?? null };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    refuse([{ path: "", message: error instanceof Error ? error.message : "is not JSON" }]);
  }
}

function refuse(details: ErrorDetail[]): never {
  const list = details.map((detail) => [detail.path, detail.message].filter(Boolean).join(": ")).join("; ");
  throw new AppError("invalid", `The model settings are not valid. ${list}`, { details });
}
