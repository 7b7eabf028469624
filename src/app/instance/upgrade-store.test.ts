import { pino } from "pino";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { upgradeStore } from "./upgrade-store.ts";

it.each(BOTH_ENGINES)(
  "an upgrade of a database on %s is logged before it begins and when it is complete",
  async (engine) => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    await sql`delete from kysely_migration where name like '0078%'`.execute(database.kysely); // runs on its own result, too
    const lines: unknown[] = [];
    await upgradeStore(
      database,
      pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line) as unknown) }),
    );
    const name = "0078-hashed-idempotency-keys";
    expect(lines).toMatchObject([
      { msg: expect.stringContaining("a backup from before") as unknown, migrations: 1, first: name, last: name },
      { msg: "the database is upgraded", migrations: 1, seconds: expect.any(Number) as unknown },
    ]);
  },
);
