import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { takeComment } from "./comment-rows.ts";

describe.each(BOTH_ENGINES)("waiting comments, on %s", (engine) => {
  it("are claimed for every project, even when another project has many and is busy", async () => {
    const store = await openTestDatabase(engine);
    onTestFinished(() => store[Symbol.asyncDispose]());
    const { database } = store;
    const loud = await insertTestProject(database, "loud");
    const quiet = await insertTestProject(database, "quiet");
    const row = (project_id: ProjectId, index: number) => ({
      project_id,
      id: `issue:${index}`,
      number: 1,
      branch: "docent/one",
      thread: null,
      url: "https://example.com",
      author_id: "1",
      author_login: "jane",
      prompt: "fix it",
      about: null,
      changed_at: 0,
      state: "found" as const,
      tries: 0,
      due_at: index,
      job_id: null,
      message_seq: null,
      answer_id: null,
      note: null,
      created_at: 0,
    });
    const many = Array.from({ length: 300 }, (_, index) => row(loud, index));
    await database.kysely
      .insertInto("host_comment")
      .values([...many, row(quiet, 1_000)])
      .execute();
    const deps = { database, clock: systemClock };
    const take = (busy: readonly ProjectId[]) => takeComment(deps, { leaseMs: 60_000, busy });
    expect(await take([loud])).toMatchObject({ project_id: quiet });
    expect(await take([])).toMatchObject({ project_id: loud, id: "issue:0", tries: 1 });
    expect(await take([loud])).toBeNull();
  });
});
