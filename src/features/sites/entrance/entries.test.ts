import { describe, expect, it } from "vitest";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { memberOfEntry, makeEntry, spendEntry } from "./entries.ts";

describe.each(BOTH_ENGINES)("an entry, on %s", (engine) => {
  it("is taken once, also by requests at the same time, and forgotten when it has expired", async () => {
    await using store = await openTestDatabase(engine);
    const { database } = store;
    const time = { now: Date.UTC(2026, 10, 28) };
    const clock = { now: () => new Date(time.now) };
    const id = await insertTestProject(database, "harbor");
    const tokens = createAccessTokens({ key: Buffer.alloc(32, 1), clock });
    const site = { id, version: 1 };
    const make = () => tokens.read(site, makeEntry(tokens, site, { holderId: "usr_1", session: "0f" }), ["entry"])!;
    const entry = make();
    expect(memberOfEntry(entry)).toBe("usr_1-0f");
    const taken = await Promise.all([1, 2, 3].map(() => spendEntry({ database, clock }, id, entry)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await spendEntry({ database, clock }, id, make())).toBe(true);
    time.now += 120_000;
    await spendEntry({ database, clock }, id, make());
    expect(await database.kysely.selectFrom("spent_entry").select("name").execute()).toHaveLength(1);
  });
});
