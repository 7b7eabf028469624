import { execFile, spawn } from "node:child_process";
import type { RequestListener } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import type { KeyScope } from "#kit/levels.ts";
import { systemClock } from "#lib/clock.ts";
import { listen } from "#testing/listen.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { NODE_COMPILE_CACHE, programFile } from "#test/support/processes.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const files = { "index.md": "# Start\n\nHarbor Cloud.\n", "docs.json": '{ "navigation": { "pages": ["index"] } }' };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ engine: "sqlite", files });
});
afterAll(() => server[Symbol.asyncDispose]());

async function connected(mode: "legacy" | { pin: string }, key = server.instance.key) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.baseUrl), { requestInit }));
  return client;
}
async function use(client: Client, name: string, input: object): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: { ...input } });
  return (isError === true ? "ERROR " : "") + (content as { text: string }[]).map(({ text }) => text).join("\n");
}
const makeKey = async (scope: KeyScope) => {
  const { database, project } = server.instance;
  const deps = { database, clock: systemClock, keysPerHour: 100 };
  return (await createApiKey(deps, { projectId: project.id, name: scope, expiresInDays: 7, scope })).key;
};

const MODES = ["legacy", { pin: "2026-07-28" }] as const;

it.each(MODES)(
  "a stock client creates a job, follows it, sends a follow-up and merges the reviewed commit (%j)",
  async (mode) => {
    const client = await connected(mode);
    expect(client.getInstructions()).toContain("create_job");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["create_job", "send_message", "wait_for_job", "get_diff", "merge_job", "get_visitors", "search_docs"]), // oxfmt-ignore
    );
    const isReading = (name: string) => tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint;
    expect([isReading("create_job"), isReading("merge_job"), isReading("get_diff")]).toEqual([false, false, true]);

    const [from, to] = mode === "legacy" ? ["Harbor Cloud", "Harbor Platform"] : ["Harbor Harbor", "Harbor One"];
    const asked = { prompt: `Replace "${from}" with "${to}".`, idempotencyKey: `k-${JSON.stringify(mode)}` };
    const made = JSON.parse(await use(client, "create_job", asked)) as { id: string };
    expect((JSON.parse(await use(client, "create_job", asked)) as { id: string }).id).toBe(made.id);
    const ended = JSON.parse(await use(client, "wait_for_job", { job: made.id, seconds: 50 })) as object;
    expect(ended).toMatchObject({ id: made.id, status: "completed", lastMessage: { error: null } });
    const sent = await use(client, "send_message", { job: made.id, prompt: 'Replace "Harbor Platform" with "Harbor Harbor".' }); // oxfmt-ignore
    expect(JSON.parse(sent)).toMatchObject({ id: made.id });
    await use(client, "wait_for_job", { job: made.id, seconds: 50 });
    const diff = await use(client, "get_diff", { job: made.id });
    expect(diff).toContain(mode === "legacy" ? "+Harbor Harbor." : "+Harbor One.");
    const head = /"head":"([0-9a-f]{40})"/.exec(diff)![1]!;
    expect(await use(client, "merge_job", { job: made.id, head: "0".repeat(40) })).toMatch(/^ERROR The head of/);
    expect(JSON.parse(await use(client, "merge_job", { job: made.id, head }))).toMatchObject({
      pullRequest: { state: "merged" },
    });
    expect(JSON.parse(await use(client, "list_jobs", {}))).toMatchObject({ jobs: expect.anything() as unknown });
    expect(JSON.parse(await use(client, "get_visitors", { from: "2026-11-01" }))).toMatchObject({ totals: {} });
    const found = JSON.parse(await use(client, "search_docs", { query: "start" })) as { results: { href: string }[] };
    expect(found).toMatchObject({ query: "start", results: expect.any(Array) as unknown });
    await client.close();
  },
);

