import { createHash } from "node:crypto";
import { SpanKind, TraceFlags, type SpanContext } from "@opentelemetry/api";
import { toolCalls } from "#agent/step-calls.ts";
import { modelCalls } from "#agent/traced-step.ts";
import { messagesAccepted } from "#features/jobs/requests/submit.ts";
import { turnEnds } from "#features/jobs/turn/finish-turn.ts";
import { turnStages } from "#features/jobs/turn/turn-stages.ts";
import { jobTurns } from "#features/jobs/worker/worker.ts";
import type { JobId } from "#lib/ids.ts";
import type { Tracer } from "./tracer.ts";

/**
 * The trace and first span of a message. Their ids are derived from the job and the number of the message, so all nodes
 * and attempts add to one trace, and nothing is stored.
 */
function contextOfMessage({ jobId, seq }: { jobId: JobId; seq: number }): SpanContext {
  const hash = createHash("sha256").update(`trace of ${jobId} ${seq}`).digest("hex");
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), traceFlags: TraceFlags.NONE };
}

/** Spans of jobs. No prompt, answer, title, input or result of a tool is in them. */
export function followJobs(tracer: Tracer): Disposable {
  const stack = new DisposableStack();
  stack.use(
    messagesAccepted.subscribe(({ projectId, jobId, seq }) =>
      tracer.mark(contextOfMessage({ jobId, seq }), {
        name: "job message",
        kind: SpanKind.PRODUCER,
        values: { "docent.project.id": projectId, "docent.job.id": jobId, "docent.job.message": seq },
      }),
    ),
  );
  const results = new Map<JobId, string>();
  stack.use(turnEnds.subscribe(({ jobId, result }) => results.set(jobId, result)));
  stack.use(
    tracer.follow(jobTurns, {
      begin: ({ projectId, jobId, seq, attempt, waitedSeconds }) => ({
        name: "job turn",
        kind: SpanKind.CONSUMER,
        isRoot: true,
        parent: contextOfMessage({ jobId, seq }),
        values: {
          "docent.project.id": projectId,
          "docent.job.id": jobId,
          "docent.job.message": seq,
          "docent.job.attempt": attempt,
          "docent.job.waited_ms": waitedSeconds === null ? null : Math.round(waitedSeconds * 1_000),
        },
      }),
      started: (fact, traceId) => (fact.traceId = traceId),
      end({ jobId, released }) {
        const result = results.get(jobId) ?? "released";
        results.delete(jobId);
        const isError = result !== "completed" && result !== "released";
        return {
          values: { "docent.job.result": result, "docent.job.released": released },
          errorType: isError ? result : null,
        };
      },
    }),
  );
  stack.use(
    tracer.follow(turnStages, {
      begin: ({ stage }) => ({ name: stage }),
      end: ({ errors, warnings }) => ({
        values: { "docent.check.errors": errors, "docent.check.warnings": warnings },
      }),
    }),
  );
  stack.use(followModels(tracer));
  return stack;
}

/** By the conventions for generative AI (OpenTelemetry 1.45), without the contents that they allow. */
function followModels(tracer: Tracer): Disposable {
  const stack = new DisposableStack();
  stack.use(
    tracer.follow(modelCalls, {
      begin({ model }) {
        const slash = model.indexOf("/");
        const name = model.slice(slash + 1);
        return {
          name: `chat ${name}`,
          kind: SpanKind.CLIENT,
          values: {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": model.slice(0, slash),
            "gen_ai.request.model": name,
          },
        };
      },
      end: ({ tries, result = "cancelled", finishReason, usage }) => ({
        values: {
          "docent.model.tries": tries,
          "gen_ai.response.finish_reasons": finishReason === undefined ? null : [finishReason],
          "gen_ai.usage.input_tokens": usage?.inputTokens,
          "gen_ai.usage.output_tokens": usage?.outputTokens,
          "gen_ai.usage.cache_read.input_tokens": usage?.cachedTokens,
        },
        errorType: result === "ok" ? null : result,
      }),
    }),
  );
  stack.use(
    tracer.follow(toolCalls, {
      begin: ({ tool }) => ({
        name: `execute_tool ${tool ?? "unknown"}`,
        values: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool ?? "unknown" },
      }),
      end: ({ ok = true }) => ({ errorType: ok ? null : "refused" }),
    }),
  );
  return stack;
}
