import { randomBytes } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { JobId } from "#lib/ids.ts";
import type { RunningServer } from "#main.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { userAgents } from "#testing/views.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { type RunningProcess, startProcess } from "#test/support/processes.ts";
import { serveInstance } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const TOKEN = "token-of-the-monitoring";
const PATIENCE = { timeout: 60_000, interval: 100 };

const made = new AsyncDisposableStack();
let instance: TestInstance;
/** What both nodes are given; they share nothing but the database. */
let environment: Record<string, string>;
let web: RunningServer;
let worker: RunningProcess;

const emptyDirectory = async () => path.join(made.use(await createTestDirectory()).path, "data");

async function startWorker(): Promise<RunningProcess> {
  const args = ["serve", "--role", "worker", "--port", "0", "--json", "--data", await emptyDirectory()];
  const started = await startProcess("src/cli/main.ts", args, { ...environment, DOCENT_BASE_URL: web.baseUrl });
  made.defer(() => (started.child.exitCode === null ? started.kill("SIGKILL") : undefined));
  return started;
}

beforeAll(async () => {
  const files = { "index.md": "# Start\n\nHarbor Cloud is here.\n" };
  const secretKey = randomBytes(32).toString("base64");
  instance = made.use(await createTestInstance("postgres", files, { DOCENT_SECRET_KEY: secretKey }));
  environment = {
    DATABASE_URL: instance.environment["DATABASE_URL"]!,
    DOCENT_SECRET_KEY: secretKey,
    DOCENT_REPOSITORIES: "database",
    DOCENT_METRICS_TOKEN: TOKEN,
  };
  web = made.use(await serveInstance({ data: instance.data, environment: { ...environment, DOCENT_ROLE: "web" } }));
  worker = await startWorker();
}, 120_000);
afterAll(() => made.disposeAsync());

const createJob = async (prompt: string) =>
  (await callApi(web.baseUrl, instance, { path: "/job", body: { prompt } })).body;
const readJob = async (id: string) => (await callApi(web.baseUrl, instance, { path: `/job/${id}` })).body;

const workersIn = async () => {
  const answer = await fetch(`${web.baseUrl}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return /^docent_workers (\d+)$/m.exec(await answer.text())?.[1];
};

it("a worker answers health checks and metrics, and names the web nodes for anything else", async () => {
  const origin = `http://localhost:${worker.started.port}`;
  const status = async (address: string, headers = {}) => (await fetch(`${origin}${address}`, { headers })).status;
  expect([await status("/health"), await status("/metrics", { authorization: `Bearer ${TOKEN}` })]).toEqual([200, 200]);
  await vi.waitFor(async () => expect(await status("/ready")).toBe(200), PATIENCE);
  using site = createSiteClient({ instance, port: worker.started.port });
  for (const address of ["/", "/v2/projects"]) {
    const answer = await fetch(`${origin}${address}`);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining("Send requests to a web node."),
    ]);
  }
  expect((await site.send("/")).status).toBe(404);
});

it("a worker does a job of a web node, which shows its pages and counts their views", async () => {
  const { project, key } = instance;
  const { id } = await createJob('Add a page titled "Notes" with the text "Read me."');
  const done = await waitForJob(web.baseUrl, instance, id);
  expect(done).toMatchObject({ status: "completed", error: null, notice: null });
  expect(done.prLink).toContain(`${web.baseUrl}/`);
  await callApi(web.baseUrl, instance, { path: `/job/${id}/merge`, body: {} });
  using site = createSiteClient({ instance, port: web.port });
  const page = await site.send("/notes", { headers: { "user-agent": userAgents.chatGpt } });
  expect(page.text).toContain("Read me.");
  const read = async <T>(address: string) =>
    (await fetch(`${web.baseUrl}${address}`, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<T>;
  await vi.waitFor(async () => {
    const { totals } = await read<{ totals: { total: number } }>(`/v1/analytics/${project.id}/views`);
    expect(totals.total).toBe(1);
  }, PATIENCE);
  // The worker records and checks the merged commit.
  await vi.waitFor(async () => {
    const address = `/v2/project/${project.id}/deployments`;
    const { deployments } = await read<{ deployments: { state: string; warnings: number | null }[] }>(address);
    expect(deployments[0]).toMatchObject({ state: "ready", warnings: 0 });
  }, PATIENCE);
});

it("without a worker a job says so, as do metrics and docent doctor, and it is done once one starts", async () => {
  expect(await workersIn()).toBe("1");
  await worker.kill("SIGKILL");
  await expect.poll(workersIn, PATIENCE).toBe("0");
  const { id } = await createJob('Replace "Harbor Cloud" with "Harbor Platform".');
  expect(await readJob(id)).toMatchObject({ phase: "queued", notice: null });
  const { kysely } = instance.database;
  await kysely
    .updateTable("job")
    .set({ updated_at: Date.now() - 31_000 })
    .where("id", "=", id as JobId)
    .execute();
  const notice = "No worker is running. The job continues when one starts.";
  await expect.poll(() => readJob(id), PATIENCE).toMatchObject({ status: "active", phase: "queued", notice });
  const doctor = await runDocent(["doctor", "--json", "--data", instance.data], { environment });
  const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; words: string }[] };
  expect(findings.find(({ check }) => check === "workers")?.words).toBe(
    "No connected process runs jobs, and 1 job waits.",
  );
  worker = await startWorker();
  expect(await waitForJob(web.baseUrl, instance, id)).toMatchObject({ status: "completed", notice: null });
}, 120_000);

it.each([
  [{}, "DOCENT_ROLE: worker needs DATABASE_URL, because with SQLite one process does everything"],
  [
    { DATABASE_URL: "postgres://docent@localhost/docent" },
    "DOCENT_BASE_URL: a worker needs the address of the web nodes",
  ],
])("a worker with %o does not start", async (variables, problem) => {
  const args = ["serve", "--role", "worker", "--port", "0", "--data", await emptyDirectory()];
  const refused = await runDocent(args, { environment: variables });
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(problem)]);
});
