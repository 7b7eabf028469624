import { describe, expect, test } from "vitest";
import { builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { type GivenFeedback, keepFeedback, keptWords } from "#features/visitors/feedback/feedback-book.ts";
import { setFeedbackStatus } from "#features/visitors/feedback/feedback-report.ts";
import { eraseAddress } from "#features/visitors/index/erase-address.ts";
import { maintainAnalytics } from "#features/visitors/index/maintenance.ts";
import { DAY_MS } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const START = Date.UTC(2026, 10, 20, 12);

/** A project with feedback of readers and agents, with a clock that the test sets. */
async function openWorld(engine: (typeof ENGINES)[number]) {
  const app = await createTestApp(engine, { now: new Date(START) });
  const { database, vault, clock } = app;
  const pass = (milliseconds: number) => void (app.time.now = new Date(clock.now().getTime() + milliseconds));
  return {
    ...app,
    pass,
    say: (
      given: Partial<Omit<GivenFeedback, "comment">> & { comment?: string },
      time = { now: async () => clock.now() },
    ) => {
      pass(1_000);
      const comment = given.comment === undefined ? null : keptWords(given.comment);
      const author = { author: "reader", keyProduct: "Firefox on Linux", address: "192.0.2.1", cookie: null } as const;
      const said = { projectId: app.project.id, page: "/guide", helpful: true, isPrivate: false, ...author, ...given };
      return keepFeedback({ database, vault, clock, time }, { ...said, comment });
    },
    set: (analytics: object) =>
      database.kysely
        .updateTable("project")
        .set({ settings: JSON.stringify({ analytics }) })
        .where("id", "=", app.project.id)
        .execute(),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

interface AnswerOf {
  feedback: Record<string, unknown>[];
  nextCursor: string | null;
}

async function read(app: Pick<TestApp, "app" | "project" | "key">, at: string, accept = "application/json") {
  const request = new Request(`http://localhost:4000/v1/analytics/${app.project.id}/feedback${at}`, {
    headers: { accept, authorization: `Bearer ${app.key}` },
  });
  const response = await app.app.fetch(request, { peerAddress: "192.0.2.1" });
  const text = await response.text();
  const none = { feedback: [], nextCursor: null };
  const json = accept === "text/csv" ? none : (JSON.parse(text) as AnswerOf);
  return { status: response.status, text, link: response.headers.get("link"), ...json };
}

describe.each(ENGINES)("feedback on %s", (engine) => {
  test("is returned newest first and by page, and a reader's new feedback replaces the old one", async () => {
    await using world = await openWorld(engine);
    const { say } = world;
    await say({});
    await say({ helpful: false, address: "192.0.2.2" });
    await say({ helpful: false, comment: "<b>No</b> word\u202e of\0 Windows\r\n\r\n\r\n\r\nat all" }); // the first reader again
    await say({ keyProduct: "Chrome on Android", page: "/" });
    const agent = { author: "agent", keyProduct: "Claude-User", helpful: null } as const;
    for (const comment of ["=The example fails", "=The example fails", "So does the other"])
      await say({ ...agent, comment });

    const all = await read(world, "");
    const shown = all.feedback.map(({ path, comment, source, helpful }) => [path, comment, source, helpful]);
    expect(shown).toEqual([
      ["/guide", "So does the other", "agent", null],
      ["/guide", "=The example fails", "agent", null],
      ["/", null, "thumbs_only", true],
      ["/guide", "<b>No</b> word\u202e of Windows\n\nat all", "contextual", false],
      ["/guide", null, "thumbs_only", false],
    ]);
    expect(all.feedback[3]).toEqual({
      id: expect.stringMatching(/^fbk_[0-9a-z]{26}$/) as string,
      path: "/guide",
      comment: shown[3]![1],
      createdAt: "2026-11-20T12:00:03.000Z",
      source: "contextual",
      status: "pending",
      helpful: false,
      contact: null,
    });
    const page = { path: "/guide", thumbsUp: 0, thumbsDown: 2, code: 0, total: 4 };
    expect((await read(world, "/by-page")).feedback).toEqual([
      page,
      { path: "/", thumbsUp: 1, thumbsDown: 0, code: 0, total: 1 },
    ]);
    const first = await read(world, "/by-page?limit=1");
    expect(first).toMatchObject({ feedback: [page], hasMore: true });
    expect(await read(world, `/by-page?limit=1&cursor=${first.nextCursor}`)).toMatchObject({
      feedback: [{ path: "/" }],
      hasMore: false,
      nextCursor: null,
    });

    const walked: unknown[] = [];
    for (let cursor = ""; walked.length < 10;) {
      const part = await read(world, `?limit=2${cursor}`);
      walked.push(...part.feedback);
      if (part.nextCursor === null) break;
      cursor = `&cursor=${part.nextCursor}`;
    }
    expect(walked).toEqual(all.feedback);
    for (const [query, sizes] of [
      ["?source=agent", 2],
      ["?source=contextual&dateFrom=2026-11-20&dateTo=2026-11-21", 1],
      ["?source=thumbs_only", 2],
      ["?source=code_snippet", 0],
      ["?dateTo=2026-11-20", 0],
      ["?status=pending,resolved", 5],
      ["?status=resolved", 0],
    ] as const) {
      expect([query, (await read(world, query)).feedback.length]).toEqual([query, sizes]);
    }
    for (const wrong of [
      "?cursor=x",
      "?limit=101",
      "?source=me",
      "?status=",
      "?status=done",
      "?dateFrom=soon",
      "/by-page?cursor=eA",
    ]) {
      const { status, text } = await read(world, wrong);
      expect([wrong, status]).toEqual([wrong, 400]);
      expect(text).not.toMatch(/Invalid|expected|received/);
    }
    const csv = await read(world, "?source=agent&limit=1", "text/csv");
    expect(csv.text.split("\r\n")[0]).toBe("id,path,comment,createdAt,source,status,helpful");
    expect(csv.text).toMatch(/^fbk_\w+,\/guide,So does the other,2026-11-20T12:00:07.000Z,agent,pending,$/m);
    expect(csv.link).toContain("cursor=");
    expect((await read(world, "?source=agent", "text/csv")).text).toContain(",/guide,'=The example fails,");
    expect((await read({ ...world, key: "docent_no" }, "")).status).toBe(401);
  });

  test("a second vote without a comment keeps the first comment, and its status", async () => {
    await using world = await openWorld(engine);
    const { say, database, project } = world;
    const shown = async () =>
      (await read(world, "")).feedback.map(({ comment, status, helpful }) => [comment, status, helpful]);
    await say({ comment: "A step is missing." });
    const [entry] = (await read(world, "")).feedback;
    const resolved = { projectId: project.id, id: entry!["id"] as string, status: "resolved" } as const;
    expect(await setFeedbackStatus({ database }, resolved)).toBe(true);
    await say({ helpful: false });
    expect(await shown()).toEqual([["A step is missing.", "resolved", false]]);
    await say({ helpful: false, comment: "Another one is missing." });
    expect(await shown()).toEqual([["Another one is missing.", "pending", false]]);
  });

  test("a list in pages has every entry of one moment exactly once", async () => {
    await using world = await openWorld(engine);
    const { say, database } = world;
    for (const page of ["/a", "/b", "/c"]) await say({ page });
    await database.kysely.updateTable("feedback").set({ created_at: START }).execute();
    const walked: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null && walked.length < 10;) {
      const part: AnswerOf = await read(world, `?limit=1${cursor}`);
      walked.push(...part.feedback.map(({ path }) => path));
      cursor = part.nextCursor === null ? null : `&cursor=${part.nextCursor}`;
    }
    expect(walked).toEqual(["/c", "/b", "/a"]);
  });

  test("follows the project's settings, expires, and is erased with its address", async () => {
    await using world = await openWorld(engine);
    const { say, set, pass, database, vault, clock } = world;
    const count = async () => (await read(world, "")).feedback.length;
    await set({ collect: false });
    expect(await say({})).toBe(false);
    await set({ excludedNetworks: ["192.0.2.0/24"], countPrivate: false });
    expect([await say({}), await say({ address: "203.0.113.1", isPrivate: true })]).toEqual([false, false]);
    expect(await count()).toBe(0);

    const ERASED = "2001:db8:0:7::1";
    for (const identity of ["stable", "daily", "cookie"]) {
      await set({ identity });
      for (const address of [ERASED, "192.0.2.1"]) {
        await say({ address, page: `/${identity}`, comment: "Words" });
        await say({ address, page: `/${identity}`, author: "agent", keyProduct: "Claude-User", comment: "Words" });
      }
    }
    const cookie = "c".repeat(22);
    await say({ address: "203.0.113.9", cookie, page: "/cookie" });
    expect(await count()).toBe(13);
    const erase = { projectId: world.project.id, address: "2001:db8:0:7:ffff::2", cookies: [cookie] };
    expect(await eraseAddress({ database, vault, clock, agents: builtInAgents }, erase)).toMatchObject({ feedback: 7 });
    expect(await count()).toBe(6);

    await set({ retentionDays: 30 });
    const maintain = () =>
      maintainAnalytics({ database, vault, clock, time: { now: async () => clock.now() }, logger: silentLogger });
    pass(20 * DAY_MS);
    await say({ page: "/new" });
    for (let week = 0; week < 4; week++) {
      await maintain();
      pass(7.1 * DAY_MS);
    }
    expect((await read(world, "")).feedback).toMatchObject([{ path: "/new" }]);
  });
});

test("a clock that is ahead destroys no visitor secret when someone votes", async () => {
  await using world = await openWorld("sqlite");
  await world.say({});
  world.pass(1_100 * DAY_MS);
  const time = { now: async () => new Date(START) };
  await world.say({ address: "192.0.2.9" }, time);
  const secrets = await world.database.kysely.selectFrom("visitor_secret").selectAll().execute();
  expect(secrets.map(({ epoch }) => epoch)).toEqual([1]);
});

test("a site accepts two thousand entries a day, and earlier authors may still change theirs", async () => {
  await using world = await openWorld("sqlite");
  const { say, database, project } = world;
  await say({});
  const { id: _, ...first } = await database.kysely.selectFrom("feedback").selectAll().executeTakeFirstOrThrow();
  const rows = Array.from({ length: 1_999 }, (__, index) => ({ ...first, id: `fbk_${index}`, voter: index }));
  for (let at = 0; at < rows.length; at += 500)
    await database.kysely
      .insertInto("feedback")
      .values(rows.slice(at, at + 500))
      .execute();
  await expect(say({ address: "192.0.2.9" })).rejects.toMatchObject({ code: "rate_limited" });
  expect(await say({ helpful: false })).toBe(true);
  const other = await world.makeProject("Other docs");
  expect(await say({ address: "192.0.2.9", projectId: other.id })).toBe(true);
  world.pass(DAY_MS);
  expect(await say({ address: "192.0.2.9", projectId: project.id })).toBe(true);
});
