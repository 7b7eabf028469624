import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import type { ProjectId } from "#lib/ids.ts";
import { DAY_MS } from "#lib/clock.ts";
import { builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { compareCodePoints, createCountsCache } from "./counts-cache.ts";
import { queryViews, queryVisitors } from "./counts.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { createFold } from "#features/visitors/index/fold.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";
import { testVault } from "#testing/vault.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

// LONG_TESTS=1 checks the 10,000 ranges of the acceptance criteria; every run uses the short form.
const WORLDS = LONG_TESTS ? 25 : 4;
const RANGES = LONG_TESTS ? 400 : 60;

const FIRST_DAY = dayOf(Date.UTC(2025, 10, 20));
const DAYS = 420;
const PAGES = ["/", "/a", "/b/c", "/ü", "/\u{1f600}", "/\uff5e"];
/** The lists of addresses are too old to be certain. */
const AGENTS = { ...builtInAgents, date: "2020-01-01" };
const clock = { now: () => new Date(Date.UTC(2027, 0, 14)) };

/** One view as numbers, so that fast-check can shrink it. */
const shape = fc.record({
  visitor: fc.nat(9),
  kind: fc.constantFrom(
    "human",
    "assistant",
    "markdown",
    "navigation",
    "unknown program",
    "bot",
    "spoofed",
    "unverified",
    "automated",
    "unconfirmed",
  ),
  page: fc.nat(PAGES.length - 1),
  // Half of the views within three weeks, so that visitors return; the rest over more than a year.
  day: fc.oneof(fc.nat(20), fc.nat(DAYS - 1)),
  event: fc.option(fc.nat(30)),
});
type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never;

function record(project: ProjectId, { visitor, kind, page, day, event }: Shape): ViewRecord {
  const kinds: Record<Shape["kind"], Partial<ViewRecord>> = {
    human: {},
    assistant: { source: "served", userAgent: userAgents.claudeCode },
    markdown: { source: "served", surface: "markdown" },
    navigation: { source: "served", surface: "markdown", isNavigation: true },
    // Whatever such a program's name, it is one visitor per address.
    "unknown program": { source: "served", surface: "markdown", userAgent: `Program${page}day${day}/1.0` },
    spoofed: {
      source: "served",
      surface: "markdown",
      userAgent: userAgents.chatGpt,
      signature: { isValid: false, operator: "OpenAI" },
    },
    unverified: { source: "served", surface: "markdown", userAgent: userAgents.chatGpt },
    automated: { isAutomated: true },
    bot: { source: "served", surface: "markdown", userAgent: userAgents.googlebot },
    unconfirmed: { source: "served" },
  };
  return aView(project, {
    ...kinds[kind],
    address: `192.0.2.${visitor}`,
    path: PAGES[page] ?? "/",
    time: (FIRST_DAY + day) * DAY_MS + 1_000 * day,
    event: event === null ? null : `event-${day}-${event}`,
  });
}

/** The expected result, by counting sets. */
function bruteForce(views: readonly Shape[], from: number | null, to: number | null) {
  const seen = new Set<string>();
  const sets = new Map<string, { human: Set<string>; ai: Set<string>; views: { human: number; ai: number } }>();
  for (const { visitor, kind, page, day, event } of views) {
    if (kind === "bot" || kind === "spoofed" || kind === "automated" || kind === "unconfirmed") {
      // A bot's view is a fact, too, and uses its event id; a browser's unconfirmed one is not.
      if (kind !== "unconfirmed" && event !== null) seen.add(`${day}/${event}`);
      continue;
    }
    if (event !== null) {
      if (seen.has(`${day}/${event}`)) continue;
      seen.add(`${day}/${event}`);
    }
    if (from !== null && FIRST_DAY + day < from) continue;
    if (to !== null && FIRST_DAY + day >= to) continue;
    const program = kind === "assistant" || kind === "unverified" || kind === "unknown program" ? kind : "browser";
    const reader = `${visitor}/${program}`;
    const side = kind === "human" || kind === "navigation" ? "human" : "ai";
    for (const key of ["", PAGES[page] ?? "/"]) {
      const set = sets.get(key) ?? { human: new Set(), ai: new Set(), views: { human: 0, ai: 0 } };
      set[side].add(reader);
      set.views[side]++;
      sets.set(key, set);
    }
  }
  const count = (key: string) => {
    const set = sets.get(key);
    return {
      human: set?.human.size ?? 0,
      ai: set?.ai.size ?? 0,
      total: new Set([...(set?.human ?? []), ...(set?.ai ?? [])]).size,
    };
  };
  const countViews = (key: string) => {
    const { human, ai } = sets.get(key)?.views ?? { human: 0, ai: 0 };
    return { human, ai, total: human + ai };
  };
  const list = (of: typeof count) =>
    [...sets.keys()]
      .filter((key) => key !== "")
      .map((path) => ({ path, ...of(path) }))
      .sort((a, b) => b.total - a.total || compareCodePoints(a.path, b.path));
  return {
    visitors: { totals: count(""), pages: list(count) },
    views: { totals: countViews(""), pages: list(countViews) },
  };
}

const world = fc.record({
  views: fc.array(shape, { minLength: 1, maxLength: 250, size: "max" }),
  batch: fc.integer({ min: 1, max: 120 }),
  minPackedRows: fc.constantFrom(1, 20, 100_000),
});
const range = fc.record({
  from: fc.option(fc.integer({ min: -5, max: DAYS + 5 })),
  length: fc.oneof(fc.nat(3), fc.nat(40), fc.nat(DAYS)),
  isOpen: fc.boolean(),
  limit: fc.integer({ min: 1, max: 7 }),
  offset: fc.nat(7),
});

describe.each(BOTH_ENGINES)("on %s", (engine) => {
  test("the counts of any range equal those of counting sets, in whatever order and batches views arrive", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(range, { minLength: RANGES, maxLength: RANGES, size: "max" }),
        async (given, ranges) => {
          const projectId = await insertTestProject(database.kysely);
          const fold = createFold({
            agents: AGENTS,
            database,
            classify: createClassifier(),
            clock,
            vault: testVault,
            minPackedRows: given.minPackedRows,
          });
          for (let start = 0; start < given.views.length; start += given.batch) {
            await fold.fold(given.views.slice(start, start + given.batch).map((view) => record(projectId, view)));
          }
          const cache = createCountsCache();
          for (const { from: start, length, isOpen, limit, offset } of ranges) {
            const from = start === null ? null : ((FIRST_DAY + start) as Day);
            const to = isOpen ? null : (((from ?? FIRST_DAY) + length) as Day);
            const expected = bruteForce(given.views, from, to);
            const query = { projectId, from, to, limit, offset };
            const visitors = await queryVisitors({ database, cache }, query);
            expect(visitors).toEqual({
              totals: expected.visitors.totals,
              visitors: expected.visitors.pages.slice(offset, offset + limit),
              hasMore: expected.visitors.pages.length > offset + limit,
            });
            const views = await queryViews({ database, cache }, query);
            expect(views).toEqual({
              totals: expected.views.totals,
              views: expected.views.pages.slice(offset, offset + limit),
              hasMore: expected.views.pages.length > offset + limit,
            });
            const { human, ai, total } = visitors.totals;
            expect(total).toBeGreaterThanOrEqual(Math.max(human, ai));
            expect(total).toBeLessThanOrEqual(human + ai);
            expect(views.totals.total).toBeGreaterThanOrEqual(total);
          }
        },
      ),
      { numRuns: WORLDS, endOnFailure: true },
    );
  }, 600_000);

  test("a project without views has zeros", async () => {
    await using opened = await openTestDatabase(engine);
    const projectId = await insertTestProject(opened.database.kysely);
    expect(await queryVisitors(opened, { projectId, from: null, to: null, limit: 50, offset: 0 })).toEqual({
      totals: { human: 0, ai: 0, total: 0 },
      visitors: [],
      hasMore: false,
    });
  });
});
