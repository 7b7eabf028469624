import { spawn } from "node:child_process";
import { rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import type { KeyScope } from "#kit/levels.ts";
import { loadConfig } from "#app/instance/config.ts";
import { silentLogger } from "#lib/logger.ts";
import { keepLog } from "#lib/logs/keep-log.ts";
import { logDirectory, nodeName } from "#lib/logs/log-files.ts";
import type { RunningServer } from "#main.ts";
import { sharedContent } from "#testing/shared-content.ts";
import type { KeptLine } from "#lib/logs/read-log.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { createPerson } from "#test/support/person.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { startComposed } from "#test/support/composed-server.ts";
import { NODE_COMPILE_CACHE, programFile, startProcess } from "#test/support/processes.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const MAIN = programFile("src/cli/main.ts");
const made = new AsyncDisposableStack();
let instance: TestInstance;
let server: RunningServer;
let person: Awaited<ReturnType<typeof createPerson>>;
let wide: string;

/** A server in this process that keeps its log as `docent serve` does. */
async function serve(port = 0): Promise<RunningServer> {
  const config = loadConfig({ data: instance.data, port }, instance.environment);
  const keptLog = { directory: logDirectory(config.dataDirectory), node: nodeName("test", port) };
  const { write } = keepLog({ logger: silentLogger }, keptLog);
  const logger = pino({ level: "info", base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return startComposed(config, { logger, keptLog, content: sharedContent() });
}
const makeKey = async (scope: KeyScope, projectId: typeof instance.project.id | null) => {
  const deps = { database: instance.database, clock: { now: () => new Date() }, keysPerHour: 100 };
  return (await createApiKey(deps, { projectId, name: "test", expiresInDays: 7, scope })).key;
};
const get = async (key: string, query = "") => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.baseUrl}/v2/instance/logs${query}`, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
};
interface Answer {
  lines: KeptLine[];
  nextCursor: string | null;
  error: string;
  details?: { path: string }[];
}
/** A commit on the branch of the site, which the server loads and logs when a reader comes. */
async function push(text: string): Promise<void> {
  const { repoStore, project } = instance;
  const before = await repoStore.resolve(project.id, "refs/heads/main");
  const edits = [{ path: "index.md", content: Buffer.from(`# ${text}\n`) }];
  const tree = await repoStore.snapshot(project.id, { base: before!, edits });
  const author = { name: "Ada Writer", email: "ada@example.com" };
  const to = await repoStore.commit(project.id, { tree, parents: [before!], message: text, author, at: new Date() });
  await repoStore.updateRef(project.id, { ref: "refs/heads/main", to, expected: before });
  await siteShows(text);
}
async function siteShows(text: string, port = server.port, of = instance): Promise<void> {
  using site = createSiteClient({ instance: of, port });
  // By the title: each page has words such as "One result" among those of its search.
  const isShown = async () => (await site.send("/")).text.includes(`<title>${text} `);
  await vi.waitUntil(isShown, { timeout: 20_000, interval: 100 });
}
const NOTICED = "site version loaded";
const noticed = (lines: readonly KeptLine[]) => lines.filter(({ message }) => message === NOTICED).length;
const docent = (args: readonly string[]) => person.docent(args);

beforeAll(async () => {
  instance = made.use(await createTestInstance("sqlite", { "index.md": "# Start\n" }));
  server = await serve();
  made.defer(() => server[Symbol.asyncDispose]());
  person = await createPerson(made.use(await createTestDirectory()).path);
  wide = await makeKey("admin", null);
  await person.docent(["login", "--server", server.baseUrl], { input: wide });
  await siteShows("Start");
});
afterAll(() => made.disposeAsync());

it("the log over HTTP requires an instance key with the scope admin", async () => {
  for (const scope of ["read", "agent"] as const) expect((await get(await makeKey(scope, null))).status).toBe(403);
  for (const scope of ["read", "agent", "admin"] as const)
    expect((await get(await makeKey(scope, instance.project.id))).status).toBe(403);
  expect((await get("docent_none")).status).toBe(401);
  expect((await get(wide)).status).toBe(200);
});

it("the log is paged, newest first, and can be filtered by level and time", async () => {
  for (const text of ["One", "Two", "Three"]) {
    const pushedAt = new Date().toISOString();
    await push(text);
    const isThere = async () =>
      (await get(wide, "?limit=100")).body.lines.some(({ message, time }) => message === NOTICED && time >= pushedAt);
    await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
  }
  const { lines } = (await get(wide, "?limit=100")).body;
  expect(lines[0]!.time >= lines.at(-1)!.time).toBe(true);
  expect(lines.find(({ message }) => message === NOTICED)).toMatchObject({
    level: "info",
    node: expect.stringMatching(/^[a-z0-9-]+-0$/) as string,
    fields: { projectId: instance.project.id },
  });
  // The server goes on logging meanwhile: pages are held to the list from where they began.
  const first = await get(wide, "?limit=2");
  const all = (await get(wide, "?limit=100")).body.lines;
  const from = all.findIndex(({ id }) => id === first.body.lines[0]!.id);
  expect(first.body.lines).toEqual(all.slice(from, from + 2));
  expect(first.headers.get("link")).toContain('rel="next"');
  const second = await get(wide, `?limit=2&cursor=${encodeURIComponent(first.body.nextCursor!)}`);
  expect(second.body.lines).toEqual(all.slice(from + 2, from + 4));
  expect((await get(wide, "?level=fatal")).body).toEqual({ lines: [], nextCursor: null });
  const since = (await get(wide, `?since=${encodeURIComponent(lines[1]!.time)}`)).body.lines;
  const known = new Set(lines.map(({ id }) => id));
  expect(since.map(({ id }) => id).filter((id) => known.has(id))).toEqual(
    lines.filter(({ time }) => time >= lines[1]!.time).map(({ id }) => id),
  );
  for (const wrong of ["level=loud", "since=yesterday", "since=2026-11-20T12:00:00", "cursor=x", `cursor=${lines[0]!.time}_x`, `cursor=yesterday_${lines[0]!.id}`, "limit=0"])
    expect([wrong, (await get(wide, `?${wrong}`)).status]).toEqual([wrong, 400]); // oxfmt-ignore
});

it("docent logs prints the same lines at a server and on the data directory", async () => {
  for (const place of [[], ["--data", instance.data]]) {
    const told = await docent(["logs", "--level", "info", "--since", "1h", ...place]);
    expect(told).toMatchObject({ exitCode: 0, stderr: "" });
    expect(told.stdout).toMatch(/^\S+Z {2}info {3}site version loaded {2}projectId=prj_\w+ {2}commit=\w{40} .*node=[a-z0-9-]+-0$/m); // oxfmt-ignore
    const isTheSame = async () => {
      const json = await docent(["logs", "--limit", "2", "--json", ...place]);
      const lines = json.stdout.trim().split("\n").map((line) => JSON.parse(line) as KeptLine); // oxfmt-ignore
      return isDeepStrictEqual(lines.toReversed(), (await get(wide, "?limit=2")).body.lines);
    };
    // A line may be logged between the two.
    await expect.poll(isTheSame, { timeout: 60_000 }).toBe(true);
    const none = await docent(["logs", "--level", "fatal", ...place]);
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "Nothing was logged that matches.\n" });
  }
  const { stdout } = await docent(["logs", "--since", "0s"]);
  expect(stdout).toBe("");
  for (const wrong of [["--level", "loud"], ["--since", "soon"], ["--since", "2026-13-01"], ["--limit", "0"], ["more"]])
    expect([wrong, (await docent(["logs", ...wrong])).exitCode]).toEqual([wrong, 2]); // oxfmt-ignore
  const elsewhere = await docent(["logs", "--data", person.home]);
  expect(elsewhere.stderr).toBe(`docent: No server has kept a log in ${person.home}. --data names another data directory.\n`); // oxfmt-ignore
});

