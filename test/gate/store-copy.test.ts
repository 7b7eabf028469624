import { existsSync, readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { claimCopyLock } from "#app/instance/server-lock.ts";
import { notePlaceOfRepositories } from "#app/instance/store.ts";
import { openDatabase } from "#db/database.ts";
import { beginCopy } from "#db/unfinished-copy.ts";
import { setRole } from "#features/accounts/members.ts";
import { addPerson } from "#features/accounts/people.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { RunningServer } from "#main.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { userAgents } from "#testing/views.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { serveInstance } from "#test/support/server.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };

/** Of every server here, whatever its port. */
const ADDRESS = { DOCENT_BASE_URL: "https://docs.example.com", DOCENT_SITE_DOMAIN: "docs.example.com" };

const made = new AsyncDisposableStack();
let instance: TestInstance;
let postgres: TestDatabase;
let instanceKey: string;
let shown: string;
let journey: Awaited<ReturnType<typeof move>>;

beforeAll(async () => {
  instance = made.use(await createTestInstance("sqlite", { "index.md": "# Start\n\nAll about ships.\n" }, ADDRESS));
  postgres = made.use(await createTestDatabase());
  const { database, project } = instance;
  const deps = { database, clock: systemClock, keysPerHour: 100 };
  instanceKey = (await createApiKey(deps, { projectId: null, name: "all", expiresInDays: null })).key;
  const at = systemClock.now();
  const ada = { name: "Ada Writer", email: "ada@example.com", isOwner: false, passwordHash: null, at };
  const { id } = await database.transaction((transaction) => addPerson(transaction, ada));
  await setRole(deps, { projectId: project.id, personId: id, role: "editor" });
  shown = postgres.url.replace(/:[0-9a-f]{32}@/, "@");
  journey = await move();
});
afterAll(() => made.disposeAsync());

const copy = (to: string, ...options: string[]) => ["store", "copy", "--data", instance.data, "--to", to, ...options];

const local = ({ port }: RunningServer) => `http://127.0.0.1:${port}`;

async function ask(server: RunningServer, address: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${local(server)}${address}`, {
    headers: { authorization: `Bearer ${instanceKey}`, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** A job, a webhook, an automation, views and a deployment; answers with their ids by the word before them in addresses. */
async function work(server: RunningServer): Promise<Record<string, string>> {
  const { id: project } = instance.project;
  const json = async <T>(address: string, body?: object): Promise<T> => {
    const { status, text } = await ask(server, address, body);
    if (status >= 300) throw new Error(`${address} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  };
  const create = async (address: string, body: object) =>
    (await json<{ id: string }>(`/v2/agent/${project}${address}`, body)).id;
  const job = await create("/job", { prompt: 'Replace "ships" with "boats".' });
  expect((await waitForJob(local(server), instance, job)).status).toBe("completed");
  const webhooks = await create("/webhooks", { url: "https://example.com/hook", events: ["job.archived"] });
  const automations = await create("/automations", {
    name: "Yearly",
    prompt: "Fix broken links.",
    trigger: { kind: "schedule", cron: "0 3 1 1 *", timeZone: "UTC" },
  });
  const views = [1, 2, 3].map((number) => ({
    event_id: `e${number}`,
    path: "/",
    address: `192.0.2.${number}`,
    userAgent: userAgents.chrome,
  }));
  const analytics = `/v1/analytics/${project}/views`;
  await json(analytics, { views });
  const counted = async () => (await json<{ totals: { total: number } }>(analytics)).totals.total;
  await vi.waitFor(async () => expect(await counted()).toBe(3), PATIENCE);
  const reported = async () => {
    const address = `/v2/project/${project}/deployments`;
    const { deployments } = await json<{ deployments: { id: string; warnings: number | null }[] }>(address);
    return deployments.find(({ warnings }) => warnings !== null)?.id;
  };
  const deployments = await vi.waitFor(async () => {
    const id = await reported();
    expect(id).toBeDefined();
    return id!;
  }, PATIENCE);
  return { job, webhooks, automations, deployments };
}

const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, { get?: unknown }>;
};
/** Endless, of the process, or of what this instance does not have. */
const NOT_ASKED = /\/stream$|\/logs$|\/sources\/\{id\}|\{statusId\}/;

