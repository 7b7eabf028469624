import { writtenCalls } from "#agent/written-calls.ts";
import type { ModelFailureCode } from "#models/failure.ts";
import type { ModelCatalogue } from "#models/model.ts";
import { runModelStep } from "#models/step.ts";
import { AppError } from "#lib/app-error.ts";

const TIMEOUT_MS = 60_000;
// Some models think before they answer.
const MAX_OUTPUT_TOKENS = 2_000;

const HINTS: Readonly<Partial<Record<ModelFailureCode, string>>> = {
  model_auth: "Check the API key, and that it may use this model.",
  model_not_found: "Check the name of the model.",
  model_unavailable: "Check the address, and that the server there is running.",
  model_timeout: "A local model that is loaded for the first time takes longer: try again.",
};

/**
 * Calls a model once, as small as a call can be. It offers a tool, because jobs need a model that may call tools. `AppError
 * invalid` with what went wrong and what to do.
 */
export async function tryModel(catalogue: ModelCatalogue, name: string): Promise<void> {
  const { model, providerOptions, effort, isBuiltin } = catalogue.resolve(name);
  if (isBuiltin) return;
  const step = await runModelStep({
    model,
    system: "This is a test of the connection.",
    messages: [{ role: "user", content: "Call the tool done." }],
    tools: [{ name: "done", description: "Ends the test.", inputSchema: { type: "object", properties: {} } }],
    signal: new AbortController().signal,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: TIMEOUT_MS,
    providerOptions,
    effort,
    retries: { attempts: 1, firstWaitMs: 0, totalWaitMs: 0 },
  });
  if (step.ok) {
    if (step.toolCalls.length > 0 || writtenCalls(step.text, ["done"]).length > 0) return;
    throw new AppError(
      "invalid",
      "The model answered the test call but did not call the tool in it, and nothing was saved. The agent works by calling tools: choose a model that supports tool calls, or turn them on at the server that runs it.",
    );
  }
  const { code, message } = step.failure;
  throw new AppError("invalid", `The test call failed, and nothing was saved. ${message} ${HINTS[code] ?? ""}`.trim());
}
