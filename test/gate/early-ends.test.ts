import { describe, expect, it } from "vitest";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import type { AnyScript, TurnInput } from "#testing/model-server/script.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, startModels } from "#test/support/models.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

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

async function withServer(
  script: AnyScript,
  run: (server: TestServer, models: Awaited<ReturnType<typeof startModels>>["models"]) => Promise<void>,
  minutes = "5",
): Promise<void> {
  const started = await startModels(script);
  await using models = started.models;
  await using server = await startTestServer({
    engine: "sqlite",
    files: FILES,
    environment: {
      ...started.environment,
      DOCENT_JOBS_AT_ONCE: "8",
      DOCENT_JOB_MAX_STEPS: "14",
      DOCENT_JOB_TURN_MINUTES: minutes,
      DOCENT_JOB_INPUT_TOKENS: "160000",
      DOCENT_JOB_LEASE_MS: "20000",
      DOCENT_JOB_OUTAGE_MINUTES: "0",
    },
  });
  await run(server, models);
}

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
  it("publishes its work as a draft that says what is missing, whatever ended it", async () => {
    const conversations = Object.entries(CASES).map(([marker, [, turns, afterwards]]) => ({
      marker,
      turns,
      ...(afterwards && { afterwards }),
    }));
    await withServer({ conversations }, async (server) => {
      const jobs = await Promise.all(
        Object.entries(CASES).map(async ([prompt, [code]]) => ({
          code,
          // A count of tokens is believed up to four for each character that was sent.
          job: await runJob(server, {
            prompt: code === "budget_exceeded" ? `${prompt}${" and so on".repeat(2_900)}` : prompt,
          }),
        })),
      );
      for (const { code, job } of jobs) {
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
      }
    });
  });

  it("publishes its work when it times out", async () => {
    const turns = [change, { faults: [{ kind: "hang" as const, times: "always" as const }] }];
    const run = async (server: TestServer) => {
      const job = await runJob(server, { prompt: "Model hangs" });
      expect(job).toMatchObject({ error: { code: "time_limit" }, pullRequest: { number: 1, draft: true } });
    };
    await withServer({ conversations: [{ marker: "Model hangs", turns }] }, run, "0.1");
  });

  it("continues its work in the next turn, and notifies the model", async () => {
    const conversations = [
      { marker: "Begin it", turns: [change, ...walk(20)] },
      { marker: "Finish it", turns: [edit(PAGE, "# Start", "# Welcome"), finish("Rename the product", "Renamed it.")] },
    ];
    await withServer({ conversations }, async (server, models) => {
      const first = await runJob(server, { prompt: "Begin it" });
      expect(first).toMatchObject({ status: "failed", error: { code: "step_limit" } });
      const second = await say(server, first.id, "Finish it");
      expect(second).toMatchObject({
        status: "completed",
        error: null,
        prLink: first.prLink,
        pullRequest: { number: first.pullRequest!.number, draft: false },
      });
      const { body, head } = await pullRequest(server, 1);
      expect(body).not.toMatch(/### Not finished/);
      expect(await fileAt(server, head)).toBe("# Welcome\n\nHarbor Platform.\n");
      const told = JSON.stringify(models.requests.map(({ conversation }) => conversation!.messages.at(-1)));
      expect(told).toMatch(/last turn ended before you were done.*kept.*Finish it/s);
      expect(told).not.toMatch(/were not kept/);
    });
  });

  it("adds to the open pull request, whose description says that the turn was not finished", async () => {
    const conversations = [
      { marker: "All of it", turns: [edit(PAGE, "# Start", "# Welcome"), finish("Greet", "Greeted.")] },
      { marker: "More", turns: [change, ...walk(20)] },
    ];
    await withServer({ conversations }, async (server) => {
      const first = await runJob(server, { prompt: "All of it" });
      const second = await say(server, first.id, "More");
      expect(second).toMatchObject({
        status: "failed",
        prLink: first.prLink,
        pullRequest: { number: 1, draft: false },
      });
      const { body, head } = await pullRequest(server, 1);
      expect(body).toContain("Greeted.");
      expect(body).toMatch(/### Not finished/);
      expect(await fileAt(server, head)).toBe("# Welcome\n\nHarbor Platform.\n");
    });
  });

  it("keeps work that fails the checks on a branch, without a pull request", async () => {
    await withServer({ conversations: [{ marker: "Dead link", turns: [deadLink, ...walk(20)] }] }, async (server) => {
      const job = await runJob(server, { prompt: "Dead link" });
      expect(job).toMatchObject({ status: "failed", error: { code: "step_limit" }, prLink: null });
      expect(job.error!.message).toMatch(/kept on the branch/);
      expect(await fileAt(server, job.source.ref!)).toContain("/nowhere");
    });
  });

  it("does not mention work if there is none", async () => {
    await withServer({ conversations: [{ marker: "Only look", turns: walk(20) }] }, async (server) => {
      const job = await runJob(server, { prompt: "Only look" });
      expect(job).toMatchObject({ status: "failed", error: { code: "step_limit" }, prLink: null, pullRequest: null });
      expect(job.error!.message).not.toMatch(/branch|pull request/);
    });
  });
});

