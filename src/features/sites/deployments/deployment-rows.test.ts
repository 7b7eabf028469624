import { expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";
import { findOverdue } from "./deployment-rows.ts";

it("a deployment that a killed server claimed while the clock was ahead is overdue", async () => {
  await using app = await createTestApp("sqlite");
  const now = new Date("2026-11-20T12:00:00Z");
  const claimed = async (at: Date) => {
    await app.database.kysely.deleteFrom("deployment").execute();
    const zero = { authored_at: 0, pushed_at: null, noticed_at: 0, live_at: null, pages: null, errors: null };
    const texts = { commit_id: "1", branch: "main", subject: "s", author: "a", trouble: null, report: null };
    await app.database.kysely
      .insertInto("deployment")
      .values({
        id: "dep_1",
        project_id: app.project.id,
        number: 1,
        ...zero,
        ...texts,
        warnings: null,
        reported_at: null,
        state: "loading",
        claimed_at: at.getTime(),
      })
      .execute();
    return findOverdue({ database: app.database, clock: { now: () => now } }, 10);
  };
  expect(await claimed(now)).toEqual([]);
  expect(await claimed(new Date("2028-01-10T12:00:00Z"))).toEqual([app.project.id]);
});
