import { describe, expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { findProject } from "#projects/projects.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { findJob } from "./jobs.ts";
import { type Claim, LostClaim } from "./queue.ts";
import { addMessage, createJob } from "./submit.ts";
import { commitStep } from "./turns.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

const redact = (text: string) => text;
const OPTIONS: WorkerOptions = { atOnce: 1, leaseMs: 60_000, maxAttempts: 1 };
const CLOCK = { now: () => new Date() };

describe.each(ENGINES)("a worker on %s", (engine) => {
  /** A store with a project, and a worker that carries turns out as the test says. */
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    const deps = { database, clock: CLOCK, redact, redactFor: async () => redact, agentCallsPerHour: 1_000 };
    const projectId = await insertTestProject(database);
    const request = { projectId, model: "docent/builtin-rules", baseRef: "main", draft: false, title: null };
    return {
      deps,
      projectId,
      create: async () => (await createJob(deps, { ...request, prompt: "One." }, null)).job,
      work: (runTurn: (turn: { claim: Claim; signal: AbortSignal }) => Promise<void>, options = OPTIONS) =>
        startWorker({ ...deps, logger: silentLogger, findProject: (id) => findProject(deps, id), runTurn }, options),
      read: async (jobId: Claim["jobId"]) => (await findJob(deps, { projectId, jobId }))!,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  }

  async function until(isDone: () => Promise<boolean> | boolean, timeoutMs = 10_000): Promise<void> {
    for (const begin = performance.now(); performance.now() - begin < timeoutMs;) {
      if (await isDone()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("it did not come to that");
  }

  it("counts every message that the given up turn was told as handled, and no other", async () => {
    await using run = await start();
    const job = await run.create();
    const name = { projectId: run.projectId, jobId: job.id };
    await addMessage(run.deps, { ...name, prompt: "Two." });
    await addMessage(run.deps, { ...name, prompt: "Three." });
    const turns: number[] = [];
    await using worker = run.work(async ({ claim }) => {
      const turn = claim.job.handledCount + 1;
      turns.push(turn);
      const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
      const step = { turn, step: 1, messages: [], tree: null, state: {}, usage, costMicroUsd: 0, events: [] };
      if (turn === 1) await commitStep(run.deps, claim, { ...step, deliveredSeq: 2 });
      throw new TypeError("broken");
    });
    await until(async () => (await run.read(job.id)).status !== "active");
    await worker.stop();
    expect(await run.read(job.id)).toMatchObject({ status: "failed", handledCount: 3, error: { code: "internal" } });
    expect(turns).toEqual([1, 3]);
  });

  /** A turn that goes on until it is ended from outside. */
  const untilEnded = ({ signal }: { signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      signal.throwIfAborted(); // it may have been, between the claim and the turn
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });

  it("writes leases at a third of their time, not every second, and for all its jobs together", async () => {
    await using run = await start();
    const { kysely } = run.deps.database;
    for (let index = 0; index < 3; index++) await run.create();
    await using worker = run.work(untilEnded, { ...OPTIONS, atOnce: 3, leaseMs: 6_000 });
    const seen = new Set<string>();
    let shortestMs = Infinity;
    for (const begin = performance.now(); performance.now() - begin < 5_500;) {
      const rows = await kysely.selectFrom("job").select("lease_until").orderBy("id").execute();
      if (rows.every((row) => row.lease_until !== null)) seen.add(rows.map((row) => row.lease_until).join());
      for (const row of rows) shortestMs = Math.min(shortestMs, (row.lease_until ?? Infinity) - Date.now());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await worker.stop();
    // The leases as they were taken, and then of all three at once: more would be a write for each.
    expect(shortestMs).toBeGreaterThan(1_000);
    expect(seen.size).toBeGreaterThanOrEqual(3);
    expect(seen.size).toBeLessThanOrEqual(5);
    const [last] = [...seen].slice(-1);
    expect(new Set(last!.split(",")).size).toBe(1);
  });

  it("ends a turn within two seconds of its cancellation, also when the signal is lost", async () => {
    await using run = await start();
    const job = await run.create();
    const other = await run.create();
    await using worker = run.work(untilEnded, { ...OPTIONS, atOnce: 2 });
    await until(async () =>
      (await run.deps.database.kysely.selectFrom("job").select("lease_owner").execute()).every(
        (row) => row.lease_owner !== null,
      ),
    );
    const begin = performance.now();
    await run.deps.database.kysely
      .updateTable("job")
      .set({ cancel_requested_at: Date.now() })
      .where("id", "=", job.id)
      .execute();
    await until(async () => (await run.read(job.id)).status !== "active");
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect((await run.read(job.id)).error?.code).toBe("cancelled");
    expect((await run.read(other.id)).status).toBe("active");
    await worker.stop();
  });

  it("ends a turn whose job another worker has", async () => {
    await using run = await start();
    const job = await run.create();
    const ended: unknown[] = [];
    await using worker = run.work((turn) => untilEnded(turn).catch((error: unknown) => void ended.push(error)));
    const { kysely } = run.deps.database;
    await until(async () => (await kysely.selectFrom("job").select("fence").executeTakeFirstOrThrow()).fence === 1);
    await kysely.updateTable("job").set({ fence: 2, lease_owner: "another" }).where("id", "=", job.id).execute();
    await until(() => ended.length > 0);
    expect(ended[0]).toBeInstanceOf(LostClaim);
    await worker.stop();
    expect(await kysely.selectFrom("job").select("lease_owner").executeTakeFirstOrThrow()).toEqual({
      lease_owner: "another",
    });
  });
});
