import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import type { TurnInput } from "#testing/model-server/script.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish } from "#test/support/models.ts";
import { startScriptedServer, startTestServer, type TestServer } from "#test/support/server.ts";

// A turn that ends before the agent is done: what it made by then is not lost.

const FILES = {
  "docs/docs.json": '{"name": "Docs", "navigation": {"pages": ["index"]}}\n',
  "docs/index.md": "# Start\n\nHarbor Cloud.\n",
};
const PAGE = "docs/index.md";
const change = edit(PAGE, "Harbor Cloud", "Harbor Platform");
const deadLink = edit(PAGE, "Cloud.", "Cloud, see [it](/nowhere).");
const walk = (count: number) =>
  Array.from({ length: count }, (_, at) => call("search_files", { text: "a", limit: at + 1 }));

type Case = [code: string, turns: TurnInput[], afterwards?: "repeat"];
const CASES: Record<string, Case> = {
  "Step by step": ["step_limit", [change, ...walk(20)]],
  "In circles": ["stuck", [change, call("read_file", { path: PAGE })], "repeat"],
  "Server down": [
    "model_error",
    [change, { faults: [{ kind: "server_error", times: "always", retryAfterSeconds: 0.05 }] }],
  ],
  "Wrong key": ["model_auth", [change, { faults: [{ kind: "auth", times: "always" }] }]],
  "Too long": ["context_overflow", [change, { faults: [{ kind: "overflow", times: "always" }] }]],
  "Eats tokens": ["budget_exceeded", [{ ...change, usage: { inputTokens: 165_000, outputTokens: 10 } }, ...walk(3)]],
};

const SCRIPTS: Record<string, { turns: TurnInput[]; afterwards?: "repeat" }> = {
  ...Object.fromEntries(
    Object.entries(CASES).map(([marker, [, turns, afterwards]]) => [
      marker,
      { turns, ...(afterwards && { afterwards }) },
    ]),
  ),
  "Model hangs": { turns: [change, { faults: [{ kind: "hang", times: "always" }] }] },
  "Begin it": { turns: [change, ...walk(20)] },
  "Finish it": { turns: [edit(PAGE, "# Start", "# Welcome"), finish("Rename the product", "Renamed it.")] },
  "All of it": { turns: [edit(PAGE, "# Start", "# Welcome"), finish("Greet", "Greeted.")] },
  More: { turns: [change, ...walk(20)] },
  "Dead link": { turns: [deadLink, ...walk(20)] },
  "Only look": { turns: walk(20) },
  "Cancel me": { turns: [change, { ...walk(1)[0], delayMs: 30_000 }] },
};

let server: Awaited<ReturnType<typeof startScriptedServer>>;
beforeAll(async () => {
  const conversations = Object.entries(SCRIPTS).map(([marker, script]) => ({ marker, ...script }));
  const environment = {
    DOCENT_JOBS_AT_ONCE: "8",
    DOCENT_JOB_MAX_STEPS: "14",
    DOCENT_JOB_INPUT_TOKENS: "160000",
    DOCENT_JOB_LEASE_MS: "20000",
    DOCENT_JOB_OUTAGE_MINUTES: "0",
  };
  server = await startScriptedServer({ engine: "sqlite", files: FILES, script: { conversations }, environment });
});
afterAll(() => server[Symbol.asyncDispose]());

async function runJob({ baseUrl, instance }: TestServer, body: Record<string, unknown>): Promise<AgentJobBody> {
  const created = await callApi(baseUrl, instance, { path: "/job", body: { model: "anthropic/m", ...body } });
  expect(created.status).toBe(201);
  return waitForJob(baseUrl, instance, created.body.id);
}

async function say({ baseUrl, instance }: TestServer, id: string, prompt: string): Promise<AgentJobBody> {
  await callApi(baseUrl, instance, { path: `/job/${id}/message`, body: { prompt } });
  return waitForJob(baseUrl, instance, id);
}

async function pullRequest({ instance }: TestServer, number: number) {
  return instance.database.kysely
    .selectFrom("pull_request")
    .select(["title", "body", "draft", "head"])
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
}

async function fileAt({ instance }: TestServer, branch: string): Promise<string> {
  const { repoStore, project } = instance;
  const tip = await repoStore.resolve(project.id, `refs/heads/${branch}`);
  const entry = (await repoStore.tree(project.id, tip!)).find(({ path }) => path === PAGE);
  return new TextDecoder().decode((await repoStore.readBlob(project.id, entry!.oid))!);
}

