import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openDatabase } from "./database.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory } from "#testing/repositories.ts";

const secret = (name: string) => ({ name, value: "" });

/** A store and a second connection to its file, as from another process or thread. */
async function openTwice() {
  await using stack = new AsyncDisposableStack();
  const path = `${stack.use(await createTestDirectory()).path}/docent.sqlite`;
  const location = { engine: "sqlite" as const, path };
  const database = stack.use(await openDatabase({ location, logger: silentLogger, migrate: true }));
  const other = stack.adopt(new DatabaseSync(path), (connection) => connection.close());
  const owned = stack.move();
  return { database, other, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const WRITES = {
  "a statement": (database) => database.kysely.insertInto("instance_value").values(secret("ours")).execute(),
  "a transaction": (database) =>
    database.transaction((transaction) =>
      transaction.insertInto("instance_value").values(secret("ours")).executeTakeFirst(),
    ),
} satisfies Record<string, (database: Awaited<ReturnType<typeof openTwice>>["database"]) => Promise<unknown>>;

it.each(Object.entries(WRITES))("%s waits for another writer without blocking the thread", async (_name, write) => {
  await using opened = await openTwice();
  const { database, other } = opened;
  other.exec("begin immediate; insert into instance_value (name, value) values ('theirs', '')");
  let isDone = false;
  const writing = write(database).then(() => (isDone = true));

  // SQLite itself does not wait, and the connection is free to read committed rows.
  expect(database.sqlite?.prepare("pragma busy_timeout").get()).toEqual({ timeout: 0 });
  await sleep(50);
  const query = database.kysely.selectFrom("instance_value").select("name").orderBy("name");
  expect(await query.execute()).toEqual([]);
  expect(isDone).toBe(false);

  other.exec("commit");
  await writing;
  expect(await query.execute()).toEqual([{ name: "ours" }, { name: "theirs" }]);
});

it("runs other queries of a connection only after its open transaction", async () => {
  await using opened = await openTwice();
  const { database } = opened;
  const order: string[] = [];
  const transaction = database.transaction(async (inside) => {
    for (const name of ["first", "second"]) {
      await inside.insertInto("instance_value").values(secret(name)).execute();
      order.push(name);
    }
  });
  const read = database.kysely.selectFrom("instance_value").select("name").execute();
  await Promise.all([transaction, read.then(() => order.push("read"))]);
  expect(order).toEqual(["first", "second", "read"]);
  expect(await read).toHaveLength(2);
});

it("continues after a failed transaction", async () => {
  await using opened = await openTwice();
  const { database } = opened;
  const twice = database.transaction(async (inside) => {
    await inside.insertInto("instance_value").values(secret("same")).execute();
    await inside.insertInto("instance_value").values(secret("same")).execute();
  });
  await expect(twice).rejects.toThrow("UNIQUE");
  await WRITES["a transaction"](database);
  expect(await database.kysely.selectFrom("instance_value").select("name").execute()).toEqual([{ name: "ours" }]);
});

it.each([1, 2])("lets other writers in between back-to-back long transactions of %i writers", async (count) => {
  await using opened = await openTwice();
  await using waiting = await openDatabase({
    location: { engine: "sqlite", path: opened.other.location()! },
    logger: silentLogger,
    migrate: false,
  });
  const LONG = 24;
  let ended = 0;
  const writeForLong = async () => {
    while (ended < LONG) {
      await opened.database.transaction(async (inside) => {
        await inside
          .insertInto("instance_value")
          .values(secret(`long ${ended++}`))
          .execute();
        await sleep(15);
      });
    }
  };
  const long = Promise.all(Array.from({ length: count }, writeForLong));
  const endedBefore = WRITES["a statement"](waiting).then(() => ended);
  await long;
  expect(await endedBefore).toBeLessThan(LONG / 2);
});
