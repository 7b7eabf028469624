import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, open, readdir, readFile, truncate } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type DatabaseLocation, type Engine, openDatabase } from "#db/database.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createAnalytics } from "#features/visitors/collect/analytics.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { createFoldHere } from "./fold-runner.ts";
import { openJournal, type SegmentFile, syncFolder } from "#features/visitors/journal/journal.ts";
import { claimJournalSlot } from "#features/visitors/journal/journal-slot.ts";
import { reportExcluded } from "#features/visitors/reports/reports.ts";
import { testVault } from "#testing/vault.ts";
import { NODE_COMPILE_CACHE } from "#test/support/processes.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const everything = { from: null, to: null, limit: 250, offset: 0 };

async function openWorld(engine: Engine = "sqlite") {
  await using made = new AsyncDisposableStack();
  const folder = made.use(await createTestDirectory()).path;
  const location: DatabaseLocation =
    engine === "sqlite"
      ? { engine, path: path.join(folder, "docent.sqlite") }
      : { engine, url: new Secret(made.use(await createTestDatabase()).url) };
  const database = made.use(await openDatabase({ location, logger: silentLogger, migrate: true }));
  const projectId = await insertTestProject(database.kysely);
  const owned = made.move();
  return { folder, location, database, projectId, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** It folds in this thread, unless it is given a location. */
const analyticsOf = ({ database, folder }: Awaited<ReturnType<typeof openWorld>>, given = {}) =>
  createAnalytics({
    database,
    location: null,
    dataDirectory: folder,
    trustedProxies: [],
    clock: systemClock,
    vault: testVault,
    logger: silentLogger,
    ...given,
  });

/** More than the 5,000 paths and 5,000 agents that are kept. */
const FLOOD = LONG_TESTS ? 1_000_000 : 6_000;

type Storm = { kills: number; engine: Engine; when: string; segmentAgeMs: number };
const BUSY: Storm = {
  kills: 3,
  engine: "sqlite",
  when: "while segments are begun and deleted all the time",
  segmentAgeMs: 1,
};
const QUIET: Storm = { kills: 20, engine: "sqlite", when: "while views come in", segmentAgeMs: 30_000 };
const ON_POSTGRES = [QUIET, BUSY].map((storm): Storm => ({ ...storm, kills: 20, engine: "postgres" }));

test.each(LONG_TESTS ? [QUIET, { ...BUSY, kills: 20 }, ...ON_POSTGRES] : [BUSY])(
  "$kills times kill -9 $when, on $engine: each acknowledged view is counted exactly once",
  async ({ kills, engine, segmentAgeMs }) => {
    await using world = await openWorld(engine);
    const { database, location, projectId, folder } = world;
    const store = location.engine === "postgres" ? [location.url.reveal()] : [];
    const script = fileURLToPath(import.meta.resolve("#testing/collecting-process.ts"));
    const acknowledged = new Set<number>();
    let next = 0;
    for (let round = 0; round < kills; round++) {
      const given = [folder, projectId, String(next), String(segmentAgeMs), ...store];
      const child = spawn(process.execPath, [script, ...given], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE },
      });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
      while (output.split("\n").length <= 20) await sleep(5);
      await sleep(Math.random() * 120);
      child.kill("SIGKILL");
      await once(child, "close");
      for (const line of output.split("\n").slice(0, -1)) acknowledged.add(Number(line));
      next = Math.max(...acknowledged) + 1_000; // numbers in flight stay unused
    }
    await using analytics = await analyticsOf(world, { location });
    await analytics.flush();
    const counted = await database.kysely
      .selectFrom("view_tally")
      .innerJoin("analytics_label", "analytics_label.id", "view_tally.item")
      .select(["text", "human"])
      .where("facet", "=", 1)
      .execute();
    const views = new Map(counted.map((row) => [Number(row.text.slice("/view/".length)), row.human]));
    expect(acknowledged.size).toBeGreaterThan(kills * 19);
    expect([...acknowledged].filter((number) => views.get(number) !== 1)).toEqual([]);
    expect([...views.values()].every((human) => human === 1)).toBe(true);
    // Every counted view is also a visitor: every view has its own address.
    const { totals } = await queryVisitors({ database }, { projectId, ...everything });
    expect(totals.human).toBe(views.size);
  },
  600_000, // 46 to 80 starts of a server, which are slow on a busy machine
);

const addressesOnDisk = async (folder: string) => {
  const names = await readdir(path.join(folder, "journal"), { recursive: true });
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith(".journal"))
      // A fold may delete a segment between the two calls.
      .map((name) => readFile(path.join(folder, "journal", name), "utf8").catch(() => "")),
  );
  return texts.flatMap((text) => text.match(/192\.0\.2\.\d+/g) ?? []);
};

const servedPages = (project: ProjectId) => ({ project, time: Date.now(), isPrivate: false, isPrefetch: false });

