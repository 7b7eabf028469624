import { describe, expect, it } from "vitest";
import { listRuns } from "./automation-runs.ts";
import { retryAfterOutages } from "./automation-retries.ts";
import { browse } from "#testing/browsing.ts";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp } from "#testing/test-app.ts";

const MINUTE_MS = 60_000;

async function open(engine: (typeof ENGINES)[number]) {
  const app = await createTestApp(engine);
  app.time.now = new Date("2026-11-20T12:00:00Z");
  const body = { name: "Weekly", prompt: "Fix the links.", trigger: { kind: "api" } };
  const { id } = (await app.call("POST", "/automations", { body })).json;
  const logged: string[] = [];
  const ran = await app.call("POST", `/automations/${id}/run`);
  return {
    app,
    id: id as string,
    job: ran.json.id as string,
    later: (minutes: number) => (app.time.now = new Date(app.time.now!.getTime() + minutes * MINUTE_MS)),
    /** The messages that the servers logged. */
    logged,
    /** Retries on two servers at the same time. */
    async retry() {
      const deps = { ...app.automations, logger: { ...app.automations.logger, info: (_run: unknown, message: string) => logged.push(message) } } as unknown as typeof app.automations; // oxfmt-ignore
      const counts = await Promise.all([retryAfterOutages(deps), retryAfterOutages(deps)]);
      return counts[0] + counts[1];
    },
    messages: async () => {
      const rows = await app.database.kysely
        .selectFrom("job_message")
        .select(["seq", "prompt"])
        .orderBy("seq")
        .execute();
      return rows.map(({ seq, prompt }) => `${seq} ${prompt}`);
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

describe.each(ENGINES)("an automation run that an outage ended, on %s", (engine) => {
  it("is retried once after ten minutes, then after longer pauses, and its page says so", async () => {
    await using test = await open(engine);
    const { app, id, later, retry } = test;
    await app.carryOut({ fail: "model_error", outage: true });
    later(9);
    expect(await retry()).toBe(0);
    const member = await browse(app, app.key);
    expect((await member.get(`/harbor-docs/automations/${id}`)).text).toContain("An outage ended it. Next try:");
    later(1);
    expect([await retry(), await retry()]).toEqual([1, 0]);
    expect(await test.messages()).toEqual(["1 Fix the links.", "2 Fix the links."]);
    expect(test.logged).toEqual(["automation run again after an outage"]);
    await app.carryOut({ fail: "code_host_error", outage: true });
    later(29);
    expect(await retry()).toBe(0);
    later(1);
    expect(await retry()).toBe(1);
    await app.carryOut();
    const { text } = await member.get(`/harbor-docs/automations/${id}`);
    expect(text).toContain("Retried 2 times after an outage");
    expect(text).not.toContain("Next try:");
    const { runs } = (await app.call("GET", `/automations/${id}/runs`)).json;
    expect(runs).toMatchObject([{ number: 1, messageSeq: 1, retries: 2, retriedAt: app.time.now!.toISOString() }]);
    later(600);
    expect(await retry()).toBe(0);
  });

  it("is retried at once if it ended while the clock was ahead", async () => {
    await using test = await open(engine);
    test.later(600 * 24 * 60);
    await test.app.carryOut({ fail: "model_error", outage: true });
    test.later(-600 * 24 * 60);
    expect(await test.retry()).toBe(1);
  });

  it("is not retried at once again by a server that read its state before the last retry", async () => {
    await using test = await open(engine);
    const { app } = test;
    await app.carryOut({ fail: "model_error", outage: true });
    test.later(10);
    const { submit } = app.automations;
    const late: typeof submit.database = {
      ...submit.database,
      async transaction(work) {
        expect(await test.retry()).toBe(1);
        await app.carryOut({ fail: "model_error", outage: true });
        return submit.database.transaction(work);
      },
    };
    expect(await retryAfterOutages({ ...app.automations, submit: { ...submit, database: late } })).toBe(0);
    expect(await test.messages()).toHaveLength(2);
  });

  it("is retried at most six times", async () => {
    await using test = await open(engine);
    for (let tries = 0; tries <= 6; tries++) {
      await test.app.carryOut({ fail: "model_error", outage: true });
      test.later(8 * 60);
      expect(await test.retry()).toBe(tries < 6 ? 1 : 0);
    }
    expect(await test.messages()).toHaveLength(7);
  });

  it.each([
    ["its job failed for another reason", (test: Test) => test.app.carryOut({ fail: "stuck" })],
    ["someone sent its job a message", (test: Test) => followUp(test)],
    ["the automation has run again", (test: Test) => test.app.call("POST", `/automations/${test.id}/run`)],
    [
      "the automation is paused",
      (test: Test) => test.app.call("PATCH", `/automations/${test.id}`, { body: { enabled: false } }),
    ],
  ])("is not retried when %s", async (why, happen) => {
    await using test = await open(engine);
    if (why !== "its job failed for another reason") await test.app.carryOut({ fail: "model_error", outage: true });
    await happen(test);
    test.later(60);
    expect(await test.retry()).toBe(0);
  });
});

type Test = Awaited<ReturnType<typeof open>>;

async function followUp({ app, job }: Test): Promise<void> {
  await app.call("POST", `/job/${job}/message`, { body: { prompt: "Only the first." } });
  await app.carryOut({ fail: "model_error", outage: true });
}

it("shows 30 runs of an automation at a time, and how many are older", async () => {
  await using test = await open("sqlite");
  const { app, id } = test;
  const skipped = Array.from({ length: 40 }, (_, index) => ({
    automation_id: id,
    number: index + 2,
    started_by: "api" as const,
    due_at: 0,
    started_at: 0,
    job_id: null,
    message_seq: null,
    note: "An earlier run is still waiting.",
    source_range: null,
  }));
  await app.database.kysely.insertInto("automation_run").values(skipped).execute();
  expect((await listRuns(app, { automationId: id, before: null, limit: 50 })).runs).toHaveLength(41);
  const member = await browse(app, app.key);
  const newest = await member.get(`/harbor-docs/automations/${id}`);
  expect(newest.text).toContain(`<a href="/harbor-docs/automations/${id}?before=12" rel="next">11 older</a>`);
  expect(newest.text).not.toContain("<td>#11</td>");
  const older = await member.get(`/harbor-docs/automations/${id}?before=12`);
  expect(older.text).toContain("<td>#11</td>");
  expect(older.text).toContain(`<a href="/harbor-docs/automations/${id}">Newest runs</a>`);
  expect(older.text).not.toContain("older</a>");
});
