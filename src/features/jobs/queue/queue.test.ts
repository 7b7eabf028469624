import { INITIAL_LOOP_STATE } from "#agent/loop-state.ts";
import { describe, expect, it } from "vitest";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { cancelJob } from "#features/jobs/requests/cancel.ts";
import { type Claim, claimJob, heartbeat, LostClaim, readClaims, releaseJob } from "./queue.ts";
import { addMessage, createJob } from "#features/jobs/requests/submit.ts";
import { finishTurn } from "#features/jobs/turn/finish-turn.ts";
import { endLeases } from "#features/jobs/transitions/by-workers.ts";
import { commitStep, recordProgress } from "#features/jobs/turn/turns.ts";
import { testVault } from "#testing/vault.ts";

const redact = (text: string) => text;
const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
/** A step of the first turn without messages or cost. */
const STEP: Parameters<typeof commitStep>[2] = {
  turn: 1,
  step: 1,
  messages: [],
  tree: null,
  deliveredSeq: 1,
  state: { loop: INITIAL_LOOP_STATE, finish: null },
  usage: { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
  weightedTokens: 0,
  costMicroUsd: 0,
  events: [],
};

describe.each(BOTH_ENGINES)("the queue on %s", (engine) => {
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    const time = { now: Date.now() };
    const clock = { now: () => new Date(time.now) };
    const deps = { database, clock, redact, vault: testVault, redactFor: async () => redact, agentCallsPerHour: 100 };
    const projectId = await insertTestProject(database);
    const create = async (of = projectId) =>
      (
        await createJob(
          deps,
          { projectId: of, prompt: "One.", model: "docent/builtin-rules", baseRef: "main", draft: false, title: null },
          null,
        )
      ).job;
    const claim = (owner = "one") => claimJob(deps, { owner, leaseMs: LEASE_MS });
    /** Lets five milliseconds pass on every clock: PostgreSQL uses its own. */
    const pass = async () => {
      time.now += 5;
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    return { deps, projectId, create, claim, pass, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  const fail = (deps: Parameters<typeof finishTurn>[0], claim: Claim) => {
    const error = { code: "model_error", message: "No.", hint: "Try again." } as const;
    return finishTurn(deps, { claim, turn: 1, outcome: { ok: false, error, handledSeq: 1 } });
  };

  it("returns the job that has waited longest first", async () => {
    await using run = await start();
    const created: string[] = [];
    for (let index = 0; index < 3; index++) {
      created.push((await run.create()).id);
      await run.pass();
    }
    const taken: (string | undefined)[] = [];
    for (let index = 0; index < 4; index++) taken.push((await run.claim())?.jobId);
    expect(taken).toEqual([...created, undefined]);
  });

  it("gives a job to the next worker immediately when its worker is known to be dead, and counts the death", async () => {
    await using run = await start();
    const job = await run.create();
    await run.claim("dead");
    expect(await run.claim("next")).toBeNull();
    await endLeases(run.deps);
    await run.pass();
    expect(await run.claim("next")).toMatchObject({ jobId: job.id, deaths: 1 });
    // A server that stops repeatedly adds no further deaths before the lease expires.
    await endLeases(run.deps);
    await run.pass();
    expect(await run.claim("third")).toBeNull();
  });

  it("serves the project with the fewest running jobs next, regardless of the order of arrival", async () => {
    await using run = await start();
    const { database } = run.deps;
    const busy = run.projectId;
    const [second, third] = [await insertTestProject(database, "second"), await insertTestProject(database, "third")];
    const order = [busy, busy, busy, busy, second, third, second];
    const created: string[] = [];
    for (const of of order) {
      created.push((await run.create(of)).id);
      await run.pass();
    }
    const taken: number[] = [];
    for (let claim = await run.claim(); claim; claim = await run.claim()) taken.push(created.indexOf(claim.jobId));
    expect(taken).toEqual([0, 4, 5, 1, 6, 2, 3]);
  });

  it("gives each free slot to the project that was served longest ago", async () => {
    await using run = await start();
    const flood = run.projectId;
    const others = [];
    for (const name of ["second", "third", "fourth"]) others.push(await insertTestProject(run.deps.database, name));
    const names = new Map([[flood, "flood"], ...others.map((id, index) => [id, `other ${index + 1}`] as const)]);
    for (const project of [flood, flood, flood, flood, flood, ...others, ...others]) {
      await run.create(project);
      await run.pass();
    }
    const taken: string[] = [];
    // One slot: each job ends before the next is claimed.
    for (let claim = await run.claim(); claim; claim = await run.claim()) {
      taken.push(names.get(claim.job.projectId) ?? "");
      await fail(run.deps, claim);
      await run.pass();
    }
    const round = ["flood", "other 1", "other 2", "other 3"];
    expect(taken).toEqual([...round, ...round, "flood", "flood", "flood"]);
  });

  it.each([
    { what: "arrives while two projects flood the queue", floods: 2, served: 4 },
    { what: "arrives after a flood was served for long", floods: 1, served: 7 },
    { what: "sends its second job while another project floods the queue", floods: 1, served: 2 },
  ])("gives the next slot to a project that $what", async ({ floods, served, what }) => {
    await using run = await start();
    const newcomer = await insertTestProject(run.deps.database, "newcomer");
    const flooding = [run.projectId];
    for (let index = 1; index < floods; index++) flooding.push(await insertTestProject(run.deps.database, `f${index}`));
    if (what.includes("second job")) await run.create(newcomer);
    await run.pass();
    for (let index = 0; index < 10; index++) for (const project of flooding) await run.create(project);
    const serve = async () => {
      const claim = await run.claim();
      await fail(run.deps, claim!);
      await run.pass();
      return claim!.job.projectId;
    };
    for (let index = 0; index < served; index++) await serve();
    await run.create(newcomer);
    await run.pass();
    expect(await serve()).toBe(newcomer);
    expect(await serve()).not.toBe(newcomer);
  });

  it("skips a project whose jobs all run or wait for another attempt", async () => {
    await using run = await start();
    const other = await insertTestProject(run.deps.database, "other");
    await run.create();
    await run.create();
    await releaseJob(run.deps, (await run.claim())!, { delayMs: HOUR_MS, undoAttempt: false });
    await run.claim();
    const { id: jobId } = await run.create(other);
    expect(await run.claim()).toMatchObject({ jobId });
    expect(await run.claim()).toBeNull();
  });

  it("counts a job as running only until its lease expires", async () => {
    await using run = await start();
    const other = await insertTestProject(run.deps.database, "other");
    const first = await run.create();
    await run.pass();
    await run.create(other);
    await run.create(other);
    await claimJob(run.deps, { owner: "dead", leaseMs: 1 });
    await run.pass();
    await fail(run.deps, (await run.claim())!);
    await run.pass();
    expect(await run.claim()).toMatchObject({ jobId: first.id, attempt: 2 });
  });

  it("gives concurrent workers one job each, from one project or several", async () => {
    await using run = await start();
    const other = await insertTestProject(run.deps.database, "other");
    const created = [];
    for (let index = 0; index < 12; index++) created.push((await run.create(index < 9 ? run.projectId : other)).id);
    const claims = await Promise.all(created.map((_, index) => run.claim(`worker ${index}`)));
    expect(new Set(claims.map((claim) => claim?.jobId))).toEqual(new Set(created));
  });

  it("lets only the newest claim write", async () => {
    await using run = await start();
    await run.create();
    const stale = (await run.claim("one"))!;
    await releaseJob(run.deps, stale, { delayMs: 0, undoAttempt: true });
    const fresh = (await run.claim("two"))!;
    expect(fresh.fence).toBe(stale.fence + 1);
    expect([...(await heartbeat(run.deps, [stale], LEASE_MS))]).toEqual([]);
    const failing = finishTurn(run.deps, {
      claim: stale,
      turn: 1,
      outcome: {
        ok: true,
        title: null,
        summary: "Stale.",
        pullRequest: null,
        handledSeq: 1,
      },
    });
    await expect(failing).rejects.toBeInstanceOf(LostClaim);
    expect([...(await heartbeat(run.deps, [stale, fresh], LEASE_MS)).keys()]).toEqual([fresh.jobId]);
  });

  it("extends the leases of a worker's jobs together, and no other leases", async () => {
    await using run = await start();
    const { kysely } = run.deps.database;
    for (let index = 0; index < 4; index++) await run.create();
    const mine = [(await run.claim("me"))!, (await run.claim("me"))!, (await run.claim("me"))!];
    const other = (await run.claim("other"))!;
    const [first, lost, wanted] = mine as [Claim, Claim, Claim];
    await releaseJob(run.deps, lost, { delayMs: HOUR_MS, undoAttempt: false });
    await cancelJob(run.deps, { projectId: run.projectId, jobId: wanted.jobId });
    const leases = async () => {
      const rows = await kysely.selectFrom("job").select(["id", "lease_until"]).execute();
      return new Map(rows.map((row) => [row.id, row.lease_until]));
    };
    const before = await leases();
    const impostor = { ...other, owner: "me" };
    const held = new Map([
      [first.jobId, { cancelRequested: false }],
      [wanted.jobId, { cancelRequested: true }],
    ]);
    expect(await heartbeat(run.deps, [...mine, impostor], LEASE_MS + HOUR_MS)).toEqual(held);
    expect(await readClaims(run.deps, [...mine, impostor])).toEqual(held);
    const after = await leases();
    for (const { jobId } of [first, wanted])
      expect(after.get(jobId)!).toBeGreaterThanOrEqual(before.get(jobId)! + HOUR_MS);
    for (const { jobId } of [lost, other]) expect(after.get(jobId)).toBe(before.get(jobId));
  });

  it("does not return a released job before its delay has passed", async () => {
    await using run = await start();
    await run.create();
    await releaseJob(run.deps, (await run.claim())!, { delayMs: HOUR_MS, undoAttempt: false });
    expect(await run.claim()).toBeNull();
  });

  it("returns a released job before its delay has passed when a person sends a message", async () => {
    await using run = await start();
    const { id: jobId } = await run.create();
    await releaseJob(run.deps, (await run.claim())!, { delayMs: HOUR_MS, undoAttempt: false });
    await addMessage(run.deps, { projectId: run.projectId, jobId, prompt: "Two." });
    expect(await run.claim()).toMatchObject({ jobId, attempt: 1 });
  });

  it("gives a job no extra attempt when it is released after progress", async () => {
    await using run = await start();
    await run.create();
    const claim = (await run.claim())!;
    await commitStep({ ...run.deps, vault: testVault }, claim, STEP);
    await releaseJob(run.deps, claim, { delayMs: 0, undoAttempt: true });
    expect(await run.claim()).toMatchObject({ attempt: 1 });
  });

  it("counts the workers that died with a job since its last progress, but not those that released it", async () => {
    await using run = await start();
    await run.create();
    const dying = async () => {
      const claim = (await claimJob(run.deps, { owner: "dying", leaseMs: 1 }))!;
      await run.pass();
      return claim;
    };
    const deaths: number[] = [(await dying()).deaths, (await dying()).deaths];
    const third = await dying();
    await commitStep({ ...run.deps, vault: testVault }, third, STEP);
    deaths.push(third.deaths, (await dying()).deaths);
    const fifth = await dying();
    await releaseJob(run.deps, fifth, { delayMs: 0, undoAttempt: false });
    deaths.push(fifth.deaths, (await dying()).deaths);
    const last = await dying();
    await addMessage(run.deps, { projectId: run.projectId, jobId: last.jobId, prompt: "Two." });
    deaths.push(last.deaths, (await dying()).deaths);
    expect(deaths).toEqual([0, 1, 2, 1, 2, 0, 1, 2]);
  });

  it("returns a job that was queued, leased or postponed while the clock was ahead", async () => {
    await using run = await start();
    const { database } = run.deps;
    const ahead = Date.now() + 6 * HOUR_MS;
    const queued = await run.create();
    await database.kysely.updateTable("job").set({ run_after: ahead }).where("id", "=", queued.id).execute();
    expect((await run.claim())?.jobId).toBe(queued.id);
    // Its worker died while the clock was still wrong.
    await database.kysely.updateTable("job").set({ lease_until: ahead }).where("id", "=", queued.id).execute();
    expect(await run.claim()).toMatchObject({ jobId: queued.id, fence: 2 });
    expect(await run.claim()).toBeNull();
  });

  it("delays the next attempt of a job by ten minutes at most", async () => {
    await using run = await start();
    await run.create();
    await releaseJob(run.deps, (await run.claim())!, { delayMs: 24 * HOUR_MS, undoAttempt: false });
    expect(await run.claim()).toBeNull();
    const { run_after: until } = await run.deps.database.kysely
      .selectFrom("job")
      .select("run_after")
      .executeTakeFirstOrThrow();
    expect(until - Date.now()).toBeLessThanOrEqual(10 * 60_000);
  });

  it("does not mistake an old claim for the new one of the same owner", async () => {
    await using run = await start();
    await run.create();
    const stale = (await run.claim("one"))!;
    await releaseJob(run.deps, stale, { delayMs: 0, undoAttempt: false });
    const fresh = (await run.claim("one"))!;
    const writing = commitStep({ ...run.deps, vault: testVault }, stale, STEP);
    await expect(writing).rejects.toBeInstanceOf(LostClaim);
    await releaseJob(run.deps, stale, { delayMs: 0, undoAttempt: false });
    expect(await run.claim("two")).toBeNull();
    expect([...(await readClaims(run.deps, [fresh])).keys()]).toEqual([fresh.jobId]);
  });

  it("resets the attempt count after a step and after a push, and does not count a restart", async () => {
    await using run = await start();
    await run.create();
    const release = (claim: Claim) => releaseJob(run.deps, claim, { delayMs: 0, undoAttempt: false });
    await release((await run.claim())!);
    const second = (await run.claim())!;
    expect(second.attempt).toBe(2);
    await releaseJob(run.deps, second, { delayMs: 0, undoAttempt: true });
    const restarted = (await run.claim())!;
    expect(restarted.attempt).toBe(2);
    await commitStep({ ...run.deps, vault: testVault }, restarted, STEP);
    await release(restarted);
    const third = (await run.claim())!;
    expect(third.attempt).toBe(1);
    await release(third);
    const fourth = (await run.claim())!;
    expect(fourth.attempt).toBe(2);
    await recordProgress(run.deps, fourth, { turn: 1, commitId: "a".repeat(40), events: [] });
    await release(fourth);
    expect(await run.claim()).toMatchObject({ attempt: 1 });
  });

  it("hides a credential in the error of a failed turn", async () => {
    await using run = await start();
    await run.create();
    const claim = (await run.claim())!;
    const error = {
      code: "model_error" as const,
      message: "It said: sk-secret-4711 is wrong.",
      hint: "Check sk-secret-4711.",
    };
    const deps = { ...run.deps, redact: (text: string) => text.replaceAll("sk-secret-4711", "[hidden]") };
    await finishTurn(deps, { claim, turn: 1, outcome: { ok: false, error, handledSeq: 1 } });
    const row = await run.deps.database.kysely.selectFrom("job").select("error").executeTakeFirstOrThrow();
    expect(row.error).toContain("[hidden] is wrong");
    expect(row.error).not.toContain("4711");
  });
});

describe("the queue of several nodes", () => {
  it("skips a job that another worker is claiming at the same time", async () => {
    await using opened = await openTestDatabase("postgres");
    const { database } = opened;
    const projectId = await insertTestProject(database);
    const deps = {
      database,
      clock: { now: () => new Date() },
      redact,
      vault: testVault,
      redactFor: async () => redact,
    };
    const request = { projectId, model: "docent/builtin-rules", baseRef: "main", draft: false, title: null };
    const create = async () =>
      (await createJob({ ...deps, agentCallsPerHour: 100 }, { ...request, prompt: "One." }, null)).job;
    const [first, second] = [await create(), await create()];
    await database.kysely.updateTable("job").set({ run_after: 0 }).where("id", "=", first.id).execute();
    await database.transaction(async (taking) => {
      await taking.selectFrom("job").select("id").where("id", "=", first.id).forUpdate().execute();
      expect((await claimJob(deps, { owner: "two", leaseMs: LEASE_MS }))?.jobId).toBe(second.id);
      expect(await claimJob(deps, { owner: "three", leaseMs: LEASE_MS })).toBeNull();
    });
    expect((await claimJob(deps, { owner: "three", leaseMs: LEASE_MS }))?.jobId).toBe(first.id);
  });

  it("runs a job immediately that a node with a fast clock accepted", async () => {
    await using opened = await openTestDatabase("postgres");
    const { database } = opened;
    const projectId = await insertTestProject(database);
    const fast = { now: () => new Date(Date.now() + HOUR_MS) };
    const deps = { database, redact, vault: testVault, redactFor: async () => redact, agentCallsPerHour: 100 };
    const { job } = await createJob(
      { ...deps, clock: fast },
      { projectId, prompt: "One.", model: "docent/builtin-rules", baseRef: "main", draft: false, title: null },
      null,
    );
    const right = { ...deps, clock: { now: () => new Date() } };
    const claim = (await claimJob(right, { owner: "one", leaseMs: LEASE_MS }))!;
    expect(claim.jobId).toBe(job.id);
    await addMessage({ ...deps, clock: fast }, { projectId, jobId: job.id, prompt: "Two." });
    const outcome = { ok: true as const, title: null, summary: "Done.", pullRequest: null };
    await finishTurn({ ...deps, clock: fast }, { claim, turn: 1, outcome: { ...outcome, handledSeq: 1 } });
    expect(await claimJob(right, { owner: "one", leaseMs: LEASE_MS })).toMatchObject({ jobId: job.id });
  });
});
