import { describe, expect, it } from "vitest";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { newId } from "#lib/ids.ts";
import { authenticate, createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
import { countCall } from "#kit/limits/rate-limit.ts";
import { createLastUse } from "./last-use.ts";
import { createSessions } from "./sessions.ts";
import { silentLogger } from "#lib/logger.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOME = "198.51.100.4";
const START = Date.parse("2026-11-20T12:30:00Z");

describe.each(ENGINES)("accounts on %s", (engine) => {
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    const time = { now: START };
    const clock = { now: () => new Date(time.now) };
    const projectId = await insertTestProject(database);
    const lastUse = createLastUse({ database, logger: silentLogger });
    const deps = { database, clock, keysPerHour: 3, lastUse, isSecure: () => false };
    const makeKey = (expiresInDays: number | null = null) =>
      createApiKey(deps, { projectId, name: " deploy ", expiresInDays });
    return {
      deps,
      time,
      projectId,
      makeKey,
      async [Symbol.asyncDispose]() {
        await lastUse[Symbol.asyncDispose]();
        await opened[Symbol.asyncDispose]();
      },
    };
  }

  describe("an API key", () => {
    it("opens its project; the store has only its hash and last characters", async () => {
      await using run = await start();
      const { deps, projectId } = run;
      const made = await run.makeKey();
      expect(made.key).toMatch(/^docent_[0-9A-Za-z]{38}$/);
      expect(await authenticate(deps, made.key, HOME)).toEqual({ projectId, keyId: made.id, scope: "admin" });
      const rows = await deps.database.kysely.selectFrom("api_key").selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(made.key.slice("docent_".length, -4));
      expect(await listApiKeys(deps, projectId)).toMatchObject([{ name: "deploy", hint: made.key.slice(-4) }]);
    });

    it("is created once per named request, and a repetition does not count against the limit", async () => {
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

    it("expires at its expiry time, not before", async () => {
      await using run = await start();
      const { key } = await run.makeKey(7);
      run.time.now = START + 7 * DAY_MS - 1;
      expect(await authenticate(run.deps, key, HOME)).not.toBeNull();
      run.time.now = START + 7 * DAY_MS;
      expect(await authenticate(run.deps, key, HOME)).toBeNull();
    });

    it("ends when it is revoked, and keeps the time of the first revocation", async () => {
      await using run = await start();
      const { key, id } = await run.makeKey();
      const first = await revokeApiKey(run.deps, id);
      run.time.now += HOUR_MS;
      expect((await revokeApiKey(run.deps, id)).revokedAt).toEqual(first.revokedAt);
      expect(await authenticate(run.deps, key, HOME)).toBeNull();
      await expect(revokeApiKey(run.deps, "key_nowhere")).rejects.toMatchObject({ code: "not_found" });
    });

    it("is looked up without a write: its last use is written later, and never moves backwards", async () => {
      await using run = await start();
      const { key } = await run.makeKey();
      const used = async () => (await listApiKeys(run.deps, run.projectId))[0]!.lastUsedAt?.getTime();
      await authenticate(run.deps, key, HOME);
      expect(await used()).toBeUndefined();
      await run.deps.lastUse.write();
      expect(await used()).toBe(START);
      run.time.now += 30_000;
      await authenticate(run.deps, key, HOME);
      run.time.now -= 60_000; // another node, whose clock is behind
      await authenticate(run.deps, key, HOME);
      await run.deps.lastUse.write();
      expect(await used()).toBe(START + 30_000);
      await authenticate(run.deps, key, HOME);
      await run.deps.lastUse.write();
      expect(await used()).toBe(START + 30_000);
    });

    it("has its last use written when the server stops; a failed write is retried", async () => {
      await using run = await start();
      const { key, id } = await run.makeKey();
      await using elsewhere = createLastUse({
        database: {
          ...run.deps.database,
          transaction: () => Promise.reject(new Error("database or disk is full")),
        },
        logger: silentLogger,
      });
      elsewhere.keyUsed(id, new Date(START));
      await expect(elsewhere.write()).rejects.toThrow("full");
      await authenticate(run.deps, key, HOME);
      await run.deps.lastUse[Symbol.asyncDispose]();
      expect((await listApiKeys(run.deps, run.projectId))[0]!.lastUsedAt?.getTime()).toBe(START);
    });

    it("is limited per hour, also for concurrent requests", async () => {
      await using run = await start();
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => run.makeKey()));
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(3);
      expect(await listApiKeys(run.deps, run.projectId)).toHaveLength(3);
      run.time.now += HOUR_MS + 60_000;
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
    it("counts each kind of call separately, and says when the next one is admitted", async () => {
      await using run = await start();
      const { database } = run.deps;
      const count = (bucket: "agent" | "analytics") =>
        countCall(database.kysely, { projectId: run.projectId, bucket, limit: 2, now: new Date(run.time.now) });
      expect(await count("agent")).toEqual({ limit: 2, remaining: 1, resetSeconds: 3_660 });
      expect(await count("agent")).toMatchObject({ remaining: 0 });
      await expect(count("agent")).rejects.toMatchObject({
        code: "rate_limited",
        retryAfterSeconds: 3_660,
        headers: { "RateLimit-Limit": "2", "RateLimit-Remaining": "0", "RateLimit-Reset": "3660" },
      });
      expect(await count("analytics")).toMatchObject({ remaining: 1 });
      run.time.now += 61 * 60_000;
      expect(await count("agent")).toEqual({ limit: 2, remaining: 1, resetSeconds: 3_660 });
    });

    it("of agent calls does not count created keys", async () => {
      await using run = await start();
      for (let count = 0; count < 3; count++) await run.makeKey();
      const { database } = run.deps;
      const call = { projectId: run.projectId, bucket: "agent" as const, limit: 1, now: new Date(START) };
      expect(await countCall(database.kysely, call)).toMatchObject({ remaining: 0 });
    });

    it("admits exactly the configured number of calls, also concurrently", async () => {
      await using run = await start();
      const call = { projectId: run.projectId, bucket: "agent" as const, limit: 5, now: new Date(START) };
      const { database } = run.deps;
      const calls = Array.from({ length: 40 }, () => database.transaction((one) => countCall(one, call)));
      const results = await Promise.allSettled(calls);
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(5);
    });
  });

  describe("a session", () => {
    const begin = async (run: Awaited<ReturnType<typeof start>>) => {
      const { id: keyId } = await run.makeKey(7);
      const sessions = createSessions(run.deps);
      const setCookie = await sessions.create({ projectId: run.projectId, keyId });
      return { keyId, sessions, cookie: `other=1; ${setCookie.split(";")[0]}; last=2` };
    };

    it("has the permissions of its key, in every process of the instance, for twelve hours", async () => {
      await using run = await start();
      const { keyId, cookie } = await begin(run);
      const elsewhere = createSessions(run.deps);
      run.time.now += 12 * HOUR_MS - 1;
      expect(await elsewhere.read(cookie, HOME)).toMatchObject({ projectId: run.projectId, keyId });
      run.time.now += 1;
      expect(await elsewhere.read(cookie, HOME)).toBeNull();
    });

    it("ends in every process at sign-out, without affecting others", async () => {
      await using run = await start();
      const first = await begin(run);
      const second = await begin(run);
      const elsewhere = createSessions(run.deps);
      expect(await first.sessions.end(first.cookie)).toMatch(/^docent_session=; Path=\/; Max-Age=0/);
      expect(await elsewhere.read(first.cookie, HOME)).toBeNull();
      expect(await elsewhere.read(second.cookie, HOME)).not.toBeNull();
    });

    it("ends when its key is revoked or expires", async () => {
      await using run = await start();
      const revoked = await begin(run);
      await revokeApiKey(run.deps, revoked.keyId);
      expect(await revoked.sessions.read(revoked.cookie, HOME)).toBeNull();
      const { id: keyId } = await run.makeKey(7);
      run.time.now += 7 * DAY_MS - HOUR_MS;
      const sessions = createSessions(run.deps);
      const cookie = (await sessions.create({ projectId: run.projectId, keyId })).split(";")[0]!;
      expect(await sessions.read(cookie, HOME)).not.toBeNull();
      run.time.now += HOUR_MS;
      expect(await sessions.read(cookie, HOME)).toBeNull();
    });

    it("is invalid if it starts while its key is revoked", async () => {
      await using run = await start();
      const { id: keyId } = await run.makeKey(7);
      const sessions = createSessions(run.deps);
      await revokeApiKey(run.deps, keyId); // between the check of the key and the new session
      const cookie = (await sessions.create({ projectId: run.projectId, keyId })).split(";")[0]!;
      expect(await sessions.read(cookie, HOME)).toBeNull();
    });

    it("expires when the clock is corrected if it started with a clock that was years ahead", async () => {
      await using run = await start();
      const right = run.time.now;
      run.time.now += 1_100 * DAY_MS;
      const { cookie, sessions } = await begin(run);
      expect(await sessions.read(cookie, HOME)).not.toBeNull();
      run.time.now = right;
      expect(await sessions.read(cookie, HOME)).toBeNull();
    });

    it("cannot be forged from the contents of the database", async () => {
      await using run = await start();
      const { cookie, sessions } = await begin(run);
      const rows = await run.deps.database.kysely.selectFrom("session").selectAll().execute();
      expect(rows).toHaveLength(1);
      const { hash } = rows[0]!;
      expect(cookie).not.toContain(hash);
      const { csrfToken } = (await sessions.read(cookie, HOME))!;
      const inBase64 = Buffer.from(hash, "hex").toString("base64url");
      const forged = [hash, inBase64, csrfToken, "", "....", "a".repeat(43), `${"a".repeat(42)}\u00e9`];
      const read = forged.map((value) => sessions.read(`docent_session=${value}`, HOME));
      expect(await Promise.all(read)).toEqual(forged.map(() => null));
      expect(await sessions.read(null, HOME)).toBeNull();
    });

    it("uses a cookie on https that no other host of the domain can set, and no other cookie", async () => {
      await using run = await start();
      const { cookie: plain, keyId } = await begin(run);
      const secure = createSessions({ ...run.deps, isSecure: () => true });
      const setCookie = await secure.create({ projectId: run.projectId, keyId });
      expect(setCookie).toMatch(
        /^__Host-docent_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
      );
      const cookie = setCookie.split(";")[0]!;
      expect(await secure.read(cookie, HOME)).not.toBeNull();
      expect(await secure.read(plain, HOME)).toBeNull();
      expect(await secure.read(cookie.replace("__Host-", ""), HOME)).toBeNull();
      expect(await secure.read(`docent_session=x; ${cookie}`, HOME)).not.toBeNull();
    });

    it("has its own CSRF token per browser", async () => {
      await using run = await start();
      const first = await begin(run);
      const second = await begin(run);
      const tokens = [await first.sessions.read(first.cookie, HOME), await second.sessions.read(second.cookie, HOME)];
      expect(new Set(tokens.map((one) => one?.csrfToken)).size).toBe(2);
      expect(first.cookie).not.toContain(tokens[0]!.csrfToken);
    });

    it("is limited to fifty per key: the oldest ends", async () => {
      await using run = await start();
      const first = await begin(run);
      const cookies = [first.cookie];
      for (let count = 1; count < 51; count++) {
        run.time.now += 1;
        const setCookie = await first.sessions.create({ projectId: run.projectId, keyId: first.keyId });
        cookies.push(setCookie.split(";")[0]!);
      }
      const alive = await Promise.all(cookies.map((cookie) => first.sessions.read(cookie, HOME)));
      expect(alive.map((one) => one !== null)).toEqual([false, ...Array.from({ length: 50 }, () => true)]);
    });

    it("has its last use written later", async () => {
      await using run = await start();
      const { cookie, sessions } = await begin(run);
      run.time.now += HOUR_MS;
      await sessions.read(cookie, HOME);
      const seen = async () =>
        (await run.deps.database.kysely.selectFrom("session").select("last_seen_at").executeTakeFirstOrThrow())
          .last_seen_at;
      expect(await seen()).toBe(START);
      await run.deps.lastUse.write();
      expect(await seen()).toBe(START + HOUR_MS);
    });
  });
});
