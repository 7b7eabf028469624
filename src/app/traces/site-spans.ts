import { SpanKind } from "@opentelemetry/api";
import { deploymentLoads, deploymentStages } from "#features/sites/deployments/deployment-watch.ts";
import { siteIndexing } from "#features/sites/search/site-indexer.ts";
import { deliveryAttempts } from "#features/webhooks/webhook-worker.ts";
import type { Tracer } from "./tracer.ts";

/** Spans of what follows a push or a job: deployments and webhooks. */
export function followDeployments(tracer: Tracer): Disposable {
  const stack = new DisposableStack();
  stack.use(
    tracer.follow(deploymentLoads, {
      begin: ({ projectId, deploymentId }) => ({
        name: "deployment",
        isRoot: true,
        values: { "docent.project.id": projectId, "docent.deployment.id": deploymentId },
      }),
      end: ({ state, pages }) => ({
        values: { "docent.deployment.state": state, "docent.deployment.pages": pages },
        errorType: state === "failed" ? "failed" : null,
      }),
    }),
  );
  stack.use(
    tracer.follow(deploymentStages, {
      begin: ({ stage }) => ({ name: stage }),
      end: () => ({}),
    }),
  );
  stack.use(
    tracer.follow(siteIndexing, {
      begin: ({ projectId }) => ({
        name: "search index",
        values: { "docent.project.id": projectId },
        onlyIn: "any",
      }),
      end: ({ changed }) => ({ values: { "docent.index.changed": changed } }),
    }),
  );
  stack.use(
    tracer.follow(deliveryAttempts, {
      begin: ({ deliveryId, webhookId, attempt }) => ({
        name: "webhook delivery",
        kind: SpanKind.PRODUCER,
        isRoot: true,
        values: {
          "docent.delivery.id": deliveryId,
          "docent.webhook.id": webhookId,
          "docent.delivery.attempt": attempt,
        },
      }),
      end: ({ projectId, status }) => ({
        values: { "docent.project.id": projectId, "docent.delivery.status": status },
        errorType: status === "delivered" ? null : (status ?? null),
      }),
    }),
  );
  return stack;
}
