import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { createTestDatabase } from "#testing/postgres.ts";
import { spawnDocent } from "#test/support/commands.ts";
import { createTestInstance } from "#test/support/instance.ts";
import { programFile } from "#test/support/processes.ts";
import { createRandom } from "#test/support/random.ts";
import { serveInstance } from "#test/support/server.ts";

const ROWS = 400_000;
const ROUNDS = 8;

const made = new AsyncDisposableStack();
afterAll(() => made.disposeAsync());

it("a copy that is killed again and again is never taken for whole, and is whole in the end", async () => {
  const instance = made.use(await createTestInstance("sqlite", { "index.md": "# Start\n" }));
  await (await serveInstance(instance))[Symbol.asyncDispose]();
  {
    using database = new DatabaseSync(path.join(instance.data, "docent.sqlite"));
    database.exec(`
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into visitor_presence (project, visitor, page, last, earlier) select 1, i + 9007199254740993, 0, i, x'00ff' from n`);
  }
  const target = made.use(await createTestDatabase());
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  made.defer(() => client.end());
  const args = ["store", "copy", "--data", instance.data, "--to", target.url];
  const environment = { ...instance.environment, DATABASE_URL: target.url };
  const random = createRandom(21);
  const count = () =>
    client.query<{ count: string }>("select count(*) as count from visitor_presence").then(
      (answer) => Number(answer.rows[0]?.count),
      () => 0, // no tables yet
    );
  let killed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await count();
    const command = ["--disable-warning=ExperimentalWarning", programFile("src/cli/main.ts"), ...args];
    const child = spawn(process.execPath, command, {
      env: { PATH: process.env["PATH"], ...instance.environment },
      stdio: "ignore",
    });
    const exited = once(child, "exit");
    const enough = random() * ROWS * 0.8;
    for (let isBegun = before === 0; child.exitCode === null; await sleep(5)) {
      const now = await count();
      isBegun ||= now < before; // what the last one left was deleted
      if (isBegun && now >= enough) break;
    }
    child.kill("SIGKILL");
    await exited;
    if (child.exitCode !== null) break; // too late
    killed += 1;
    const refused = await spawnDocent(["projects", "list", "--data", instance.data], { environment });
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/unfinished copy|no Docent store/) as string,
    });
  }
  expect(killed).toBeGreaterThan(0);
  await spawnDocent(args, { environment: instance.environment }); // refused where the last round came too late
  const { rows } = await client.query(
    "select count(*)::int as count, max(visitor)::text as most from visitor_presence",
  );
  expect(rows).toEqual([{ count: ROWS, most: String(BigInt(ROWS) + 9007199254740993n) }]);
  const list = await spawnDocent(["projects", "list", "--data", instance.data], { environment });
  expect(list).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(instance.project.slug) as string });
});
