import { readdir, readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { expect, it } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import { systemClock } from "#lib/clock.ts";
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
  expect(ended.error?.message).toContain("a person makes this change");
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

it("the files of the database contain no credential in the brief of a sub-task, while it runs and afterwards", async () => {
  const texts = { brief: newCredential(), report: newCredential() };
  const brief = { title: "Rename", instruction: `Rename it with ${texts.brief}.`, files: ["index.md"] };
  const other = { title: "Look", instruction: "Look at the page.", files: ["other.md"] };
  let whileRunning: Promise<string[]> | undefined;
  const started = await startModels(async ({ messages }) => {
    if (messages.some((message) => message.role === "user" && message.text.includes("The sub-task:"))) {
      // The server stored the brief before it asked.
      whileRunning ??= stored(instance, texts);
      await whileRunning;
      return finish("Rename", `Used ${texts.report}.`);
    }
    const isAfter = messages.some(({ role }) => role === "results");
    return isAfter ? finish("Rename it") : call("run_subtasks", { subtasks: [brief, other] });
  });
  await using _ = started.models;
  await using server = await startTestServer({ engine: "sqlite", files: FILES, environment: started.environment });
  const { instance, baseUrl } = server;
  const body = { prompt: "Rename it", model: "anthropic/m" };
  const { id } = (await callApi(baseUrl, instance, { path: "/job", body })).body;
  await waitForJob(baseUrl, instance, id);
  expect(await whileRunning).toEqual([]);
  expect(await stored(instance, texts)).toEqual([]);
});

it("names and settings with a credential are refused, because they are stored and shown as written", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: FILES });
  const { instance, baseUrl } = server;
  const key = await instanceKey(instance);
  const at = (path: string) => `/v2/project/${instance.project.id}${path}`;
  const address = "https://git.example.com/acme/docs.git";
  const refused: [method: string, path: string, body: (credential: string) => object][] = [
    ["POST", "/v2/projects", (name) => ({ name })],
    ["POST", "/v2/projects", (token) => ({ name: "Docs", repository: { url: `${address}?private_token=${token}` } })],
    ["PATCH", at(""), (name) => ({ name })],
    ["PATCH", at(""), (word) => ({ settings: { publicAddress: `https://example.com/${word}` } })],
    ["POST", at("/keys"), (name) => ({ name })],
    ["POST", "/v2/instance/keys", (name) => ({ name })],
    ["POST", `/v2/agent/${instance.project.id}/webhooks`, (text) => ({ url: "https://example.com", events: ["job.failed"], description: `For ${text}` })], // oxfmt-ignore
  ];
  const sent: Record<string, string> = {};
  for (const [index, [method, path, body]] of refused.entries()) {
    const credential = newCredential();
    sent[`${index} ${path}`] = credential;
    const answer = await send(`${baseUrl}${path}`, { key, method, body: body(credential) });
    expect([path, answer.status, await answer.json()]).toMatchObject([path, 400, { code: "invalid" }]);
  }
  expect(await stored(instance, sent)).toEqual([]);
});

it("what clients call themselves and ask for is stored without credentials, and idempotency keys as hashes", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: FILES });
  const { instance, baseUrl } = server;
  const key = await instanceKey(instance);
  const texts = { idempotencyKey: newCredential(), client: newCredential(), path: newCredential() };
  const view = { time: new Date().toISOString(), address: "192.0.2.1", accept: "text/html" };
  const views = [
    { ...view, event_id: "a", path: `/reset/${texts.path}`, userAgent: "curl/8.5.0" },
    { ...view, event_id: "b", path: "/", userAgent: `bot ${texts.client}/1.0` },
    { ...view, event_id: "c", path: "/gone", userAgent: "curl/8.5.0" },
  ];
  const headers = { "Idempotency-Key": texts.idempotencyKey };
  const url = `${baseUrl}/v1/analytics/${instance.project.id}/views`;
  for (const replayed of [null, "true"]) {
    const answer = await send(url, { key, method: "POST", body: { views }, headers });
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([200, replayed]);
  }
  const labels = async () => {
    const rows = await instance.database.kysely.selectFrom("analytics_label").select("text").execute();
    return rows.map(({ text }) => text);
  };
  await expect.poll(labels).toContain("/gone");
  expect(await labels()).toContain("(other)");
  expect(await stored(instance, texts)).toEqual([]);
});

const instanceKey = async ({ database }: TestInstance) =>
  (
    await createApiKey(
      { database, clock: systemClock, keysPerHour: 10 },
      { projectId: null, name: "all", expiresInDays: null },
    )
  ).key;

interface Call {
  key: string;
  method: string;
  body: object;
  headers?: Record<string, string>;
}

const send = (url: string, { key, method, body, headers }: Call): Promise<Response> =>
  fetch(url, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