// The other test shows that a client of the newer protocol is understood.
it.each(LONG_TESTS ? MODES : MODES.slice(0, 1))(
  "reports progress of a job and findings of the checks, and returns diffs and pages (%j)",
  async (mode) => {
    const client = await connected(mode);
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined).map(({ name }) => name)).toEqual([]);
    const call = async (name: string, input: object, onprogress?: (news: { message?: string | undefined }) => void) =>
      (await client.callTool({ name, arguments: { ...input } }, onprogress && { onprogress })).structuredContent as Record<string, unknown>; // oxfmt-ignore

    const chores = [{ replace_term: { from: "Start", to: mode === "legacy" ? "Begin" : "Beginning" } }];
    if (mode !== "legacy") chores[0]!.replace_term.from = "Begin";
    expect(await call("try_chores", { chores })).toMatchObject({ ok: true, files: [{ path: "index.md" }] });
    const made = await call("create_job", { chores, model: "docent/builtin-rules", effort: "low" });
    expect(made["effort"]).toBe("low");
    const heard: (string | undefined)[] = [];
    const ended = await call("wait_for_job", { job: made["id"] }, ({ message }) => heard.push(message));
    expect(ended).toMatchObject({ id: made["id"], status: "completed", changed: true });
    expect(heard).toContain("running");
    expect(heard).toContain("publishing");
    expect(await call("get_findings", { job: made["id"] })).toEqual({ turn: 1, errors: [], warnings: expect.any(Array) as unknown, newHosts: [], totals: { errors: 0, warnings: expect.any(Number) as unknown, newHosts: 0 } }); // oxfmt-ignore
    const { events } = await call("get_transcript", { job: made["id"], limit: 2 });
    expect(events).toMatchObject([
      { seq: 1, type: "job.created" },
      { seq: 2, type: "message.received" },
    ]);
    const { patch, head, nextOffset } = await call("get_diff", { job: made["id"] });
    expect([patch, nextOffset]).toEqual([expect.stringContaining("+# Begin"), null]);

    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining([`docent://job/${String(made["id"])}/diff`, "docent://page/index"]));
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read(uris[0]!)).toMatchObject({ mimeType: "text/x-diff", text: expect.stringContaining("+# Begin") as unknown }); // oxfmt-ignore
    expect(await read("docent://page/index")).toMatchObject({ mimeType: "text/markdown", text: expect.stringContaining("Harbor") as unknown }); // oxfmt-ignore
    await expect(read("docent://page/none")).rejects.toThrow("There is no resource docent://page/none");
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    await call("merge_job", { job: made["id"], head });
    await client.close();
  },
);

it("checks an editor's own patch and opens one pull request with it", async () => {
  const client = await connected("legacy", await makeKey("agent"));
  const call = async (name: string, input: object) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...input } });
    return isError === true ? { error: (content as { text: string }[])[0]?.text } : (structuredContent as Record<string, unknown>); // oxfmt-ignore
  };
  const write = (path: string, line: string) =>
    `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,3 @@\n+# Added\n+\n+${line}\n`;
  const broken = await call("check_patch", { patch: write("added.md", "See [that](/nowhere).") });
  expect(broken).toMatchObject({ ok: false, findings: { errors: [{ path: "added.md" }] } });
  const patch = write("added.md", "Harbor for people with **boats**.");
  expect(await call("check_patch", { patch })).toMatchObject({
    ok: true,
    files: [{ status: "added", path: "added.md" }],
    pages: [{ path: "added.md", title: "Added", text: expect.stringContaining("Harbor for people with boats.") as unknown, problems: [] }], // oxfmt-ignore
  });
  expect(await call("check_patch", { patch: "no patch" })).toMatchObject({ ok: false, chores: [{ summary: expect.stringContaining("not a patch") as unknown }] }); // oxfmt-ignore

  const asked = {
    patch,
    title: "Say who Harbor is for",
    description: "Asked for by support.",
    idempotencyKey: "patch-1",
  };
  const job = await call("open_pull_request", asked);
  expect(job).toMatchObject({ status: "completed", title: "Say who Harbor is for", changed: true, prLink: expect.any(String) as unknown }); // oxfmt-ignore
  expect(await call("open_pull_request", asked)).toMatchObject({ id: job["id"], prLink: job["prLink"] });
  const refused = await call("open_pull_request", { patch: write("other.md", "[x](/nowhere)"), title: "Break it" });
  expect(refused).toMatchObject({ status: "failed", prLink: null, error: { code: "validation_failed" } });
  await client.close();
});

