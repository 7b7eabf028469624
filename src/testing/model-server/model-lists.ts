/** A program for local models, as the model server can pretend to be one. */
export type LocalKind = "ollama" | "llama-cpp" | "lm-studio";

/** What it answers when it is asked for its models; null at other paths. Shapes as of November 2026. */
export function modelList(kind: LocalKind, path: string, models: readonly string[]): object | null {
  if (kind === "ollama" && path === "/api/tags") {
    const details = { format: "gguf", family: "llama", parameter_size: "3.2B", quantization_level: "Q4_K_M" };
    return {
      models: models.map((name) => ({ name, model: name, size: 2_019_393_189, digest: "a80c4f17acd5", details })),
    };
  }
  if (path !== "/v1/models") return null;
  const owner = { ollama: "library", "llama-cpp": "llamacpp", "lm-studio": "organization_owner" }[kind];
  const data = models.map((id) => ({ id, object: "model", created: 1_763_600_000, owned_by: owner }));
  return { object: "list", data };
}
