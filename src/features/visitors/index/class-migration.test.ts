import { type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { up } from "#db/migrations/0008-view-classes.ts";
import { silentLogger } from "#lib/logger.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { createFold } from "./fold.ts";
import { maintainAnalytics } from "./maintenance.ts";
import { rebuildVisitorIndex } from "./rebuild.ts";
import { testVault } from "#testing/vault.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(NOON) };
const FORMAT_1 = 1;
const WITHOUT_CLASS = 0b11_1111_1111;

/** The segment in the format without classes. */
function asFormat1(content: Uint8Array): Uint8Array {
  const old = new Uint8Array(content);
  const header = new Uint32Array(old.buffer, 0, 2);
  const rows = header[1] ?? 0;
  header[0] = FORMAT_1;
  const flags = new Uint16Array(old.buffer, 8 + rows * 32, rows);
  for (let row = 0; row < rows; row++) flags[row] = (flags[row] ?? 0) & WITHOUT_CLASS;
  return old;
}

describe.each(BOTH_ENGINES)("on %s", (engine) => {
  test("existing views get the class of their client's label, and people whose label was full come back", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const { kysely } = database;
    const projectId = await insertTestProject(kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault });
    const served = { source: "served" } as const;
    await fold.fold([
      ...[1, 2, 3].map((end) => aView(projectId, { address: `192.0.2.${end}` })),
      aView(projectId, { address: "192.0.2.4", userAgent: userAgents.curl, ...served, surface: "markdown" }),
      aView(projectId, { address: "192.0.2.5", userAgent: userAgents.curl, ...served }),
      aView(projectId, { address: "192.0.2.6", userAgent: userAgents.claudeCode, ...served }),
      aView(projectId, { address: "192.0.2.6", userAgent: userAgents.claudeCode }),
      aView(projectId, { address: "192.0.2.7", userAgent: "AhrefsBot/7.0", ...served, surface: "markdown" }),
      aView(projectId, { address: "192.0.2.8", userAgent: "CCBot/2.0", ...served, surface: "markdown" }),
      aView(projectId, { address: "192.0.2.9", userAgent: "PetalBot", ...served, surface: "markdown" }),
    ]);
    const query = { projectId, from: null, to: null, limit: 50, offset: 0 };
    const expected = { human: 3, ai: 2, total: 5 };
    expect((await queryVisitors({ database }, query)).totals).toEqual(expected);

    // Restores the former state of the database, with the label of the three people missing, as in a full table of
    // labels.
    await kysely.updateTable("analytics_label").set({ text: "(other)" }).where("text", "like", "browser/%").execute();
    await sql`alter table analytics_project drop column last_label`.execute(kysely);
    await sql`alter table analytics_project drop column label_version`.execute(kysely);
    for (const { day, seq, content } of await kysely.selectFrom("view_segment").selectAll().execute()) {
      const old = asFormat1(content);
      await kysely
        .updateTable("view_segment")
        .set({ content: old })
        .where("day", "=", day)
        .where("seq", "=", seq)
        .execute();
    }
    await expect(rebuildVisitorIndex({ database, clock }, { projectId })).rejects.toThrow("unknown format 1");

    await up(kysely as Kysely<unknown> & typeof kysely);
    await maintainAnalytics({
      database,
      clock,
      vault: testVault,
      time: { now: async () => clock.now() },
      logger: silentLogger,
    }); // the project is due for a recount
    const row = await kysely.selectFrom("analytics_project").selectAll().executeTakeFirstOrThrow();
    expect(row.index_number).not.toBe(row.number);
    expect(row.last_label).toBeGreaterThanOrEqual(7);
    expect((await queryVisitors({ database }, query)).totals).toEqual(expected);
    const again = await rebuildVisitorIndex({ database, clock }, { projectId, verify: true });
    expect(again.comparison?.differences).toBe(0);
  });
});
