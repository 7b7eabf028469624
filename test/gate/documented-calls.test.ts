import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { callApi } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const DOCS = path.join(import.meta.dirname, "../../docs");
/** Enough of jq for the pages, which not every machine has. */
const JQ = `#!/usr/bin/env node
const [, list, name] = process.argv.slice(2).join(" ").match(/^-r (?:\\.(\\w+)\\[\\])?\\.(\\w+)$/);
const print = (value) => console.log(value[name]);
let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => {
  const answer = JSON.parse(text);
  if (list === undefined) print(answer); else answer[list].forEach(print);
});
`;
/** Waits as a reader of the page does, who polls until the job has ended. */
const WAIT = `
while curl -s "$DOCENT/v2/agent/$PROJECT/job/$JOB" -H "Authorization: Bearer $KEY" | grep -q '"status":"active"'; do sleep 0.1; done
`;

describe("the calls of a page run in order, as printed", () => {
  const made = new AsyncDisposableStack();
  let server: TestServer;
  let tools: string;
  let variables: Record<string, string>;
  beforeAll(async () => {
    const files = {
      "docs.json": '{"redirects": [{"source": "/billing", "destination": "/harbour"}]}',
      "index.md": "# Start\n\nHarbor Cloud is here.\n\nSee [the harbour](/harbour).\n",
      "quickstart.md": "# Quickstart\n\nA lost token can be replaced.\n",
      "harbour.md": "# The Harbour\n\nShips lie there.\n",
    };
    const environment = { DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" };
    server = made.use(await startTestServer({ engine: "sqlite", files, environment }));
    tools = made.use(await createTestDirectory()).path;
    await writeFile(path.join(tools, "jq"), JQ);
    await chmod(path.join(tools, "jq"), 0o755);
    const create = async (where: string, body: object) => {
      const created = await callApi(server.baseUrl, server.instance, { path: where, body });
      expect(created.status).toBe(201);
      return created.body.id as string;
    };
    const { project, key } = server.instance;
    variables = {
      DOCENT: server.baseUrl,
      DOCENT_URL: server.baseUrl,
      PROJECT: project.id,
      PROJECT_ID: project.id,
      KEY: key,
      DOCENT_KEY: key,
      WEBHOOK: await create("/webhooks", { url: "http://127.0.0.1:9/hook", events: ["job.archived"] }),
      AUTOMATION: await create("/automations", { name: "Links", prompt: "Check links.", trigger: { kind: "api" } }),
    };
  });
  afterAll(() => made.disposeAsync());

  /** The calls of a page over HTTP. Its commands need a data directory and are tested beside each command. */
  async function callsOf(page: string): Promise<string[]> {
    const text = await readFile(path.join(DOCS, page), "utf8");
    return [...text.matchAll(/^```bash\n([^]*?)^```$/gm)]
      .map(([, block = ""]) => block.replace(/^export (?:DOCENT|WEBHOOK)=.*\n/, "").replaceAll(/^docent .*\n/gm, ""))
      .map((block) =>
        block.replaceAll("harbor-docs", server.instance.project.slug).replaceAll(":4000", `:${server.port}`),
      )
      .filter((block) => /\bcurl\b|^export JOB/.test(block) && !block.includes("https://openai.com/"));
  }

  async function run(script: string, more: Record<string, string> = {}): Promise<string> {
    const searched = `${tools}:${path.dirname(process.execPath)}:${process.env["PATH"]}`;
    const env = { ...process.env, ...variables, ...more, PATH: searched };
    return (await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { env })).stdout;
  }

  it.each<[page: string, shown: RegExp[]]>([
    [
      "interface/conditional-requests.md",
      [/^HTTP\/1\.1 304/, /"description":"Release notes"/, /"instructions":"Write short sentences\."/],
    ],
    ["interface/authentication.md", [/"jobs":/, /"key":"docent_/, /"name":"Release pipeline"/]],
    ["interface/idempotency.md", [/HTTP\/1\.1 201[^]*HTTP\/1\.1 201[^]*idempotent-replayed: true/i]],
    ["interface/paging.md", [/"nextCursor":/, /^job_\w+$/m]],
    ["interface/rate-limits.md", [/ratelimit-remaining: \d+/i]],
    ["interface/compatible.md", [/"path":"quickstart"/]],
    ["jobs/webhooks.md", [/"secret":"whsec_/, /"status":/]],
    ["jobs/automations.md", [/"title":"Links"/, /"cron":"0 6 \* \* 1"/]],
    ["jobs/chores.md", [/"ok":true/]],
    ["analytics/visitors.md", [/"totals":/, /^path,human/m]],
    ["analytics/counting.md", [/"accepted":1/]],
    ["sites/feedback.md", [/"feedback":/, /"kept":true/]],
    ["sites/search.md", [/"searches":/, /"results":/]],
    ["sites/markdown.md", [/^# Quickstart[^]*^# Quickstart/m]],
    ["sites/redirects.md", [/^HTTP\/1\.1 308[^]*^location: /im]],
    ["operate/dashboard.mdx", [/"key":"docent_/]],
    ["interface/versions.md", [/^deprecation: @\d+/m, /^sunset: /m]],
  ])("%s", async (page, shown) => {
    const stdout = await run((await callsOf(page)).join("\necho\n"));
    for (const each of shown) expect(stdout).toMatch(each);
    expect(stdout).not.toContain('"code"');
  });

  it("interface/errors.md", async () => {
    expect(await run((await callsOf("interface/errors.md")).join("\n"))).toContain('"code":"invalid"');
  });

  /** Creates a job with this call, and runs those that follow it once the job has ended. */
  async function runJob(create: string, calls: readonly string[]): Promise<string> {
    const { id: JOB } = JSON.parse(await run(create)) as { id: string };
    return await run(`${WAIT}${calls.join(WAIT)}`, { JOB });
  }

  it("jobs/guide.md and jobs/requests.md, from the instruction to the merge", async () => {
    const [create = "", take, ...calls] = await callsOf("jobs/guide.md");
    expect(take).toBe("export JOB=job_…\n");
    const guide = await runJob(create, calls);
    expect(guide).toContain('"status":"completed"');
    expect(guide).toContain("+Harbor Platform is here.");
    expect(guide).toContain('"state":"merged"');
    const another = create
      .replace("rename-2026-11", "ships")
      .replace("Harbor Cloud", "Ships")
      .replace("Platform", "ships");
    const requests = await runJob(another, await callsOf("jobs/requests.md"));
    expect(requests).toContain("event: done");
    expect(requests).toContain('"state":"merged"');
  });
});
