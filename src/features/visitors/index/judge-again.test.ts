import { describe, expect, test } from "vitest";
import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { reportAgents } from "#features/visitors/reports/reports.ts";
import type { Engine } from "#db/database.ts";
import { DAY_MS } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { contentOf, twin } from "#testing/analytics-content.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { testVault } from "#testing/vault.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { createFold } from "./fold.ts";
import { maintainAnalytics } from "./maintenance.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const everything = { from: null, to: null, limit: 250, offset: 0 };
const OLD = listOf("2026-05-05", "192.0.2.0/28");
const NEW = listOf("2026-11-21", "198.51.100.16/28", "2001:db8:0:10::/63");

function listOf(date: string, ...ranges: string[]): AgentList {
  return { ...builtInAgents, date, networks: new Map([["ChatGPT-User", ranges]]) };
}

/** A store with the lists of agents that a test provides. */
async function openWorld(engine: Engine, settings: object = {}) {
  const opened = await openTestDatabase(engine);
  const { database } = opened;
  const clock = { now: () => new Date(NOON) };
  const time = { now: async () => new Date(NOON) };
  const projectId = await insertTestProject(database.kysely, settings);
  const classify = createClassifier();
  return {
    database,
    projectId,
    fold: (agents: AgentList, views: ReturnType<typeof aView>[]) =>
      createFold({ database, classify, agents, clock, time, vault: testVault }).fold(views),
    maintain: (agents: AgentList) =>
      maintainAnalytics({ database, clock, time, agents, vault: testVault, logger: silentLogger }),
    async numbers() {
      const { totals } = await queryVisitors({ database }, { projectId, ...everything });
      const [agent] = await reportAgents({ database }, { projectId, from: null, to: null });
      return { ...totals, verified: agent?.verified, spoofed: agent?.spoofed, unverified: agent?.unverified };
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const chatGpt = (project: ProjectId, address: string, given: Partial<ReturnType<typeof aView>> = {}) =>
  aView(project, { source: "served", userAgent: userAgents.chatGpt, address, ...given });

/** From listed and other addresses, on several days, as pages and Markdown, next to a person and other agents. */
const someViews = (project: ProjectId) => [
  aView(project),
  aView(project, { source: "served", userAgent: userAgents.claudeCode }),
  aView(project, { source: "served", userAgent: userAgents.googlebot, address: "198.51.100.16" }),
  ...["198.51.100.16", "198.51.100.31", "198.51.100.32", "2001:db8:0:11::7", "2001:db8:0:12::7", "203.0.113.1"].flatMap(
    (address) => [
      chatGpt(project, address),
      chatGpt(project, address, { time: NOON - 3 * DAY_MS, path: "/a" }),
      chatGpt(project, address, { surface: "markdown", isPrivate: true }),
    ],
  ),
];

describe.each(BOTH_ENGINES)("on %s", (engine) => {
  test.each(["stable", "daily"])(
    "with a newer list, the store equals one that had it from the start, with %s keys",
    async (identity) => {
      await using world = await openWorld(engine, { analytics: { identity } });
      await using model = await openWorld(engine);
      const { projectId } = world;
      await world.fold(OLD, [aView(projectId, { found: false })]);
      await twin(world.database, model.database, projectId, model.projectId);
      await model.fold(NEW, [aView(projectId, { found: false })]);
      await world.fold(OLD, someViews(projectId));
      await model.fold(NEW, someViews(projectId));
      expect(await contentOf(world.database, projectId)).not.toEqual(await contentOf(model.database, projectId));
      for (const time of ["first", "again"]) {
        await world.maintain(NEW);
        const contents = [await contentOf(world.database, projectId), await contentOf(model.database, projectId)];
        expect([time, contents[0]]).toEqual([time, contents[1]]);
      }
    },
  );
});

test("an unlisted agent counts while its list is old, until a list of the same weeks proves that it is spoofed", async () => {
  await using world = await openWorld("sqlite");
  const { projectId } = world;
  await world.fold(OLD, [chatGpt(projectId, "198.51.100.16"), chatGpt(projectId, "203.0.113.7")]);
  await world.maintain(OLD);
  expect(await world.numbers()).toEqual({ human: 0, ai: 2, total: 2, verified: 0, spoofed: 0, unverified: 2 });
  await world.maintain(listOf("2026-12-25", "198.51.100.16/28")); // from five weeks later: it can confirm, but not refute
  expect(await world.numbers()).toEqual({ human: 0, ai: 2, total: 2, verified: 1, spoofed: 0, unverified: 1 });
  await world.maintain(listOf("2026-11-30", "198.51.100.16/28"));
  expect(await world.numbers()).toEqual({ human: 0, ai: 1, total: 1, verified: 1, spoofed: 1, unverified: 0 });
});

test("a view that was called spoofed counts once a newer list has its address", async () => {
  await using world = await openWorld("sqlite");
  const { projectId } = world;
  await world.fold(listOf("2026-11-18", "192.0.2.0/28"), [chatGpt(projectId, "198.51.100.16")]);
  expect(await world.numbers()).toMatchObject({ ai: 0, spoofed: 1 });
  await world.maintain(NEW);
  expect(await world.numbers()).toMatchObject({ ai: 1, verified: 1, spoofed: 0 });
});

test("with too many IPv6 addresses in a list, its IPv4 addresses still decide", async () => {
  await using world = await openWorld("sqlite");
  const { projectId } = world;
  await world.fold(OLD, [chatGpt(projectId, "203.0.113.7"), chatGpt(projectId, "2001:db8::7")]);
  await world.maintain(listOf("2026-11-21", "198.51.100.16/28", "2001:db8::/32"));
  expect(await world.numbers()).toMatchObject({ ai: 1, spoofed: 1, unverified: 1 });
});

test("views with a destroyed secret are not judged again", async () => {
  await using world = await openWorld("sqlite");
  const { projectId, database } = world;
  await world.fold(OLD, [chatGpt(projectId, "203.0.113.7"), chatGpt(projectId, "203.0.113.8")]);
  await database.kysely.updateTable("visitor_secret").set({ sealed: "" }).execute();
  await world.maintain(NEW);
  expect(await world.numbers()).toMatchObject({ ai: 2, unverified: 2 });
});
