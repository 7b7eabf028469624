import { constants } from "node:fs";
import { open, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Database } from "#db/database.ts";
import { systemClock } from "#lib/clock.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { aView, insertTestProject } from "#testing/views.ts";
import { queryViews } from "#features/visitors/reports/counts.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { createFold, type Fold } from "#features/visitors/index/fold.ts";
import { foldJournal } from "#features/visitors/index/fold-journal.ts";
import { createFoldHere } from "#features/visitors/index/fold-runner.ts";
import { openJournal, segmentName } from "./journal.ts";
import { decodeFrames, encodeFrames } from "./journal-frame.ts";
import { testVault } from "#testing/vault.ts";

const projectId = newProjectId();
const recordsOf = (count: number, project: ProjectId = projectId) =>
  Array.from({ length: count }, (_, index) => aView(project, { address: `10.0.${index >> 8}.${index & 255}` }));
const whole = { maxRecords: 1_000, isEnd: true };

function changed(bytes: Buffer, at: number, difference: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ difference;
  return copy;
}

test("a changed byte in a record of a journal loses only that record", () => {
  const records = recordsOf(5);
  const bytes = encodeFrames(records);
  const { starts, ends } = decodeFrames(bytes, whole);
  for (const [index] of records.entries()) {
    const others = records.filter((_, other) => other !== index);
    for (let at = starts[index]!; at < ends[index]!; at++) {
      for (const difference of [0x01, 0x04, 0x80, 0xff]) {
        const frames = decodeFrames(changed(bytes, at, difference), whole);
        expect(frames.records, `byte ${at} changed by ${difference}`).toEqual(others);
        expect(frames.gaps[0]).toMatchObject({ start: starts[index], end: ends[index] });
        expect(frames.end).toBe(bytes.length);
      }
    }
  }
});

test("skips a damaged record even if the bytes arrive in chunks", () => {
  const records = recordsOf(3);
  const bytes = encodeFrames(records);
  const { starts, ends } = decodeFrames(bytes, whole);
  const damaged = changed(bytes, starts[1]! + 1, 0x20); // the length now points beyond the end
  for (let cut = ends[0]!; cut < damaged.length; cut++) {
    const first = decodeFrames(damaged.subarray(0, cut), { maxRecords: 1_000, isEnd: false });
    const second = decodeFrames(damaged.subarray(first.end), whole);
    expect([...first.records, ...second.records], `cut at ${cut}`).toEqual([records[0], records[2]]);
  }
});

test("no reader can send data that is mistaken for a record", () => {
  const inner = encodeFrames([aView(projectId, { address: "10.9.9.9" })]);
  const records = recordsOf(3);
  records[1]!.userAgent = inner.toString("latin1");
  const bytes = encodeFrames(records);
  const { starts } = decodeFrames(bytes, whole);
  const frames = decodeFrames(changed(bytes, starts[1]! + 4, 0xff), whole);
  expect(frames.records).toEqual([records[0], records[2]]);
});

test("distinguishes a truncated or unwritten end of a segment from damage", () => {
  const bytes = encodeFrames(recordsOf(2));
  const { starts } = decodeFrames(bytes, whole);
  const kindOf = (content: Buffer) => decodeFrames(content, whole).gaps.map(({ kind }) => kind);
  expect(kindOf(bytes)).toEqual([]);
  for (let cut = starts[1]! + 1; cut < bytes.length; cut++) {
    // Truncated within the zero bytes of its length, a record looks like unwritten space.
    expect(["torn", "zeros"]).toContain(kindOf(bytes.subarray(0, cut))[0]);
  }
  expect(kindOf(Buffer.concat([bytes, Buffer.alloc(4_096)]))).toEqual(["zeros"]);
  expect(kindOf(Buffer.concat([bytes, Buffer.alloc(64, 0xff)]))).toEqual(["damaged"]);
  expect(kindOf(changed(bytes, starts[1]! + 20, 1))).toEqual(["damaged"]);
});

