import { expect, it } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { claimDelivery, recordAttempt, releaseDelivery } from "./webhook-queue.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const LEASE_MS = 60_000;

async function withDelivery(app: TestApp): Promise<{ first: string; second: string }> {
  const make = async (name: string) =>
    (await app.call("POST", "/webhooks", { body: { url: `http://127.0.0.1:9/${name}`, events: ["job.failed"] } })).json
      .id;
  const first = await make("first");
  const second = await make("second");
  const { json } = await app.call("POST", "/job", { body: { prompt: "Fix it." } });
  await app.call("POST", `/job/${json.id}/cancel`);
  return { first, second };
}

const outcome = (status: number) => ({
  startedAt: NOW,
  durationMs: 5,
  status,
  error: null,
  response: null,
  retryAfterMs: null,
  isFinal: false,
});

it.each(BOTH_ENGINES)("ignores the outcome of a stale claim on a delivery, on %s", async (engine) => {
  await using app = await createTestApp(engine, { now: NOW });
  await withDelivery(app);
  const deps = { ...app.outbox, random: () => 0.5 };
  const stale = (await claimDelivery(deps, { leaseMs: LEASE_MS, busy: [] }))!;
  app.time.now = new Date(NOW.getTime() + LEASE_MS);
  const fresh = (await claimDelivery(deps, { leaseMs: LEASE_MS, busy: [] }))!;
  const again = fresh.id === stale.id ? fresh : (await claimDelivery(deps, { leaseMs: LEASE_MS, busy: [] }))!;
  expect(again).toMatchObject({ id: stale.id, attempt: stale.attempt + 1 });
  await recordAttempt(deps, stale, outcome(200));
  await releaseDelivery(deps, stale);
  const row = () =>
    app.database.kysely.selectFrom("webhook_delivery").selectAll().where("id", "=", stale.id).executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ status: "pending", lease_until: app.time.now.getTime() + LEASE_MS });
  expect(await app.database.kysely.selectFrom("webhook_attempt").selectAll().execute()).toEqual([]);
  await recordAttempt(deps, again, outcome(200));
  expect(await row()).toMatchObject({ status: "delivered", lease_until: null });
});

it("redelivers a delivery for its own endpoint only", async () => {
  await using app = await createTestApp("sqlite");
  const { first, second } = await withDelivery(app);
  const { json } = await app.call("GET", `/webhooks/${first}/deliveries`);
  const delivery = json.deliveries[0]!.id;
  await app.database.kysely.updateTable("webhook_delivery").set({ status: "delivered" }).execute();
  const status = async () => (await app.call("GET", `/webhooks/${first}/deliveries`)).json.deliveries[0]!.status;
  expect((await app.call("POST", `/webhooks/${second}/deliveries/${delivery}/redeliver`)).status).toBe(404);
  expect(await status()).toBe("delivered");
  expect((await app.call("POST", `/webhooks/${first}/deliveries/${delivery}/redeliver`)).status).toBe(200);
  expect(await status()).toBe("pending");
});
