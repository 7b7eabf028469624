import path from "node:path";
import crawlers from "crawler-user-agents";
import fc from "fast-check";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Engine, openDatabase } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { contentOf, twin } from "#testing/analytics-content.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { testVault } from "#testing/vault.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { DAY_MS } from "#lib/clock.ts";
import { builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { eraseAddress } from "./erase-address.ts";
import { createFold } from "./fold.ts";
import { knownKeyProducts } from "./address-keys.ts";
import { readKeptSecrets } from "#features/visitors/secrets.ts";
import { visitorNumber } from "#features/visitors/clients/visitor-key.ts";

const TODAY = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(TODAY) };
const time = { now: async () => clock.now() };
const ERASED = "2001:db8:0:7::1";

async function openWorld(engine: Engine) {
  const opened = await openTestDatabase(engine);
  const { database } = opened;
  const projectId = await insertTestProject(database.kysely);
  const foldOf = () =>
    createFold({ database, classify: createClassifier(), clock, time, vault: testVault, minPackedRows: 10 });
  let fold = foldOf();
  return {
    database,
    projectId,
    fold: (views: ReturnType<typeof viewOf>[]) => fold.fold(views),
    /** As after a change of the settings and a restart: both are cached for some seconds. */
    async setIdentity(identity: string) {
      await database.kysely
        .updateTable("project")
        .set({ settings: JSON.stringify({ analytics: { identity } }) })
        .execute();
      fold = foldOf();
    },
    erase: (address: string, rest: { cookies?: string[] } = {}) =>
      eraseAddress({ database, clock, vault: testVault, agents: builtInAgents }, { projectId, address, ...rest }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const someView = fc.record({
  daysAgo: fc.integer({ min: 0, max: 70 }),
  address: fc.constantFrom(ERASED, "2001:db8:0:7:ffff::2", "2001:db8:0:8::1", "192.0.2.1", "192.0.2.2"),
  path: fc.constantFrom("/", "/a", "/b"),
  referrer: fc.constantFrom(null, "news.example", "old.example"),
  userAgent: fc.constantFrom(...Object.values(userAgents), "Strange/1.0", ""),
  surface: fc.constantFrom("html" as const, "markdown" as const),
  isPrivate: fc.boolean(),
});

function viewOf(projectId: ProjectId, given: typeof someView extends fc.Arbitrary<infer T> ? T : never) {
  const { daysAgo, ...rest } = given;
  return aView(projectId, { ...rest, time: TODAY - daysAgo * DAY_MS });
}

test.each(ENGINES)(
  "after an address is erased the store equals one that its readers never visited, on %s",
  async (engine) => {
    const views = fc.array(someView, { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(views, views, async (stable, daily) => {
        await using world = await openWorld(engine);
        await using model = await openWorld(engine);
        const { projectId } = world;
        await world.fold([]);
        await world.fold([aView(projectId, { time: TODAY, address: "192.0.2.9" })]);
        await twin(world.database, model.database, projectId, model.projectId);
        await model.fold([aView(projectId, { time: TODAY, address: "192.0.2.9" })]);
        for (const [identity, given] of [
          ["stable", stable],
          ["daily", daily],
        ] as const) {
          for (const one of [world, model]) await one.setIdentity(identity);
          await world.fold(given.map((view) => viewOf(projectId, view)));
          const others = given.filter(({ address }) => !address.startsWith("2001:db8:0:7:"));
          await model.fold(others.map((view) => viewOf(projectId, view)));
        }
        const all = [...stable, ...daily].filter(({ address }) => address.startsWith("2001:db8:0:7:"));
        const erased = await world.erase(ERASED);
        expect(erased.views).toBe(all.length);
        expect(await contentOf(world.database, projectId)).toEqual(await contentOf(model.database, projectId));
        expect((await world.erase(ERASED)).views).toBe(0);
      }),
      { numRuns: LONG_TESTS && engine === "sqlite" ? 8 : 2, endOnFailure: true },
    );
  },
  180_000,
);

test("a reader with a cookie is found by the cookie only", async () => {
  await using world = await openWorld("sqlite");
  await world.setIdentity("cookie");
  const cookie = "c".repeat(22);
  await world.fold([aView(world.projectId, { address: ERASED, cookie }), aView(world.projectId)]);
  expect(await world.erase(ERASED)).toMatchObject({ visitors: 0, views: 0 });
  expect(await world.erase(ERASED, { cookies: [cookie] })).toMatchObject({ visitors: 1, views: 1, days: 1 });
});

test("views counted with a destroyed secret stay, and the result says since when views can be found", async () => {
  await using world = await openWorld("sqlite");
  const { database, projectId } = world;
  await world.fold([aView(projectId, { address: ERASED })]);
  await database.kysely.updateTable("visitor_secret").set({ sealed: "" }).execute();
  await database.kysely
    .insertInto("visitor_secret")
    .values({
      project_id: projectId,
      epoch: 2,
      sealed: testVault.seal(new Secret("c2VjcmV0"), `visitor secret ${projectId} 2`),
      created_at: TODAY,
    })
    .execute();
  expect(await world.erase(ERASED)).toMatchObject({ views: 0, destroyedUntil: new Date(TODAY) });
});

test("the next erasure completes one that was killed after the views were deleted", async () => {
  await using world = await openWorld("sqlite");
  const { database, projectId } = world;
  const views = [0, 3, 40].map((days) => aView(projectId, { address: ERASED, time: TODAY - days * DAY_MS }));
  await world.fold([...views, aView(projectId, { address: "192.0.2.5", time: TODAY - DAY_MS })]);
  const dying = { ...database, transaction: database.transaction };
  let left = 4; // for the row, and for each of three days
  dying.transaction = (work) => {
    if (left-- === 0) throw new Error("killed");
    return database.transaction(work);
  };
  const deps = { database: dying, clock, vault: testVault, agents: builtInAgents };
  await expect(eraseAddress(deps, { projectId, address: ERASED })).rejects.toThrow("killed");
  expect((await contentOf(database, projectId)).presence).toHaveLength(4);
  await world.erase(ERASED);
  const { presence, counts, facts } = await contentOf(database, projectId);
  expect([presence.length, counts.length, facts.length]).toEqual([2, 2, 1]);
});

test("the files of the database contain nothing of an erased reader, including unused space", async () => {
  await using folder = await createTestDirectory();
  const location = { engine: "sqlite", path: path.join(folder.path, "docent.sqlite") } as const;
  await using database = await openDatabase({ location, logger: silentLogger, migrate: true });
  const projectId = await insertTestProject(database.kysely);
  const fold = createFold({ database, classify: createClassifier(), clock, time, vault: testVault });
  // Many small folds: segments are merged, and their old versions stay in unused space.
  for (let batch = 0; batch < 12; batch++) {
    const others = Array.from({ length: 40 }, (_, index) =>
      aView(projectId, { path: `/kept-${batch}-${index}`, address: `192.0.2.${index}`, time: TODAY - batch * DAY_MS }),
    );
    const own = [0, batch].map((days) =>
      aView(projectId, {
        address: "198.51.100.77",
        path: `/only-they-read-${batch}`,
        referrer: `their-${batch}.example`,
        time: TODAY - days * DAY_MS,
      }),
    );
    await fold.fold([...others, ...own]);
  }
  const { kept } = await readKeptSecrets({ queryable: database.kysely, vault: testVault }, projectId);
  const traits = { mode: "stable", address: "198.51.100.77", cookie: null, isPrivate: false, day: 0 } as const;
  const number = visitorNumber({ ...traits, secret: kept[0]!, product: "Chrome on Linux" });
  const inFacts = Buffer.from(new Float64Array([number]).buffer);
  const whole = Buffer.alloc(8);
  whole.writeBigInt64BE(BigInt(number));
  // SQLite writes a number of up to 47 bits, one in 64 of these, in six bytes (file format, 2.1).
  const inRows = number < 2 ** 47 ? whole.subarray(2) : whole;
  const traces = {
    facts: inFacts,
    rows: inRows,
    page: "/only-they-read-",
    referrer: ".example",
    address: "198.51.100.77",
  };
  const found = async () => {
    const names = await readdir(folder.path);
    const files = await Promise.all(names.map((name) => readFile(path.join(folder.path, name))));
    return Object.entries(traces).filter(([, trace]) => files.some((file) => file.includes(trace)));
  };
  expect((await found()).map(([name]) => name)).toEqual(["facts", "rows", "page", "referrer"]);
  const options = { projectId, address: "198.51.100.77" };
  const erased = await eraseAddress({ database, clock, vault: testVault, agents: builtInAgents }, options);
  expect(erased).toMatchObject({ visitors: 1, views: 24, days: 12, isOutOfFiles: true });
  expect(await found()).toEqual([]);
});

test("keys are computed for every product that a client can be classified as", () => {
  const classify = createClassifier();
  const products = knownKeyProducts(builtInAgents.agents);
  const missing = [...crawlers.flatMap(({ instances }) => instances), ...Object.values(userAgents)].filter(
    (userAgent) => !products.has(classify(userAgent).keyProduct),
  );
  expect(missing).toEqual([]);
});
