import { createHash } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { up } from "#db/migrations/0078-hashed-idempotency-keys.ts";
import { claimKey, idempotencyKey, onlyOnce } from "#kit/http/request-outcomes.ts";
import { systemClock } from "#lib/clock.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";

describe.each(BOTH_ENGINES)("Idempotency keys from before hashes, on %s", (engine) => {
  it("still repeat their request, and are not in the table any more", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const project = await insertTestProject(database);
    const key = idempotencyKey(project, "deploy-17", ["/job", {}]);
    const at = Date.now();
    await database.transaction((transaction) => claimKey(transaction, key, { outcome: "job_1", at }));
    await sql`update idempotency_key set key = 'deploy-17'`.execute(database.kysely);
    // A caller may have sent the hash of another key.
    const other = createHash("sha256").update("deploy-17").digest("hex");
    await database.transaction((transaction) =>
      claimKey(transaction, idempotencyKey(project, "x", []), { outcome: "job_2", at }),
    );
    await sql`update idempotency_key set key = ${other} where outcome = 'job_2'`.execute(database.kysely);

    await up(database.kysely as never);

    const repeated = await onlyOnce({ database, clock: systemClock }, key, {
      carryOut: () => Promise.reject(new Error("carried out again")),
      repeat: async (outcome) => outcome,
    });
    expect(repeated).toEqual({ answer: "job_1", isReplay: true });
    const stored = await database.kysely.selectFrom("idempotency_key").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain("deploy-17");
  });
});
