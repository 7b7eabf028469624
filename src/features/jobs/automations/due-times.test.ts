import { describe, expect, it } from "vitest";
import { createTrustedTime } from "#db/trusted-time.ts";
import type { Logger } from "#lib/logger.ts";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp } from "#testing/test-app.ts";
import { noticePushes, runDueAutomations } from "./automation-triggers.ts";
import { correctDueTimes } from "./due-times.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const AHEAD = new Date("2028-01-10T12:00:00Z");

describe.each(ENGINES)("the next run of an automation, on %s", (engine) => {
  async function open(trigger: object = { kind: "schedule", cron: "0 6 * * *" }) {
    const app = await createTestApp(engine, { now: NOW, agentCallsPerHour: 1 });
    const body = { name: "Nightly", prompt: "Fix the links.", trigger };
    const { id } = (await app.call("POST", "/automations", { body })).json;
    const logged: unknown[] = [];
    const logger = { warn: (fields: { was: Date; dueAt: Date }) => logged.push([fields.was, fields.dueAt]) };
    return {
      app,
      logged,
      correct: () => correctDueTimes({ ...app.automations, logger: logger as unknown as Logger }),
      nextRun: async () => (await app.call("GET", `/automations/${id}`)).json.nextRunAt as string | null,
      [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
    };
  }

  it("is right again, with one line in the log, after the clock was ahead", async () => {
    await using test = await open();
    test.app.time.now = AHEAD;
    await runDueAutomations(test.app.automations);
    expect(await test.nextRun()).toBe("2028-01-11T06:00:00.000Z");
    test.app.time.now = NOW;
    await test.correct();
    await test.correct();
    expect(await test.nextRun()).toBe("2026-11-21T06:00:00.000Z");
    expect(test.logged).toEqual([[new Date("2028-01-11T06:00:00Z"), new Date("2026-11-21T06:00:00Z")]]);
  });

  it("is now if a push was noticed while the clock was ahead", async () => {
    await using test = await open({ kind: "push" });
    test.app.time.now = AHEAD;
    await test.app.pushCommit("main", { "one.md": "# One\n" });
    await noticePushes(test.app.automations);
    test.app.time.now = NOW;
    await test.correct();
    expect(await test.nextRun()).toBe(NOW.toISOString());
  });

  it("stays if it was put off", async () => {
    await using test = await open({ kind: "schedule", cron: "*/10 * * * *" });
    await test.app.call("POST", "/job", { body: { prompt: "Use up the hour." } });
    test.app.time.now = new Date("2026-11-20T12:10:00.500Z");
    expect(await runDueAutomations(test.app.automations)).toBe(0);
    const putOff = await test.nextRun();
    expect(Date.parse(putOff!) - Date.parse("2026-11-20T12:20:00Z")).toBeGreaterThan(30 * 60_000);
    await test.correct();
    expect(await test.nextRun()).toBe(putOff);
  });

  it("stays while the clock is behind", async () => {
    await using test = await open();
    await createTrustedTime({ database: test.app.database, clock: { now: () => NOW } }).now();
    test.app.time.now = new Date("1970-01-01T00:00:00Z");
    await test.correct();
    test.app.time.now = NOW;
    expect(await test.nextRun()).toBe("2026-11-21T06:00:00.000Z");
  });
});
