import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { userAgents } from "#testing/views.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const TOKEN = "0123456789abcdef-metrics";
const NAME = /\b(?:docent|process|nodejs)_[a-z0-9_]+\b/g;
const made = new AsyncDisposableStack();
let server: TestServer;

const scrape = (token: string | null) =>
  fetch(`${server.baseUrl}/metrics`, { ...(token !== null && { headers: { authorization: `Bearer ${token}` } }) });
const metrics = async () => (await scrape(TOKEN)).text();
/** The value of a line, 0 where there is none. */
const valueOf = (text: string, line: string) =>
  Number(
    text
      .split("\n")
      .find((one) => one.startsWith(`${line} `))
      ?.slice(line.length) ?? 0,
  );

/** Names that a text about metrics uses, those of a histogram's series as its own. */
const namesIn = (text: string, kinds: ReadonlyMap<string, string>) =>
  new Set(
    (text.match(NAME) ?? []).map((name) => {
      const base = name.replace(/_(?:bucket|sum|count)$/, "");
      return kinds.get(base) === "histogram" ? base : name;
    }),
  );
const kindsIn = (text: string) =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind = ""]) => [name, kind]));

beforeAll(async () => {
  server = made.use(
    await startTestServer({
      engine: "sqlite",
      files: { "index.md": "# Start\n\nAll about ships.\n" },
      environment: { DOCENT_METRICS_TOKEN: TOKEN },
    }),
  );
});
afterAll(() => made.disposeAsync());

it("metrics require the token", async () => {
  expect([(await scrape(null)).status, (await scrape("0123456789abcdef")).status]).toEqual([401, 401]);
  const answer = await scrape(TOKEN);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
});

it("metrics are disabled without a token, and the error says so", async () => {
  await using other = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } });
  const answer = await fetch(`${other.baseUrl}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect([answer.status, await answer.text()]).toEqual([
    403,
    expect.stringContaining("DOCENT_METRICS_TOKEN is not set"),
  ]);
});

it("metrics count the work of the server, with labels that name no project, page or reader", async () => {
  const { instance, baseUrl } = server;
  const { project, key } = instance;
  const before = await metrics();
  using site = createSiteClient(server);
  await site.send("/", { headers: { "user-agent": userAgents.chatGpt } });
  await site.send("/no-such-page-of-mine");
  const { body } = await callApi(baseUrl, instance, {
    path: "/job",
    body: { prompt: 'Replace "ships" with "boats".' },
  });
  await waitForJob(baseUrl, instance, body.id);
  await callApi(baseUrl, instance, { path: "/job/job_0000000000000000000000000000" });
  await fetch(`${baseUrl}/v1/analytics/${project.id}/views`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      views: [{ event_id: "e1", path: "/", address: "192.0.2.1", userAgent: userAgents.chrome }],
    }),
  });
  const text = await metrics();
  const more = (line: string) => valueOf(text, line) - valueOf(before, line);
  expect(more('docent_http_requests_total{route="site",method="GET",status="2xx"}')).toBeGreaterThanOrEqual(1);
  expect(more('docent_http_requests_total{route="site",method="GET",status="4xx"}')).toBe(1);
  expect(more('docent_http_requests_total{route="/v2/agent/:projectId/job",method="POST",status="2xx"}')).toBe(1);
  expect(more('docent_http_requests_total{route="/v2/agent/:projectId/job/:id",method="GET",status="4xx"}')).toBe(1);
  expect(more('docent_http_request_duration_seconds_count{surface="api"}')).toBeGreaterThanOrEqual(3);
  expect(more('docent_turns_total{result="completed"}')).toBe(1);
  expect(more("docent_job_run_seconds_count")).toBe(1);
  expect(more('docent_model_steps_total{provider="docent",result="ok"}')).toBeGreaterThanOrEqual(1);
  expect(more('docent_views_total{result="accepted"}')).toBeGreaterThanOrEqual(1);
  expect(valueOf(text, "docent_store_up")).toBe(1);
  expect(valueOf(text, "docent_disk_free_bytes")).toBeGreaterThan(0);
  expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
  const parts = ["heap", "buffers", "other", "program", "children"];
  for (const part of parts) expect([part, valueOf(text, `docent_memory_bytes{part="${part}"}`)]).toEqual([part, expect.toSatisfy((bytes) => bytes > 1e5)]); // oxfmt-ignore
  for (const secret of [project.id, project.slug, key, body.id, "no-such-page", "192.0.2.1", TOKEN]) {
    expect(text).not.toContain(secret);
  }
});

it("metrics are exactly the documented ones, and include those of the dashboard and alert rules", async () => {
  const kinds = kindsIn(await metrics());
  const page = await readFile(path.join(ROOT, "docs", "operate", "monitoring.md"), "utf8");
  expect([...namesIn(page, kinds)].sort()).toEqual([...kinds.keys()].sort());
  const read = (name: string) => readFile(path.join(ROOT, "examples", "monitoring", name), "utf8");
  const dashboard = JSON.parse(await read("docent-dashboard.json")) as { panels: { targets?: { expr: string }[] }[] };
  const rules = parse(await read("docent-alerts.yml")) as {
    groups: { rules: { expr: string; annotations: { summary: string; action: string } }[] }[];
  };
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  for (const expression of expressions) {
    expect([...namesIn(expression, kinds)].filter((name) => !kinds.has(name))).toEqual([]);
  }
  for (const { annotations } of rules.groups.flatMap((group) => group.rules)) {
    expect([annotations.summary, annotations.action]).toEqual([expect.any(String), expect.any(String)]);
  }
  parse(await read("prometheus.yml"));
});
