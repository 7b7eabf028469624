import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, it } from "vitest";
import { loadConfig } from "#app/instance/config.ts";
import { startServer } from "#main.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { createCuttableWay } from "#test/support/cuttable-way.ts";
import { callApi, createTestInstance } from "#test/support/instance.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { startProcess } from "#test/support/processes.ts";

it("a server whose database answers nothing stops all the same, and names what it leaves behind", async () => {
  await using database = await createTestDatabase();
  await using way = await createCuttableWay(new URL(database.url));
  await using instance = await createTestInstance(
    "postgres",
    { "index.md": "# Start\n" },
    { DATABASE_URL: database.url },
  );
  const environment = { ...instance.environment, DATABASE_URL: way.url };
  const server = await startProcess(
    "src/cli/main.ts",
    ["serve", "--json", "--port", "0", "--data", instance.data],
    environment,
  );
  const { baseUrl } = server.started;
  expect((await callApi(baseUrl, instance, { path: "/jobs" })).status).toBe(200);
  way.freeze();
  const hanging = callApi(baseUrl, instance, { path: "/jobs" }).catch(() => "cut");
  await sleep(300); // the call is on its way into the server
  server.child.kill("SIGTERM");
  expect(await server.exited).toBeNull();
  expect(server.child.exitCode).toBe(1);
  await hanging; // cut, or refused when the signal came first
  expect(server.log()).toContain('"part":"store","msg":"did not close in time and is left behind"');
});

it("a database that is away is told of once by everybody who needs it, and again when it is back", async () => {
  await using database = await createTestDatabase();
  await using way = await createCuttableWay(new URL(database.url));
  const lines: { msg: string; trouble?: string; err?: object }[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const settings = { DATABASE_URL: database.url };
  await using instance = await createTestInstance("postgres", { "index.md": "# Start\n" }, settings);
  const config = loadConfig({ data: instance.data, port: 0 }, { ...instance.environment, DATABASE_URL: way.url });
  await using server = await startServer(config, { logger });
  using site = createSiteClient({ instance, port: server.port });
  await callApi(server.baseUrl, instance, { path: "/jobs" });
  way.cut();
  for (let calls = 0; calls < 5; calls++) {
    expect((await callApi(server.baseUrl, instance, { path: "/jobs" })).status).toBe(503);
    await sleep(1_000); // all others look about once a second
  }
  for (let calls = 0; calls < 3; calls++) expect((await site.send("/")).status).toBe(503);
  const stacks = lines.filter(({ err }) => err !== undefined).map(({ msg }) => msg);
  expect(stacks).toEqual([...new Set(stacks)]); // each once
  expect(stacks).toContain("requests fail: the database is out of reach");
  way.open();
  const over = () => lines.filter(({ msg }) => msg === "trouble is over").map(({ trouble }) => trouble);
  const wanted = [
    "jobs could not be claimed",
    "webhook deliveries could not be claimed",
    "automations could not be run",
  ];
  await expect.poll(over, { timeout: 60_000 }).toEqual(expect.arrayContaining(wanted));
  for (const trouble of wanted)
    expect([trouble, lines.filter(({ msg }) => msg === trouble).length]).toEqual([trouble, 1]);
});