describe("a turn that ends early", () => {
  it.concurrent.each(Object.entries(CASES).map(([prompt, [code]]) => ({ prompt, code })))(
    "publishes its work as a draft that says what is missing: $code",
    async ({ prompt, code }) => {
      // A count of tokens is believed up to four for each character that was sent.
      const padding = code === "budget_exceeded" ? " and so on".repeat(2_900) : "";
      const job = await runJob(server, { prompt: prompt + padding });
      expect(job).toMatchObject({
        status: "failed",
        error: { code },
        prLink: expect.stringContaining("/pull/") as string,
        pullRequest: { state: "open", draft: true },
      });
      expect(job.error!.message).toMatch(/pull request #\d+, a draft/);
      const { body, head } = await pullRequest(server, job.pullRequest!.number);
      expect(body).toMatch(/### Not finished/);
      expect(body).toContain(job.error!.message.slice(0, 20));
      expect(await fileAt(server, head)).toContain("Harbor Platform");
    },
  );

  it.concurrent("publishes its work when it times out, and says what to do", async () => {
    // A server of its own: seconds would end the turns of others, too, on a busy machine.
    await using hasty = await startTestServer({
      engine: "sqlite",
      files: FILES,
      environment: { ...server.instance.environment, DOCENT_JOB_TURN_MINUTES: "0.1" },
    });
    const job = await runJob(hasty, { prompt: "Model hangs" });
    expect(job).toMatchObject({ error: { code: "time_limit" }, pullRequest: { number: 1, draft: true } });
    expect(job.error!.message).toMatch(/time limit/);
    expect(job.error!.hint).toMatch(/raise the time limit/);
  });

  it.concurrent("continues its work in the next turn, and notifies the model", async () => {
    const first = await runJob(server, { prompt: "Begin it" });
    expect(first).toMatchObject({ status: "failed", error: { code: "step_limit" } });
    const second = await say(server, first.id, "Finish it");
    expect(second).toMatchObject({
      status: "completed",
      error: null,
      prLink: first.prLink,
      pullRequest: { number: first.pullRequest!.number, draft: false },
    });
    const { body, head } = await pullRequest(server, second.pullRequest!.number);
    expect(body).not.toMatch(/### Not finished/);
    expect(await fileAt(server, head)).toBe("# Welcome\n\nHarbor Platform.\n");
    const asked = server.models.requests.map(({ conversation }) => conversation!.messages);
    const ours = asked.filter(([message]) => JSON.stringify(message).includes("Begin it"));
    const told = JSON.stringify(ours.map((messages) => messages.at(-1)));
    expect(told).toMatch(/last turn ended before you were done.*kept.*Finish it/s);
    expect(told).not.toMatch(/were not kept/);
  });

  it.concurrent("adds to the open pull request, whose description says that the turn was not finished", async () => {
    const first = await runJob(server, { prompt: "All of it" });
    const second = await say(server, first.id, "More");
    expect(second).toMatchObject({
      status: "failed",
      prLink: first.prLink,
      pullRequest: { number: first.pullRequest!.number, draft: false },
    });
    const { body, head } = await pullRequest(server, second.pullRequest!.number);
    expect(body).toContain("Greeted.");
    expect(body).toMatch(/### Not finished/);
    expect(await fileAt(server, head)).toBe("# Welcome\n\nHarbor Platform.\n");
  });

  it.concurrent("keeps work that fails the checks on a branch, without a pull request", async () => {
    const job = await runJob(server, { prompt: "Dead link" });
    expect(job).toMatchObject({ status: "failed", error: { code: "step_limit" }, prLink: null });
    expect(job.error!.message).toMatch(/kept on the branch/);
    expect(await fileAt(server, job.source.ref!)).toContain("/nowhere");
  });

  it.concurrent("does not mention work if there is none", async () => {
    const job = await runJob(server, { prompt: "Only look" });
    expect(job).toMatchObject({ status: "failed", error: { code: "step_limit" }, prLink: null, pullRequest: null });
    expect(job.error!.message).not.toMatch(/branch|pull request/);
  });
});

describe("a cancelled job", () => {
  const overHttp = (body?: unknown) => async (id: string) => {
    const answer = await callApi(server.baseUrl, server.instance, { method: "POST", path: `/job/${id}/cancel`, body });
    expect(answer.status).toBe(200);
  };
  async function cancelled(cancel = overHttp()): Promise<AgentJobBody> {
    const { baseUrl, instance } = server;
    const { body: job } = await callApi(baseUrl, instance, {
      path: "/job",
      body: { prompt: "Cancel me", model: "anthropic/m" },
    });
    await vi.waitFor(async () => {
      const { body } = await callApi(baseUrl, instance, { path: `/job/${job.id}` });
      expect(body.usage.steps).toBe(1);
    }, 60_000);
    await cancel(job.id);
    return waitForJob(baseUrl, instance, job.id);
  }

  it.concurrent("publishes its work on request", async () => {
    const job = await cancelled(overHttp({ keepWork: true }));
    expect(job).toMatchObject({ status: "failed", error: { code: "cancelled" }, pullRequest: { draft: true } });
    expect(job.prLink).not.toBeNull();
    expect(await fileAt(server, job.source.ref!)).toContain("Harbor Platform");
  });

  it.concurrent("publishes its work if the command line requests that from a server", async () => {
    const job = await cancelled(async (id) => {
      const { project, key, data } = server.instance;
      const there = { DOCENT_SERVER: server.baseUrl, DOCENT_PROJECT: project.id, DOCENT_API_KEY: key };
      const ended = await runDocent(["jobs", "cancel", id, "--keep-work"], { environment: { HOME: data, ...there } });
      expect(ended).toMatchObject({ exitCode: 0 });
    });
    expect(job).toMatchObject({ error: { code: "cancelled" }, pullRequest: { draft: true } });
  });

  it.concurrent("publishes nothing by default, and rejects unknown fields", async () => {
    const job = await cancelled();
    expect(job).toMatchObject({ status: "failed", error: { code: "cancelled" }, prLink: null, pullRequest: null });
    const { baseUrl, instance } = server;
    const refused = await callApi(baseUrl, instance, { path: `/job/${job.id}/cancel`, body: { keep: true } });
    expect(refused.status).toBe(400);
  });
});
