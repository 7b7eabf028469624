import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { createFold } from "#features/visitors/index/fold.ts";
import { currentSecret } from "#features/visitors/secrets.ts";
import { loadConfig } from "#app/instance/config.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { startServer } from "#main.ts";
import { openStoreVault } from "#app/instance/store-vault.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { aView } from "#testing/views.ts";
import { runDocent } from "#test/support/commands.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { ENGINES } from "#testing/databases.ts";

const start = async (
  instance: TestInstance,
  environment: Record<string, string> = {},
  adopt = false,
  logger = silentLogger,
) => {
  const config = loadConfig({ data: instance.data, port: 0 }, { ...instance.environment, ...environment });
  return startServer(config, { logger, adopt });
};
const startAndStop = async (...given: Parameters<typeof start>) => (await start(...given))[Symbol.asyncDispose]();
const keyFile = (instance: TestInstance) => path.join(instance.data, "secrets.key");

/** Counts one reader, with the key of the store. */
async function countReader(instance: TestInstance): Promise<number> {
  const config = loadConfig({ data: instance.data }, instance.environment);
  const { database, project } = instance;
  const vault = await openStoreVault({ database, config, logger: silentLogger });
  const fold = createFold({ database, classify: createClassifier(), clock: systemClock, vault });
  await fold.fold([aView(project.id, { time: Date.now(), address: "192.0.2.77" })]);
  const query = { projectId: project.id, from: null, to: null, limit: 1, offset: 0 };
  return (await queryVisitors({ database }, query)).totals.total;
}

/** Puts a store back to what the version before sealed secrets left, with a visitor secret in clear. */
async function downgrade({ database, project }: TestInstance, clear: string): Promise<void> {
  const { kysely } = database;
  await sql`drop table session`.execute(kysely);
  await sql`alter table instance_value rename to instance_secret`.execute(kysely);
  await sql`alter table visitor_secret rename column sealed to secret`.execute(kysely);
  await sql`delete from kysely_migration where name = '0005-sealed-secrets'`.execute(kysely);
  await sql`insert into instance_secret (name, value) values ('session', ${clear})`.execute(kysely);
  await sql`insert into visitor_secret (project_id, epoch, secret, created_at)
    values (${project.id}, 1, ${clear}, ${Date.now()})`.execute(kysely);
}

/** Leaves a text in unused space of SQLite's file, as a version before secure deletion did. */
async function leaveInUnusedSpace({ database }: TestInstance, text: string): Promise<void> {
  database.sqlite?.exec("pragma secure_delete = off");
  const value = text.repeat(100);
  const names = Array.from({ length: 100 }, (_, index) => `left ${index}`);
  await database.kysely
    .insertInto("instance_value")
    .values(names.map((name) => ({ name, value })))
    .execute();
  await database.kysely.deleteFrom("instance_value").where("name", "in", names).execute();
}

async function bytesOf({ data }: TestInstance): Promise<string> {
  const names = (await readdir(data)).filter((name) => name.startsWith("docent.sqlite"));
  return (await Promise.all(names.map((name) => readFile(path.join(data, name), "latin1")))).join("\n");
}

