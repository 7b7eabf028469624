import type { ProjectChanges } from "#features/projects/change-project.ts";
import type { Project } from "#features/projects/project.ts";
import { AppError } from "#lib/app-error.ts";
import { LOCAL_SERVERS, localAddress, type LocalServerName } from "#models/local-servers.ts";
import { parseModelName } from "#models/model.ts";
import { ModelSettings, wellKnownKeys } from "#models/settings.ts";

/**
 * Labels of the choices. Providers after the first three need an address, which only owners of the server may enter.
 */
export const PROVIDER_CHOICES = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google Gemini",
  azure: "Azure OpenAI",
  bedrock: "Claude on Amazon Bedrock",
  vertex: "Gemini on Vertex AI",
  ollama: LOCAL_SERVERS.ollama.label,
  "llama-cpp": LOCAL_SERVERS["llama-cpp"].label,
  "lm-studio": LOCAL_SERVERS["lm-studio"].label,
  "openai-compatible": "Other, OpenAI-compatible",
} as const;
export type ProviderChoice = keyof typeof PROVIDER_CHOICES;

interface Cloud {
  kind: keyof typeof wellKnownKeys;
  /** Completes an address that has no path. */
  path: string;
  /** Used when the form names none. */
  address?: string;
  /** Shown when an address is missing or unusable. */
  example: string;
}

/** Clouds that serve a vendor's models with the vendor's own API. */
const CLOUDS: Partial<Record<string, Cloud>> = {
  azure: { kind: "openai", path: "/openai/v1", example: "https://NAME.openai.azure.com" },
  bedrock: { kind: "anthropic", path: "/anthropic/v1", example: "https://bedrock-mantle.us-east-1.api.aws" },
  vertex: {
    kind: "google",
    path: "/v1/publishers/google",
    address: "https://aiplatform.googleapis.com",
    example: "https://aiplatform.googleapis.com",
  },
};

export const isAtAddress = (choice: string): boolean => !(choice in wellKnownKeys);
const isLocal = (choice: string): choice is LocalServerName => choice in LOCAL_SERVERS;

/** A provider of the project's own, or a stored key without a provider. */
export interface OwnProvider {
  name: string;
  kind: string;
  address: string | null;
  /** Name of its key; null if it needs none. */
  keyName: string | null;
}

type Models = ReturnType<typeof ModelSettings.parse>;

const modelsOf = ({ settings }: Pick<Project, "settings">): Models =>
  ModelSettings.catch({ providers: {}, allowed: null }).parse(settings.models ?? {});

const wellKnownOf = (keyName: string) => Object.entries(wellKnownKeys).find(([, known]) => known === keyName)?.[0];

