import { expect, it } from "vitest";
import { saveSettings } from "#features/projects/projects.ts";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import {
  type AddressOutcome,
  claimAddresses,
  readAddresses,
  recordOutcome,
  releaseAddress,
  wantAddresses,
} from "./address-rows.ts";

const START = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const addressOf = (number: number) => `https://api.example.com/${number}.json`;
const copy = (version: string): AddressOutcome => ({
  kind: "read",
  version,
  sizeBytes: 3,
  content: new Uint8Array([0, 1, 255]),
  etag: null,
  lastModified: null,
});

async function open(engine: "sqlite" | "postgres") {
  const app = await createTestApp(engine);
  await saveSettings(app, app.project, { apiHosts: ["api.example.com"] });
  app.time.now = new Date(START);
  return app;
}
const want = (app: TestApp, numbers: number[], how: { isLive: boolean; isNewCommit: boolean }) =>
  wantAddresses(app, app.project.id, { addresses: numbers.map(addressOf), ...how });
const LIVE = { isLive: true, isNewCommit: true };
const claim = (app: TestApp) => claimAddresses(app, { limit: 10, busy: [] });
const at = (app: TestApp, ms: number) => void (app.time.now = new Date(START + ms));
const rows = async (app: TestApp) => (await readAddresses(app, app.project.id))!.rows;

it.each(BOTH_ENGINES)(
  "one of several nodes fetches an address, and a result after its lease is discarded, on %s",
  async (engine) => {
    await using app = await open(engine);
    await want(app, [1], LIVE);
    const all = (await Promise.all([claim(app), claim(app), claim(app)])).flat();
    expect(all).toHaveLength(1);
    at(app, 3 * MINUTE); // its node hangs: another one claims it
    const [second] = await claim(app);
    expect(await recordOutcome(app, second!, copy("new"))).toBe(true);
    expect(await recordOutcome(app, all[0]!, copy("old"))).toBe(false);
    expect(await rows(app)).toMatchObject([{ version: "new", next_at: START + 33 * MINUTE, claimed_until: null }]);
  },
);

it.each(BOTH_ENGINES)(
  "a push while an address is being fetched triggers another fetch; other addresses wait for their time, on %s",
  async (engine) => {
    await using app = await open(engine);
    await want(app, [1], LIVE);
    const [first] = await claim(app);
    at(app, 4_000);
    await want(app, [1], LIVE);
    await want(app, [1], { isLive: true, isNewCommit: false });
    await recordOutcome(app, first!, copy("first"));
    expect(await claim(app)).toEqual([]); // fetched a moment ago
    at(app, 5_000);
    const [again] = await claim(app);
    expect(again?.row.version).toBe("first");
    expect(await recordOutcome(app, again!, { kind: "same" })).toBe(false);
    await want(app, [1], { isLive: true, isNewCommit: false });
    expect(await claim(app)).toEqual([]);
  },
);

it("waits longer after each failure, and keeps the copy", async () => {
  await using app = await open("sqlite");
  await want(app, [1], LIVE);
  const waits: number[] = [];
  let now = 0;
  for (const outcome of [
    copy("good"),
    ...Array.from({ length: 7 }, () => ({ kind: "failed", trouble: "No." }) as const),
  ]) {
    const [next] = await claim(app);
    await recordOutcome(app, next!, outcome);
    const [row] = await rows(app);
    waits.push((row!.next_at! - START - now) / MINUTE);
    now = row!.next_at! - START;
    at(app, now);
  }
  expect(waits).toEqual([30, 1, 2, 4, 8, 16, 30, 30]);
  expect(await rows(app)).toMatchObject([{ version: "good", trouble: "No.", failures: 7 }]);
});

it("fetches addresses of previews only once per version, keeps 20 of them, and no more than the project's share at once", async () => {
  await using app = await open("sqlite");
  await want(app, [1, 2], LIVE);
  for (let number = 10; number < 40; number += 1) {
    at(app, number);
    await want(app, [number], { isLive: false, isNewCommit: true });
  }
  const kept = (await rows(app)).map(({ address }) => address);
  expect(kept).toEqual([1, 2, ...Array.from({ length: 20 }, (_, index) => 20 + index)].map(addressOf).toSorted());
  at(app, MINUTE);
  expect(await claimAddresses(app, { limit: 10, busy: [app.project.id] })).toEqual([]);
  const claims = await claimAddresses(app, { limit: 100, busy: [] });
  for (const each of claims) await recordOutcome(app, each, copy("x"));
  const next = new Map((await rows(app)).map(({ address, next_at: time }) => [address, time]));
  expect([next.get(addressOf(1)), next.get(addressOf(39))]).toEqual([START + 31 * MINUTE, null]);
  await want(app, [39], LIVE); // merged
  expect((await claim(app)).map(({ row }) => row.address)).toEqual([]); // fetched just now
  at(app, MINUTE + 5_000);
  expect((await claim(app)).map(({ row }) => row.address)).toEqual([addressOf(39)]);
});

it("a clock that was ahead does not delay an address for long", async () => {
  await using app = await open("sqlite");
  at(app, 365 * 24 * 60 * MINUTE);
  await want(app, [1], LIVE);
  await claim(app);
  at(app, 0);
  expect(await claim(app)).toHaveLength(1);
});

it.each(BOTH_ENGINES)(
  "the next server immediately fetches an address that a stopping server had claimed, on %s",
  async (engine) => {
    await using app = await open(engine);
    await want(app, [1], LIVE);
    const [first] = await claim(app);
    at(app, 1_000);
    expect(await claim(app)).toEqual([]);
    await releaseAddress(app, first!);
    expect(await claim(app)).toHaveLength(1);
    await releaseAddress(app, first!); // no longer its own
    expect(await claim(app)).toEqual([]);
  },
);