const unconfirmed = async ({ database, projectId }: Awaited<ReturnType<typeof openWorld>>) => {
  const excluded = await reportExcluded({ database }, { projectId, from: null, to: null });
  return excluded.find(({ reason }) => reason === "unconfirmed")?.views;
};

test("an address leaves the disk soon after its view was counted, without further traffic", async () => {
  await using world = await openWorld();
  const { database, projectId, folder } = world;
  await using analytics = await analyticsOf(world, { foldIntervalMs: 5, segmentAgeMs: 100 });
  await analytics.journal.append(aView(projectId, { address: "192.0.2.7" }));
  expect(await addressesOnDisk(folder)).toEqual(["192.0.2.7"]);
  await expect.poll(() => addressesOnDisk(folder)).toEqual([]);
  expect((await queryVisitors({ database }, { projectId, ...everything })).totals.human).toBe(1);
});

test("an address leaves the disk while views keep coming in", async () => {
  await using world = await openWorld();
  const { projectId, folder } = world;
  await using analytics = await analyticsOf(world, { foldIntervalMs: 5, segmentAgeMs: 100 });
  await analytics.journal.append(aView(projectId, { address: "192.0.2.7" }));
  while ((await addressesOnDisk(folder)).includes("192.0.2.7")) {
    await analytics.journal.append(aView(projectId, { address: "192.0.2.8" }));
  }
  expect(await addressesOnDisk(folder)).not.toContain("192.0.2.7");
});

test("of pages sent to browsers only their number reaches the disk", async () => {
  await using world = await openWorld();
  await using analytics = await analyticsOf(world, { foldIntervalMs: 60_000 });
  const request = new Request("http://docs.localhost/guide", {
    headers: { "user-agent": userAgents.chrome, cookie: "docent_visitor=0123456789abcdefghijkl" },
  });
  const visit = { projectId: world.projectId, peerAddress: "192.0.2.1", request };
  for (let page = 0; page < 40; page++) {
    analytics.collector.served({ ...visit, path: "/guide", surface: "html", found: true });
  }
  const journal = path.join(world.folder, "journal");
  const written = async () => {
    const names = (await readdir(journal, { recursive: true })).filter((name) => name.endsWith(".journal"));
    return (await Promise.all(names.map((name) => readFile(path.join(journal, name), "utf8")))).join("");
  };
  await analytics.collector.settle();
  await expect.poll(written).toContain('"delivered":40');
  expect((await written()).match(/192\.0\.2|Chrome|guide|0123456789/)).toBeNull();
  await analytics.flush();
  expect(await unconfirmed(world)).toBe(40);
});

test("a server that is stopped leaves no address behind", async () => {
  await using world = await openWorld();
  {
    await using analytics = await analyticsOf(world);
    await analytics.journal.append(aView(world.projectId));
  }
  expect(await addressesOnDisk(world.folder)).toEqual([]);
});

test("a running process folds and deletes the journal of a killed one", async () => {
  await using world = await openWorld();
  const { database, projectId, folder } = world;
  const killed = await claimJournalSlot(path.join(folder, "journal"));
  await using analytics = await analyticsOf(world, { location: world.location, leftoversMs: 50 });
  await analytics.flush();
  {
    await using journal = await openJournal({ directory: killed.directory, logger: silentLogger });
    await journal.append(aView(projectId, { address: "192.0.2.7" }));
  }
  killed[Symbol.dispose]();
  await expect.poll(() => addressesOnDisk(folder)).toEqual([]);
  expect((await queryVisitors({ database }, { projectId, ...everything })).totals.human).toBe(1);
});

test("views after two starts without a view between them are counted", async () => {
  await using world = await openWorld();
  const { database, projectId } = world;
  for (const address of ["192.0.2.1", null, "192.0.2.2", null, null, "192.0.2.3"]) {
    await using analytics = await analyticsOf(world);
    if (address !== null) await analytics.journal.append(aView(projectId, { address }));
    await analytics.flush();
  }
  expect((await queryVisitors({ database }, { projectId, ...everything })).totals.human).toBe(3);
});

test("skips a torn or damaged end of a journal, and counts what is before it", async () => {
  await using world = await openWorld();
  const { database, projectId, folder } = world;
  const slot = await claimJournalSlot(path.join(folder, "journal"));
  const write = async (addresses: string[]) => {
    await using journal = await openJournal({ directory: slot.directory, logger: silentLogger });
    for (const address of addresses) await journal.append(aView(projectId, { address }));
  };
  const newest = async () =>
    path.join(
      slot.directory,
      (await readdir(slot.directory))
        .filter((name) => name.endsWith(".journal"))
        .sort()
        .at(-1) ?? "",
    );
  await write(["192.0.2.1", "192.0.2.2"]);
  await truncate(await newest(), 600); // the second record loses its end
  await write(["192.0.2.3"]);
  await appendFile(await newest(), Buffer.alloc(64, 0xff));
  await write(["192.0.2.4"]);
  const file = await open(await newest(), "r+");
  await file.write(Buffer.from("X"), 0, 1, 80); // a flipped byte: the checksum detects it
  await file.close();
  await write(["192.0.2.5"]);
  slot[Symbol.dispose]();
  await using analytics = await analyticsOf(world);
  await analytics.flush();
  expect((await queryVisitors({ database }, { projectId, ...everything })).totals.human).toBe(3);
});