describe.each(ENGINES)("the secrets of a store on %s", (engine) => {
  it("are sealed by an upgrade, and every reader stays the same visitor", async () => {
    await using instance = await createTestInstance(engine, { "index.md": "# Start\n" });
    const { database, project } = instance;
    const [clear, replaced] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
    await leaveInUnusedSpace(instance, replaced);
    await downgrade(instance, clear);
    expect(engine === "postgres" || (await bytesOf(instance)).includes(replaced)).toBe(true);
    await startAndStop(instance);
    const row = await database.kysely.selectFrom("visitor_secret").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ project_id: project.id, epoch: 1, sealed: expect.stringMatching(/^v1\./) as string });
    expect(await countReader(instance)).toBe(1);
    const config = loadConfig({ data: instance.data }, instance.environment);
    const vault = await openStoreVault({ database, config, logger: silentLogger });
    const options = { now: Date.now(), retentionDays: 396 };
    const { epoch, secret } = await currentSecret({ queryable: database.kysely, vault }, project.id, options);
    expect([epoch, secret.export().toString("base64")]).toEqual([1, clear]);
    if (engine === "postgres") return;
    const bytes = await bytesOf(instance);
    expect(bytes).toContain(row.sealed);
    for (const secret of [clear, replaced]) expect(bytes.includes(secret)).toBe(false);
  });

  it("cannot be opened without the key: a server without it or with another one says what to restore", async () => {
    await using instance = await createTestInstance(engine, { "index.md": "# Start\n" });
    await startAndStop(instance);
    await countReader(instance);
    await rename(keyFile(instance), `${keyFile(instance)}.kept`);
    await expect(startAndStop(instance)).rejects.toThrow(`is missing. Restore ${keyFile(instance)} from a backup`);
    expect(await readdir(instance.data)).not.toContain("secrets.key");
    await writeFile(keyFile(instance), randomBytes(32).toString("base64"), { mode: 0o600 });
    await expect(startAndStop(instance)).rejects.toThrow("encrypted with another key");
    const other = randomBytes(32).toString("base64");
    await expect(startAndStop(instance, { DOCENT_SECRET_KEY: other })).rejects.toThrow("encrypted with another key");
    const right = (await readFile(`${keyFile(instance)}.kept`, "utf8")).trim();
    await startAndStop(instance, { DOCENT_SECRET_KEY: right }); // another node, which has it from elsewhere
    await rename(`${keyFile(instance)}.kept`, keyFile(instance));
    await startAndStop(instance);
  });

  it("can be discarded on purpose: then each reader is a new visitor", async () => {
    await using instance = await createTestInstance(engine, { "index.md": "# Start\n" });
    await startAndStop(instance);
    expect(await countReader(instance)).toBe(1);
    await rm(keyFile(instance));
    await startAndStop(instance, {}, true);
    expect(await countReader(instance)).toBe(2);
    await startAndStop(instance);
  });

  it("are named by kind with what to do after they were discarded", async () => {
    await using instance = await createTestInstance(engine, { "index.md": "# Start\n" });
    const { database, data, environment } = instance;
    await startAndStop(instance);
    const vault = await openStoreVault({ database, config: loadConfig({ data }, environment), logger: silentLogger });
    const settings = JSON.stringify({ sealedKeys: { OWN: vault.seal(new Secret("sk-own"), "x") } });
    await database.kysely.updateTable("project").set({ settings }).execute();
    await rm(keyFile(instance));
    const lines: { msg: string }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as { msg: string });
    await startAndStop(instance, {}, true, pino({ level: "warn" }, { write }));
    expect(lines.filter(({ msg }) => msg.startsWith("--adopt"))).toMatchObject([
      {
        newKey: expect.stringContaining("secrets.key was created") as unknown,
        unreadable: [
          {
            what: "key of a model provider",
            count: 1,
            advice: "enter it again on the page Models of the project",
          },
        ],
      },
    ]);
  });

  it("of a version without a key check are not mistaken for an empty store", async () => {
    await using instance = await createTestInstance(engine, { "index.md": "# Start\n" });
    const config = loadConfig({ data: instance.data }, instance.environment);
    const { database } = instance;
    const vault = await openStoreVault({ database, config, logger: silentLogger });
    const settings = JSON.stringify({ sealedKeys: { OWN: vault.seal(new Secret("sk-own"), "x") } });
    await database.kysely.updateTable("project").set({ settings }).execute();
    await database.kysely.deleteFrom("instance_value").execute();
    await rm(path.join(instance.data, "instance-id"), { force: true });
    await rename(keyFile(instance), `${keyFile(instance)}.kept`);
    await expect(startAndStop(instance)).rejects.toThrow("is missing");
    await writeFile(keyFile(instance), randomBytes(32).toString("base64"), { mode: 0o600 });
    await expect(startAndStop(instance)).rejects.toThrow("encrypted with another key");
    await rename(`${keyFile(instance)}.kept`, keyFile(instance));
    await startAndStop(instance);
  });
});

it("a copy of the database cannot be used to sign in, to create keys or to serve", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  await startAndStop(instance);
  await countReader(instance);
  await using directory = await createTestDirectory();
  const copy = path.join(directory.path, "copy");
  await mkdir(copy);
  for (const name of await readdir(instance.data)) {
    if (/^docent[.]sqlite|^instance-id$/.test(name)) await cp(path.join(instance.data, name), path.join(copy, name));
  }
  const { exitCode, stderr } = await runDocent(["serve", "--port", "0", "--data", copy]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("The key that encrypts stored secrets is missing")]);
  // Whatever is stored, used as a session, lets nobody in.
  await using server = await start(instance);
  const form = new URLSearchParams({ key: instance.key, to: "/" });
  const signIn = await fetch(`${server.baseUrl}/sign-in`, { method: "POST", body: form, redirect: "manual" });
  const cookie = signIn.headers.get("set-cookie")!.split(";")[0]!;
  const status = async (value: string) =>
    (
      await fetch(`${server.baseUrl}/${instance.project.slug}/keys`, {
        headers: { cookie: value, accept: "text/html" },
        redirect: "manual",
      })
    ).status;
  expect(await status(cookie)).toBe(200);
  const { kysely } = instance.database;
  const rows: object[] = [
    ...(await kysely.selectFrom("session").selectAll().execute()),
    ...(await kysely.selectFrom("api_key").selectAll().execute()),
    ...(await kysely.selectFrom("instance_value").selectAll().execute()),
    ...(await kysely.selectFrom("visitor_secret").selectAll().execute()),
  ];
  const stored = rows.flatMap((row) => Object.values(row) as unknown[]).filter((value) => typeof value === "string");
  expect(stored.length).toBeGreaterThan(8);
  expect(stored.some((value) => value.includes(cookie.split("=")[1]!))).toBe(false);
  for (const value of stored) {
    expect(await status(`docent_session=${value}`)).toBe(303);
    if (!/^[\x21-\x7e]+$/.test(value)) continue;
    const headers = { authorization: `Bearer ${value}` };
    expect((await fetch(`${server.baseUrl}/v2/agent/${instance.project.id}/jobs`, { headers })).status).toBe(401);
  }
});