/** What every documented GET answers, without the moments at which keys were used. */
async function answers(server: RunningServer, ids: Record<string, string>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [template, { get }] of Object.entries(document.paths)) {
    if (get === undefined || NOT_ASKED.test(template)) continue;
    const address = template
      .replace("{projectId}", instance.project.id)
      .replace(/(\w+)\/\{id\}/, (_, word: string) => `${word}/${ids[word]}`);
    const { status, text } = await ask(server, address);
    const lasting = text.replaceAll(/"lastUsedAt":"[^"]+"/g, '"lastUsedAt":null');
    found[template] = status === 200 ? `200 ${lasting}` : String(status); // other answers name their request
  }
  return found;
}

const docent = (args: readonly string[], environment = instance.environment) => runDocent(args, { environment });

async function serving<T>(environment: Record<string, string>, use: (server: RunningServer) => Promise<T>): Promise<T> {
  await using server = await serveInstance({ data: instance.data, environment });
  return await use(server);
}

/** An instance goes to PostgreSQL and back, as an operator would do it. */
async function move() {
  const file = path.join(instance.data, "docent.sqlite");
  const served = await serving(instance.environment, async (server) => {
    const ids = await work(server);
    const rehearsal = await docent(copy(postgres.url, "--dry-run"));
    return { ids, before: await answers(server, ids), rehearsal, refused: await docent(copy(postgres.url)) };
  });
  const { ids } = served;
  const there = await docent(copy(postgres.url));
  const without = await docent(["projects", "list", "--data", instance.data]);
  await rename(`${file}.moved`, file);
  const again = await docent(copy(postgres.url));
  const onPostgres = { ...instance.environment, DATABASE_URL: postgres.url };
  const moved = await serving(onPostgres, async (server) => {
    const after = await answers(server, ids);
    const { body } = await callApi(local(server), instance, {
      path: `/job/${ids["job"]}/message`,
      body: { prompt: 'Replace "boats" with "ferries".' },
    });
    const continued = await waitForJob(local(server), instance, body.id);
    return {
      after,
      continued,
      last: await answers(server, ids),
      refused: await docent(copy(instance.data), onPostgres),
    };
  });
  const inTheWay = await docent(copy(instance.data), onPostgres);
  for (const end of ["", "-wal", "-shm"]) if (existsSync(file + end)) await rename(file + end, `${file}.old${end}`);
  const back = await docent(copy(instance.data), onPostgres);
  const returned = await serving(instance.environment, (server) => answers(server, ids));
  return { served, there, without, again, moved, inTheWay, back, returned };
}

const saying = (exitCode: number, words: string) => ({ exitCode, stderr: expect.stringContaining(words) as string });

it("answers every request as before on PostgreSQL", () => {
  expect(Object.values(journey.served.before).filter((answer) => answer.startsWith("200 ")).length).toBeGreaterThan(30);
  expect(journey.there).toMatchObject({ exitCode: 0 });
  expect(journey.moved.after).toEqual(journey.served.before);
});

it("answers every request as before on SQLite again", () => {
  expect(journey.back).toMatchObject(saying(0, "Remove DATABASE_URL"));
  expect(journey.returned).toEqual(journey.moved.last);
});

it("continues a job on PostgreSQL that began on SQLite, in the same pull request", () => {
  expect(journey.moved.continued).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  expect(journey.moved.last["/v2/agent/{projectId}/job/{id}/diff"]).toContain("+All about ferries.");
});

it("rehearses beside a running server", () => {
  expect(journey.served.rehearsal).toMatchObject(saying(0, `Nothing is in the way of a copy to ${shown}.`));
  expect(journey.served.rehearsal.stdout).toMatch(/^job_event +\d+ +[\d.]+ kB$/m);
});

it("says what to set next, without the password", () => {
  expect(journey.there).toMatchObject(saying(0, `Set DATABASE_URL=${shown} for the server`));
  expect(journey.there.stdout).toContain(`to ${shown}. Counts and checksums of all tables agree.`);
});

it("refuses while a server runs, on either engine", () => {
  expect(journey.served.refused).toMatchObject(saying(1, "Stop the server first"));
  expect(journey.moved.refused).toMatchObject(saying(1, "Stop the server first"));
});

