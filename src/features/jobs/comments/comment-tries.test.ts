import { expect, it } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { type CommentRow, recordFailure, takeComment } from "./comment-rows.ts";

const HOUR_MS = 3_600_000;

async function open() {
  const store = await openTestDatabase("sqlite");
  const { database } = store;
  const time = { now: 1_800_000_000_000 };
  const deps = { database, clock: { now: () => new Date(time.now) } };
  const add = async (projectId: ProjectId, ids: readonly string[], dueAt = time.now): Promise<void> => {
    const row = { number: 1, branch: "docent/one", thread: null, url: "http://host.test/1", author_id: "1", tries: 0 };
    const asked = { author_login: "jane", prompt: "Fix it.", about: null, state: "found" as const, message_seq: null };
    const rest = {
      changed_at: time.now,
      due_at: dueAt,
      job_id: null,
      answer_id: null,
      note: null,
      created_at: time.now,
    };
    const rows = ids.map((id) => ({ ...row, ...asked, ...rest, project_id: projectId, id }));
    await database.kysely.insertInto("host_comment").values(rows).execute();
  };
  /** Claims as the worker does: one comment of a project at a time. */
  const take = async (busy: readonly ProjectId[] = []) => {
    const row = await takeComment(deps, { leaseMs: 60_000, busy });
    return row === null ? [] : [row];
  };
  const state = async () => (await database.kysely.selectFrom("host_comment").select("state").execute())[0]?.state;
  return { ...store, deps, time, add, take, state };
}

it.each([
  { isAway: true, hours: 72, left: "found" },
  { isAway: true, hours: 24 * 9, left: "ignored" },
  { isAway: false, hours: 72, left: "ignored" },
] as const)(
  "after $hours hours of failures with isAway $isAway, a comment is $left",
  async ({ isAway, hours, left }) => {
    await using run = await open();
    await run.add(await insertTestProject(run.database, "acme"), ["issue:1"]);
    for (const end = run.time.now + hours * HOUR_MS; run.time.now < end; run.time.now += HOUR_MS / 2) {
      const [row] = await run.take();
      const failure = { note: "away", retryAfterSeconds: undefined, isAway };
      if (row) await recordFailure(run.deps, row satisfies CommentRow, failure);
    }
    expect(await run.state()).toBe(left);
  },
);

it("a comment that was postponed while the clock was a day ahead does not wait for a day", async () => {
  await using run = await open();
  const projectId = await insertTestProject(run.database, "acme");
  await run.add(projectId, ["issue:1"], run.time.now + 24 * HOUR_MS);
  await run.add(projectId, ["issue:2"], run.time.now + HOUR_MS);
  expect((await run.take()).map(({ id }) => id)).toEqual(["issue:1"]);
  expect(await run.take()).toEqual([]);
});

it("a comment is not retried before the delay that its host requested has passed", async () => {
  await using run = await open();
  await run.add(await insertTestProject(run.database, "acme"), ["issue:1"]);
  const [row] = await run.take();
  await recordFailure(run.deps, row!, { note: "asked to wait", retryAfterSeconds: 600, isAway: true });
  run.time.now += 599_000;
  expect(await run.take()).toEqual([]);
  run.time.now += 1_000;
  expect(await run.take()).toHaveLength(1);
});

it("an accepted comment whose job was deleted meanwhile is claimed, so that its author gets a reply", async () => {
  await using run = await open();
  await run.add(await insertTestProject(run.database, "acme"), ["issue:1"]);
  const set = { state: "accepted", answer_id: "issue:2", message_seq: 2 } as const;
  await run.database.kysely.updateTable("host_comment").set(set).execute();
  expect(await run.take()).toHaveLength(1);
});
