import { describe, expect, test } from "vitest";
import { sweep } from "#features/jobs/requests/sweeper.ts";
import { claimDelivery, RETRY_SECONDS } from "./webhook-queue.ts";
import { webhookHeaders } from "./webhook-signature.ts";
import { OUTBOX_OPTIONS, startOutbox } from "./webhook-worker.ts";
import type { JobId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { ENGINES } from "#testing/databases.ts";
import { createWebhookReceiver, isSignedBy } from "#testing/webhook-receiver.ts";

test("a message is signed like the specification's example", () => {
  // Test vector of the Standard Webhooks reference libraries.
  const secret = new Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: new Date(1_614_265_330_000), body: '{"test": 2432232314}' };
  expect(webhookHeaders(message, [secret])).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("eleven attempts span about a day", () => {
  expect(RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 3_600).toBeCloseTo(23.7, 1);
});

async function createJob(app: TestApp): Promise<string> {
  return (await app.call("POST", "/job", { body: { prompt: "Fix it." } })).json.id;
}

async function createHook(app: TestApp, url: string, more: object = {}): Promise<{ id: string; secret: string }> {
  const { status, json } = await app.call("POST", "/webhooks", { body: { url, ...more } });
  expect(status).toBe(201);
  return json;
}

const deliveriesOf = async (app: TestApp, id: string) =>
  (await app.call("GET", `/webhooks/${id}/deliveries`)).json.deliveries;

describe.concurrent.each(ENGINES)("webhooks on %s", (engine) => {
  test("are created, listed, changed and deleted, and show their secret once", async () => {
    await using app = await createTestApp(engine);
    const made = await app.call("POST", "/webhooks", {
      body: { url: "http://127.0.0.1:9/in", events: ["job.failed", "job.failed"], description: "Chat" },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      url: "http://127.0.0.1:9/in",
      events: ["job.failed"],
      description: "Chat",
      enabled: true,
    });
    expect(made.json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret: _, ...shown } = made.json;
    expect((await app.call("GET", `/webhooks/${made.json.id}`)).json).toEqual(shown);
    expect((await app.call("GET", "/webhooks")).json).toEqual({ webhooks: [shown], nextCursor: null });
    const stored = await app.database.kysely.selectFrom("webhook_endpoint").select("secret").executeTakeFirstOrThrow();
    expect(stored.secret).not.toContain(made.json.secret.slice(6));

    const changed = await app.call("PATCH", `/webhooks/${made.json.id}`, {
      body: { enabled: false, description: null },
    });
    expect(changed.json).toMatchObject({
      enabled: false,
      description: null,
      disabledReason: null,
      events: ["job.failed"],
    });
    const other = await app.makeProject("Other docs");
    const stranger = { key: await app.makeKey(other), project: other.id };
    for (const [method, at] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/rotate"],
      ["GET", "/deliveries"],
    ] as const) {
      expect((await app.call(method, `/webhooks/${made.json.id}${at}`, stranger)).status).toBe(404);
    }
    expect((await app.call("DELETE", `/webhooks/${made.json.id}`)).status).toBe(204);
    expect((await app.call("GET", `/webhooks/${made.json.id}`)).status).toBe(404);
  });

  test("invalid input is refused, including an address in a private network", async () => {
    await using app = await createTestApp(engine);
    const url = "http://127.0.0.1:9/";
    const wrong = [
      {},
      { url: 1 },
      { url: "" },
      { url: "nothing" },
      { url: "ftp://127.0.0.1/" },
      { url: "http://10.0.0.1/" },
      { url: "http://localhost.localdomain@169.254.169.254/" },
      { url: "http://169.254.169.254/latest" },
      { url: "http://[::ffff:10.0.0.1]/" },
      { url, events: [] },
      { url, events: ["job.created"] },
      { url, surprise: true },
      { url, description: "two\nlines" },
    ];
    for (const body of wrong) {
      const { status, json } = await app.call("POST", "/webhooks", { body });
      expect({ body, status, code: json.code }).toEqual({ body, status: 400, code: "invalid" });
    }
    const { id } = await createHook(app, url);
    expect((await app.call("PATCH", `/webhooks/${id}`, { body: { url: "http://192.168.0.1/" } })).status).toBe(400);
    for (let count = 1; count < 20; count++) await createHook(app, url);
    expect((await app.call("POST", "/webhooks", { body: { url } })).status).toBe(409);
  });

  test("a test event is sent to one webhook, signed, listed and redelivered like any other event", async ({
    expect,
  }) => {
    await using app = await createTestApp(engine);
    await using receiver = await createWebhookReceiver();
    const { id, secret } = await createHook(app, receiver.url, { events: ["job.failed"] });
    await createHook(app, receiver.url);
    await using _outbox = startOutbox(app.outbox);
    const sent = await app.call("POST", `/webhooks/${id}/test`);
    expect([sent.status, sent.json]).toEqual([
      200,
      expect.objectContaining({ type: "webhook.test", status: "pending", jobId: null, attempts: [] }),
    ]);
    await receiver.arrived(1);
    const [received] = receiver.received;
    expect(isSignedBy(received!, secret)).toBe(true);
    expect(JSON.parse(received!.raw)).toEqual({
      type: "webhook.test",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      data: { projectId: app.project.id, webhookId: id },
    });
    await expect
      .poll(async () => (await deliveriesOf(app, id))[0], { timeout: 30_000 })
      .toMatchObject({ id: sent.json.id, type: "webhook.test", status: "delivered", jobId: null });
    expect(receiver.received).toHaveLength(1);
    expect((await app.call("POST", `/webhooks/${id}/deliveries/${sent.json.id}/redeliver`)).status).toBe(200);
    await receiver.arrived(2);
    expect(receiver.received[1]!.raw).toBe(received!.raw);
  });

  test("a test is refused for a disabled webhook, for another project's webhook, and after 60 tests within the hour", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-11-24T12:00:00Z") });
    const { id } = await createHook(app, "http://127.0.0.1:9/in");
    const other = await app.makeProject("Other docs");
    const stranger = { key: await app.makeKey(other), project: other.id };
    expect((await app.call("POST", `/webhooks/${id}/test`, stranger)).status).toBe(404);
    for (let count = 0; count < 60; count++) expect((await app.call("POST", `/webhooks/${id}/test`)).status).toBe(200);
    const refused = await app.call("POST", `/webhooks/${id}/test`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    app.time.now = new Date("2026-11-24T13:00:00Z");
    expect((await app.call("POST", `/webhooks/${id}/test`)).status).toBe(200);
    await app.call("PATCH", `/webhooks/${id}`, { body: { enabled: false } });
    expect((await app.call("POST", `/webhooks/${id}/test`)).status).toBe(409);
  });

  test("the test events of one webhook do not count against another", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-11-24T12:00:00Z") });
    const { id } = await createHook(app, "http://127.0.0.1:9/in");
    const other = await createHook(app, "http://127.0.0.1:9/other");
    for (let count = 0; count < 60; count++) await app.call("POST", `/webhooks/${id}/test`);
    expect((await app.call("POST", `/webhooks/${other.id}/test`)).status).toBe(200);
  });

  test("a changed description with a credential is refused", async () => {
    await using app = await createTestApp(engine);
    const { id } = await createHook(app, "http://127.0.0.1:9/in");
    const description = `Chat, ghp_${"a1B2c3D4e5".repeat(4)}`;
    const changed = await app.call("PATCH", `/webhooks/${id}`, { body: { description } });
    expect([changed.status, (await app.call("GET", `/webhooks/${id}`)).text.includes("ghp_")]).toEqual([400, false]);
  });

  test("disabling a webhook fails its pending deliveries, and no other", async () => {
    await using app = await createTestApp(engine);
    const { id } = await createHook(app, "http://127.0.0.1:9/in");
    const delivered = (await app.call("POST", `/webhooks/${id}/test`)).json.id;
    const pending = (await app.call("POST", `/webhooks/${id}/test`)).json.id;
    const rows = app.database.kysely.updateTable("webhook_delivery").where("id", "=", delivered);
    await rows.set({ status: "delivered", ended_at: 1 }).execute();
    await app.call("PATCH", `/webhooks/${id}`, { body: { enabled: false } });
    const states = (await deliveriesOf(app, id)).map((one) => [one.id, one.status]);
    expect(Object.fromEntries(states)).toEqual({ [delivered]: "delivered", [pending]: "failed" });
  });

  test("deliveries are filtered by a requested status", async () => {
    await using app = await createTestApp(engine);
    const { id } = await createHook(app, "http://127.0.0.1:9/in");
    const [failed, pending] = [
      (await app.call("POST", `/webhooks/${id}/test`)).json.id,
      (await app.call("POST", `/webhooks/${id}/test`)).json.id,
    ];
    const row = app.database.kysely.updateTable("webhook_delivery").where("id", "=", failed);
    await row.set({ status: "failed", ended_at: 1 }).execute();
    const listed = async (status: string) =>
      (await app.call("GET", `/webhooks/${id}/deliveries?status=${status}`)).json.deliveries.map((one) => one.id);
    expect([await listed("failed"), await listed("pending")]).toEqual([[failed], [pending]]);
  });

  test("a job's events arrive signed, with the state of the job at the time of the event", async ({ expect }) => {
    const startedAt = Date.now();
    await using app = await createTestApp(engine);
    await using receiver = await createWebhookReceiver();
    const { id, secret } = await createHook(app, receiver.url);
    await using _outbox = startOutbox(app.outbox);
    const jobId = await createJob(app);
    await app.carryOut({ files: { "new.md": "# New\n" } });
    await app.call("POST", `/job/${jobId}/message`, { body: { prompt: "More." } });
    await app.carryOut({ files: { "more.md": "# More\n" } });
    await app.call("POST", `/job/${jobId}/archive`);
    const failing = await createJob(app);
    await app.carryOut({ fail: "stuck" });
    const cancelled = await createJob(app);
    await app.call("POST", `/job/${cancelled}/cancel`);
    await receiver.arrived(7);

    const byType = Object.groupBy(receiver.received, (webhook) => webhook.type);
    expect(Object.fromEntries(Object.entries(byType).map(([type, list]) => [type, list!.length]))).toEqual({
      "pull_request.opened": 1,
      "pull_request.updated": 1,
      "job.completed": 2,
      "job.archived": 1,
      "job.failed": 2,
    });
    expect(receiver.received.every((webhook) => isSignedBy(webhook, secret))).toBe(true);
    expect(isSignedBy(receiver.received[0]!, "whsec_AAAA")).toBe(false);
    const ids = receiver.received.map((webhook) => String(webhook.headers["webhook-id"]));
    expect(new Set(ids).size).toBe(7);
    expect(ids.every((one) => /^evt_[0-9a-z]{26}$/.test(one))).toBe(true);
    const opened = byType["pull_request.opened"]![0]!;
    expect(opened.data).toMatchObject({
      id: jobId,
      status: "active",
      prLink: null,
      pullRequest: { number: 1, state: "open" },
    });
    expect(opened.headers).toMatchObject({ "content-type": "application/json", "user-agent": "Docent/test" });
    const completed = byType["job.completed"]![0]!;
    expect(completed.data).toMatchObject({
      status: "completed",
      prLink: "http://localhost:4000/harbor-docs/pull/1",
      error: null,
    });
    expect(Date.parse(completed.timestamp)).toBeGreaterThanOrEqual(Math.floor(startedAt / 1_000) * 1_000);
    expect(byType["job.archived"]![0]!.data).toMatchObject({ id: jobId, status: "archived" });
    expect(Object.fromEntries(byType["job.failed"]!.map(({ data }) => [data.id, data.error?.code]))).toEqual({
      [failing]: "stuck",
      [cancelled]: "cancelled",
    });
    await expect
      .poll(async () => (await deliveriesOf(app, id)).filter((one) => one.status === "delivered").length)
      .toBe(7);
    const [newest] = await deliveriesOf(app, id);
    expect(newest).toMatchObject({
      type: "job.failed",
      status: "delivered",
      nextAttemptAt: null,
      attempts: [{ attempt: 1, status: 200, error: null, response: "ok" }],
    });
  });

  test("an endpoint receives only events that it subscribes to, and a disabled one receives none", async () => {
    await using app = await createTestApp(engine);
    const failed = await createHook(app, "http://127.0.0.1:9/", { events: ["job.failed"] });
    const off = await createHook(app, "http://127.0.0.1:9/");
    await app.call("PATCH", `/webhooks/${off.id}`, { body: { enabled: false } });
    await createJob(app);
    await app.carryOut();
    expect(await app.database.kysely.selectFrom("webhook_event").selectAll().execute()).toEqual([]);
    await createJob(app);
    await app.carryOut({ fail: "stuck" });
    expect(await deliveriesOf(app, failed.id)).toMatchObject([{ type: "job.failed", status: "pending", attempts: [] }]);
    expect(await deliveriesOf(app, off.id)).toEqual([]);
  });

  test("a failing receiver is retried with increasing delays, the same id and a new signature", async ({ expect }) => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    await using receiver = await createWebhookReceiver((response, count) => {
      response.statusCode = count === 1 ? 500 : count === 2 ? 503 : 204;
      if (count === 2) response.setHeader("Retry-After", "3600");
      response.end(count === 1 ? "oh\0no" : "");
    });
    const { id, secret } = await createHook(app, receiver.url);
    await using _outbox = startOutbox(app.outbox);
    await createJob(app);
    await app.carryOut();
    await expect.poll(async () => (await deliveriesOf(app, id))[0]?.nextAttemptAt).toBe("2026-01-01T00:00:05.000Z");
    expect((await app.call("GET", `/webhooks/${id}`)).json.failingSince).toBe("2026-01-01T00:00:00.000Z");
    app.time.now = new Date("2026-01-01T00:00:06Z");
    await expect.poll(async () => (await deliveriesOf(app, id))[0]?.nextAttemptAt).toBe("2026-01-01T01:00:06.000Z");
    app.time.now = new Date("2026-01-01T01:00:07Z");
    await expect.poll(async () => (await deliveriesOf(app, id))[0]?.status).toBe("delivered");
    const [delivery] = await deliveriesOf(app, id);
    expect(delivery!.attempts.map((attempt) => [attempt.status, attempt.response])).toEqual([
      [500, "ohno"],
      [503, ""],
      [204, ""],
    ]);
    expect((await app.call("GET", `/webhooks/${id}`)).json.failingSince).toBeNull();
    const { received } = receiver;
    expect(new Set(received.map((webhook) => webhook.headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map((webhook) => webhook.headers["webhook-timestamp"])).size).toBe(3);
    expect(received.every((webhook) => isSignedBy(webhook, secret))).toBe(true);
    expect(received[2]!.raw).toBe(received[0]!.raw);
  });

  test("a receiver is retried at the time in its Retry-After header", async ({ expect }) => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    await using receiver = await createWebhookReceiver(
      (response) => void response.writeHead(503, { "Retry-After": "Thu, 01 Jan 2026 02:00:00 GMT" }).end(),
    );
    const { id } = await createHook(app, receiver.url);
    await using _outbox = startOutbox(app.outbox);
    await app.call("POST", `/webhooks/${id}/test`);
    await expect.poll(async () => (await deliveriesOf(app, id))[0]?.nextAttemptAt).toBe("2026-01-01T02:00:00.000Z");
  });

  test("failures of slow, dead, redirecting and verbose receivers are logged and delay no other receiver", async ({
    expect,
  }) => {
    await using app = await createTestApp(engine);
    await using slow = await createWebhookReceiver(() => undefined);
    await using elsewhere = await createWebhookReceiver();
    await using redirecting = await createWebhookReceiver(
      (response) => void response.writeHead(307, { Location: elsewhere.url }).end(),
    );
    await using talkative = await createWebhookReceiver((response) => void response.end("é".repeat(3_000_000)));
    await using cutting = await createWebhookReceiver((response) => void response.socket!.destroy());
    const hooks = {
      slow: await createHook(app, slow.url),
      dead: await createHook(app, "http://127.0.0.1:9/"),
      redirecting: await createHook(app, redirecting.url),
      talkative: await createHook(app, talkative.url),
      cutting: await createHook(app, cutting.url),
    };
    await using _outbox = startOutbox(app.outbox, { ...OUTBOX_OPTIONS, timeoutMs: 4_000 });
    await createJob(app);
    await app.carryOut();
    const attempt = async (hook: { id: string }) => {
      await expect.poll(async () => (await deliveriesOf(app, hook.id))[0]?.attempts.length).toBe(1);
      return (await deliveriesOf(app, hook.id))[0]!.attempts[0];
    };
    expect(await attempt(hooks.slow)).toMatchObject({ status: null, error: "No answer within 4 seconds." });
    expect(await attempt(hooks.dead)).toMatchObject({ status: null, error: "The connection was refused." });
    expect(await attempt(hooks.redirecting)).toMatchObject({
      status: 307,
      error: expect.stringContaining("Redirects are not followed") as unknown,
    });
    expect(elsewhere.received).toEqual([]);
    const excerpt = await attempt(hooks.talkative);
    expect(excerpt).toMatchObject({ status: 200, response: "é".repeat(1_000) });
    expect(await attempt(hooks.cutting)).toMatchObject({ status: null, error: "The connection was cut." });
  });

  test("a receiver whose address becomes internal is refused and not retried", async ({ expect }) => {
    await using app = await createTestApp(engine);
    const { id } = await createHook(app, "http://127.0.0.1:9/");
    await app.database.kysely
      .updateTable("webhook_endpoint")
      .set({ url: "http://169.254.169.254/latest/meta-data/" })
      .execute();
    await using _outbox = startOutbox(app.outbox);
    await createJob(app);
    await app.carryOut();
    await expect.poll(async () => (await deliveriesOf(app, id))[0]?.status).toBe("failed");
    expect((await deliveriesOf(app, id))[0]!.attempts).toMatchObject([
      { status: null, error: expect.stringContaining("not on the public Internet") as unknown },
    ]);
  });

  test("another process delivers each pending or started delivery of a dead process once", async ({ expect }) => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    await using receiver = await createWebhookReceiver();
    const { id } = await createHook(app, receiver.url);
    for (let count = 0; count < 12; count++) {
      await createJob(app);
      await app.carryOut();
    }
    // One process claimed a delivery and died before it could send or record anything.
    const begun = await claimDelivery(app, { leaseMs: 60_000, busy: [] });
    expect(begun).toMatchObject({ attempt: 1 });
    await using _one = startOutbox(app.outbox);
    await using _two = startOutbox(app.outbox);
    await receiver.arrived(11);
    await expect
      .poll(async () => (await deliveriesOf(app, id)).filter((one) => one.status === "pending").length)
      .toBe(1);
    app.time.now = new Date("2026-01-01T00:01:01Z");
    await receiver.arrived(12);
    await expect.poll(async () => (await deliveriesOf(app, id)).every((one) => one.status === "delivered")).toBe(true);
    expect(new Set(receiver.received.map((webhook) => webhook.headers["webhook-id"])).size).toBe(12);
    expect(receiver.received).toHaveLength(12);
  });

  test("an event that an older version stored as the row of its job is delivered", async () => {
    await using app = await createTestApp(engine);
    await using receiver = await createWebhookReceiver();
    await createHook(app, receiver.url, { events: ["job.failed"] });
    const jobId = await createJob(app);
    await app.carryOut({ fail: "stuck" });
    const { kysely } = app.database;
    const { job } = await kysely.selectFrom("webhook_event").select("job").executeTakeFirstOrThrow();
    expect(JSON.parse(job)).toMatchObject({ version: 1, job: { id: jobId, status: "failed" } });
    const row = {
      id: jobId,
      project_id: app.project.id,
      status: "failed",
      phase: "idle",
      title: null,
      summary: "Half of it.",
      error: '{"code":"stuck","message":"It went in circles.","hint":"Say more."}',
      model: "docent/builtin-rules",
      base_ref: "main",
      branch: "docent/fix-it-12345678",
      draft: 0,
      // The format before previews existed.
      pull_request: '{"number":7,"url":"http://localhost:4000/harbor-docs/pull/7","state":"open","draft":true}',
      msg_seq: 2,
      done_seq: 2,
      event_seq: 31,
      lease_owner: null,
      lease_until: null,
      fence: 2,
      attempt: 0,
      run_after: 1_760_000_000_000,
      cancel_requested_at: null,
      steps: 3,
      input_tokens: 10,
      cached_tokens: 5,
      output_tokens: 2,
      cost_micro_usd: 1_000_000,
      automation_id: null,
      revision: 40,
      created_at: 1_760_000_000_000,
      updated_at: 1_760_000_060_000,
      archived_at: null,
      archived_from: null,
    };
    await kysely.deleteFrom("webhook_event").execute(); // events are never updated
    const event = {
      project_id: app.project.id,
      job_id: row.id as JobId,
      type: "job.failed",
      created_at: 1_760_000_060_000,
    };
    await kysely
      .insertInto("webhook_event")
      .values({ id: "evt_old", ...event, job: JSON.stringify(row) })
      .execute();
    const { id: endpoint } = await kysely.selectFrom("webhook_endpoint").select("id").executeTakeFirstOrThrow();
    const due = { status: "pending" as const, attempt: 0, failures: 0, next_attempt_at: 0, created_at: 0 };
    await kysely
      .insertInto("webhook_delivery")
      .values({ id: "dlv_old", endpoint_id: endpoint, event_id: "evt_old", ...due, lease_until: null, ended_at: null })
      .execute();
    await using _outbox = startOutbox(app.outbox);
    await receiver.arrived(1);
    expect(receiver.received[0]).toMatchObject({
      type: "job.failed",
      timestamp: "2025-10-09T08:54:20.000Z",
      data: {
        id: jobId,
        status: "failed",
        createdAt: "2025-10-09T08:53:20.000Z",
        error: { code: "stuck", message: "It went in circles.", hint: "Say more." },
        pullRequest: { number: 7, state: "open", draft: true },
        summary: "Half of it.",
        usage: { steps: 3, inputTokens: 10, cachedInputTokens: 5, outputTokens: 2, costUsd: 1 },
      },
    });
  });

  test("a stopping process releases a slow delivery", async ({ expect }) => {
    await using app = await createTestApp(engine);
    await using receiver = await createWebhookReceiver(() => undefined);
    const { id } = await createHook(app, receiver.url);
    const outbox = startOutbox(app.outbox);
    await createJob(app);
    await app.carryOut();
    await receiver.arrived(1);
    await outbox[Symbol.asyncDispose]();
    expect((await deliveriesOf(app, id))[0]).toMatchObject({ status: "pending", attempts: [] });
    receiver.behave((response) => void response.end());
    await using _next = startOutbox(app.outbox);
    await receiver.arrived(2);
    await expect.poll(async () => (await deliveriesOf(app, id))[0]!.status).toBe("delivered");
  });

  test("a rotated secret and the former one both sign for a day", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    await using receiver = await createWebhookReceiver();
    const { id, secret: former } = await createHook(app, receiver.url);
    const rotated = await app.call("POST", `/webhooks/${id}/rotate`);
    expect(rotated.json).toMatchObject({ id, previousSecretUntil: "2026-01-02T00:00:00.000Z" });
    expect(rotated.json.secret).not.toBe(former);
    expect(rotated.headers.get("cache-control")).toBe("no-store");
    await using _outbox = startOutbox(app.outbox);
    await createJob(app);
    await app.carryOut();
    await receiver.arrived(1);
    app.time.now = new Date("2026-01-02T00:00:01Z");
    await createJob(app);
    await app.carryOut();
    await receiver.arrived(2);
    const [during, after] = receiver.received;
    expect([isSignedBy(during!, former), isSignedBy(during!, rotated.json.secret)]).toEqual([true, true]);
    expect([isSignedBy(after!, former), isSignedBy(after!, rotated.json.secret)]).toEqual([false, true]);
  });

  test("a receiver that is gone or fails for days is disabled, and can be enabled again", async ({ expect }) => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    await using gone = await createWebhookReceiver((response) => void response.writeHead(410).end());
    const { id } = await createHook(app, gone.url);
    await using outbox = startOutbox(app.outbox);
    await createJob(app);
    await app.carryOut();
    const shown = async () => (await app.call("GET", `/webhooks/${id}`)).json;
    await expect.poll(async () => (await shown()).enabled).toBe(false);
    expect((await shown()).disabledReason).toContain("410");
    const [delivery] = await deliveriesOf(app, id);
    const again = `/webhooks/${id}/deliveries/${delivery!.id}/redeliver`;
    expect((await app.call("POST", again)).status).toBe(409);
    gone.behave((response) => void response.writeHead(500).end());
    expect((await app.call("PATCH", `/webhooks/${id}`, { body: { enabled: true } })).json).toMatchObject({
      enabled: true,
      disabledReason: null,
    });
    expect((await app.call("POST", again)).json).toMatchObject({ status: "pending" });
    await gone.arrived(2);
    await expect.poll(async () => (await deliveriesOf(app, id))[0]!.attempts.length).toBe(2);
    // After ten retries: the delivery is given up, and no attempt has succeeded for three days.
    await outbox[Symbol.asyncDispose]();
    await app.database.kysely.updateTable("webhook_delivery").set({ failures: 10 }).execute();
    app.time.now = new Date("2026-01-04T00:00:01Z");
    await using _next = startOutbox(app.outbox);
    await expect.poll(async () => (await shown()).enabled).toBe(false);
    expect((await shown()).disabledReason).toBe("Every attempt since 2026-01-01T00:00:00.000Z failed.");
    gone.behave((response) => void response.end("back"));
    await app.call("PATCH", `/webhooks/${id}`, { body: { enabled: true } });
    await app.call("POST", again);
    await expect.poll(async () => (await deliveriesOf(app, id))[0]!.status).toBe("delivered");
    expect((await app.call("POST", `/webhooks/${id}/deliveries/dlv_none/redeliver`)).status).toBe(404);
  });

  test("a dead receiver does not delay other receivers", async () => {
    await using app = await createTestApp(engine);
    await using dead = await createWebhookReceiver(() => undefined);
    await using well = await createWebhookReceiver();
    await createHook(app, dead.url);
    for (let count = 0; count < 10; count++) {
      await createJob(app);
      await app.carryOut();
    }
    await createHook(app, well.url);
    await createJob(app);
    await app.carryOut();
    // Longer than the test may take: a delivery that arrives meanwhile did not wait for the dead receiver.
    await using _outbox = startOutbox(app.outbox, { ...OUTBOX_OPTIONS, atOnce: 4, timeoutMs: 600_000 });
    await well.arrived(1);
    expect(dead.received.length).toBeLessThanOrEqual(2);
    await dead[Symbol.asyncDispose](); // so that stopping has nothing to wait for
  });

  test("a delivery that was postponed or claimed while the clock was ahead is sent when the clock is right again", async () => {
    await using app = await createTestApp(engine, { now: new Date("2028-01-01T00:00:00Z") });
    await using receiver = await createWebhookReceiver();
    await createHook(app, receiver.url);
    await createJob(app);
    await app.carryOut();
    await claimDelivery(app, { leaseMs: 60_000, busy: [] }); // by a process that died
    app.time.now = new Date("2026-01-01T00:00:00Z");
    expect(await claimDelivery(app, { leaseMs: 60_000, busy: [] })).not.toBeNull();
  });

  test("deliveries are deleted after 30 days, but not those that are still pending", async ({ expect }) => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    await using receiver = await createWebhookReceiver();
    const { id } = await createHook(app, receiver.url);
    const outbox = startOutbox(app.outbox);
    await createJob(app);
    await app.carryOut();
    await expect.poll(async () => (await deliveriesOf(app, id))[0]?.status).toBe("delivered");
    await outbox[Symbol.asyncDispose]();
    await createJob(app);
    await app.carryOut();
    app.time.now = new Date("2026-02-01T00:00:00Z");
    await app.call("PATCH", `/webhooks/${id}`, { body: { events: ["job.failed"] } });
    const time = { now: async () => app.lifecycle.clock.now() };
    const deps = { ...app.lifecycle, time, logger: silentLogger, deliveryDays: 30 };
    const swept = await sweep(deps, new AbortController().signal);
    const { count } = await app.lifecycle.database.kysely
      .selectFrom("webhook_event")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect([swept.deletedEvents > 0, Number(count)]).toEqual([true, 1]);
    expect((await deliveriesOf(app, id)).map((delivery) => delivery.status)).toEqual(["pending"]);
  });
});
