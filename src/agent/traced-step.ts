import { createActivity } from "#lib/activity.ts";
import type { ModelUsage } from "#models/reply.ts";
import { type ModelStep, type ModelStepInput, runModelStep } from "#models/step.ts";

/** One step of a model including retries; `model` is `provider/model`. */
export const modelCalls = createActivity<{
  model: string;
  tries: number;
  /** `ok`, or a failure code. */
  result?: string;
  finishReason?: string;
  usage?: ModelUsage;
}>("model call");

/** `runModelStep` as an activity. */
export function tracedModelStep(model: string, input: ModelStepInput): Promise<ModelStep> {
  const traced: Parameters<typeof modelCalls.run>[0] = { model, tries: 1 };
  return modelCalls.run(traced, async () => {
    const step = await runModelStep({
      ...input,
      onRetry(retry) {
        traced.tries++;
        input.onRetry?.(retry);
      },
    });
    const { usage } = step;
    const seen = step.ok ? { result: "ok", finishReason: step.finishReason } : { result: step.failure.code };
    Object.assign(traced, { ...seen, usage });
    return step;
  });
}