describe("a cancelled job", () => {
  const conversations = [
    { marker: "Cancel me", turns: [change, { ...walk(1)[0], delayMs: 30_000 }] },
    { marker: "Go on", turns: [finish()] },
  ];
  const overHttp =
    (body?: unknown) =>
    async ({ baseUrl, instance }: TestServer, id: string) => {
      const answer = await callApi(baseUrl, instance, { method: "POST", path: `/job/${id}/cancel`, body });
      expect(answer.status).toBe(200);
    };
  async function cancelled(server: TestServer, cancel = overHttp()): Promise<AgentJobBody> {
    const { baseUrl, instance } = server;
    const { body: job } = await callApi(baseUrl, instance, {
      path: "/job",
      body: { prompt: "Cancel me", model: "anthropic/m" },
    });
    await expect
      .poll(async () => (await callApi(baseUrl, instance, { path: `/job/${job.id}` })).body.usage.steps)
      .toBe(1);
    await cancel(server, job.id);
    return waitForJob(baseUrl, instance, job.id);
  }

  it("publishes its work on request", async () => {
    await withServer({ conversations }, async (server) => {
      const job = await cancelled(server, overHttp({ keepWork: true }));
      expect(job).toMatchObject({
        status: "failed",
        error: { code: "cancelled" },
        pullRequest: { number: 1, draft: true },
      });
      expect(job.prLink).not.toBeNull();
      expect(await fileAt(server, job.source.ref!)).toContain("Harbor Platform");
    });
  });

  it("publishes its work if the command line requests that from a server", async () => {
    await withServer({ conversations }, async (server) => {
      const job = await cancelled(server, async ({ baseUrl, instance }, id) => {
        const { project, key } = instance;
        const there = { DOCENT_SERVER: baseUrl, DOCENT_PROJECT: project.id, DOCENT_API_KEY: key };
        const environment = { HOME: instance.data, ...there };
        expect(await runDocent(["jobs", "cancel", id, "--keep-work"], { environment })).toMatchObject({ exitCode: 0 });
      });
      expect(job).toMatchObject({ error: { code: "cancelled" }, pullRequest: { number: 1, draft: true } });
    });
  });

  it("publishes nothing by default, and rejects unknown fields", async () => {
    await withServer({ conversations }, async (server) => {
      const job = await cancelled(server);
      expect(job).toMatchObject({ status: "failed", error: { code: "cancelled" }, prLink: null, pullRequest: null });
      const { baseUrl, instance } = server;
      const refused = await callApi(baseUrl, instance, { path: `/job/${job.id}/cancel`, body: { keep: true } });
      expect(refused.status).toBe(400);
    });
  });
});
