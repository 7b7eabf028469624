import { expect, it } from "vitest";
import { newWebhookSecret, webhookHeaders } from "./webhook-signature.ts";
import { readWebhook } from "#client/webhook.ts";

const at = new Date("2026-11-24T12:00:00Z");
const body = JSON.stringify({ type: "job.completed", timestamp: at.toISOString(), data: { id: "job_1" } });

it("reads a signed webhook from a Request and from Node's headers, even while the secret is being rotated", async () => {
  const [old, current] = [newWebhookSecret(), newWebhookSecret()];
  const headers = webhookHeaders({ id: "evt_1", at, body }, [current, old]);
  for (const secret of [old, current]) {
    const read = await readWebhook({ headers, body }, { secret: secret.reveal(), now: at });
    expect(read).toMatchObject({ id: "evt_1", type: "job.completed", data: { id: "job_1" } });
    expect(await readWebhook({ headers: new Headers(headers), body }, { secret: secret.reveal(), now: at })).toEqual(
      read,
    );
  }
});

it("refuses a webhook that is changed, old, unsigned or signed with another secret", async () => {
  const secret = newWebhookSecret();
  const headers = webhookHeaders({ id: "evt_1", at, body }, [secret]);
  const read = (change: { headers?: object; body?: string; secret?: string; now?: Date }) =>
    readWebhook(
      { headers: { ...headers, ...change.headers }, body: change.body ?? body },
      { secret: change.secret ?? secret.reveal(), now: change.now ?? at },
    );
  const later = new Date(at.getTime() + 301_000);
  for (const change of [
    { body: body.replace("job_1", "job_2") },
    { now: later },
    { headers: { "webhook-timestamp": String(Math.floor(later.getTime() / 1_000)) }, now: later },
    { headers: { "webhook-id": "evt_2" } },
    { headers: { "webhook-signature": "" } },
    { headers: { "webhook-signature": "v1,AAAA" } },
    { headers: { "webhook-timestamp": "NaN" } },
    { secret: newWebhookSecret().reveal() },
  ]) {
    await expect(read(change)).rejects.toMatchObject({ name: "DocentError", code: "unauthorized" });
  }
  await expect(readWebhook({ headers: {}, body }, { secret: secret.reveal() })).rejects.toMatchObject({
    code: "unauthorized",
  });
});
