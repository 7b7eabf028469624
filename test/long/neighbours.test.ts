import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import { commitFiles, createTestRepository, git } from "#testing/repositories.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { type RunningProcess, startProcess } from "#test/support/processes.ts";

// Two projects on one server. Whatever the clients and pages of the loud one do, the calm one is answered meanwhile.

const made = new AsyncDisposableStack();
let loud: TestInstance;
let calm: Project;
let calmKey: string;
let server: RunningProcess;

/** About a second of work each, and no two the same. */
const bomb = (number: number) => `# Bomb ${number}\n\n${"[^1]".repeat(200_000)}\n\n[^1]: x\n`;
const BOMBS = [1, 2, 3, 4, 5, 6];

beforeAll(async () => {
  const bombs = Object.fromEntries(BOMBS.map((number) => [`bomb-${number}.md`, bomb(number)]));
  loud = made.use(await createTestInstance("sqlite", { "index.md": "# Loud\n", ...bombs }));
  const source = made.use(
    await createTestRepository({
      "index.md": "# Calm\n",
      "first.md": "# First words\n",
      "second.md": "# Second words\n",
    }),
  );
  const deps = { database: loud.database, repoStore: loud.repoStore, clock: systemClock };
  calm = await createProject(deps, { name: "Calm docs", source: source.path, branch: null });
  const created = await createApiKey(
    { ...deps, keysPerHour: 100 },
    { projectId: calm.id, name: "calm", expiresInDays: 7 },
  );
  calmKey = created.key;
  server = await startProcess("test/support/crashing-server.ts", ["never", loud.data], loud.environment);
}, 120_000);
afterAll(async () => {
  await server.kill("SIGKILL");
  await made.disposeAsync();
});

const remote = (project: Project, key: string) =>
  `http://x:${key}@127.0.0.1:${server.started.port}/git/${project.slug}.git`;

function page(project: Project, path: string): Promise<{ status: number; body: string }> {
  const host = `${project.slug}.localhost:${server.started.port}`;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.started.port, path, headers: { host } }, (response) => {
      const status = response.statusCode ?? 0;
      text(response).then((body) => resolve({ status, body }), reject);
    });
    sent.once("error", reject);
    sent.end();
  });
}

interface SlowSocket extends Disposable {
  /** Bytes of the answer that were read so far. */
  readonly received: number;
  readonly isOver: boolean;
  /** The answer has begun. */
  readonly begun: Promise<void>;
}

/** A real connection that says `head` at once, then `drop` from time to time, and reads a byte as often. */
function slowly(head: string, drop: string): SlowSocket {
  const socket: Socket = connect(server.started.port, "127.0.0.1");
  let received = 0;
  let isOver = false;
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  for (const event of ["end", "close", "error"]) socket.once(event, () => (isOver = true));
  socket.pause();
  socket.write(head);
  const timer = setInterval(() => {
    if (drop !== "") socket.write(drop);
    if (socket.read(1) === null) return;
    received += 1;
    resolve();
  }, 50);
  return {
    begun,
    get received() {
      return received;
    },
    get isOver() {
      return isOver;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      socket.destroy();
    },
  };
}

it("eight clients that send a push and eight that read a clone a byte at a time stop no clone, push or page of another project", async () => {
  await using work = await createTestRepository({});
  await git(work.path, "fetch", "-q", remote(loud.project, loud.key), "main");
  await git(work.path, "checkout", "-q", "-B", "main", "FETCH_HEAD");
  // More than the sockets of both sides keep for a client that does not read.
  const tip = await commitFiles(work.path, { "big.bin": randomBytes(24_000_000) }, "Big");
  await git(work.path, "push", "-q", remote(loud.project, loud.key), "main");

  const line = (content: string) => (content.length + 4).toString(16).padStart(4, "0") + content;
  const headOf = (service: string, fields: string[]) =>
    [
      `POST /git/${loud.project.slug}.git/${service} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${loud.key}`,
      `Content-Type: application/x-${service}-request`,
      ...fields,
      "\r\n",
    ].join("\r\n");
  const fetchBody = `${line("command=fetch\n")}0001${line("no-progress\n")}${line(`want ${tip}\n`)}${line("done\n")}0000`;
  const fetchHead = headOf("git-upload-pack", ["Git-Protocol: version=2", `Content-Length: ${fetchBody.length}`]);
  using held = new DisposableStack();
  const up = Array.from({ length: 8 }, () =>
    held.use(slowly(headOf("git-receive-pack", ["Transfer-Encoding: chunked"]), "1\r\n0\r\n")),
  );
  const down = Array.from({ length: 8 }, () => held.use(slowly(fetchHead + fetchBody, "")));
  await Promise.all(down.map(({ begun }) => begun));

  await using other = await createTestRepository({});
  await git(other.path, "fetch", "-q", remote(calm, calmKey), "main");
  await git(other.path, "checkout", "-q", "-B", "main", "FETCH_HEAD");
  await commitFiles(other.path, { "third.md": "# Third words\n" }, "Third");
  await git(other.path, "push", "-q", remote(calm, calmKey), "main");
  await expect.poll(async () => (await page(calm, "/third")).body).toContain("Third words");
  expect((await page(calm, "/first")).body).toContain("First words");

  // All of that came to its end while these had not.
  expect(up.map(({ isOver, received }) => ({ isOver, received }))).toEqual(
    up.map(() => ({ isOver: false, received: 0 })),
  );
  expect(down.map(({ isOver }) => isOver)).toEqual(down.map(() => false));
}, 240_000);

it("six pages that take all the time they get hold up no page of another project", async () => {
  expect((await page(loud.project, "/")).body).toContain("Loud");
  expect((await page(calm, "/")).body).toContain("Calm");
  const order: string[] = [];
  const bombs = BOMBS.map(async (number) => {
    const { status } = await page(loud.project, `/bomb-${number}`);
    order.push("bomb");
    return status;
  });
  const answer = await page(calm, "/second"); // nobody asked for it before
  order.push("calm");
  expect(answer.body).toContain("Second words");
  const statuses = await Promise.all(bombs);
  // Two processes for each project and one for the others: in one queue for all it would come fifth at the earliest.
  expect(order.indexOf("calm")).toBeLessThan(4);
  for (const status of statuses) expect([200, 503]).toContain(status);
}, 240_000);
