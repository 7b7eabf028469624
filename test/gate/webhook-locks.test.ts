import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { claimDelivery, recordAttempt } from "#features/webhooks/webhook-queue.ts";
import { startOutbox } from "#features/webhooks/webhook-worker.ts";
import { createTestApp } from "#testing/test-app.ts";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";

it("a webhook is deleted while its delivery ends: both lock its row first, so that they cannot deadlock", async () => {
  await using app = await createTestApp("postgres");
  const { kysely } = app.database;
  const { json: hook } = await app.call("POST", "/webhooks", { body: { url: "http://127.0.0.1:9/in" } });
  await app.call("POST", "/job", { body: { prompt: "Fix it." } });
  await app.carryOut({ fail: "internal" });
  const claim = await claimDelivery(app.outbox, { leaseMs: 60_000, busy: [] });
  await sql`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(1.5); return new; end'`.execute(
    kysely,
  );
  await sql`create trigger slow before insert on webhook_attempt for each row execute function slow()`.execute(kysely);
  const startedAt = new Date();
  const outcome = {
    startedAt,
    durationMs: 1,
    status: 200,
    error: null,
    response: "",
    retryAfterMs: null,
    isFinal: false,
  };
  const recorded = recordAttempt(app.outbox, claim!, outcome);
  const isAsleep = async () => {
    const { rows } =
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
        kysely,
      );
    return rows.length > 0;
  };
  while (!(await isAsleep())) await sleep(5);
  // The delivery's row is held now. Whoever deletes the webhook holds its row and comes for the delivery next.
  const isFree = await sql`select 1 from webhook_endpoint where id = ${hook.id} for update nowait`.execute(kysely).then(
    () => true,
    () => false,
  );
  expect(isFree).toBe(false);
  const removed = app.call("DELETE", `/webhooks/${hook.id}`);
  expect(await recorded).toMatchObject({ status: "delivered" });
  expect((await removed).status).toBe(204);
  expect(await kysely.selectFrom("webhook_delivery").select("id").execute()).toEqual([]);
});

it("a delivery that waits for a response holds no lock and no transaction", async () => {
  await using app = await createTestApp("postgres");
  const { kysely } = app.database;
  await using receiver = await createWebhookReceiver(() => undefined);
  await app.call("POST", "/webhooks", { body: { url: receiver.url } });
  const { json: job } = await app.call("POST", "/job", { body: { prompt: "Fix it." } });
  await app.carryOut({ fail: "internal" });
  await using _outbox = startOutbox(app.outbox);
  await receiver.arrived(1);
  const held = kysely.selectFrom("webhook_delivery").select(["status", "attempt"]).where("lease_until", "is not", null);
  expect(await held.execute()).toEqual([{ status: "pending", attempt: 1 }]);
  for (const table of ["webhook_delivery", "webhook_event", "webhook_endpoint", "job"] as const) {
    expect(await kysely.selectFrom(table).select("id").forUpdate().noWait().execute()).toHaveLength(1);
  }
  const { rows } = await sql`select state from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(kysely);
  expect(rows).toEqual([]);
  expect((await app.call("DELETE", `/job/${job.id}`)).status).toBe(204);
  await receiver[Symbol.asyncDispose](); // so that stopping has nothing to wait for
});