it("a login for a project gets an error that asks for an instance key", async () => {
  const other = await createPerson(made.use(await createTestDirectory()).path);
  const login = ["login", "--server", server.baseUrl, "--project", instance.project.id];
  await other.docent(login, { input: instance.key });
  expect(await other.docent(["logs"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("There is no instance key") as string,
  });
});

it("docent logs --follow continues across a restart of the server", async () => {
  const follow = async (place: readonly string[]) => {
    const child = spawn(process.execPath, [MAIN, "logs", "--follow", "--limit", "1", "--json", ...place], {
      cwd: person.folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: person.home, NODE_COMPILE_CACHE },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const told = { out: "", err: "" };
    child.stdout.on("data", (chunk: Buffer) => (told.out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (told.err += chunk.toString()));
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    made.defer(() => void child.kill("SIGKILL"));
    await expect.poll(() => told.out, { timeout: 20_000 }).toContain("\n");
    return { child, told, exited };
  };
  const both = [await follow([]), await follow(["--data", instance.data])];
  const shown = ({ told }: (typeof both)[0]) =>
    told.out.split("\n").filter(Boolean).map((line) => JSON.parse(line) as KeptLine); // oxfmt-ignore
  const before = new Date();
  for (const one of both) expect(shown(one).length).toBeGreaterThanOrEqual(1);
  await push("Followed");
  const later = (one: (typeof both)[0]) => shown(one).filter(({ time }) => time > before.toISOString());
  for (const one of both) await expect.poll(() => noticed(later(one)), { timeout: 20_000 }).toBe(1);

  const { port } = server;
  await server[Symbol.asyncDispose]();
  await expect.poll(() => both[0]!.told.err, { timeout: 20_000 }).toContain("It is asked again.");
  server = await serve(port);
  await push("After a restart");
  for (const one of both) await expect.poll(() => noticed(later(one)), { timeout: 30_000 }).toBe(2);
  const lines = (await get(wide, "?limit=100")).body.lines.filter(({ time }) => time > before.toISOString());
  for (const one of both) {
    expect(new Set(shown(one).map(({ id }) => id)).size).toBe(shown(one).length);
    // It asks every second, and what is logged meanwhile comes after.
    const said = () => later(one).slice(0, lines.length);
    await expect.poll(said, { timeout: 30_000 }).toEqual(lines.toReversed());
    one.child.kill("SIGINT");
    expect(await one.exited).toBe(130);
  }
});

it.runIf(LONG_TESTS)("a server that cannot write its log keeps working, and says so on standard error", async () => {
  await using other = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  const directory = path.join(other.data, "logs");
  await writeFile(directory, "no folder");
  const started = await startProcess("src/cli/main.ts", ["serve", "--port", "0", "--json", "--data", other.data]);
  try {
    const site = await fetch(`${started.started.baseUrl}/health`);
    expect(site.status).toBe(200);
    await siteShows("Start", started.started.port, other);
    await expect.poll(() => started.log(), { timeout: 20_000 }).toContain("the log could not be kept");
    expect(started.log()).toContain(NOTICED);
    await rm(directory);
    await expect.poll(async () => (await stat(directory).catch(() => null))?.isDirectory(), { timeout: 20_000 }).toBe(true);
    await expect.poll(async () => (await docent(["logs", "--data", other.data])).stdout, { timeout: 20_000 }).toContain(NOTICED);
  } finally {
    await started.kill("SIGTERM");
  } // oxfmt-ignore
});
