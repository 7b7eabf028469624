import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Database } from "./database.ts";

/** What features rely on with either engine. */
export function databaseContract(open: () => Promise<{ database: Database } & AsyncDisposable>): void {
  const values = (name: string, value = "") => ({ name, value });

  it("keeps a committed row and drops a rolled back one", async () => {
    await using opened = await open();
    const { database } = opened;
    await database.transaction((transaction) =>
      transaction.insertInto("instance_value").values(values("kept")).execute(),
    );
    const failing = database.transaction(async (transaction) => {
      await transaction.insertInto("instance_value").values(values("dropped")).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    const rows = await database.kysely.selectFrom("instance_value").select("name").execute();
    expect(rows).toEqual([{ name: "kept" }]);
  });

  it("does not let concurrent transactions see or lose each other's writes", async () => {
    await using opened = await open();
    const { database } = opened;
    await database.kysely.insertInto("instance_value").values(values("counter", "0")).execute();
    const increment = () =>
      database.transaction(async (transaction) => {
        let query = transaction.selectFrom("instance_value").select("value").where("name", "=", "counter");
        if (database.engine === "postgres") query = query.forUpdate();
        const { value } = await query.executeTakeFirstOrThrow();
        await transaction.deleteFrom("instance_value").where("name", "=", "counter").execute();
        await transaction
          .insertInto("instance_value")
          .values(values("counter", String(Number(value) + 1)))
          .execute();
      });
    for (let round = 0; round < 20; round++) await increment();
    const row = await database.kysely.selectFrom("instance_value").select("value").executeTakeFirstOrThrow();
    expect(row.value).toBe("20");
  });

  it("returns instants and counts as integers", async () => {
    await using opened = await open();
    const { database } = opened;
    const at = Date.UTC(2026, 10, 21, 12);
    await database.kysely
      .insertInto("project")
      .values({
        id: "prj_1" as never,
        slug: "a",
        name: "A",
        source_url: null,
        code_host: "embedded",
        branch: "main",
        settings: "{}",
        created_at: at,
      })
      .execute();
    const row = await database.kysely
      .selectFrom("project")
      .select(["created_at", (expression) => expression.fn.countAll<number>().as("count")])
      .groupBy("created_at")
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ created_at: at, count: 1 });
  });

  it("stores any text without NUL", async () => {
    await using opened = await open();
    const { database } = opened;
    const text = 'naïve – 漢字 🚢 \u202e "quoted" \\ \n';
    await database.kysely.insertInto("instance_value").values(values("text", text)).execute();
    const row = await database.kysely.selectFrom("instance_value").select("value").executeTakeFirstOrThrow();
    expect(row.value).toBe(text);
  });

  it("wakes only the listeners of the notified channel", async () => {
    await using opened = await open();
    const { database } = opened;
    const heard: string[] = [];
    const end = database.wakeUp.subscribe("job", (payload) => heard.push(payload));
    database.wakeUp.subscribe("outbox", () => heard.push("wrong"));
    database.wakeUp.notify("job", "job_1");
    for (let wait = 0; wait < 100 && heard.length === 0; wait++) await sleep(20);
    expect(new Set(heard)).toEqual(new Set(["job_1"]));
    end();
    heard.length = 0;
    database.wakeUp.notify("job", "job_2");
    await sleep(50);
    expect(heard).toEqual([]);
  });
}