export function ownProviders(project: Pick<Project, "settings">): OwnProvider[] {
  const providers = Object.entries(modelsOf(project).providers).map(([name, { kind, baseUrl, apiKeyEnv }]) => ({
    name,
    kind,
    address: baseUrl ?? null,
    keyName: apiKeyEnv ?? (kind === "openai-compatible" ? null : wellKnownKeys[kind]),
  }));
  const used = new Set(providers.map(({ keyName }) => keyName));
  const keys = Object.keys(project.settings.sealedKeys ?? {}).filter((keyName) => !used.has(keyName));
  const others = keys.map((keyName) => ({
    name: wellKnownOf(keyName) ?? keyName,
    kind: wellKnownOf(keyName) ?? "unused key",
    address: null,
    keyName,
  }));
  return [...providers, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The changes that add a model with its provider to a project and select it for jobs. `AppError invalid`. */
export function addedModel(
  project: Pick<Project, "settings">,
  entered: { choice: string; model: string; key: string; address: string; seesImages: boolean },
): { name: string; changes: ProjectChanges } {
  const { choice, key } = entered;
  if (!(choice in PROVIDER_CHOICES)) throw new AppError("invalid", "Choose a provider from the list.");
  const address = completeAddress(choice, entered.address);
  const provider = isAtAddress(choice) ? providerNameOf(choice, address) : choice;
  const name = `${provider}/${entered.model}`;
  if (parseModelName(name) === null)
    throw new AppError("invalid", "Enter the name of a model, such as claude-sonnet-4-5 or qwen3:8b.");
  if (/\s/.test(key)) throw new AppError("invalid", "An API key is one word. Paste it into its field.");
  if (!isAtAddress(choice)) {
    const keyName = wellKnownKeys[choice as keyof typeof wellKnownKeys];
    const hasKey = key !== "" || project.settings.sealedKeys?.[keyName] !== undefined;
    if (!hasKey) throw new AppError("invalid", `Enter your API key of ${PROVIDER_CHOICES[choice as ProviderChoice]}.`);
    return { name, changes: { settings: { model: name }, ...(key !== "" && { secrets: { [keyName]: key } }) } };
  }
  const { providers, allowed } = modelsOf(project);
  const keyName = `${provider.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  const before = providers[provider];
  const apiKeyEnv = key !== "" ? keyName : before?.apiKeyEnv;
  const added = {
    ...before,
    kind: CLOUDS[choice]?.kind ?? "openai-compatible",
    baseUrl: address,
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(entered.seesImages && {
      models: { ...before?.models, [entered.model]: { ...before?.models[entered.model], images: true } },
    }),
  };
  const models = {
    ...project.settings.models,
    providers: { ...(project.settings.models?.["providers"] as object | undefined), [provider]: added },
    ...(allowed !== null && !allowed.includes(name) && { allowed: [...allowed, name] }),
  };
  return { name, changes: { settings: { model: name, models }, ...(key !== "" && { secrets: { [keyName]: key } }) } };
}

function completeAddress(choice: string, entered: string): string {
  const cloud = CLOUDS[choice];
  const address = entered || (isLocal(choice) ? localAddress(choice) : (cloud?.address ?? ""));
  const url = URL.parse(address);
  return cloud && url?.pathname === "/" ? url.origin + cloud.path : address;
}

/** Letters only, so that the name of its key can be derived: `llm.example.com` becomes `llm-example-com`. */
function providerNameOf(choice: string, address: string): string {
  if (isLocal(choice)) return choice;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const example = CLOUDS[choice]?.example ?? "https://llm.example.com/v1";
    throw new AppError("invalid", `Enter the address of the provider, such as ${example}.`);
  }
  if (CLOUDS[choice]) return choice;
  const name = url.hostname
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 30);
  return /^[a-z]/.test(name) ? name : `at-${name}`;
}

/** The changes that remove a provider, its key and the selection of its model. `AppError not_found`. */
export function withoutProvider(project: Pick<Project, "settings">, name: string): ProjectChanges {
  const found = ownProviders(project).find((provider) => provider.name === name);
  if (!found) throw new AppError("not_found", "This provider was removed.");
  const { models } = project.settings;
  const { [name]: removed, ...others } = (models?.["providers"] ?? {}) as Record<string, unknown>;
  const isLast = Object.keys(others).length === 0 && Object.keys(models ?? {}).every((key) => key === "providers");
  const settings = {
    ...(removed !== undefined && { models: isLast ? null : { ...models, providers: others } }),
    ...(project.settings.model?.startsWith(`${name}/`) && { model: null }),
  };
  const isStored = found.keyName !== null && project.settings.sealedKeys?.[found.keyName] !== undefined;
  const isRemovable = isStored && !isKeyOfOthers(project, { name, keyName: found.keyName! });
  return { settings, ...(isRemovable && { secrets: { [found.keyName!]: null } }) };
}

/** Whether the key of a provider is also used by another provider, or by the model of jobs. */
function isKeyOfOthers(
  project: Pick<Project, "settings">,
  { name, keyName }: { name: string; keyName: string },
): boolean {
  const known = wellKnownOf(keyName);
  return (
    ownProviders(project).some((other) => other.name !== name && other.keyName === keyName) ||
    (known !== undefined && known !== name && project.settings.model?.startsWith(`${known}/`) === true)
  );
}
