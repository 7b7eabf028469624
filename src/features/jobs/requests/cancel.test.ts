import { testVault } from "#testing/vault.ts";
import { describe, expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { findProject } from "#features/projects/projects.ts";
import { insertTestProject } from "#testing/projects.ts";
import { cancelJob } from "./cancel.ts";
import { listEvents } from "#features/jobs/events.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { type Claim, claimJob, releaseJob } from "#features/jobs/queue/queue.ts";
import { addMessage, createJob } from "./submit.ts";
import { finishTurn, type TurnOutcome } from "#features/jobs/turn/finish-turn.ts";
import { startWorker } from "#features/jobs/worker/worker.ts";

const redact = (text: string) => text;
const LEASE_MS = 60_000;
const DONE: TurnOutcome = { ok: true, title: "Done", summary: "Done.", pullRequest: null, handledSeq: 1 };

describe.each(ENGINES)("cancelling on %s", (engine) => {
  /** A store with one job of one message, and the clock that both use. */
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    const time = { now: Date.now() };
    const clock = { now: () => new Date(time.now) };
    const deps = { database, clock, redact, vault: testVault, redactFor: async () => redact, agentCallsPerHour: 100 };
    const projectId = await insertTestProject(database);
    const { job } = await createJob(
      deps,
      { projectId, prompt: "One.", model: "docent/builtin-rules", baseRef: "main", draft: false, title: null },
      null,
    );
    const name = { projectId, jobId: job.id };
    return {
      deps,
      time,
      name,
      say: (prompt: string) => addMessage(deps, { ...name, prompt }),
      claim: async () => (await claimJob(deps, { owner: "test", leaseMs: LEASE_MS }))!,
      read: async () => (await findJob({ database }, name))!,
      events: async () =>
        (await listEvents({ database }, { jobId: job.id, after: 0, limit: 100 })).events.map(({ type }) => type),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  }

  it("covers the messages that waited at the time of the request, even when the one before them succeeds", async () => {
    await using run = await start();
    await run.say("Two.");
    const claim = await run.claim();
    run.time.now += 5;
    expect((await cancelJob(run.deps, run.name)).status).toBe("active");
    await finishTurn(run.deps, { claim, turn: 1, outcome: DONE });
    const job = await run.read();
    expect(job).toMatchObject({ status: "failed", phase: "idle", handledCount: 2, summary: "Done." });
    expect(job.error?.code).toBe("cancelled");
    expect(await claimJob(run.deps, { owner: "test", leaseMs: LEASE_MS })).toBeNull();
    expect((await run.events()).slice(-2)).toEqual(["turn.finished", "job.failed"]);
  });

  it("does not cancel a follow-up after the job has ended, even when a worker died in between", async () => {
    await using run = await start();
    await run.claim();
    expect((await cancelJob(run.deps, run.name)).status).toBe("active");
    await run.deps.database.kysely.updateTable("job").set({ lease_until: 0 }).execute();
    expect((await cancelJob(run.deps, run.name)).status).toBe("failed");
    await run.say("Two.");
    expect((await run.claim()).isCancelled).toBe(false);
  });

  it("does not cover messages that were sent after it", async () => {
    await using run = await start();
    await run.say("Two.");
    const claim = await run.claim();
    run.time.now += 5;
    await cancelJob(run.deps, run.name);
    run.time.now += 5;
    await run.say("Three.");
    await finishTurn(run.deps, { claim, turn: 1, outcome: DONE });
    expect(await run.read()).toMatchObject({ status: "active", handledCount: 2, messageCount: 3, error: null });
    const next = await run.claim();
    expect(next.isCancelled).toBe(false);
    await finishTurn(run.deps, { claim: next, turn: 3, outcome: { ...DONE, handledSeq: 3 } });
    expect((await run.read()).status).toBe("completed");
  });

  it("has no effect on a job whose last message succeeds", async () => {
    await using run = await start();
    const claim = await run.claim();
    run.time.now += 5;
    await cancelJob(run.deps, run.name);
    await finishTurn(run.deps, { claim, turn: 1, outcome: DONE });
    expect(await run.read()).toMatchObject({ status: "completed", error: null });
  });

  it("is not delayed by the pause before the next attempt", async () => {
    await using run = await start();
    const claim = await run.claim();
    await cancelJob(run.deps, run.name);
    await releaseJob(run.deps, claim, { delayMs: 60_000, undoAttempt: false });
    expect((await run.claim()).isCancelled).toBe(true);
  });

  it("ends a job without running it when its worker died before it noticed the request", async () => {
    await using run = await start();
    const claim = await run.claim();
    await cancelJob(run.deps, run.name);
    await releaseJob(run.deps, claim, { delayMs: 0, undoAttempt: false });
    const ran: Claim[] = [];
    const worker = startWorker(
      {
        ...run.deps,
        logger: silentLogger,
        findProject: (id) => findProject(run.deps, id),
        runTurn: async ({ claim: running }) => void ran.push(running),
      },
      { atOnce: 1, leaseMs: LEASE_MS, maxAttempts: 5 },
    );
    await expect.poll(async () => (await run.read()).error?.code).toBe("cancelled");
    await worker.stop();
    expect(ran).toEqual([]);
  });
});

it("cancelling on PostgreSQL uses the clock of the leases, not the node's own", async () => {
  await using opened = await openTestDatabase("postgres");
  const { database } = opened;
  const ahead = { now: () => new Date(Date.now() + 10 * LEASE_MS) };
  const deps = {
    database,
    clock: ahead,
    redact,
    vault: testVault,
    redactFor: async () => redact,
    agentCallsPerHour: 100,
  };
  const projectId = await insertTestProject(database);
  const asked = {
    projectId,
    prompt: "One.",
    model: "docent/builtin-rules",
    baseRef: "main",
    draft: false,
    title: null,
  };
  const { job } = await createJob(deps, asked, null);
  await claimJob(deps, { owner: "test", leaseMs: LEASE_MS });
  expect((await cancelJob(deps, { projectId, jobId: job.id })).status).toBe("active"); // its worker ends it
});
