import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { DatabaseTransaction } from "#db/database.ts";
import { newJobId } from "#lib/ids.ts";
import { jobError } from "#features/jobs/job.ts";
import type { JobRow } from "#features/jobs/job-rows.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import {
  accept,
  archive,
  askToCancel,
  cancel,
  followUp,
  forget,
  notePullRequest,
  remove,
  unarchive,
} from "./by-callers.ts";
import { claim, finish, progress, prolong, release, resumeWaiting, step } from "./by-workers.ts";
import type { TransitionDeps } from "./change.ts";
import { JOB_STATES, type JobState, leadsOf, stateOf, type Transition, TRANSITIONS } from "./job-states.ts";

const STATES = Object.keys(JOB_STATES) as JobState[];
const NAMES = Object.keys(TRANSITIONS).filter((name) => name !== "accept") as Exclude<Transition, "accept">[];
const USAGE = { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
const SPENT = { usage: USAGE, weightedTokens: 1, costMicroUsd: 0 };
const FAILED = jobError("stuck", "It went in circles.");
const MADE = { title: "Done", summary: "Done.", pullRequest: null };

const ENDED = { number: 1, url: "http://host.test/1", state: "merged", draft: false, previewUrl: null } as const;

interface Ends {
  handledSeq: number;
  error: typeof FAILED | null;
}

type Try = (transaction: DatabaseTransaction, row: JobRow) => Promise<unknown>;

/** Every variant of each transition, because the resulting state may depend on the variant. */
function triesOf(deps: TransitionDeps): Record<(typeof NAMES)[number], Try[]> {
  const at = deps.clock.now().getTime();
  const record = { at, turn: 1, events: [] };
  const holdOf = (row: JobRow) => ({ jobId: row.id, owner: row.lease_owner ?? "one", fence: row.fence });
  const ends = ({ handledSeq, error }: Ends): Try => {
    return (transaction, row) =>
      finish(transaction, deps, row, {
        ...record,
        handledSeq,
        error,
        refusal: null,
        changed: !error,
        made: error ? null : MADE,
      });
  };
  return {
    followUp: [(transaction, row) => followUp(transaction, deps, row, { at, prompt: "More." })],
    claim: [(_, row) => claim(deps, { owner: "two", leaseMs: 1_000, next: sql`${row.id}` })],
    prolong: [(_, row) => prolong(deps, [holdOf(row)], 60_000)],
    progress: [(transaction, row) => progress(transaction, deps, row, { ...record, phase: "running" })],
    step: [(transaction, row) => step(transaction, deps, row, { ...record, spent: SPENT })],
    release: [(_, row) => release(deps, holdOf(row), { delayMs: 0, undoAttempt: true })],
    resume: [
      async (queryable, row) => {
        const { phase, run_after: dueAt } = row;
        const set = (columns: Pick<JobRow, "phase" | "run_after">) =>
          queryable.updateTable("job").set(columns).where("id", "=", row.id).execute();
        const later = Date.now() + 60_000;
        await set({ phase: "waiting", run_after: later });
        await resumeWaiting(deps);
        const job = queryable.selectFrom("job").select("run_after").where("id", "=", row.id);
        if ((await job.executeTakeFirst())?.run_after === later) await set({ phase, run_after: dueAt });
      },
    ],
    finish: [
      ends({ handledSeq: 1, error: null }),
      ends({ handledSeq: 2, error: null }),
      ends({ handledSeq: 2, error: FAILED }),
    ],
    askToCancel: [(transaction, row) => askToCancel(transaction, deps, row, { at, keepWork: true, isDue: true })],
    cancel: [(transaction, row) => cancel(transaction, deps, row, { at, error: FAILED })],
    archive: [(transaction, row) => archive(transaction, deps, row, at)],
    unarchive: [(transaction, row) => unarchive(transaction, deps, row, at)],
    notePullRequest: [
      (transaction, row) => notePullRequest(transaction, deps, row, { at, pullRequest: ENDED, events: [] }),
    ],
    forget: [(transaction, row) => forget(transaction, row, { at, name: "A job" })],
    remove: [remove],
  };
}

describe.each(BOTH_ENGINES)("transitions on %s", (engine) => {
  it("lead from each state to the states in the table, and change nothing in any other state", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const deps: TransitionDeps = { database, clock: { now: () => new Date() }, redact: (text) => text };
    const tries = triesOf(deps);
    const projectId = await insertTestProject(database);
    const read = (id: JobRow["id"]) =>
      database.kysely.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirst();
    // On SQLite a transaction occupies the only connection: transitions that use the database itself must run outside it.
    const attempt = (name: (typeof NAMES)[number], one: Try, row: JobRow) =>
      ["claim", "prolong", "release", "resume"].includes(name)
        ? one(database.kysely as DatabaseTransaction, row)
        : database.transaction((transaction) => one(transaction, row));

    /** A job of two messages that transitions alone brought into a state. `before`: its status before it was archived. */
    async function jobIn(state: JobState, before: "completed" | "failed"): Promise<JobRow> {
      const id = newJobId(new Date());
      const job = { projectId, prompt: "One.", model: "m", baseRef: "main", draft: false, title: null };
      await database.transaction(async (transaction) => {
        const accepted = await accept(transaction, deps, { ...job, id, at: Date.now() });
        await followUp(transaction, deps, accepted, { at: Date.now(), prompt: "Two." });
      });
      const ways = {
        waiting: [],
        working: [tries.claim[0]],
        completed: [tries.claim[0], tries.finish[1]],
        failed: [tries.claim[0], tries.finish[2]],
        archived: [tries.claim[0], tries.finish[before === "completed" ? 1 : 2], tries.archive[0]],
      }[state];
      for (const way of ways) {
        const row = (await read(id))!;
        await attempt(way === tries.claim[0] ? "claim" : "finish", way!, row);
      }
      return (await read(id))!;
    }

    const found = new Set<string>();
    for (const state of STATES) {
      for (const [name, one] of NAMES.flatMap((name) => tries[name].map((one) => [name, one] as const))) {
        for (const before of state === "archived" ? (["completed", "failed"] as const) : (["failed"] as const)) {
          const row = await jobIn(state, before);
          if (!(state in leadsOf(name))) await attempt(name, one, row).catch(() => null);
          else await attempt(name, one, row);
          const after = await read(row.id);
          if (isDeepStrictEqual(after, row)) continue;
          found.add(`${stateOf(row)} ${name} ${after ? stateOf(after) : "absent"}`);
        }
      }
    }
    const table = NAMES.flatMap((name) =>
      Object.entries(leadsOf(name)).flatMap(([state, ends]) => ends.map((end) => `${state} ${name} ${end}`)),
    );
    expect([...found].sort()).toEqual(table.sort());
  });
});

it("transitions are the only writes to the row of a job", () => {
  const src = path.join(import.meta.dirname, "../../..");
  const files = globSync("**/*.ts", { cwd: src }).filter(
    (file) => !/\.test\.ts$|^(?:testing|db\/migrations)\//.test(file),
  );
  const writing = files.filter((file) =>
    /(updateTable|insertInto|deleteFrom)\("job"\)|(update|into|delete from) job\b/.test(
      readFileSync(path.join(src, file), "utf8"),
    ),
  );
  expect(new Set(writing.map((file) => path.dirname(file)))).toEqual(new Set(["features/jobs/transitions"]));
});
