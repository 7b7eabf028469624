import { createModelServer, type ModelServer } from "#testing/model-server/server.ts";
import type { AnyScript, TurnInput } from "#testing/model-server/script.ts";

export const MODEL_KEY = "key-of-the-provider-4711";
export const MODEL_KINDS = ["anthropic", "openai", "google", "openai-compatible"] as const;

/** A scripted model on every wire format, and the settings by which a server finds it. `dear/gold` has a price. */
export async function startModels(
  script: AnyScript,
): Promise<{ models: ModelServer; environment: Record<string, string> }> {
  const models = await createModelServer({ apiKey: MODEL_KEY, script });
  const at = (kind: string) => `${models.url}/${kind === "google" ? "v1beta" : "v1"}`;
  const base = MODEL_KINDS.map((kind) => [kind, { kind, baseUrl: at(kind), apiKeyEnv: "SCRIPTED_KEY" }] as const);
  const price = { inputPerMillionUsd: 1_000, outputPerMillionUsd: 1_000 };
  const dear = { kind: "anthropic", baseUrl: at("anthropic"), apiKeyEnv: "SCRIPTED_KEY", models: { gold: { price } } };
  const providers = { ...Object.fromEntries(base), dear };
  return { models, environment: { DOCENT_MODELS: JSON.stringify({ providers }), SCRIPTED_KEY: MODEL_KEY } };
}

export const call = (name: string, input: Record<string, unknown>): TurnInput => ({ calls: [{ name, input }] });

export const finish = (title = "Do it", summary = "Did it.", outcome = "done"): TurnInput =>
  call("finish", { outcome, title, summary });

export const edit = (path: string, old: string, text: string): TurnInput =>
  call("edit_file", { path, edits: [{ old, new: text }] });