test("on a full disk nothing is acknowledged, the loss is counted, and writes resume once there is room", async () => {
  await using world = await openWorld();
  const { database, projectId, folder } = world;
  using slot = await claimJournalSlot(path.join(folder, "journal"));
  let isFull = false;
  const openSegment = async (name: string): Promise<SegmentFile> => {
    const file = await open(name, "a");
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const write = async (bytes: Buffer, offset: number, length: number) => {
      if (!isFull) return file.write(bytes, offset, length);
      await file.write(bytes, offset, Math.min(length, 10)); // some of it still fits
      throw full;
    };
    return {
      write: write as SegmentFile["write"],
      datasync: () => file.datasync(),
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
    };
  };
  await using journal = await openJournal({
    directory: slot.directory,
    logger: silentLogger,
    disk: { openSegment, syncFolder },
  });
  expect(await journal.append(aView(projectId, { address: "192.0.2.1" }))).toBe(true);
  isFull = true;
  expect(await journal.append(aView(projectId, { address: "192.0.2.2" }))).toBe(false);
  expect(await journal.append(aView(projectId, { address: "192.0.2.3" }))).toBe(false);
  for (let each = 0; each < 3; each++) journal.count(servedPages(projectId));
  await journal.flush();
  isFull = false;
  expect(await journal.append(aView(projectId, { address: "192.0.2.4" }))).toBe(true);
  expect(journal.stats()).toEqual({ accepted: 2, shed: 0, lost: 2, queued: 0 });
  const runner = createFoldHere({
    database,
    clock: systemClock,
    vault: testVault,
    logger: silentLogger,
    journal: slot,
  });
  await runner.foldUntil(journal.durable());
  expect((await queryVisitors({ database }, { projectId, ...everything })).totals.human).toBe(2);
  const lost = await database.kysely
    .selectFrom("view_tally")
    .select("other")
    .where("facet", "=", 6)
    .where("item", "=", 11)
    .executeTakeFirst();
  expect(lost?.other).toBe(2);
  expect(await unconfirmed(world)).toBe(3);
  isFull = true;
  journal.count(servedPages(projectId));
  await journal.flush();
  isFull = false;
  await journal[Symbol.asyncDispose](); // retries
  await runner.foldUntil(journal.durable());
  expect(await unconfirmed(world)).toBe(4);
});

test("a full queue drops views and reports how many", async () => {
  await using world = await openWorld();
  const { projectId, folder } = world;
  using slot = await claimJournalSlot(path.join(folder, "journal"));
  await using journal = await openJournal({ directory: slot.directory, logger: silentLogger, maxQueued: 10 });
  const results = await Promise.all(Array.from({ length: 25 }, () => journal.append(aView(projectId))));
  expect(results.filter(Boolean)).toHaveLength(10);
  expect(journal.stats()).toMatchObject({ accepted: 10, shed: 15 });
});

test("two processes on one data directory have a journal each, and one folds what the other left", async () => {
  await using world = await openWorld();
  const { database, projectId, folder } = world;
  const root = path.join(folder, "journal");
  using first = await claimJournalSlot(root);
  const second = await claimJournalSlot(root);
  expect(second.directory).not.toBe(first.directory);
  {
    await using journal = await openJournal({ directory: second.directory, logger: silentLogger });
    await journal.append(aView(projectId));
  }
  second[Symbol.dispose]();
  await using analytics = await analyticsOf(world);
  await analytics.flush();
  expect((await queryViews({ database }, { projectId, ...everything })).totals.total).toBe(1);
});

test("a flood of paths, addresses and user agents from one sender is one visitor with a bounded number of labels", async () => {
  await using world = await openWorld();
  const { database, projectId } = world;
  await using analytics = await analyticsOf(world, { maxServedPerMinute: Number.MAX_SAFE_INTEGER });
  for (let index = 0; index < FLOOD; index++) {
    analytics.collector.served({
      projectId,
      path: `/missing/${index}`,
      surface: "markdown",
      found: false,
      request: new Request("http://docs.localhost/", {
        headers: { "user-agent": `Tool${index}/${"9".repeat(8_000)}`, "x-forwarded-for": `203.0.113.${index % 256}` },
      }),
      peerAddress: "198.51.100.1",
    });
    if (index % 2_000 === 0) await analytics.flush();
  }
  await analytics.flush();
  expect(analytics.stats()).toMatchObject({ accepted: FLOOD, shed: 0 });
  const { totals, visitors } = await queryVisitors({ database }, { projectId, ...everything });
  expect([totals.total, visitors]).toEqual([0, []]);
  const labels = await database.kysely
    .selectFrom("analytics_label")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  expect(labels.count).toBeLessThanOrEqual(10_010);
}, 1_200_000);
