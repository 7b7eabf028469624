import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, MODEL_KEY, startModels } from "#test/support/models.ts";
import { type ReceivedSpan, startOtlpReceiver } from "#test/support/otlp-receiver.ts";
import { startProcess } from "#test/support/processes.ts";
import { startTestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const FILES = { "index.md": "# Start\n\nHarbor Cloud, canary-of-a-page.\n" };
const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

async function scriptedModel(turns: Parameters<typeof startModels>[0]) {
  const { models, environment } = await startModels(turns);
  onTestFinished(() => models.close());
  return { ...environment, DOCENT_DEFAULT_MODEL: "anthropic/m", DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" };
}

/** A server that sends traces to a receiver, and all that it logs. */
async function tracedServer(endpoint: string, environment: Record<string, string> = {}) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const server = await startTestServer({
    engine: "sqlite",
    files: FILES,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, DOCENT_LOG_REQUESTS: "all", ...environment },
    server: { logger },
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= Promise.resolve(server[Symbol.asyncDispose]()));
  onTestFinished(stop);
  return { ...server, lines, stop };
} // oxfmt-ignore

const named = (spans: readonly ReceivedSpan[], name: string) => spans.find((span) => span.name === name)!;
/** The names of a span's children, in the order of their ends. */
const childrenOf = (spans: readonly ReceivedSpan[], { spanId }: ReceivedSpan) =>
  spans.filter(({ parentId }) => parentId === spanId).map(({ name }) => name);

it("a request and its job are two traces that lead to each other, with the steps of the turn", async () => {
  await using receiver = await startOtlpReceiver();
  const model = await scriptedModel({
    conversations: [{ marker: "Rename the product.", turns: [edit("index.md", "Cloud", "Platform"), finish()] }],
  });
  const server = await tracedServer(receiver.url, { ...model, OTEL_SERVICE_NAME: "docs of harbor" });
  const { baseUrl, instance, lines } = server;
  const headers = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-00` };
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt: "Rename the product." }, headers });
  expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({ status: "completed" });
  await server.stop();
  const spans = receiver.spans();

  expect(await undocumented(spans)).toEqual([]);
  const request = named(spans, "POST /v2/agent/:projectId/job");
  const message = named(spans, "job message");
  const turn = named(spans, "job turn");
  const ids = { "docent.project.id": instance.project.id, "docent.job.id": body.id };
  // The caller's trace goes on; that its flag says "not sampled" decides nothing.
  expect(request).toMatchObject({ traceId: CALLER.traceId, parentId: CALLER.spanId, kind: 2, status: { code: 0 } });
  expect(request.values).toEqual({
    "http.request.method": "POST",
    "http.route": "/v2/agent/:projectId/job",
    "http.response.status_code": 201,
    "docent.request.id": expect.stringMatching(/^req_/) as string,
    "docent.project.id": instance.project.id,
  });
  expect(request.resource).toMatchObject({ "service.name": "docs of harbor" });
  expect(request.links).toEqual([{ traceId: message.traceId, spanId: message.spanId }]);
  expect(message).toMatchObject({ parentId: "", kind: 4, values: { ...ids, "docent.job.message": 1 } });
  expect(message.links).toEqual([{ traceId: request.traceId, spanId: request.spanId }]);
  expect(turn).toMatchObject({ traceId: message.traceId, parentId: message.spanId, kind: 5 });
  expect(turn.values).toMatchObject({ ...ids, "docent.job.attempt": 1, "docent.job.result": "completed" });
  const steps = ["prepare", "chat m", "execute_tool edit_file", "chat m", "execute_tool finish", "check", "publish"];
  expect(childrenOf(spans, turn)).toEqual(steps);
  expect(named(spans, "chat m").values).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": "m",
    "gen_ai.usage.input_tokens": expect.any(Number) as number,
    "gen_ai.usage.output_tokens": expect.any(Number) as number,
    "docent.model.tries": 1,
  });
  expect(named(spans, "check").values).toEqual({ "docent.check.errors": 0, "docent.check.warnings": 0 });
  // The log leads to the trace.
  const logged = (msg: string) => lines.find((line) => line["msg"] === msg && line["projectId"] === instance.project.id);
  expect(logged("request")).toMatchObject({ requestId: request.values["docent.request.id"], traceId: CALLER.traceId });
  expect(logged("job run ended")).toMatchObject({ jobId: body.id, traceId: message.traceId });
}); // oxfmt-ignore

it("a push, its deployment and a webhook are traced", async () => {
  await using receiver = await startOtlpReceiver();
  await using hook = await createWebhookReceiver((response) => void response.writeHead(500).end());
  await using folder = await createTestDirectory();
  const server = await tracedServer(receiver.url, { DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" });
  const { baseUrl, instance } = server;
  const { project, key } = instance;
  const address = `${baseUrl.replace("//", `//x:${key}@`)}/git/${project.slug}.git`;
  await git(folder.path, "clone", "--quiet", address, "work");
  const work = path.join(folder.path, "work");
  await writeFile(path.join(work, "index.md"), "# Start\n\nMore of it.\n");
  await git(work, "commit", "--quiet", "--all", "--message", "One more");
  await git(work, "push", "--quiet", "origin", "HEAD");
  const pushed = await git(work, "rev-parse", "HEAD");
  const { body } = await callApi(baseUrl, instance, { path: "/webhooks", body: { url: hook.url, events: ["job.failed"] } });
  await callApi(baseUrl, instance, { path: `/webhooks/${body.id}/test`, method: "POST" });
  await hook.arrived(1);
  await expect.poll(() => server.lines.find((line) => line["msg"] === "webhook attempted")).toBeDefined();
  const ended = () => server.lines.find((line) => line["msg"] === "deployment ended" && line["commit"] === pushed.trim());
  await expect.poll(ended).toMatchObject({ state: "ready" });
  await expect.poll(() => server.lines.find((line) => line["msg"] === "site indexed for search" && line["commit"] === pushed.trim())).toBeDefined();
  await server.stop();
  const spans = receiver.spans();

  expect(await undocumented(spans)).toEqual([]);
  const push = named(spans, "git push");
  expect(push.values).toEqual({ "docent.project.id": project.id, "docent.push.size": expect.any(Number) as number });
  const received = spans.find(({ spanId }) => spanId === push.parentId);
  expect(received).toMatchObject({ name: "POST /git/*", values: { "http.response.status_code": 200 } });
  const deployment = spans.findLast(({ name }) => name === "deployment")!;
  expect(deployment.values).toMatchObject({ "docent.deployment.state": "ready", "docent.deployment.pages": 1 });
  expect(childrenOf(spans, deployment)).toEqual(expect.arrayContaining(["load", "search index"]));
  // A span for each of its pages would be thousands.
  const indexing = spans.find(({ name, parentId }) => name === "search index" && parentId === deployment.spanId)!;
  expect([indexing.values["docent.index.changed"], childrenOf(spans, indexing)]).toEqual([1, []]);
  const delivery = named(spans, "webhook delivery");
  expect(delivery.values).toMatchObject({ "docent.webhook.id": body.id, "docent.delivery.attempt": 1, "error.type": "pending" });
  const sent = spans.find(({ parentId }) => parentId === delivery.spanId)!;
  // Addresses of webhooks are secrets of many services.
  expect(sent).toMatchObject({ name: "POST", kind: 3, status: { code: 2, message: "" } });
  expect(sent.values).toEqual({ "http.request.method": "POST", "http.response.status_code": 500, "error.type": "500" });
}); // oxfmt-ignore

it("no secret, prompt, content or address of a reader is in what is sent", async () => {
  await using receiver = await startOtlpReceiver();
  const canaries = ["prompt", "title", "call", "answer", "name", "query", "path", "agent", "token", "referrer", "invalid"].map((name) => `canary-of-${name}`);
  const [prompt, title, input, answer, tool, query, page, agent, token, referrer, invalid] = canaries as [string, string, string, string, string, string, string, string, string, string, string];
  const model = await scriptedModel({
    conversations: [
      {
        marker: prompt,
        turns: [
          { text: answer, calls: [...call("edit_file", { path: `${input}.md`, edits: [] }).calls!, ...call(tool, {}).calls!] },
          edit("index.md", "Cloud", input),
          finish(title, answer),
        ],
      },
      { marker: "Break", turns: [{ faults: [{ kind: "invalid", times: "always" }] }] },
    ],
  });
  await using hook = await createWebhookReceiver();
  const server = await tracedServer(receiver.url, { ...model, DOCENT_TRUSTED_PROXIES: "127.0.0.1", OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}` });
  const { baseUrl, instance } = server;
  const url = `${hook.url}?token=${token}`;
  await callApi(baseUrl, instance, { path: "/webhooks", body: { url, events: ["job.completed", "job.failed"] } });
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt: `Do ${prompt}`, title } });
  await waitForJob(baseUrl, instance, body.id);
  const broken = await callApi(baseUrl, instance, { path: "/job", body: { prompt: `Break ${prompt} Break`.replace(prompt, "it") } });
  expect(await waitForJob(baseUrl, instance, broken.body.id)).toMatchObject({ status: "failed" });
  await hook.arrived(2);
  using site = createSiteClient(server);
  const reader = { "user-agent": agent, referer: `https://example.com/${referrer}`, "x-forwarded-for": "198.51.100.77", traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`, tracestate: `x=${agent}`, cookie: `a=${token}` };
  await site.send(`/?q=${query}`, { headers: reader });
  await site.send(`/${page}`, { headers: reader });
  await site.send(`/api/search?q=${query}`, { headers: reader });
  await fetch(`${baseUrl}/v2/agent/${instance.project.id}/jobs?cursor=${invalid}`, { headers: { authorization: `Bearer ${token}`, ...reader } });
  await server.stop();

  const spans = receiver.spans();
  expect(await undocumented(spans)).toEqual([]);
  const sites = spans.filter(({ name }) => name === "GET site");
  expect(sites.map(({ values }) => values["http.response.status_code"])).toEqual(expect.arrayContaining([200, 404]));
  // A reader's header leads to no trace of theirs.
  expect(sites.map(({ traceId }) => traceId)).not.toContain(CALLER.traceId);
  expect(named(spans, "execute_tool unknown").values).toMatchObject({ "error.type": "refused" });
  expect(spans.find(({ values }) => values["docent.job.result"] === "model_error")).toMatchObject({ name: "job turn", status: { code: 2, message: "" } });
  expect(receiver.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
  const sent = Buffer.concat(receiver.requests.map(({ body: bytes }) => bytes)).toString("latin1");
  const secrets = [...canaries, instance.key, MODEL_KEY, "canary-of-a-page", "198.51.100.77", "127.0.0.1", instance.project.slug];
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  expect(spans.filter(({ events }) => events > 0)).toEqual([]);
}); // oxfmt-ignore

it.each([
  ["is away", async () => ({ url: await closedPort(), [Symbol.asyncDispose]: async () => undefined })],
  ["does not answer", () => startOtlpReceiver({ hangs: true })],
  ["refuses traces", () => startOtlpReceiver({ status: 401 })],
])("work goes on while the collector %s; spans are dropped, and the log says so once", async (_, start) => {
  await using receiver = await start();
  const server = await tracedServer(receiver.url, { OTEL_BSP_MAX_QUEUE_SIZE: "3", OTEL_BSP_SCHEDULE_DELAY: "10", DOCENT_METRICS_TOKEN: "0123456789abcdef" });
  const { baseUrl, instance, lines } = server;
  const statuses = [];
  for (let i = 0; i < 20; i++) statuses.push((await callApi(baseUrl, instance, { path: "/jobs" })).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const metrics = await (await fetch(`${baseUrl}/metrics`, { headers: { authorization: "Bearer 0123456789abcdef" } })).text();
  await server.stop();
  const said = lines.filter((line) => line["msg"] === "traces do not reach the collector, and spans are dropped");
  expect(said).toHaveLength(1);
  expect(Number(/^docent_trace_spans_dropped_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(10);
}); // oxfmt-ignore

it("a server without its collector stops by itself, and its watchdog need not end it", async () => {
  await using folder = await createTestDirectory();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: await closedPort(), OTEL_BSP_SCHEDULE_DELAY: "10" };
  const args = ["serve", "--port", "0", "--json", "--data", path.join(folder.path, "data")];
  const server = await startProcess("src/cli/main.ts", args, environment);
  await fetch(`${server.started.baseUrl}/reference`);
  await server.kill("SIGTERM");
  expect(server.log()).toContain("traces do not reach the collector");
  expect(server.child.exitCode).toBe(0);
}); // oxfmt-ignore

it("samples by ratio, whatever a caller asks for", async () => {
  await using receiver = await startOtlpReceiver();
  const server = await tracedServer(receiver.url, { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" });
  const headers = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` };
  await callApi(server.baseUrl, server.instance, { path: "/jobs", headers });
  await server.stop();
  expect(receiver.requests).toEqual([]);
  expect(server.lines.find((line) => line["msg"] === "request")).not.toHaveProperty("traceId");
}); // oxfmt-ignore

/** Names of spans and attributes that the documentation does not have. */
async function undocumented(spans: readonly ReceivedSpan[]): Promise<string[]> {
  const page = await readFile(path.join(import.meta.dirname, "../../docs/operate/monitoring.md"), "utf8");
  const general = (name: string) =>
    name
      .replace(/^(chat|execute_tool|content|object storage) .*/, "$1 ")
      .replace(/^(GET|POST) .+/, "METHOD ROUTE")
      .replace(/^(GET|POST)$/, "METHOD`");
  const used = spans.flatMap(({ name, values }) => [`\`${general(name)}`, ...Object.keys(values).map((key) => `\`${key}\``)]);
  return [...new Set(used)].filter((text) => !page.includes(text));
} // oxfmt-ignore

/** A port of this machine where nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
