import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { nodes } from "#test/support/nodes.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "../..");

/** The oldest Node of the machine in the gate. */
const TRIED = LONG_TESTS ? nodes : nodes.slice(-1);

const SCRIPT = `
import { createDocentClient, DocentError } from "docent-client";
const [baseUrl, projectId, apiKey, turn] = process.argv.slice(2);
const docent = createDocentClient({ baseUrl, projectId, apiKey });
const names = ["Harbor Cloud", "Harbor Platform"];
if (turn === "1") names.reverse();
const { id } = await docent.createJob({ prompt: 'Replace "' + names[0] + '" with "' + names[1] + '".' });
const types = [];
for await (const event of docent.streamEvents(id)) types.push(event.type);
const job = await docent.waitForJob(id);
const refused = await docent.sendMessage(id, "").catch((error) => error);
const pages = [];
for await (const page of docent.visitors()) pages.push(page.totals.total);
const { head } = await docent.call("getAgentJobDiff", { id });
const merged = await docent.mergeJob(id, { head });
await docent.createJob({ prompt: "Check links." });
const ids = [];
for await (const job of docent.each("listAgentJobs", { query: { limit: 1, status: ["active", "completed"] } })) ids.push(job.id);
const lines = (await docent.text("getVisitors", { accept: "text/csv" })).split("\\n")[0].trim();
const { status: code, headers } = await docent.request("listWebhooks");
const spare = await docent.call("createApiKey", { body: { name: "spare", scope: "read" } });
const gone = await docent.call("revokeApiKey", { id: spare.id });
const isRefused = refused instanceof DocentError && refused.code === "invalid";
console.log(JSON.stringify({ merged: merged.pullRequest.state, jobs: ids.length, gone, status: job.status, lines, code, hasId: headers.has("x-request-id"), isRefused, pages, first: types[0], last: types.at(-1) }));
`;

const TYPED = `
import { createDocentClient, DocentError, readWebhook, type AgentJob, type AgentJobEvent, type DocentErrorCode, type Schemas } from "docent-client";
const docent = createDocentClient({ baseUrl: "http://localhost:4000", projectId: "prj_1", apiKey: "docent_1" });
function textOf(event: AgentJobEvent): string | null {
  switch (event.type) {
    case "message":
      return event.data.text;
    case "job.failed":
      return event.data.error.hint;
    case "commit.pushed":
      return event.data.commit;
    default:
      return null;
  }
}
export async function follow(): Promise<string | null> {
  const job: AgentJob = await docent.createJob({ prompt: "Fix the broken links.", draft: true });
  for await (const event of docent.streamEvents(job.id, { after: 0 })) console.log(event.seq.toFixed(), textOf(event));
  return (await docent.waitForJob(job.id, { timeoutMs: 1_000 })).prLink;
}
export const codeOf = (error: unknown): DocentErrorCode | null => (error instanceof DocentError ? error.code : null);
export async function more(request: Request): Promise<string[]> {
  const { keys } = await docent.call("listApiKeys");
  const key: Schemas["NewlyMadeApiKey"] = await docent.call("createApiKey", { body: { name: "CI", scope: "read" } });
  const series = await docent.call("getSeries", { query: { dateFrom: "2026-11-01" } });
  for await (const page of docent.pages("listDeployments")) console.log(page.deployments.length.toFixed());
  for await (const { path, total } of docent.each("getVisitors", { query: { limit: 50 } })) console.log(path, total.toFixed());
  const other: AgentJob = await docent.call("getAgentJob", { id: "job_1", projectId: "prj_2" });
  const message = await readWebhook({ headers: request.headers, body: await request.text() }, { secret: "whsec_a" });
  const csv: string = await docent.text("getVisitors", { accept: "text/csv" });
  const told = message.type === "webhook.test" ? message.data.webhookId : message.data.id;
  return [told, key.key, other.id, csv, ...keys.map(({ scope }) => scope), ...series.days.map(({ day }) => day)];
}
// @ts-expect-error there is no such scope
void docent.call("createApiKey", { body: { name: "CI", scope: "root" } });
// @ts-expect-error the id is missing
void docent.call("getWebhook");
// @ts-expect-error it is no list
void docent.pages("getSeries");
// @ts-expect-error it has no such form
void docent.text("getVisitors", { accept: "text/x-diff" });
// @ts-expect-error a prompt is text
void docent.createJob({ prompt: 5 });
// @ts-expect-error there is no such state
void docent.each("listAgentJobs", { query: { status: ["done"] } });
`;

describe("the npm package of the client", () => {
  const made = new AsyncDisposableStack();
  let server: TestServer;
  let consumer: string;
  beforeAll(async () => {
    consumer = made.use(await createTestDirectory()).path;
    server = made.use(await startTestServer({ engine: "sqlite", files: { "index.md": "Harbor Cloud\n" } }));
    const pack = ["pack", "./clients/typescript", "--silent", "--offline", "--json", "--pack-destination", consumer];
    const [{ filename }] = JSON.parse((await run("npm", pack, { cwd: root })).stdout) as [{ filename: string }];
    await writeFile(path.join(consumer, "package.json"), '{ "type": "module" }');
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: consumer });
    await writeFile(path.join(consumer, "use.mjs"), SCRIPT);
    await writeFile(path.join(consumer, "use.ts"), TYPED);
  });
  afterAll(() => made.disposeAsync());

  it("has no dependencies and no commands", async () => {
    const installed = await readdir(path.join(consumer, "node_modules"));
    expect(installed.filter((name) => name !== ".package-lock.json")).toEqual(["docent-client"]);
  });

  it.each(TRIED)("works in Node $version against a server", async ({ file }) => {
    const { project, key } = server.instance;
    const { stdout, stderr } = await run(
      file,
      ["use.mjs", server.baseUrl, project.id, key, String(TRIED.findIndex((tried) => tried.file === file))],
      { cwd: consumer },
    );
    expect(JSON.parse(stdout)).toEqual({
      merged: "merged",
      jobs: expect.any(Number) as number,
      gone: null,
      lines: "path,human,ai,total",
      code: 200,
      hasId: true,
      status: "completed",
      isRefused: true,
      pages: [0],
      first: "job.created",
      last: "job.completed",
    });
    expect(stderr).toBe("");
  });

  it.each(LONG_TESTS ? ["nodenext", "bundler"] : ["nodenext"])(
    "has types for the module resolution %s",
    async (resolution) => {
      const options = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--types", ""];
      const module = resolution === "bundler" ? "preserve" : resolution;
      const compiler = path.join(root, "node_modules", ".bin", "tsc");
      const outcome = await run(
        compiler,
        [...options, "--module", module, "--moduleResolution", resolution, "use.ts"],
        {
          cwd: consumer,
        },
      ).catch((error: { stdout: string }) => error);
      expect(outcome.stdout).toBe("");
    },
  );
});
