import { afterAll, beforeAll, expect, it } from "vitest";
import { browse, type Browsing } from "#testing/browsing.ts";
import type { JobId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { testVault } from "#testing/vault.ts";
import { createWebhookReceiver, isSignedBy } from "#testing/webhook-receiver.ts";
import { chatText } from "./chat-text.ts";
import { listWebhooks } from "./webhook-endpoints.ts";
import { startOutbox } from "./webhook-worker.ts";

let app: TestApp;
let admin: Browsing;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  admin = await browse(app, app.key);
});
afterAll(() => app[Symbol.asyncDispose]());

const PAGE = "/harbor-docs/webhooks";
const all = async () => (await listWebhooks(app, { projectId: app.project.id, limit: 50, cursor: null })).items;
const secretIn = (text: string) => /id="secret">(whsec_[^<]+)/.exec(text)?.[1];

it("shows the secret of a new webhook once, delivers a test event, and delivers it again", async () => {
  await using receiver = await createWebhookReceiver();
  const once = /name="once" value="([^"]+)"/.exec((await admin.get(PAGE)).text)?.[1] ?? "";
  const form = { once, url: receiver.url, "job.failed": "yes", "job.completed": "yes" };
  const made = await admin.post(`${PAGE}/add`, form);
  const secret = secretIn(made.text)!;
  const [, test = ""] = /<form method="post" action="([^"]+\/test)">/.exec(made.text) ?? [];
  expect([made.status, made.headers.get("cache-control")]).toEqual([201, "no-store"]);
  expect(secretIn((await admin.post(`${PAGE}/add`, form)).text)).toBe(secret); // sent again
  const webhooks = await all();
  expect(webhooks).toMatchObject([{ events: ["job.completed", "job.failed"], description: null }]);
  expect((await admin.get(PAGE)).text).not.toContain(secret);

  const page = `${PAGE}/${webhooks[0]!.id}`;
  await using _outbox = startOutbox(app.outbox);
  expect(test).toBe(`${page}/test`); // on the page that shows the secret
  expect((await admin.post(test, {})).location).toBe(`${page}?done=test`);
  await receiver.arrived(1);
  expect(isSignedBy(receiver.received[0]!, secret)).toBe(true);
  await expect.poll(async () => (await admin.get(page)).text).toMatch(/webhook\.test<\/b> delivered.*status 200/);
  const [, delivery = ""] = /id="(dlv_\w+)"/.exec((await admin.get(page)).text) ?? [];
  expect((await admin.post(`${page}/redeliver`, { delivery })).status).toBe(303);
  await receiver.arrived(2);
  const next = secretIn((await admin.post(`${page}/rotate`, {})).text);
  expect(next).toMatch(/^whsec_/);
  expect(next).not.toBe(secret);
});

it("sends a chat message with links, in which nothing notifies everyone", async () => {
  await using receiver = await createWebhookReceiver();
  const once = /name="once" value="([^"]+)"/.exec((await admin.get(PAGE)).text)?.[1] ?? "";
  const form = { once, url: receiver.url, format: "slack", "job.completed": "yes" };
  expect(secretIn((await admin.post(`${PAGE}/add`, form)).text)).toBeUndefined();
  const [webhook] = await all();
  expect(webhook).toMatchObject({ format: "slack" });
  expect((await admin.get(PAGE)).text).toContain('data-label="Format">Chat message<');
  await using _outbox = startOutbox(app.outbox);
  await admin.post(`${PAGE}/${webhook!.id}/test`, {});
  await receiver.arrived(1);
  expect(JSON.parse(receiver.received[0]!.raw)).toEqual({ text: "*Harbor docs*: This is a test message from Docent." }); // oxfmt-ignore
  const url = "http://localhost:4000/harbor-docs/pull/7";
  const job = {
    id: "job_1" as JobId,
    status: "completed" as const,
    title: "Rename <A> | @here",
    summary: "Told <!channel> to [sign in](https://evil.example).",
    pullRequest: {
      number: 7,
      url,
      state: "open" as const,
      draft: false,
      previewUrl: null,
    },
    refusal: null,
    question: null,
    error: null,
  };
  const message = chatText("job.completed", { project: "Docs", projectUrl: "http://localhost:4000/harbor-docs", job });
  expect(message.split("\n")).toEqual([
    `*Docs*: A job was completed: <http://localhost:4000/harbor-docs/jobs/${job.id}|Rename &lt;A&gt; / @\u200bhere>`,
    "Told &lt;!channel&gt; to [sign in]\u200b(https://evil.example).",
    "Pull request #7: http://localhost:4000/harbor-docs/pull/7",
  ]);
  expect((await admin.post(`${PAGE}/${webhook!.id}/delete`, {})).status).toBe(303);
});

