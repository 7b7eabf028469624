import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/views.ts";
import type { Database } from "./database.ts";
import { createTrustedTime } from "./trusted-time.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STEP_HOURS = 6;
const START = Date.UTC(2027, 0, 1);

/** A machine that can be off and whose clock can be set; processes on it start and stop. */
function createMachine(database: Database) {
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void log.push(JSON.parse(line) as object as (typeof log)[number]) },
  );
  let runMs = 0;
  let wallMs = START;
  const clock = { now: () => new Date(wallMs) };
  return {
    log,
    setClock: (days: number) => void (wallMs += days * DAY_MS),
    off: (days: number) => void (wallMs += days * DAY_MS),
    start: () => createTrustedTime({ database, clock, logger, monotonicMs: () => runMs }),
    async run(hours: number, ...processes: { now(): Promise<Date> }[]) {
      for (let done = 0; done < hours; done += STEP_HOURS) {
        const ms = Math.min(STEP_HOURS, hours - done) * HOUR_MS;
        runMs += ms;
        wallMs += ms;
        for (const one of processes) await one.now();
      }
    },
  };
}

const daysSinceStart = (time: Date) => (time.getTime() - START) / DAY_MS;

describe.each(BOTH_ENGINES)("on %s", (engine) => {
  test("a clock that is years ahead at a start is not trusted, and after its correction time continues", async () => {
    await using opened = await openTestDatabase(engine);
    const machine = createMachine(opened.database);
    const before = machine.start();
    expect(daysSinceStart(await before.now())).toBe(0);
    await machine.run(48, before);
    expect(daysSinceStart(await before.now())).toBe(2);
    machine.setClock(1_100);
    const wrong = machine.start();
    expect(daysSinceStart(await wrong.now())).toBe(2);
    await machine.run(5 * 24, wrong);
    expect(daysSinceStart(await wrong.now())).toBe(7);
    machine.setClock(-1_100);
    const right = machine.start();
    expect(daysSinceStart(await right.now())).toBe(7);
    // The correction resets the probation: the same wrong clock needs a whole week again.
    machine.setClock(1_100);
    const again = machine.start();
    await again.now();
    await machine.run(3 * 24, again);
    expect(daysSinceStart(await again.now())).toBe(10);
  });

  test("a clock that jumps while the server runs is not trusted", async () => {
    await using opened = await openTestDatabase(engine);
    const machine = createMachine(opened.database);
    const process = machine.start();
    await process.now();
    machine.setClock(1_100);
    await machine.run(6 * 24, process);
    expect(daysSinceStart(await process.now())).toBe(6);
    machine.setClock(500); // jumps again, which restarts the week
    await machine.run(6 * 24, process);
    expect(daysSinceStart(await process.now())).toBe(12);
  });

  test("a clock is trusted after a steady week, across restarts", async () => {
    await using opened = await openTestDatabase(engine);
    const machine = createMachine(opened.database);
    await machine.start().now();
    machine.off(40);
    for (let day = 0; day < 6; day++) {
      const process = machine.start();
      await process.now();
      await machine.run(24, process);
      expect(daysSinceStart(await process.now())).toBeLessThan(8);
    }
    const last = machine.start();
    await last.now();
    await machine.run(26, last);
    expect(daysSinceStart(await last.now())).toBeCloseTo(47, 0);
  });

  test("logs once that a clock is not trusted, by how much and what to do, and once that it is trusted again", async () => {
    await using opened = await openTestDatabase(engine);
    const machine = createMachine(opened.database);
    const before = machine.start();
    await machine.run(24, before);
    expect(machine.log).toEqual([]);
    machine.setClock(1_100);
    await machine.run(48, before);
    const parted = {
      level: 40,
      clock: "2030-01-06T06:00:00.000Z",
      trusted: "2027-01-02T06:00:00.000Z",
      aheadDays: 1_100,
      since: "2030-01-06T06:00:00.000Z",
      ranDays: 0,
      msg: expect.stringMatching(
        /is not believed: nothing is deleted or archived.*Set the clock.*seven days/s,
      ) as string,
    };
    expect(machine.log).toEqual([parted]);
    const restarted = machine.start();
    await restarted.now();
    expect(machine.log).toMatchObject([{}, { aheadDays: 1_100, since: parted.since, ranDays: 1.8 }]); // up to the check before the restart
    machine.setClock(-1_100);
    await machine.run(6, restarted);
    await machine.run(6, restarted);
    expect(machine.log.slice(2)).toEqual([
      { level: 30, clock: "2027-01-04T06:00:00.000Z", msg: "the clock is believed again" },
    ]);
    machine.setClock(40);
    await machine.run(8 * 24, restarted);
    expect(machine.log.slice(3).map(({ aheadDays, msg }) => [aheadDays, msg])).toEqual([
      [40, expect.stringContaining("is not believed")],
      [undefined, "the clock is believed again"],
    ]);
  });

  test("nights without the server do not delay the trusted time", async () => {
    await using opened = await openTestDatabase(engine);
    const machine = createMachine(opened.database);
    await machine.start().now();
    for (let day = 0; day < 10; day++) {
      machine.off(16 / 24);
      const process = machine.start();
      await process.now();
      await machine.run(8, process);
    }
    expect(daysSinceStart(await machine.start().now())).toBeCloseTo(10, 3);
  });

  test("several processes do not shorten the week", async () => {
    await using opened = await openTestDatabase(engine);
    const machine = createMachine(opened.database);
    await machine.start().now();
    machine.setClock(1_100);
    const processes = [machine.start(), machine.start(), machine.start(), machine.start()];
    for (const one of processes) await one.now();
    await machine.run(4 * 24, ...processes);
    for (const one of processes) expect(daysSinceStart(await one.now())).toBeCloseTo(4, 3);
  });

  test("a clock that is set back is followed at once, and its correction only after a week", async () => {
    await using opened = await openTestDatabase(engine);
    const machine = createMachine(opened.database);
    await machine.start().now();
    machine.setClock(-300);
    const behind = machine.start();
    expect(daysSinceStart(await behind.now())).toBe(-300);
    machine.setClock(300);
    await machine.run(24, behind);
    expect(daysSinceStart(await behind.now())).toBe(-299);
    await machine.run(7 * 24, behind);
    expect(daysSinceStart(await behind.now())).toBe(8);
  });

  test("a store of an older version does not trust a clock far ahead of its newest project", async () => {
    await using opened = await openTestDatabase(engine);
    const projectId = await insertTestProject(opened.database.kysely);
    await opened.database.kysely.deleteFrom("project").where("id", "=", projectId).execute();
    await opened.database.kysely
      .insertInto("project")
      .values({
        id: projectId,
        slug: "old",
        name: "Old",
        source_url: null,
        code_host: "embedded",
        branch: "main",
        settings: "{}",
        created_at: START - 1_100 * DAY_MS,
      })
      .execute();
    const machine = createMachine(opened.database);
    expect(daysSinceStart(await machine.start().now())).toBe(-1_100);
  });
});
