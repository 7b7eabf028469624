import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { modelSteps } from "#agent/loop.ts";
import { gitPushes } from "#hosts/embedded/git-exchange.ts";
import { httpAnswers } from "#app/http/app.ts";
import { droppedSpans } from "#app/traces/dropped-spans.ts";
import { contentRuns } from "#docs/render/process/content-process.ts";
import { renderProcesses } from "#docs/render/process/render-child.ts";
import { turnEnds } from "#features/jobs/turn/finish-turn.ts";
import { stepCosts } from "#features/jobs/turn/turn-work.ts";
import { jobRuns } from "#features/jobs/worker/worker.ts";
import { deploymentEnds } from "#features/sites/deployments/deployment-rows.ts";
import { folds } from "#features/visitors/collect/analytics.ts";
import { bucketRequests } from "#object-storage/bucket.ts";
import { webhookAttempts } from "#features/webhooks/webhook-worker.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const SHORT = [0.005, 0.025, 0.1, 0.5, 2.5, 10];
const LONG = [1, 5, 15, 60, 300, 1_800];

/** Groups routes by what an operator looks for, such as whether sites or the API are slow. */
function surfaceOf(route: string): string {
  if (route === "site") return "site";
  if (/^\/(?:v[12]|discovery)\//.test(route)) return "api";
  if (route.startsWith("/git/")) return "git";
  if (/^\/(?:mcp|-\/mcp)/.test(route)) return "mcp";
  return /^\/(?:health|ready|metrics|domains)\b/.test(route) ? "checks" : "dashboard";
}

/**
 * Counts what parts of the process measure. Label values are bounded: routes are patterns, providers come from the
 * configuration, and no label names a project or a reader.
 */
export function addWorkMetrics(registry: Registry, { providers }: { providers: readonly string[] }): Disposable {
  const registers = [registry];
  const stack = new DisposableStack();
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });
  const known = new Set(providers);
  /** Providers that a project defines share one label. */
  const providerOf = (model: string) => {
    const [name = ""] = model.split("/", 1);
    return known.has(name) ? name : "of_project";
  };

  const requests = counter(
    "docent_http_requests_total",
    "Answered requests by route pattern, method and class of status.",
    ...(["route", "method", "status"] as const),
  );
  const requestSeconds = histogram(
    "docent_http_request_duration_seconds",
    "Time until the answer begins, by part of the server.",
    SHORT,
    "surface",
  );
  stack.use(
    httpAnswers.subscribe(({ route, method, status, seconds }) => {
      const label = METHODS.has(method) ? method : "other";
      requests.inc({ route, method: label, status: `${Math.floor(status / 100)}xx` });
      requestSeconds.observe({ surface: surfaceOf(route) }, seconds);
    }),
  );

  const storageSeconds = histogram(
    "docent_object_storage_request_duration_seconds",
    "Requests to the object storage until the reply begins, by operation and result.",
    SHORT,
    ...(["operation", "result"] as const),
  );
  stack.use(
    bucketRequests.subscribe(({ operation, result, seconds }) =>
      storageSeconds.observe({ operation, result }, seconds),
    ),
  );

  const turns = counter("docent_turns_total", "Messages that agents worked on, by result.", "result");
  stack.use(turnEnds.subscribe(({ result }) => turns.inc({ result })));
  const waitSeconds = histogram("docent_job_wait_seconds", "How long a message waited for a worker.", LONG);
  const runSeconds = histogram("docent_job_run_seconds", "How long a worker held a job for one message.", LONG);
  stack.use(
    jobRuns.subscribe(({ waitedSeconds, seconds }) => {
      if (waitedSeconds !== null) waitSeconds.observe(waitedSeconds);
      runSeconds.observe(seconds);
    }),
  );

  const steps = counter(
    "docent_model_steps_total",
    "Steps of models, by result.",
    ...(["provider", "result"] as const),
  );
  const stepSeconds = histogram("docent_model_step_duration_seconds", "Steps with their retries.", LONG, "provider");
  const tokens = counter("docent_model_tokens_total", "Tokens by kind.", ...(["provider", "kind"] as const));
  stack.use(
    modelSteps.subscribe(({ model, result, usage, seconds }) => {
      const provider = providerOf(model);
      steps.inc({ provider, result });
      stepSeconds.observe({ provider }, seconds);
      tokens.inc({ provider, kind: "input" }, usage.inputTokens);
      tokens.inc({ provider, kind: "cached" }, usage.cachedTokens);
      tokens.inc({ provider, kind: "output" }, usage.outputTokens);
    }),
  );
  const cost = counter("docent_model_cost_usd_total", "Dollars, where prices are set.", "provider");
  stack.use(
    stepCosts.subscribe(({ model, costMicroUsd }) => cost.inc({ provider: providerOf(model) }, costMicroUsd / 1e6)),
  );

  const pushes = counter("docent_git_pushes_total", "Branches that git clients pushed.");
  stack.use(gitPushes.subscribe(() => pushes.inc()));
  const deployments = counter("docent_deployments_total", "Deployments by state.", "state");
  stack.use(deploymentEnds.subscribe((labels) => deployments.inc(labels)));
  const attempts = counter("docent_webhook_attempts_total", "Attempts to deliver webhooks, by outcome.", "status");
  stack.use(webhookAttempts.subscribe((labels) => attempts.inc(labels)));

  const renders = counter(
    "docent_renders_total",
    "Work of render processes, by result.",
    ...(["kind", "result"] as const),
  );
  const renderSeconds = histogram(
    "docent_render_duration_seconds",
    "The same with the wait for a process.",
    SHORT,
    "kind",
  );
  stack.use(
    contentRuns.subscribe(({ kind, result, seconds }) => {
      renders.inc({ kind, result: result.replaceAll(" ", "_") });
      renderSeconds.observe({ kind }, seconds);
    }),
  );
  const processes = new Gauge({ name: "docent_render_processes", help: "Render processes that run.", registers });
  stack.use(renderProcesses.subscribe(({ change }) => processes.inc(change)));
  const dropped = counter("docent_trace_spans_dropped_total", "Spans of traces that did not reach the collector.");
  stack.use(droppedSpans.subscribe(({ count }) => dropped.inc(count)));
  const foldSeconds = histogram("docent_fold_duration_seconds", "Folds of views into the counts.", SHORT);
  stack.use(folds.subscribe(({ seconds }) => foldSeconds.observe(seconds)));
  return stack;
}