it("accepts prompts and titles of the same length as POST /job, and its tools say so", async () => {
  const document = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as { components: { schemas: Record<string, { properties: Record<string, { minLength: number; maxLength: number }> }> } }; // oxfmt-ignore
  const client = await connected("legacy");
  const { tools } = await client.listTools();
  const limits = (schema: unknown) => {
    const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number };
    return [minLength, maxLength];
  };
  for (const [name, body] of [
    ["create_job", "NewAgentJob"],
    ["send_message", "AgentMessage"],
  ] as const) {
    const { properties = {} } = tools.find((tool) => tool.name === name)!.inputSchema;
    const described = document.components.schemas[body]!.properties;
    expect(limits(properties["prompt"])).toEqual(limits(described["prompt"]));
  }
  const { title } = tools.find(({ name }) => name === "create_job")!.inputSchema.properties ?? {};
  const { maxLength: longest } = document.components.schemas["NewAgentJob"]!.properties["title"]!;
  expect(limits(title)[1]).toBe(longest);
  const { maxLength } = document.components.schemas["NewAgentJob"]!.properties["prompt"]!;
  const prompt = (characters: number) => `Fix links. ${"😀".repeat(characters - 11)}`;
  expect(await use(client, "create_job", { prompt: prompt(maxLength), dryRun: true })).not.toContain("ERROR");
  expect(await use(client, "create_job", { prompt: prompt(maxLength + 1) })).toMatch(/^ERROR .*prompt.* at most 32000 characters/s); // oxfmt-ignore
  await client.close();
});

it("returns errors that a model can act on, and nothing without a key", async () => {
  const client = await connected("legacy");
  expect(await use(client, "get_job", { job: "job_none" })).toMatch(/^ERROR There is/);
  for (const job of [".", "..", "job_/../..", "job_1?x", ""]) {
    const called = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "cancel_job", arguments: { job } } };
    const answer = await fetch(new URL("/mcp", server.baseUrl), { method: "POST", headers: { Authorization: `Bearer ${server.instance.key}`, "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(called) }); // oxfmt-ignore
    expect([job, answer.status]).toEqual([job, 200]);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id: 7, result: { isError: true } });
  }
  expect(await use(client, "create_job", { prompt: "" })).toMatch(/^ERROR prompt/);
  expect(await use(client, "get_visitors", { from: "yesterday" })).toContain("must be a date");
  const reading = await connected("legacy", await makeKey("read"));
  expect(await use(reading, "list_jobs", {})).not.toContain("ERROR");
  expect(await use(reading, "create_job", { prompt: "Fix links." })).toMatch(
    /^ERROR This needs a key with the scope "agent"; this one has "read"/,
  );
  const acting = await connected("legacy", await makeKey("agent"));
  expect(await use(acting, "merge_job", { job: "job_none", head: "0".repeat(40) })).toContain('the scope "write"');

  const post = async (headers: Record<string, string>, body: string) => {
    const response = await fetch(new URL("/mcp", server.baseUrl), { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body }); // oxfmt-ignore
    return [response.status, (await response.text()).length > 0];
  };
  const authorization = { Authorization: `Bearer ${server.instance.key}` };
  expect(await post({}, "{}")).toEqual([401, true]);
  expect(await post({ Authorization: "Bearer docent_none" }, "{}")).toEqual([401, true]);
  expect(await post(authorization, "{ no JSON")).toEqual([400, true]);
  expect(await post(authorization, `"${"x".repeat(600_000)}"`)).toEqual([413, true]);
  const nested = `${"[".repeat(100)}${"]".repeat(100)}`;
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_jobs","arguments":{"limit":${nested}}}}`;
  expect(await post(authorization, call)).toEqual([400, true]);
});