it("lists and deletes a webhook whose address was encrypted with a lost key", async () => {
  const once = /name="once" value="([^"]+)"/.exec((await admin.get(PAGE)).text)?.[1] ?? "";
  await admin.post(`${PAGE}/add`, { once, url: "https://example.com/lost", format: "standard", "job.failed": "yes" });
  const lost = (await all()).find(({ url }) => url.endsWith("/lost"))!;
  const url = testVault.seal(new Secret("of another key"), "address");
  await app.database.kysely.updateTable("webhook_endpoint").set({ url }).where("id", "=", lost.id).execute();
  expect((await all()).find(({ id }) => id === lost.id)).toMatchObject({
    enabled: false,
    disabledReason: expect.stringContaining("Delete it, and add it again.") as string,
  });
  expect((await admin.get(`${PAGE}/${lost.id}`)).text).toContain("Delete it, and add it again.");
  expect((await admin.post(`${PAGE}/${lost.id}/delete`, {})).status).toBe(303);
});

it("names a job without a title by its instruction, without credentials", async () => {
  await using receiver = await createWebhookReceiver();
  const asked = { url: receiver.url, format: "slack", events: ["job.failed", "pull_request.opened"] };
  const { json: webhook } = await app.call("POST", "/webhooks", { body: asked });
  const token = ["ghp", "q7Zt2LxWv9KpRb4NcJ8sYd1HfGm6TeUa3XoB"].join("_");
  await app.call("POST", "/job", { body: { prompt: `Explain limits, not ${token}.\nIn detail.` } });
  await using _outbox = startOutbox(app.outbox);
  await app.carryOut({ fail: "stuck" });
  await receiver.arrived(1);
  const { text } = JSON.parse(receiver.received[0]!.raw) as { text: string };
  expect(text).toMatch(/A job failed: <http:\S+\|Explain limits, not [^>]+>/);
  expect(text).not.toContain(token);
  await app.call("DELETE", `/webhooks/${webhook.id}`);
});

it("names the problem, and keeps the entered values", async () => {
  const [webhook] = await all();
  const page = `${PAGE}/${webhook!.id}`;
  const wrong: [fields: Record<string, string>, problem: string][] = [
    [{ url: "http://169.254.169.254/latest", "job.failed": "yes" }, "This address cannot be used."],
    [{ url: "https://example.com/hooks" }, "Events: must name at least one event."],
  ];
  for (const [fields, problem] of wrong) {
    for (const at of [`${PAGE}/add`, `${page}/change`]) {
      const answer = await admin.post(at, fields);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(problem)]);
      expect(answer.text).toContain(`value="${fields["url"]}"`);
    }
  }
  const disabled = await admin.post(`${page}/disable`, {});
  expect(disabled.location).toBe(`${page}?done=disable`);
  const refused = await admin.post(`${page}/test`, {});
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("This webhook is disabled")]);
  await admin.post(`${page}/enable`, {});
});

it("changes a webhook, refuses a change to an outdated version, and deletes it", async () => {
  const [webhook] = await all();
  const page = `${PAGE}/${webhook!.id}`;
  const form = { loaded: webhook!.updatedAt.toISOString(), url: webhook!.url, "job.archived": "yes" };
  expect((await admin.post(`${page}/change`, { ...form, description: "For chat" })).status).toBe(303);
  expect(await all()).toMatchObject([{ description: "For chat", events: ["job.archived"] }]);
  const second = await admin.post(`${page}/change`, { ...form, description: "For mail" });
  expect([second.status, second.text]).toEqual([409, expect.stringContaining("Someone changed this webhook")]);
  expect((await admin.post(`${page}/change`, { ...form, description: "", loaded: (await all())[0]!.updatedAt.toISOString() })).status).toBe(303); // oxfmt-ignore
  expect(await all()).toMatchObject([{ description: null }]);
  expect((await admin.post(`${page}/delete`, {})).location).toBe(`${PAGE}?done=delete`);
  expect((await admin.get(page)).status).toBe(404);
});
