import { testVault } from "#testing/vault.ts";
import type { KyselyPlugin } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { startClaimWatch } from "./claim-watch.ts";
import { claimJob } from "#features/jobs/queue/queue.ts";
import { createJob } from "#features/jobs/requests/submit.ts";

const redact = (text: string) => text;
const CLOCK = { now: () => new Date() };
const LEASE_MS = 6_000;

// The test controls the time of the watch; the databases keep their own time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe.each(ENGINES)("the watch over a worker's claims on %s", (engine) => {
  it("extends all leases together after each third of their duration, and only reads in between", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const deps = {
      database,
      clock: CLOCK,
      redact,
      vault: testVault,
      redactFor: async () => redact,
      agentCallsPerHour: 100,
    };
    const projectId = await insertTestProject(database);
    const request = { projectId, model: "docent/builtin-rules", baseRef: "main", draft: false, title: null };
    const statements: string[] = [];
    await using watch = startClaimWatch(
      { database: recorded(database, statements), clock: CLOCK, logger: silentLogger },
      { leaseMs: LEASE_MS },
    );
    using watched = new DisposableStack();
    for (let index = 0; index < 3; index++) {
      await createJob(deps, { ...request, prompt: "One." }, null);
      const claim = await claimJob(deps, { owner: "me", leaseMs: LEASE_MS });
      watched.use(watch.watch(claim!, new AbortController()));
    }
    const leases = async () => {
      const rows = await database.kysely.selectFrom("job").select("lease_until").execute();
      return new Set(rows.map((row) => row.lease_until));
    };

    for (let second = 1; second <= 6; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      await expect.poll(() => statements.length).toBe(second);
      expect((await leases()).size).toBe(1);
    }
    expect(statements).toEqual(["update", "select", "update", "select", "update", "select"]);

    watched.dispose();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statements).toHaveLength(6);
  });

  it("extends the leases of a starved process before the process claims its own job again", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const deps = {
      database,
      clock: CLOCK,
      vault: testVault,
      redact,
      redactFor: async () => redact,
      agentCallsPerHour: 100,
    };
    const projectId = await insertTestProject(database);
    const request = { projectId, model: "docent/builtin-rules", baseRef: "main", draft: false, title: null };
    await using watch = startClaimWatch({ database, clock: CLOCK, logger: silentLogger }, { leaseMs: LEASE_MS });
    await createJob(deps, { ...request, prompt: "One." }, null);
    const claim = (await claimJob(deps, { owner: "me", leaseMs: LEASE_MS }))!;
    const controller = new AbortController();
    using _watched = watch.watch(claim, controller);
    await database.kysely.updateTable("job").set({ lease_until: 1 }).execute();
    await watch.extendDue();
    expect(await claimJob(deps, { owner: "me", leaseMs: LEASE_MS })).toBeNull();
    expect(controller.signal.aborted).toBe(false);
  });
});

/**
 * The same database, which records the kind of each statement after it has run. It receives no notifications: PostgreSQL may
 * deliver the one for a new job at any time, which would cause an additional read.
 */
function recorded(database: Database, statements: string[]): Database {
  const kinds = new WeakMap<object, string>();
  const plugin: KyselyPlugin = {
    transformQuery: ({ queryId, node }) => {
      kinds.set(queryId, node.kind.replace("QueryNode", "").toLowerCase());
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      statements.push(kinds.get(queryId) ?? "unknown");
      return result;
    },
  };
  const wakeUp = { ...database.wakeUp, subscribe: () => () => {} };
  return { ...database, wakeUp, kysely: database.kysely.withPlugin(plugin) };
}