it("`docent mcp` passes messages of an editor to the server, and writes each response as a line", async () => {
  const main = programFile("src/cli/main.ts");
  const { project, key } = server.instance;
  const environment = { DOCENT_SERVER: server.baseUrl, DOCENT_PROJECT: project.id, DOCENT_API_KEY: key };
  const child = spawn(process.execPath, [main, "mcp"], { env: { NODE_COMPILE_CACHE, PATH: process.env["PATH"], HOME: server.instance.data, ...environment } }); // oxfmt-ignore
  let out = "";
  let problems = "";
  child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (problems += piece.toString()));
  const say = (message: object | string) => child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`); // oxfmt-ignore
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "editor", version: "1" } };
  say({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize });
  say({ jsonrpc: "2.0", method: "notifications/initialized" });
  say({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list_jobs", arguments: {} } });
  say("no message");
  child.stdin.end();
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, problems]).toEqual([0, ""]);
  const answers = out.trim().split("\n").map((line) => JSON.parse(line) as { id?: number; result?: object; error?: object }); // oxfmt-ignore
  expect(answers.find(({ id }) => id === 1)?.result).toMatchObject({ protocolVersion: "2025-11-25" });
  expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({ isError: false });
  expect(answers).toHaveLength(3);

  const refused = await new Promise<string>((resolve) => {
    execFile(process.execPath, [main, "mcp", "--data", server.instance.data], { env: { NODE_COMPILE_CACHE, PATH: process.env["PATH"] } }, (_error, _out, text) => resolve(text)); // oxfmt-ignore
  });
  expect(refused).toContain("docent login");
});

it("`docent mcp` requests paths below its login's URL only, and no other server", async () => {
  const seen: string[] = [];
  await using elsewhere = await listening((request, response) => {
    seen.push(`elsewhere ${request.url}`);
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { from: "elsewhere" } }));
  });
  await using own = await listening((request, response) => {
    seen.push(`own ${request.url}`);
    if (request.headers["mcp-name"] === undefined) return response.writeHead(307, { location: `${elsewhere.url}/steal` }).end(); // oxfmt-ignore
    return response.end("x".repeat(8 * 1024 * 1024));
  });
  const main = programFile("src/cli/main.ts");
  const env = { NODE_COMPILE_CACHE, PATH: process.env["PATH"], HOME: server.instance.data, DOCENT_SERVER: `${own.url}/docs-platform`, DOCENT_PROJECT: "prj_1", DOCENT_API_KEY: "docent_1" }; // oxfmt-ignore
  const child = spawn(process.execPath, [main, "mcp"], { env });
  let out = "";
  child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`);
  child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list_jobs", _meta: meta } })}\n`); // oxfmt-ignore
  await new Promise((resolve) => child.once("close", resolve));
  expect(seen).toEqual(Array(2).fill("own /docs-platform/mcp?project=prj_1"));
  expect(out).toContain(`it sends on to ${elsewhere.url}/steal`);
  expect(out).toContain("its answer is too large");
  expect(out).not.toContain("result");
});

it("`docent mcp` passes progress on, and reports a truncated response", async () => {
  const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "t", progress: 1 } };
  const reply = { jsonrpc: "2.0", id: 1, result: { content: [] } };
  let accepts: string | undefined;
  await using own = await listening((request, response) => {
    accepts = request.headers.accept;
    const messages = request.headers["mcp-name"] === "list_jobs" ? [progress] : [progress, progress, reply];
    response.setHeader("Content-Type", "text/event-stream; charset=utf-8");
    response.end(messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join(""));
  });
  const main = programFile("src/cli/main.ts");
  const env = { NODE_COMPILE_CACHE, PATH: process.env["PATH"], HOME: server.instance.data, DOCENT_SERVER: own.url, DOCENT_PROJECT: "prj_1", DOCENT_API_KEY: "docent_1" }; // oxfmt-ignore
  const child = spawn(process.execPath, [main, "mcp"], { env });
  let out = "";
  child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", progressToken: "t" };
  const call = (id: number, name: string) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, _meta: meta } })}\n`; // oxfmt-ignore
  child.stdin.write(call(1, "wait_for_job"));
  child.stdin.end(call(2, "list_jobs"));
  await new Promise((resolve) => child.once("close", resolve));
  expect(accepts).toBe("application/json, text/event-stream");
  const said = out.trim().split("\n").map((line) => JSON.parse(line) as { id?: number }); // oxfmt-ignore
  expect(said.filter(({ id }) => id === undefined)).toEqual([progress, progress, progress]);
  expect(said.find(({ id }) => id === 1)).toEqual(reply);
  expect(said.find(({ id }) => id === 2)).toMatchObject({ error: { message: expect.stringContaining("broke off") as unknown } }); // oxfmt-ignore
});

const listening = (answer: RequestListener) =>
  listen((request, response) => void request.resume().on("end", () => answer(request, response)));
