import { describe, expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { findProject } from "#projects/projects.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { findJob } from "./jobs.ts";
import type { Claim } from "./queue.ts";
import { addMessage, createJob } from "./submit.ts";
import { commitStep } from "./turns.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

const OPTIONS: WorkerOptions = { atOnce: 1, leaseMs: 60_000, maxAttempts: 1 };
const CLOCK = { now: () => new Date() };

describe.each(ENGINES)("a worker on %s", (engine) => {
  /** A store with a project, and a worker that carries turns out as the test says. */
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    const deps = { database, clock: CLOCK, redact: (text: string) => text, agentCallsPerHour: 1_000 };
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
    const worker = run.work(async ({ claim }) => {
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
});
