import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDocentClient, DocentError, type DocentClient } from "#client/client.ts";
import type { TurnInput } from "#testing/model-server/script.ts";
import { type ModelServer, createModelServer } from "#testing/model-server/server.ts";
import { listEvents } from "#features/jobs/events.ts";
import type { JobId } from "#lib/ids.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

// Whole jobs over HTTP, from our own client to each provider's wire format and back.
const KINDS = ["anthropic", "openai", "google", "openai-compatible"] as const;
const KEY = "key-of-the-provider-4711";

const finish = (title: string, summary = "Done."): TurnInput => ({
  calls: [{ name: "finish", input: { outcome: "done", title, summary } }],
});
const edit = (old: string, text: string): TurnInput => ({
  calls: [{ name: "edit_file", input: { path: "index.md", edits: [{ old, new: text }] } }],
});

let models: ModelServer;
let server: TestServer;
let client: DocentClient;
beforeAll(async () => {
  models = await createModelServer({
    apiKey: KEY,
    script: {
      conversations: [
        {
          marker: "Rename the harbor",
          turns: [
            {
              reasoning: "Look first.",
              text: "Let me look.",
              calls: [{ name: "read_file", input: { path: "index.md" } }],
            },
            { ...edit("Harbor Cloud", "Harbor Platform"), faults: [{ kind: "rate_limited", retryAfterSeconds: 0.1 }] },
            finish("Rename Harbor Cloud", "Renamed. My key is {{apiKey}}."),
          ],
        },
        {
          marker: "Greet the reader",
          turns: [
            { calls: [{ name: "run_shell", input: { command: "env" } }] },
            { ...edit("# Start", "# Welcome"), faults: [{ kind: "cut" }] },
            finish("Greet the reader"),
          ],
        },
        { marker: "Wrong key", turns: [{ faults: [{ kind: "auth", times: "always" }] }] },
      ],
    },
  });
  const providers = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      { kind, baseUrl: `${models.url}/${kind === "google" ? "v1beta" : "v1"}`, apiKeyEnv: "SCRIPTED_KEY" },
    ]),
  );
  server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Start\n\nHarbor Cloud.\n" },
    environment: { DOCENT_MODELS: JSON.stringify({ providers }), SCRIPTED_KEY: KEY },
  });
  client = createDocentClient({
    baseUrl: server.baseUrl,
    projectId: server.instance.project.id,
    apiKey: server.instance.key,
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await models.close();
});

async function transcriptOf(jobId: string): Promise<unknown[]> {
  const { database } = server.instance;
  const { events } = await listEvents({ database }, { jobId: jobId as JobId, after: 0, limit: 500 });
  return events.map(({ type, data }) => ({ type, tool: data["tool"], text: data["text"], ok: data["ok"] }));
}

const renamed = new Map<string, ReturnType<typeof rename>>();
/** The first turn of a job with a provider, which is run once. */
function renamedOn(kind: string): ReturnType<typeof rename> {
  const run = renamed.get(kind) ?? rename(`${kind}/scripted-one`);
  renamed.set(kind, run);
  return run;
}
async function rename(model: string) {
  const created = await client.createJob({ prompt: "Rename the harbor", model });
  const first = await client.waitForJob(created.id);
  return { created, first, transcript: await transcriptOf(created.id) };
}

describe.concurrent.each(KINDS)("%s", (kind) => {
  const model = `${kind}/scripted-one`;

  test("a job and its follow-up end in one pull request, through a refusal and a broken connection", async () => {
    const { created, first } = await renamedOn(kind);
    expect(created).toMatchObject({ status: "active", model, prLink: null });
    expect(first).toMatchObject({ status: "completed", error: null, usage: { steps: 3 } });
    expect(first.prLink).toMatch(/^http/);
    await client.sendMessage(created.id, "Greet the reader");
    const second = await client.waitForJob(created.id);
    expect(second).toMatchObject({ status: "completed", prLink: first.prLink, usage: { steps: 6 } });
    expect(second.usage.inputTokens).toBeGreaterThan(first.usage.inputTokens);
  });

  // `job-failures.test.ts` has the other failures, each with one of the providers.
  test("a wrong key ends as model_auth, with a text that helps and without the key", async () => {
    const { id } = await client.createJob({ prompt: "Wrong key", model });
    const job = await client.waitForJob(id);
    expect(job).toMatchObject({ status: "failed", error: { code: "model_auth" }, prLink: null });
    expect(job.error!.message).not.toBe("");
    expect(JSON.stringify([job, await transcriptOf(id)])).not.toContain(KEY);
  });
});

test("the transcript of a job is the same with every provider, and contains no key", async () => {
  const jobs = await Promise.all(KINDS.map(renamedOn));
  const [one, ...others] = jobs.map(({ transcript }) => transcript.filter(isSaid));
  expect(one!.length).toBeGreaterThan(0);
  for (const other of others) expect(other).toEqual(one);
  expect(JSON.stringify(jobs)).not.toContain(KEY);
});

/** Notices name the provider. */
const isSaid = (event: unknown) => (event as { type: string }).type !== "notice";

test("the client explains an invalid request", async () => {
  const refused = client.createJob({ prompt: "x", model: "nobody/knows" });
  await expect(refused).rejects.toBeInstanceOf(DocentError);
  await expect(refused).rejects.toMatchObject({ code: "invalid", status: 400, details: [{ path: "model" }] });
  await expect(client.getJob("job_nowhere")).rejects.toMatchObject({ code: "not_found" });
});

test("the client reads the visitors of a project without any", async () => {
  const pages = [];
  for await (const page of client.visitors({ dateFrom: "2026-01-01" })) pages.push(page);
  expect(pages).toEqual([{ totals: { human: 0, ai: 0, total: 0 }, visitors: [], hasMore: false }]);
});
