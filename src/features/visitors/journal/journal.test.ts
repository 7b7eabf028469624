import { readFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";

import { createTestDirectory } from "#testing/repositories.ts";
import { aView } from "#testing/views.ts";
import { type Journal, listSegments, openJournal, segmentName } from "./journal.ts";
import { decodeFrames } from "./journal-frame.ts";

const projectId = newProjectId();
const MANY = 500;

async function openTestJournal({ maxQueued = 50_000 } = {}) {
  await using made = new AsyncDisposableStack();
  const { path: directory } = made.use(await createTestDirectory());
  const logged: string[] = [];
  const logger = pino({ level: "error" }, { write: (line) => void logged.push(line) });
  const journal = made.use(await openJournal({ directory, logger, maxQueued }));
  const addresses = async () => {
    const segments = await listSegments(directory);
    const bytes = await Promise.all(segments.map((one) => readFile(path.join(directory, segmentName(one)))));
    const { records } = decodeFrames(Buffer.concat(bytes), { maxRecords: 10_000, isEnd: true });
    return records.map((record) => ("address" in record ? record.address : null));
  };
  const owned = made.move();
  return { directory, journal, logged, addresses, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Appends views whose records are created later; `made` lists those that were. */
function appendPending(journal: Journal, count: number) {
  const made: number[] = [];
  const written = Array.from({ length: count }, (_, index) => {
    const make = () => {
      made.push(index);
      return aView(projectId, { address: `192.0.2.${index}` });
    };
    return journal.append({ project: projectId, make });
  });
  return { made, written: Promise.all(written) };
}

test("creates records when they are written, once, in the order of their views", async () => {
  await using world = await openTestJournal();
  const { journal, addresses } = world;
  const { made, written } = appendPending(journal, 3);
  const last = journal.append(aView(projectId, { address: "192.0.2.9" }));
  expect(made).toEqual([]);
  expect(journal.stats()).toMatchObject({ accepted: 0, queued: 4 });
  expect(await written).toEqual([true, true, true]);
  expect(await last).toBe(true);
  expect(made).toEqual([0, 1, 2]);
  expect(await addresses()).toEqual(["192.0.2.0", "192.0.2.1", "192.0.2.2", "192.0.2.9"]);
});

test("when many views wait, as for a slow disk, only a limited number keep the inputs of their records", async () => {
  await using world = await openTestJournal();
  const { made, written } = appendPending(world.journal, MANY + 20);
  expect(made).toEqual(Array.from({ length: 20 }, (_, index) => MANY + index));
  expect((await written).every(Boolean)).toBe(true);
  expect(made).toHaveLength(MANY + 20);
  expect(await world.addresses()).toHaveLength(MANY + 20);
});

test("writes and counts nothing for a request that turns out not to be a view", async () => {
  await using world = await openTestJournal();
  const { directory, journal, logged } = world;
  expect(await journal.append({ project: projectId, make: () => null })).toBe(true);
  expect(await listSegments(directory)).toEqual([]);
  const many = appendPending(journal, MANY);
  expect(await journal.append({ project: projectId, make: () => null })).toBe(true); // created immediately
  await many.written;
  expect(journal.stats()).toEqual({ accepted: MANY, shed: 0, lost: 0, queued: 0 });
  expect(logged).toEqual([]);
});

test("a full queue drops views, and does not count requests that are not views", async () => {
  await using world = await openTestJournal({ maxQueued: 2 });
  const { journal } = world;
  const { written } = appendPending(journal, 2);
  expect(await journal.append({ project: projectId, make: () => null })).toBe(true);
  expect(await appendPending(journal, 1).written).toEqual([false]);
  expect(await written).toEqual([true, true]);
  expect(journal.stats()).toEqual({ accepted: 2, shed: 1, lost: 0, queued: 0 });
});

test("a record that cannot be created loses only itself, and is reported", async () => {
  await using world = await openTestJournal();
  const { journal, addresses, logged } = world;
  const before = appendPending(journal, 2);
  const broken = journal.append({
    project: projectId,
    make: () => {
      throw new Error("no record");
    },
  });
  const after = journal.append(aView(projectId, { address: "192.0.2.9" }));
  expect(await broken).toBe(false);
  expect(await before.written).toEqual([true, true]);
  expect(await after).toBe(true);
  expect(journal.stats()).toEqual({ accepted: 3, shed: 0, lost: 1, queued: 0 });
  expect(logged.join()).toContain("no record");
  expect(await addresses()).toEqual(["192.0.2.0", "192.0.2.1", "192.0.2.9", null]); // and the loss itself
});