async function openWorld() {
  await using made = new AsyncDisposableStack();
  const { database } = made.use(await openTestDatabase("sqlite"));
  const { path: directory } = made.use(await createTestDirectory());
  const project = await insertTestProject(database.kysely);
  const logged: { msg: string; level: number; file?: string; bytes?: number; records?: number }[] = [];
  const logger = pino({ level: "info" }, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
  const journal = { directory, id: "test" };
  const owned = made.move();
  const counted = async () => (await countViews(database, project)).total;
  return {
    database,
    directory,
    project,
    logged,
    logger,
    journal,
    counted,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const countViews = async (database: Database, project: ProjectId) =>
  (await queryViews({ database }, { projectId: project, from: null, to: null, limit: 1, offset: 0 })).totals;

const damageIn = async (directory: string) =>
  (await readdir(directory)).filter((name) => name.endsWith(".damaged")).sort();

test.each([3, 20, 90])(
  "with byte %i of the 50th of 100 views damaged, 99 count, and the bytes are kept and logged",
  async (byte) => {
    await using world = await openWorld();
    const { database, directory, project, logger, logged, journal } = world;
    const bytes = encodeFrames(recordsOf(100, project));
    const { starts, ends } = decodeFrames(bytes, whole);
    const damaged = changed(bytes, starts[49]! + byte, 0xff);
    await writeFile(path.join(directory, segmentName(1)), damaged);
    const runner = createFoldHere({ database, clock: systemClock, vault: testVault, logger, journal });
    await runner.foldUntil(null);
    expect(await world.counted()).toBe(99);
    const [name = "", ...others] = await damageIn(directory);
    expect(others).toEqual([]);
    const file = path.join(directory, name);
    expect(await readFile(file)).toEqual(damaged.subarray(starts[49], ends[49]));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const size = ends[49]! - starts[49]!;
    expect(logged.filter(({ level }) => level >= 50)).toMatchObject([{ file, bytes: size, records: 1 }]);
  },
);

test("damage in the current segment is skipped once, and later records count", async () => {
  await using world = await openWorld();
  const { database, directory, project, logger, logged, journal } = world;
  await using written = await openJournal({ directory, logger });
  for (const view of recordsOf(3, project)) await written.append(view);
  const file = await open(path.join(directory, segmentName(1)), "r+");
  await file.write(Buffer.from([0xff]), 0, 1, written.durable().position - 1); // the last of the three
  await file.close();
  const runner = createFoldHere({ database, clock: systemClock, vault: testVault, logger, journal });
  await runner.foldUntil(written.durable());
  await runner.foldUntil(written.durable());
  await written.append(aView(project, { address: "10.9.9.9" }));
  await runner.foldUntil(written.durable());
  expect(await world.counted()).toBe(3);
  expect(logged.filter(({ level }) => level >= 50)).toHaveLength(1);
});

test("a segment that ends as after a crash is no error and leaves nothing behind", async () => {
  await using world = await openWorld();
  const { database, directory, project, logger, logged, journal } = world;
  const bytes = encodeFrames(recordsOf(3, project));
  await writeFile(path.join(directory, segmentName(1)), bytes.subarray(0, bytes.length - 9));
  await writeFile(path.join(directory, segmentName(2)), Buffer.concat([bytes, Buffer.alloc(8_192)]));
  await createFoldHere({ database, clock: systemClock, vault: testVault, logger, journal }).foldUntil(null);
  expect(await world.counted()).toBe(5);
  expect(await damageIn(directory)).toEqual([]);
  const reported = logged.filter(({ msg }) => msg === "a journal segment ends as after a crash");
  expect(reported).toMatchObject([
    { level: 30, ends: "torn" },
    { level: 30, ends: "zeros" },
  ]);
});

test("sets aside a view that the store always refuses, and none while the store is unavailable", async () => {
  await using world = await openWorld();
  const { database, directory, project, logger, journal } = world;
  const views = recordsOf(4, project);
  await writeFile(path.join(directory, segmentName(1)), encodeFrames(views));
  const plain = createFold({ database, classify: createClassifier(), clock: systemClock, vault: testVault });
  let isAway = true;
  const fold: Fold = {
    fold: async (records, progress) => {
      if (isAway || records.some((record) => "address" in record && record.address === "10.0.0.2")) {
        throw new Error("the store takes no view");
      }
      return plain.fold(records, progress);
    },
  };
  await expect(foldJournal({ database, fold, logger, journal }, null)).rejects.toThrow("takes no view");
  expect(await damageIn(directory)).toEqual([]);
  isAway = false;
  await foldJournal({ database, fold, logger, journal }, null);
  expect(await world.counted()).toBe(3);
  const [name = ""] = await damageIn(directory);
  expect(decodeFrames(await readFile(path.join(directory, name)), whole).records).toEqual([views[2]]);
});

test("views wait in the journal while the database is damaged, and are not taken for the cause", async () => {
  await using world = await openWorld();
  const { database, directory, project, logger, journal } = world;
  await writeFile(path.join(directory, segmentName(1)), encodeFrames(recordsOf(3, project)));
  const plain = createFold({ database, classify: createClassifier(), clock: systemClock, vault: testVault });
  const malformed = Object.assign(new Error("database disk image is malformed"), { errcode: 11 });
  const fold: Fold = {
    fold: async (records, progress) => {
      if (records.length > 0) throw malformed;
      return plain.fold(records, progress);
    },
  };
  await expect(foldJournal({ database, fold, logger, journal }, null)).rejects.toBe(malformed);
  expect(await damageIn(directory)).toEqual([]);
  await foldJournal({ database, fold: plain, logger, journal }, null);
  expect(await world.counted()).toBe(3);
});

test("no view is lost when the store becomes unavailable between two of them", async () => {
  await using world = await openWorld();
  const { database, directory, project, logger, journal } = world;
  await writeFile(path.join(directory, segmentName(1)), encodeFrames(recordsOf(4, project)));
  const plain = createFold({ database, classify: createClassifier(), clock: systemClock, vault: testVault });
  let failures = 0;
  const fold: Fold = {
    fold: async (records, progress) => {
      if (records.length > 1 || (records.length === 1 && failures++ === 1)) throw new Error("away for a moment");
      return plain.fold(records, progress);
    },
  };
  await foldJournal({ database, fold, logger, journal }, null);
  expect(await world.counted()).toBe(4);
  expect(await damageIn(directory)).toEqual([]);
});

test("deletes what was set aside after a month", async () => {
  await using world = await openWorld();
  const { database, directory, logger, journal } = world;
  const [old, fresh] = ["0000000001-at-7.damaged", "0000000002-at-0.damaged"] as const;
  for (const name of [old, fresh]) await writeFile(path.join(directory, name), "192.0.2.1");
  const longAgo = Date.now() / 1_000 - 31 * 86_400;
  await utimes(path.join(directory, old), longAgo, longAgo);
  await createFoldHere({ database, clock: systemClock, vault: testVault, logger, journal }).maintain();
  expect(await damageIn(directory)).toEqual([fresh]);
});

test("acknowledges a view after its segment's name and its bytes are on disk, in that order", async () => {
  await using folder = await createTestDirectory();
  const calls: string[] = [];
  const openSegment = async (name: string, flags: number, mode: number) => {
    // O_DSYNC makes each write durable; a system without it needs a sync after each.
    const isSynchronous = constants.O_DSYNC !== undefined && (flags & constants.O_DSYNC) === constants.O_DSYNC;
    const file = await open(name, flags, mode);
    calls.push("open");
    return {
      write: (async (bytes: Buffer, offset: number, length: number) => {
        const written = await file.write(bytes, offset, length);
        calls.push(isSynchronous ? "durable write" : "write");
        return written;
      }) as typeof file.write,
      datasync: async () => {
        await file.datasync();
        if (calls.at(-1) === "write") calls.splice(-1, 1, "durable write");
      },
      truncate: (length?: number) => file.truncate(length),
      close: () => file.close(),
    };
  };
  const syncFolder = async (directory: string) => void calls.push(`sync ${path.basename(directory)}`);
  const logger = pino({ level: "silent" });
  await using journal = await openJournal({ directory: folder.path, logger, disk: { openSegment, syncFolder } });
  const name = path.basename(folder.path);
  await journal.append(aView(projectId)).then(() => calls.push("acknowledged"));
  await journal.append(aView(projectId)).then(() => calls.push("acknowledged"));
  await journal.beginSegment();
  await journal.append(aView(projectId)).then(() => calls.push("acknowledged"));
  const first = ["open", `sync ${name}`, "durable write", "acknowledged"];
  expect(calls).toEqual([...first, "durable write", "acknowledged", ...first]);
});