it("leaves no database for a command that lacks DATABASE_URL", () => {
  expect(journey.without.exitCode).toBe(1);
});

it("refuses a target that is not empty, on either engine", () => {
  expect(journey.again).toMatchObject(saying(1, `${shown} is not empty: it has the tables`));
  expect(journey.inTheWay).toMatchObject(saying(1, "docent.sqlite is there already"));
});

it("does not start a server on an unfinished copy, which the same command finishes", async () => {
  await using target = await createTestDatabase();
  const location = { engine: "postgres", url: new Secret(target.url) } as const;
  {
    await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
    await beginCopy(database.kysely, readFileSync(path.join(instance.data, "instance-id"), "utf8").trim());
  }
  const onTarget = { ...instance.environment, DATABASE_URL: target.url };
  const refused = await docent(["serve", "--port", "0", "--data", instance.data, "--adopt"], onTarget);
  expect(refused).toMatchObject(saying(1, "unfinished copy"));
  expect(await docent(copy(target.url))).toMatchObject({ exitCode: 0 });
  await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
  const { rows } = await sql<{ slug: string }>`select slug from project`.execute(database.kysely);
  expect(rows).toEqual([{ slug: instance.project.slug }]);
});

it("finishes a copy that was killed after the database was renamed, and no server starts before that", async () => {
  await using target = await createTestDatabase();
  const location = { engine: "postgres", url: new Secret(target.url) } as const;
  const file = path.join(instance.data, "docent.sqlite");
  if (!existsSync(file)) await rename(`${file}.moved`, file);
  expect(await docent(copy(target.url))).toMatchObject({ exitCode: 0 });
  {
    await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
    await beginCopy(database.kysely, readFileSync(path.join(instance.data, "instance-id"), "utf8").trim());
  }
  const refused = await docent(["serve", "--port", "0", "--data", instance.data]);
  expect(refused).toMatchObject(saying(1, "If `docent store copy` was interrupted, run the same command again."));
  const rehearsed = await docent(copy(target.url, "--dry-run"));
  expect(rehearsed).toMatchObject(saying(1, "Run the command without --dry-run to finish it."));
  expect(existsSync(file)).toBe(false);
  expect(await docent(copy(target.url))).toMatchObject({ exitCode: 0 });
  expect(existsSync(file)).toBe(false);
  const onTarget = { ...instance.environment, DATABASE_URL: target.url };
  expect(await docent(["projects", "list", "--data", instance.data], onTarget)).toMatchObject({ exitCode: 0 });
});

it("does not continue the unfinished copy of another instance, and none that servers are connected to", async () => {
  await using target = await createTestDatabase();
  const location = { engine: "postgres", url: new Secret(target.url) } as const;
  const file = path.join(instance.data, "docent.sqlite");
  if (!existsSync(file)) await rename(`${file}.moved`, file);
  {
    await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
    await beginCopy(database.kysely, "another instance");
    // As a server of another machine is.
    expect(await docent(copy(target.url))).toMatchObject(saying(1, "Stop all servers and commands that use it first"));
  }
  expect(await docent(copy(target.url))).toMatchObject(saying(1, "is an unfinished copy of another instance."));
});

it("lets no command write to the database while it is copied", async () => {
  const file = path.join(instance.data, "docent.sqlite");
  if (!existsSync(file)) await rename(`${file}.moved`, file);
  const list = ["projects", "list", "--data", instance.data];
  {
    using _ = claimCopyLock(instance.data);
    expect(await docent(list)).toMatchObject(saying(1, "`docent store copy` is copying the database"));
  }
  expect(await docent(list)).toMatchObject({ exitCode: 0 });
});

it("leaves an instance on PostgreSQL whose repositories are in the database", async () => {
  const location = { engine: "postgres", url: new Secret(postgres.url) } as const;
  {
    await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
    await notePlaceOfRepositories(database, "database");
  }
  const onPostgres = { ...instance.environment, DATABASE_URL: postgres.url };
  const refused = await docent(copy(path.join(instance.data, "..", "other")), onPostgres);
  expect(refused).toMatchObject(saying(1, "the instance stays on PostgreSQL"));
});
