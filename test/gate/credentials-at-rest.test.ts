import { readdir, readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { expect, it } from "vitest";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";
import { callApi, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, startModels } from "#test/support/models.ts";
import { startTestServer } from "#test/support/server.ts";

// What people and models write may hold credentials; a copy of the database opens nothing.

/** Another one each time, put together here so that this file holds none. */
const newCredential = () => {
  const letters = Array.from(randomBytes(16), (byte) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[byte % 32]);
  return `AKIA${letters.join("")}`;
};

async function stored({ data }: TestInstance, texts: Record<string, string>): Promise<string[]> {
  const names = (await readdir(data)).filter((name) => name.startsWith("docent.sqlite"));
  const bytes = Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(data, name)))));
  return Object.entries(texts).flatMap(([name, text]) => (bytes.includes(text) ? [name] : []));
}

const FILES = { "index.md": "# Start\n\nHarbor Cloud.\n" };

it("the files of the database contain no credential that a person sends", async () => {
  const environment = { DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" };
  await using server = await startTestServer({ engine: "sqlite", files: FILES, environment });
  const { instance, baseUrl } = server;
  const texts = {
    prompt: newCredential(),
    title: newCredential(),
    automation: newCredential(),
    changedAutomation: newCredential(),
    instructions: newCredential(),
    receiver: newCredential(),
    webhookToken: randomBytes(12).toString("hex"),
  };
  await using receiver = await createWebhookReceiver((response) => void response.end(`key=${texts.receiver}`));
  const url = `${receiver.url}?token=${texts.webhookToken}`;
  const webhook = await callApi(baseUrl, instance, { path: "/webhooks", body: { url, events: ["job.failed"] } });
  expect(webhook.body).toMatchObject({ url });
  const body = { prompt: `Replace "Start" with "${texts.prompt}".`, title: `Use ${texts.title}` };
  const job = await callApi(baseUrl, instance, { path: "/job", body });
  const ended = await waitForJob(baseUrl, instance, job.body.id);
  expect(ended.error?.message).toContain("a person replaces it");
  await receiver.arrived(1);
  const deliveries = { path: `/webhooks/${webhook.body.id}/deliveries` };
  await expect
    .poll(async () => JSON.stringify((await callApi(baseUrl, instance, deliveries)).body))
    .toContain('"response":"key=[redacted]"');
  // Texts that are shown as they were written are refused with one.
  const automation = { name: "Nightly", prompt: `Use ${texts.automation}.`, trigger: { kind: "api" } };
  const refused = await callApi(baseUrl, instance, { path: "/automations", body: automation });
  expect(refused.body).toMatchObject({ code: "invalid", details: [{ path: "prompt" }] });
  const made = await callApi(baseUrl, instance, { path: "/automations", body: { ...automation, prompt: "Fix the links." } }); // oxfmt-ignore
  const rename = { method: "PATCH", path: `/automations/${made.body.id}`, body: { name: texts.changedAutomation } };
  expect((await callApi(baseUrl, instance, rename)).body).toMatchObject({ details: [{ path: "name" }] });
  const settings = await fetch(`${baseUrl}/v2/project/${instance.project.id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${instance.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ settings: { instructions: `Log in with ${texts.instructions}` } }),
  });
  expect([settings.status, await settings.json()]).toMatchObject([400, { details: [{ path: "instructions" }] }]);
  expect((await callApi(baseUrl, instance, { path: `/webhooks/${webhook.body.id}` })).body).toMatchObject({ url });
  expect(await stored(instance, texts)).toEqual([]);
});

it("the files of the database contain no credential that a model writes, but the model gets its own text in the next turn", async () => {
  const texts = {
    reasoning: newCredential(),
    text: newCredential(),
    call: newCredential(),
    summary: newCredential(),
  };
  const leaking = {
    reasoning: `I need ${texts.reasoning}.`,
    text: `I use ${texts.text}.`,
    calls: call("edit_file", { path: "index.md", edits: [{ old: "Start", new: texts.call }] }).calls!,
  };
  const turns = [leaking, edit("index.md", "Cloud", "Platform"), finish("Rename it", `Used ${texts.summary}.`)];
  const conversations = [
    { marker: "Rename it", turns },
    { marker: "Go on", turns: [finish("Leave it", "All is well.")] },
  ];
  const started = await startModels({ conversations });
  await using models = started.models;
  await using server = await startTestServer({ engine: "sqlite", files: FILES, environment: started.environment });
  const { instance, baseUrl } = server;
  const body = { prompt: "Rename it", model: "anthropic/m" };
  const { id } = (await callApi(baseUrl, instance, { path: "/job", body })).body;
  await waitForJob(baseUrl, instance, id);
  expect(await stored(instance, texts)).toEqual([]);
  // A provider signs what its model thinks, and refuses it changed: so does this one.
  await callApi(baseUrl, instance, { path: `/job/${id}/message`, body: { prompt: "Go on" } });
  await waitForJob(baseUrl, instance, id);
  const last = models.requests.at(-1)!;
  expect(last.status).toBe(200);
  for (const name of ["reasoning", "text", "call"] as const) expect([name, JSON.stringify(last.body).includes(texts[name])]).toEqual([name, true]); // oxfmt-ignore
  expect(await stored(instance, texts)).toEqual([]);
});
