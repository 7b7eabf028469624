import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { createTestRepository } from "#testing/repositories.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { type RunningProcess, startProcess } from "#test/support/processes.ts";

// Anybody may ask for a site's files, as often as they like, and need not read what comes.

const MIB = 1024 * 1024;
const FILE_BYTES = 15 * MIB;
const FILES = [1, 2, 3, 4, 5, 6, 7, 8];
const made = new AsyncDisposableStack();
let loud: TestInstance;
let calm: Project;
let server: RunningProcess;

/** Unlike any other, and quickly stored by git. */
const largeFile = () => Buffer.alloc(FILE_BYTES, randomBytes(1024));

/** Text that is compressed to about a half, with real work. */
const textOf = (bytes: number) => randomBytes(bytes / 2).toString("hex");

beforeAll(async () => {
  const files = Object.fromEntries(FILES.map((number) => [`big-${number}.pdf`, largeFile()]));
  const texts = { "one.txt": textOf(3 * MIB), "many.txt": textOf(3 * MIB), "huge.txt": "a".repeat(FILE_BYTES) };
  loud = made.use(await createTestInstance("sqlite", { "index.md": "# Loud\n", ...files, ...texts }));
  const source = made.use(await createTestRepository({ "index.md": "# Calm\n", "calm.pdf": largeFile() }));
  const deps = { database: loud.database, repoStore: loud.repoStore, clock: systemClock };
  calm = await createProject(deps, { name: "Calm docs", source: source.path, branch: null });
  server = await startProcess("test/support/crashing-server.ts", ["never", loud.data], loud.environment);
}, 120_000);
afterAll(async () => {
  await server.kill("SIGKILL");
  await made.disposeAsync();
});

const hostOf = (project: Project) => `${project.slug}.localhost:${server.started.port}`;

function ask(project: Project, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const { port } = server.started;
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers: { host: hostOf(project), ...headers }, agent: false }, resolve).once(
      "error",
      reject,
    );
  });
}

/** The head of an answer whose body nobody reads any more. */
async function headOnly(project: Project, path: string, held: DisposableStack): Promise<string> {
  const socket = connect(server.started.port, "127.0.0.1");
  held.defer(() => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostOf(project)}\r\n\r\n`);
  const [chunk] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return chunk.toString("latin1").split("\r\n\r\n")[0] ?? "";
}

async function residentMiB(): Promise<number> {
  const status = await readFile(`/proc/${server.child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Processor time that the server has used, in hundredths of a second. */
async function usedTicks(): Promise<number> {
  const fields = (await readFile(`/proc/${server.child.pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

it("a large file is in memory once, however many ask for it and do not read", async () => {
  expect((await buffer(await ask(loud.project, "/big-1.pdf"))).length).toBe(FILE_BYTES);
  const before = await residentMiB();
  using held = new DisposableStack();
  const heads = await Promise.all(Array.from({ length: 40 }, () => headOnly(loud.project, "/big-1.pdf", held)));
  expect(heads.map((head) => head.slice(0, 15))).toEqual(heads.map(() => "HTTP/1.1 200 OK"));
  expect((await residentMiB()) - before).toBeLessThan(200); // 600 MiB were asked for
}, 120_000);

it("readers of many large files of a project who do not read are refused, and those of another project are not", async () => {
  using held = new DisposableStack();
  const heads: string[] = [];
  for (const number of FILES) heads.push(await headOnly(loud.project, `/big-${number}.pdf`, held));
  expect(heads.slice(0, 6).every((head) => head.startsWith("HTTP/1.1 200 "))).toBe(true);
  const refused = heads.slice(6);
  for (const head of refused) expect(head).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: \d+/);
  expect((await buffer(await ask(calm, "/calm.pdf"))).length).toBe(FILE_BYTES);
  expect(server.log()).toBe(""); // nothing is broken

  held.dispose(); // they go away, and there is room again
  await expect.poll(async () => (await buffer(await ask(loud.project, "/big-8.pdf"))).length).toBe(FILE_BYTES);
}, 120_000);

it("a text is compressed once for all who ask for it, and a huge one never", async () => {
  const br = { "accept-encoding": "br" };
  const start = await usedTicks();
  const one = await ask(loud.project, "/one.txt", br);
  expect(one.headers["content-encoding"]).toBe("br");
  await buffer(one);
  const ofOne = (await usedTicks()) - start;
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const answer = await ask(loud.project, "/many.txt", br);
      return {
        status: answer.statusCode,
        encoding: answer.headers["content-encoding"],
        size: (await buffer(answer)).length,
      };
    }),
  );
  expect(answers[0]).toMatchObject({ status: 200, encoding: "br" });
  expect(answers).toEqual(answers.map(() => answers[0]));
  expect((await usedTicks()) - start - ofOne).toBeLessThan(10 * ofOne);

  const huge = await ask(loud.project, "/huge.txt", br);
  expect(huge.headers["content-encoding"]).toBeUndefined();
  expect((await buffer(huge)).length).toBe(FILE_BYTES);
}, 120_000);
