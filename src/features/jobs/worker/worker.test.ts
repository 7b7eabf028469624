import { INITIAL_LOOP_STATE } from "#agent/loop-state.ts";
import { describe, expect, it, vi } from "vitest";
import type { Database } from "#db/database.ts";
import { RepositoryMissing } from "#git/process/repository-missing.ts";
import { GitError } from "#git/process/runner.ts";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import { findProject } from "#features/projects/projects.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { type Claim, LostClaim } from "#features/jobs/queue/queue.ts";
import { addMessage, createJob } from "#features/jobs/requests/submit.ts";
import { commitStep } from "#features/jobs/turn/turns.ts";
import { testVault } from "#testing/vault.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

const redact = (text: string) => text;
const OPTIONS: WorkerOptions = { atOnce: 1, leaseMs: 60_000, maxAttempts: 1 };
const CLOCK = { now: () => new Date() };

/** Ends the delay that was set for a job which waits, and wakes the worker up: it looks by itself once a second only. */
async function endDelay(database: Database, changed: object = {}): Promise<void> {
  await database.kysely
    .updateTable("job")
    .set({ run_after: 0, ...changed })
    .where("lease_owner", "is", null)
    .execute();
  database.wakeUp.notify("job");
}

describe.concurrent.each(ENGINES)("a worker on %s", (engine) => {
  /** A store with a project, and a worker that runs turns as the test defines. */
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    const deps = {
      database,
      clock: CLOCK,
      redact,
      vault: testVault,
      redactFor: async () => redact,
      agentCallsPerHour: 1_000,
    };
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

  async function until(isDone: () => Promise<boolean> | boolean): Promise<void> {
    await vi.waitUntil(isDone, { timeout: 60_000, interval: 20 });
  }

  it("releases a turn each time the machine is busy, and never gives it up for that", async () => {
    await using run = await start();
    const job = await run.create();
    const attempts: number[] = [];
    const worker = run.work(({ claim }) => {
      attempts.push(claim.attempt);
      return Promise.reject(new MachineBusy("The server is busy."));
    });
    for (let time = 1; time <= 3; time += 1) {
      await until(async () => {
        if (attempts.length >= time) return true;
        await endDelay(run.deps.database);
        return false;
      });
    }
    await worker.stop();
    expect(attempts.slice(0, 3)).toEqual([1, 1, 1]);
    expect(await run.read(job.id)).toMatchObject({ status: "active", handledCount: 0 });
  });

  it("runs jobs with which a worker died one at a time, so that none dies again because of another", async () => {
    await using run = await start();
    const died = [(await run.create()).id, (await run.create()).id];
    const { kysely } = run.deps.database;
    const deathsOf = (id: Claim["jobId"]) =>
      kysely.selectFrom("job").select("deaths").where("id", "=", id).executeTakeFirstOrThrow();
    await kysely.updateTable("job").set({ lease_owner: "dead", lease_until: 1 }).where("id", "in", died).execute();
    const sound = [(await run.create()).id, (await run.create()).id];
    const running = new Map<Claim["jobId"], PromiseWithResolvers<never>>();
    await using worker = run.work(
      async ({ claim, signal }) => {
        const turn = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => turn.reject(signal.reason as Error));
        running.set(claim.jobId, turn);
        await turn.promise.finally(() => running.delete(claim.jobId));
      },
      { ...OPTIONS, atOnce: 4 },
    );
    const suspects = () => died.filter((id) => running.has(id));
    await until(() => running.size === 3);
    expect([...running.keys()]).toEqual(expect.arrayContaining(sound));
    const [first] = suspects();
    running.get(first!)!.reject(new MachineBusy("It is given back, and waits for a while."));
    await until(() => running.size === 3 && !running.has(first!));
    expect(suspects()).toEqual(died.filter((id) => id !== first));
    // It was not claimed meanwhile.
    expect(await deathsOf(suspects()[0]!)).toEqual({ deaths: 1 });
    await worker.stop();
  });

  it("gives up a job whose workers died more often than allowed, and says how often", async () => {
    await using run = await start();
    const job = await run.create();
    const died = { lease_owner: "dead", lease_until: 1, deaths: 4 };
    await run.deps.database.kysely.updateTable("job").set(died).where("id", "=", job.id).execute();
    await using worker = run.work(() => Promise.reject(new Error("It is not to be run.")), {
      ...OPTIONS,
      maxDeaths: 4,
    });
    await until(async () => (await run.read(job.id)).status === "failed");
    await worker.stop();
    expect((await run.read(job.id)).error).toMatchObject({
      code: "worker_died",
      message: "The server ended 5 times at the same place of this turn, so it was given up.",
    });
  });

  it("gives only another project an additional slot when one project's jobs hold all slots without progress", async () => {
    await using run = await start();
    for (let count = 0; count < 3; count += 1) await run.create();
    const other = await insertTestProject(run.deps.database, "other");
    const running: string[] = [];
    await using worker = run.work(
      async ({ claim, signal }) => {
        running.push(claim.job.projectId);
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      },
      { ...OPTIONS, atOnce: 2, heldUpMs: 50 },
    );
    await until(() => running.length === 2);
    const request = { model: "docent/builtin-rules", baseRef: "main", draft: false, title: null, prompt: "One." };
    await createJob(run.deps, { ...request, projectId: other }, null);
    await until(() => running.length > 2);
    expect(running).toEqual([run.projectId, run.projectId, other]);
    await worker.stop();
  });

  it("retries for a day without using up attempts while the disk is full or a repository is lost", async () => {
    await using run = await start();
    const job = await run.create();
    const attempts: number[] = [];
    const troubles = [
      Object.assign(new Error("no space left on device"), { code: "ENOSPC" }),
      new RepositoryMissing("/nowhere/prj_x.git"),
      new GitError("update-ref", 128, "fatal: cannot lock ref: Read-only file system"),
    ];
    const again = (changed = {}) => endDelay(run.deps.database, changed);
    await using worker = run.work(({ claim }) => {
      attempts.push(claim.attempt);
      return Promise.reject(troubles[(attempts.length - 1) % troubles.length]!);
    });
    await until(async () => {
      if (attempts.length < 4) await again();
      return attempts.length >= 4;
    });
    expect(attempts.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(await run.read(job.id)).toMatchObject({ status: "active", handledCount: 0 });
    await until(async () => {
      await again({ updated_at: Date.now() - 25 * 3_600_000 });
      return (await run.read(job.id)).status === "failed";
    });
    await worker.stop();
  });

  it("waits as long as a code host requests, without using up attempts", async () => {
    await using run = await start();
    const job = await run.create();
    const before = Date.now();
    await using worker = run.work(() =>
      Promise.reject(new AppError("rate_limited", "GitHub asks to wait.", { retryAfterSeconds: 300 })),
    );
    const { kysely } = run.deps.database;
    const row = () => kysely.selectFrom("job").select(["run_after", "lease_owner"]).executeTakeFirstOrThrow();
    await until(async () => (await row()).lease_owner === null && (await row()).run_after > before + 1_000);
    await worker.stop();
    expect((await row()).run_after - before).toBeGreaterThanOrEqual(300_000);
    expect(await run.read(job.id)).toMatchObject({ status: "active", handledCount: 0 });
  });

  it("reports why the code host refused the job's project, and how to fix it", async () => {
    await using run = await start();
    const job = await run.create();
    const said = "GitHub refused the token: it is wrong, or has expired. Give the project a new one.";
    await using worker = run.work(() => Promise.reject(new AppError("forbidden", said)));
    await until(async () => (await run.read(job.id)).status === "failed");
    await worker.stop();
    expect((await run.read(job.id)).error).toEqual({
      code: "code_host_error",
      message: said,
      hint: "Fix the project's connection to its code host, then send a follow-up message.",
    });
  });

  it("counts only the messages that were delivered in a failed turn as handled", async () => {
    await using run = await start();
    const job = await run.create();
    const name = { projectId: run.projectId, jobId: job.id };
    await addMessage(run.deps, { ...name, prompt: "Two." });
    await addMessage(run.deps, { ...name, prompt: "Three." });
    const turns: number[] = [];
    await using worker = run.work(async ({ claim }) => {
      const turn = claim.job.handledCount + 1;
      turns.push(turn);
      const usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
      const step = {
        turn,
        step: 1,
        messages: [],
        tree: null,
        state: { loop: INITIAL_LOOP_STATE, finish: null },
        usage,
        weightedTokens: 0,
        costMicroUsd: 0,
        events: [],
      };
      if (turn === 1) await commitStep({ ...run.deps, vault: testVault }, claim, { ...step, deliveredSeq: 2 });
      throw new TypeError("broken");
    });
    await until(async () => (await run.read(job.id)).status !== "active");
    await worker.stop();
    expect(await run.read(job.id)).toMatchObject({ status: "failed", handledCount: 3, error: { code: "internal" } });
    expect(turns).toEqual([1, 3]);
  });

  /** A turn that runs until it is aborted. */
  const untilEnded = ({ signal }: { signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      signal.throwIfAborted(); // it may be aborted between the claim and the turn
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });

  it("ends a turn that is cancelled, even when the notification is lost", async () => {
    await using run = await start();
    const job = await run.create();
    const other = await run.create();
    // The next heartbeat is far off, so the read of every second must notice it.
    await using worker = run.work(untilEnded, { ...OPTIONS, atOnce: 2, leaseMs: 3_000_000 });
    await until(async () =>
      (await run.deps.database.kysely.selectFrom("job").select("lease_owner").execute()).every(
        (row) => row.lease_owner !== null,
      ),
    );
    await run.deps.database.kysely
      .updateTable("job")
      .set({ cancel_requested_at: Date.now() })
      .where("id", "=", job.id)
      .execute();
    await until(async () => (await run.read(job.id)).status !== "active");
    expect((await run.read(job.id)).error?.code).toBe("cancelled");
    expect((await run.read(other.id)).status).toBe("active");
    await worker.stop();
  });

  it("ends a turn whose job another worker has claimed", async () => {
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
