import { describe, expect, it } from "vitest";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { newId } from "#lib/ids.ts";
import { authenticate, createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
import { countCall } from "./rate-limit.ts";
import { createSessions } from "./sessions.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2026-11-20T12:30:00Z");

describe.each(ENGINES)("accounts on %s", (engine) => {
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    const time = { now: START };
    const clock = { now: () => new Date(time.now) };
    const projectId = await insertTestProject(database);
    const deps = { database, clock, keysPerHour: 3 };
    const makeKey = (expiresInDays: number | null = null) =>
      createApiKey(deps, { projectId, name: " deploy ", expiresInDays });
    return { deps, time, projectId, makeKey, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  describe("an API key", () => {
    it("opens its project, and is stored as its hash and last characters alone", async () => {
      await using run = await start();
      const { deps, projectId } = run;
      const made = await run.makeKey();
      expect(made.key).toMatch(/^docent_[0-9A-Za-z]{38}$/);
      expect(await authenticate(deps, made.key)).toEqual({ projectId, keyId: made.id });
      const rows = await deps.database.kysely.selectFrom("api_key").selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(made.key.slice("docent_".length, -4));
      expect(await listApiKeys(deps, projectId)).toMatchObject([{ name: "deploy", hint: made.key.slice(-4) }]);
    });

    it("is made once of a request that has a name, and the repetition counts against no limit", async () => {
      await using run = await start();
      const ask = (name: string) =>
        createApiKey(run.deps, { projectId: run.projectId, name, expiresInDays: 7, once: newId("key") });
      await ask("other");
      const once = newId("key");
      const request = { projectId: run.projectId, name: "form", expiresInDays: 7, once };
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => createApiKey(run.deps, request)));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await expect(createApiKey(run.deps, request)).rejects.toMatchObject({ code: "conflict" });
      await createApiKey(run.deps, { ...request, expiresInDays: 30 });
      await expect(ask("a fourth")).rejects.toMatchObject({ code: "rate_limited" });
      expect((await listApiKeys(run.deps, run.projectId)).map(({ name }) => name).sort()).toEqual([
        "form",
        "form",
        "other",
      ]);
    });

    it("ends at its expiry, not before", async () => {
      await using run = await start();
      const { key } = await run.makeKey(7);
      run.time.now = START + 7 * DAY_MS - 1;
      expect(await authenticate(run.deps, key)).not.toBeNull();
      run.time.now = START + 7 * DAY_MS;
      expect(await authenticate(run.deps, key)).toBeNull();
    });

    it("ends at once when it is revoked, and keeps the first time", async () => {
      await using run = await start();
      const { key, id } = await run.makeKey();
      const first = await revokeApiKey(run.deps, id);
      run.time.now += HOUR_MS;
      expect((await revokeApiKey(run.deps, id)).revokedAt).toEqual(first.revokedAt);
      expect(await authenticate(run.deps, key)).toBeNull();
      await expect(revokeApiKey(run.deps, "key_nowhere")).rejects.toMatchObject({ code: "not_found" });
    });

    it("has its last use written down once a minute", async () => {
      await using run = await start();
      const { key } = await run.makeKey();
      const used = async () => (await listApiKeys(run.deps, run.projectId))[0]!.lastUsedAt?.getTime();
      await authenticate(run.deps, key);
      run.time.now += 30_000;
      await authenticate(run.deps, key);
      expect(await used()).toBe(START);
      run.time.now += 31_000;
      await authenticate(run.deps, key);
      expect(await used()).toBe(START + 61_000);
    });

    it("is made at most so often an hour, whatever is asked at once", async () => {
      await using run = await start();
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => run.makeKey()));
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(3);
      expect(await listApiKeys(run.deps, run.projectId)).toHaveLength(3);
      run.time.now += HOUR_MS;
      await run.makeKey();
    });

    it.each([
      ["", 7, "name"],
      ["x".repeat(101), 7, "name"],
      ["deploy", 8, "7, 30, 60 or 90"],
      ["deploy", 0, "7, 30, 60 or 90"],
    ])("named %j for %i days is refused", async (name, expiresInDays, words) => {
      await using run = await start();
      const failing = createApiKey(run.deps, { projectId: run.projectId, name, expiresInDays });
      await expect(failing).rejects.toThrow(words);
    });
  });

  describe("the rate limit", () => {
    it("counts in full hours, each kind of call on its own", async () => {
      await using run = await start();
      const { database } = run.deps;
      const count = (bucket: "agent" | "analytics") =>
        countCall(database.kysely, { projectId: run.projectId, bucket, limit: 2, now: new Date(run.time.now) });
      expect(await count("agent")).toEqual({ limit: 2, remaining: 1, resetSeconds: 1_800 });
      expect(await count("agent")).toMatchObject({ remaining: 0 });
      await expect(count("agent")).rejects.toMatchObject({
        code: "rate_limited",
        retryAfterSeconds: 1_800,
        headers: { "RateLimit-Limit": "2", "RateLimit-Remaining": "0", "RateLimit-Reset": "1800" },
      });
      expect(await count("analytics")).toMatchObject({ remaining: 1 });
      run.time.now += 30 * 60_000;
      expect(await count("agent")).toEqual({ limit: 2, remaining: 1, resetSeconds: 3_600 });
    });

    it("lets exactly as many calls pass as it says, however concurrent", async () => {
      await using run = await start();
      const call = { projectId: run.projectId, bucket: "agent" as const, limit: 5, now: new Date(START) };
      const { database } = run.deps;
      const calls = Array.from({ length: 40 }, () => database.transaction((one) => countCall(one, call)));
      const results = await Promise.allSettled(calls);
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(5);
    });
  });

  describe("a session", () => {
    const cookieOf = (value: string) => `other=1; docent_session=${value}; last=2`;

    it("is what its key is, in every process of the instance, for twelve hours", async () => {
      await using run = await start();
      const { id: keyId } = await run.makeKey();
      const { cookie } = (await createSessions(run.deps)).create({ projectId: run.projectId, keyId });
      const elsewhere = await createSessions(run.deps);
      expect(await elsewhere.read(cookieOf(cookie))).toMatchObject({ projectId: run.projectId, keyId });
      run.time.now += 12 * HOUR_MS;
      expect(await elsewhere.read(cookieOf(cookie))).toBeNull();
    });

    it("ends with its key", async () => {
      await using run = await start();
      const { id: keyId } = await run.makeKey();
      const sessions = await createSessions(run.deps);
      const { cookie } = sessions.create({ projectId: run.projectId, keyId });
      await revokeApiKey(run.deps, keyId);
      expect(await sessions.read(cookieOf(cookie))).toBeNull();
    });

    it("cannot be made up or stretched", async () => {
      await using run = await start();
      const { id: keyId } = await run.makeKey();
      const sessions = await createSessions(run.deps);
      const { cookie } = sessions.create({ projectId: run.projectId, keyId });
      const [project, key, expiry, signature] = cookie.split(".");
      const { csrfToken } = (await sessions.read(cookieOf(cookie)))!;
      const forged = [
        `${project}.${key}.${Number(expiry) + 1}.${signature}`,
        `prj_other.${key}.${expiry}.${signature}`,
        `${project}.${key}.${expiry}.${csrfToken}`,
        `${project}.${key}.${expiry}.`,
        `${project}.${key}.${expiry}`,
        "....",
        "",
      ];
      expect(await Promise.all(forged.map((value) => sessions.read(cookieOf(value))))).toEqual(forged.map(() => null));
      expect(await sessions.read(null)).toBeNull();
    });
  });
});
