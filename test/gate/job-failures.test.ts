import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeHost } from "#hosts/code-host.ts";
import { loadConfig } from "#app/instance/config.ts";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { type FailCode, FAILURE_HINTS } from "#features/jobs/job.ts";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { startServer } from "#main.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import type { TurnInput } from "#testing/model-server/script.ts";
import { callApi, createTestInstance, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, MODEL_KEY, MODEL_KINDS, startModels } from "#test/support/models.ts";
import { startScriptedServer, type TestServer } from "#test/support/server.ts";

// Every way in which a job can fail, over HTTP, with the words that a caller gets.

const FILES = {
  "docs/docs.json": '{"name": "Docs", "navigation": {"pages": ["index"]}}\n',
  "docs/index.md": "# Start\n\nHarbor Cloud.\n",
};
const PAGE = "docs/index.md";
const read = call("read_file", { path: PAGE });
const change = edit(PAGE, "Harbor Cloud", "Harbor Platform");
const raw = (rawInput: string): TurnInput => ({ calls: [{ name: "read_file", rawInput }] });

interface Case {
  code: FailCode;
  turns: TurnInput[];
  afterwards?: "repeat";
  model?: string;
  message: RegExp;
  /** What the caller is told to do. */
  hint: RegExp;
}

/** By the words of the prompt, which chooses the script and names the branch. */
const CASES: Record<string, Case> = {
  Gibberish: {
    code: "not_understood",
    turns: [finish("?", "I do not know what a flumph is.", "not_understood")],
    message: /flumph/,
    hint: /other words/,
  },
  Impossible: {
    code: "impossible",
    turns: [finish("?", "There is no page about ships.", "impossible")],
    message: /no page about ships/,
    hint: /in the way/,
  },
  Circles: {
    code: "stuck",
    turns: [read],
    afterwards: "repeat",
    message: /repeated itself/,
    hint: /what to change and where/,
  },
  "Wrong key": {
    code: "model_auth",
    turns: [{ faults: [{ kind: "auth", times: "always" }] }],
    message: /refused our API key/,
    hint: /Check the API key/,
  },
  "Too long": {
    code: "context_overflow",
    turns: [{ faults: [{ kind: "overflow", times: "always" }] }],
    message: /larger than the model can read/,
    hint: /larger context window/,
  },
  "Server down": {
    code: "model_error",
    turns: [{ faults: [{ kind: "server_error", times: "always", retryAfterSeconds: 0.05 }] }],
    message: /could not answer/,
    hint: /provider is up/,
  },
  "Asked to wait an hour": {
    code: "model_error",
    turns: [{ faults: [{ kind: "rate_limited", times: "always", retryAfterSeconds: 3_600 }] }],
    message: /limits how much we may ask/,
    hint: /rate limit/,
  },
  "No credit": {
    code: "model_error",
    turns: [{ faults: [{ kind: "no_credit", times: "always" }] }],
    message: /no credit/,
    hint: /Add credit/,
  },
  "No such model": {
    code: "model_error",
    turns: [{ faults: [{ kind: "no_model", times: "always" }] }],
    message: /no such model/,
    hint: /name of the model/,
  },
  "Login page": {
    code: "model_error",
    turns: [{ faults: [{ kind: "not_json", times: "always" }] }],
    message: /a web page came from 127\.0\.0\.1:\d+ in place of an answer/,
    hint: /whether a gateway or a proxy between answers/,
  },
  Declined: {
    code: "model_error",
    turns: [{ text: "", finish: "filtered" }],
    message: /declined/,
    hint: /Word the request differently/,
  },
  "Broken arguments": {
    code: "model_error",
    turns: [raw('{"path": "docs/ind')],
    afterwards: "repeat",
    message: /cannot be read/,
    hint: /good at calling tools/,
  },
  "Unknown tools": {
    code: "model_error",
    turns: [call("run_shell", { command: "env" })],
    afterwards: "repeat",
    message: /cannot be read/,
    hint: /good at calling tools/,
  },
  "Dead link": {
    code: "validation_failed",
    turns: [edit(PAGE, "Cloud.", "Cloud, see [it](/nowhere)."), finish()],
    afterwards: "repeat",
    message: /\/nowhere is broken/,
    hint: /findings in the transcript/,
  },
  "Data that nothing refers to": {
    code: "policy",
    turns: [call("write_file", { path: "docs/facts/all.json", content: "{}" }), finish()],
    afterwards: "repeat",
    message: /new data file .* only people change it/,
    hint: /may not write/,
  },
  "Push denied": {
    code: "push_denied",
    turns: [change, finish()],
    message: /protected branch/,
    hint: /Allow the agent to push/,
  },
  "Pull request denied": {
    code: "push_denied",
    turns: [change, finish()],
    message: /kept on the branch/,
    hint: /Allow the agent/,
  },
  "Always moving": {
    code: "branch_moved",
    turns: [change, finish()],
    message: /moved 3 times/,
    hint: /when they are done/,
  },
  "Host unreachable": { code: "code_host_error", turns: [change, finish()], message: /code host/, hint: /try again/ },
  "Server bug": { code: "internal", turns: [change, finish()], message: /server failed/, hint: /log has the details/ },
};

function faulty(host: CodeHost): CodeHost {
  return {
    ...host,
    push: async (repository, options) => {
      if (options.branch.includes("push-denied")) return { outcome: "denied", reason: "protected branch" };
      if (options.branch.includes("always-moving")) return { outcome: "moved" };
      if (options.branch.includes("host-unreachable"))
        throw new AppError("unavailable", "The code host does not answer.");
      if (options.branch.includes("server-bug")) throw new TypeError("undefined is not a function");
      return host.push(repository, options);
    },
    ensurePullRequest: async (repository, options) =>
      options.head.includes("pull-request-denied")
        ? { outcome: "denied", reason: "no pull requests here" }
        : host.ensurePullRequest(repository, options),
  };
}

const script = (cases: Record<string, Pick<Case, "turns" | "afterwards">>) => ({
  conversations: Object.entries(cases).map(([marker, { turns, afterwards }]) => ({
    marker,
    turns,
    ...(afterwards && { afterwards }),
  })),
});

type Caller = Pick<TestServer, "baseUrl" | "instance">;

async function runJob({ baseUrl, instance }: Caller, body: { prompt: string; model: string }): Promise<AgentJobBody> {
  const created = await callApi(baseUrl, instance, { path: "/job", body });
  expect(created.status).toBe(201);
  return waitForJob(baseUrl, instance, created.body.id);
}

// `worker_died` needs a server that dies three times: test/long/deadly-jobs.test.ts. `time_limit`: early-ends.test.ts.
const reached = new Set<FailCode>(["worker_died", "time_limit"]);

function expectFailure(job: AgentJobBody, { code, message, hint }: Pick<Case, "code" | "message" | "hint">): void {
  expect(job).toMatchObject({ status: "failed", phase: "idle", prLink: null, error: { code } });
  expect(job.error!.message).toMatch(message);
  expect(job.error!.hint).toMatch(hint);
  expect(JSON.stringify(job)).not.toContain(MODEL_KEY);
  reached.add(code);
}

/** Faults that a job survives. The long form has the rest of those that `providers.test.ts` shows for a single step. */
const SURVIVED: Record<string, TurnInput> = {
  "One 500": { ...change, faults: [{ kind: "server_error", retryAfterSeconds: 0.05 }] },
  "Cut stream": { ...change, faults: [{ kind: "cut" }] },
  "Overflow once": { ...change, faults: [{ kind: "overflow" }] },
  "Written call": {
    text: `<tool_call>${JSON.stringify({ name: "edit_file", arguments: { path: PAGE, edits: [{ old: "Harbor Cloud", new: "Harbor Platform" }] } })}</tool_call>`,
  },
  "Slow tokens": { ...change, text: "Word. ".repeat(40), eventDelayMs: 10 },
  ...(LONG_TESTS && {
    "Rate limit": { ...change, faults: [{ kind: "rate_limited", retryAfterSeconds: 0.05, times: 2 }] },
    Overloaded: { ...change, faults: [{ kind: "overloaded", retryAfterSeconds: 0.05 }] },
    "Truncated stream": { ...change, faults: [{ kind: "truncated" }] },
    "Error in the stream": { ...change, faults: [{ kind: "error_in_stream" }] },
    "Empty answer": { ...change, faults: [{ kind: "empty" }] },
  }),
};

describe("on a server with the usual limits", () => {
  let server: Awaited<ReturnType<typeof startScriptedServer>>;
  beforeAll(async () => {
    const survived = Object.entries(SURVIVED).map(([name, turn]) => [name, { turns: [turn, finish()] }] as const);
    const cancelled = {
      "Slow model": { turns: [{ ...finish(), delayMs: 600_000 }] },
      "Many steps": {
        turns: [{ text: "", calls: [{ name: "search_files", input: { text: "a" } }], delayMs: 100 }],
        afterwards: "repeat" as const,
      },
      "Say hello": { turns: [edit(PAGE, "# Start", "# Hello"), finish()], afterwards: "repeat" as const },
      "Repair it": { turns: [edit(PAGE, "[it](/nowhere)", "it"), finish()] },
      "Bad JSON once": { turns: [raw("{"), change, finish()] },
      "Done, then gone": {
        turns: [finish(), { ...finish(), faults: [{ kind: "invalid" as const, times: "always" as const }] }],
      },
      "Which port": {
        turns: [
          call("finish", {
            outcome: "done",
            title: "Ask",
            summary: "The page names two ports.",
            question: "Which port is right?",
          }),
        ],
      },
      "Ask in words": { turns: [finish("Ask", "Two ports are named.\n\nIs it 80 or 8080?")] },
      "Ask without finish": { turns: Array.from({ length: 2 }, () => ({ text: "Is it 80 or 8080?" })) },
      "Change and undo": {
        turns: [change, edit(PAGE, "Harbor Platform", "Harbor Cloud"), finish("Do it", "I renamed it everywhere.")],
        afterwards: "repeat" as const,
      },
      "Long answer": { turns: [{ ...change, text: "Harbor words. ".repeat(40), eventDelayMs: 100 }, finish()] },
      "Only words": { turns: [{ text: "Hello." }, ...Array.from({ length: 3 }, () => ({ text: "Nothing to do." }))] },
    };
    server = await startScriptedServer({
      engine: "sqlite",
      files: FILES,
      script: script({ ...CASES, ...Object.fromEntries(survived), ...cancelled }),
      environment: {
        DOCENT_JOBS_AT_ONCE: "8",
        DOCENT_JOB_MAX_ATTEMPTS: "1",
        DOCENT_JOB_LEASE_MS: "20000",
        DOCENT_JOB_OUTAGE_MINUTES: "0",
      },
      server: { wrapCodeHost: faulty },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.concurrent("streams what the model writes before the transcript has it", async () => {
    const { baseUrl, instance } = server;
    const created = await callApi(baseUrl, instance, {
      path: "/job",
      body: { prompt: "Long answer", model: "openai/m" },
    });
    const address = `${baseUrl}/v2/agent/${instance.project.id}/job/${created.body.id}/stream?answer=true`;
    const stream = await fetch(address, { headers: { authorization: `Bearer ${instance.key}` } });
    const events = (await stream.text()).trim().split("\n\n");
    const answers = events.filter((event) => event.startsWith("event: answer\n"));
    expect(answers.join("\n")).toContain('"text":"Harbor words. Harbor');
    expect(events.at(-1)).toMatch(/^event: done\n/);
  });

  it.concurrent.each(Object.entries(CASES).map(([prompt, expected], index) => ({ prompt, expected, index })))(
    "$prompt ends as $expected.code and says what to do",
    async ({ prompt, expected, index }) => {
      const model = `${MODEL_KINDS[index % MODEL_KINDS.length]}/m`;
      expectFailure(await runJob(server, { prompt, model }), expected);
    },
  );

  it.concurrent.each(
    Object.keys(SURVIVED).map((prompt, index) => ({ prompt, kind: MODEL_KINDS[index % MODEL_KINDS.length] })),
  )("$prompt on $kind ends with a pull request", async ({ prompt, kind }) => {
    const job = await runJob(server, { prompt, model: `${kind}/m` });
    expect(job).toMatchObject({
      status: "completed",
      error: null,
      pullRequest: { state: "open" },
      usage: { steps: 2 },
    });
  });

  it("continues after arguments that are not JSON, and after text instead of tool calls", async () => {
    const recovered = await runJob(server, { prompt: "Bad JSON once", model: "anthropic/m" });
    expect(recovered).toMatchObject({ status: "completed", usage: { steps: 3 }, pullRequest: { state: "open" } });
    const words = await runJob(server, { prompt: "Only words", model: "anthropic/m" });
    const summary = "No file was changed. The agent says:\n\nNothing to do.";
    expect(words).toMatchObject({ status: "completed", prLink: null, summary });
  });

  it.each([
    ["Which port", "Which port is right?", "The page names two ports.\n\nWhich port is right?"],
    ["Ask in words", "Is it 80 or 8080?", "Two ports are named.\n\nIs it 80 or 8080?"],
    ["Ask without finish", "Is it 80 or 8080?", "Is it 80 or 8080?"],
  ])("is completed with the question that the agent asks: %s", async (prompt, question, words) => {
    const job = await runJob(server, { prompt, model: "anthropic/m" });
    expect(job).toMatchObject({
      status: "completed",
      prLink: null,
      changed: false,
      lastMessage: { error: null, question },
    });
    expect(job.summary).toBe(`No file was changed. The agent asks:\n\n${words}`);
  });

  it("reports the changes of a turn itself, whatever the model says", async () => {
    const undone = await runJob(server, { prompt: "Change and undo", model: "anthropic/m" });
    expect(undone).toMatchObject({ status: "completed", changed: false, prLink: null, pullRequest: null });
    expect(undone.summary).toBe("No file was changed. The agent says:\n\nI renamed it everywhere.");
    const changed = await runJob(server, { prompt: "One 500", model: "anthropic/m" });
    expect(changed).toMatchObject({ changed: true, lastMessage: { question: null } });
    expect(changed.summary).toBe("Changed 1 file. The agent says:\n\nDid it.");
  });

  it("completes if the model cannot be called about a turn that changed nothing", async () => {
    const job = await runJob(server, { prompt: "Done, then gone", model: "anthropic/m" });
    expect(job).toMatchObject({ status: "completed", prLink: null, error: null });
    expect(job.summary).toMatch(/^No file was changed\. The agent says:/);
  });

  it.each(["Slow model", "Many steps"])("can be cancelled while it runs: %s", async (prompt) => {
    const { baseUrl, instance } = server;
    const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "anthropic/m" } });
    const isAsked = () => server.models.requests.some((request) => JSON.stringify(request.body).includes(prompt));
    while (!isAsked()) await new Promise((resolve) => setTimeout(resolve, 20));
    await callApi(baseUrl, instance, { method: "POST", path: `/job/${body.id}/cancel` });
    const job = await waitForJob(baseUrl, instance, body.id);
    expectFailure(job, { code: "cancelled", message: /was cancelled/, hint: /follow-up message/ });
  });

  it("does not publish in the next turn what a failed one broke on the branch", async () => {
    const { baseUrl, instance } = server;
    const failed = await runJob(server, { prompt: "Dead link", model: "anthropic/m" });
    expect(failed.error!.message).toMatch(/kept on the branch/);
    await callApi(baseUrl, instance, { path: `/job/${failed.id}/message`, body: { prompt: "Say hello" } });
    const second = await waitForJob(baseUrl, instance, failed.id);
    expectFailure(second, CASES["Dead link"]!);
    await callApi(baseUrl, instance, { path: `/job/${failed.id}/message`, body: { prompt: "Repair it" } });
    const third = await waitForJob(baseUrl, instance, failed.id);
    expect(third).toMatchObject({ status: "completed", pullRequest: { state: "open" } });
  });

  it("includes failed model calls in the usage of the job", async () => {
    const job = await runJob(server, { prompt: "Declined", model: "anthropic/m" });
    expect(job.usage.steps).toBe(0);
    expect(job.usage.inputTokens).toBeGreaterThan(0);
  });
});

describe("on a server with tight limits", () => {
  const LIMITED: Record<string, Case> = {
    "Step by step": {
      code: "step_limit",
      turns: [1, 2, 3, 4, 5].map((limit) => call("search_files", { text: "a", limit })),
      message: /after 4 steps/,
      hint: /Split the instruction/,
    },
    "Eats tokens": {
      code: "budget_exceeded",
      turns: [{ ...read, usage: { inputTokens: 110_000, outputTokens: 10 } }, finish()],
      message: /budget of tokens/,
      hint: /budget/,
    },
    "Talks too much": {
      code: "budget_exceeded",
      turns: [{ ...read, usage: { inputTokens: 10, outputTokens: 6_000 } }, finish()],
      message: /budget of tokens/,
      hint: /budget/,
    },
    "Costs too much": {
      code: "budget_exceeded",
      turns: [{ ...read, usage: { inputTokens: 50_000, outputTokens: 10 } }, finish()],
      model: "dear/gold",
      message: /budget of money/,
      hint: /budget/,
    },
  };
  let server: Awaited<ReturnType<typeof startScriptedServer>>;
  beforeAll(async () => {
    const priced = {
      turns: [
        { ...read, usage: { inputTokens: 15_000, outputTokens: 10 } },
        { ...finish(), usage: { inputTokens: 15_000, outputTokens: 10 } },
      ],
    };
    server = await startScriptedServer({
      engine: "sqlite",
      files: FILES,
      script: script({ ...LIMITED, "Costs half": priced }),
      environment: {
        DOCENT_JOBS_AT_ONCE: "8",
        DOCENT_JOB_MAX_STEPS: "4",
        DOCENT_JOB_INPUT_TOKENS: "100000",
        DOCENT_JOB_OUTPUT_TOKENS: "5000",
        DOCENT_JOB_COST_USD: "50",
        DOCENT_PROJECT_DAY_COST_USD: "1000",
        DOCENT_JOB_LEASE_MS: "20000",
      },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.concurrent.each(Object.entries(LIMITED))("%s reaches its limit and says what to do", async (prompt, expected) => {
    expectFailure(await runJob(server, { prompt, model: expected.model ?? "anthropic/m" }), expected);
  });

  it("gives every turn its own budget", async () => {
    const { baseUrl, instance } = server;
    const first = await runJob(server, { prompt: "Costs half", model: "dear/gold" });
    expect(first).toMatchObject({ status: "completed" });
    await callApi(baseUrl, instance, { path: `/job/${first.id}/message`, body: { prompt: "Costs half" } });
    expect(await waitForJob(baseUrl, instance, first.id)).toMatchObject({ status: "completed", error: null });
  });
});

it("fails queued jobs that can no longer run: cancelled, branch deleted, provider removed", async () => {
  const started = await startModels({ conversations: [] });
  await using models = started.models;
  expect(models.requests).toEqual([]);
  await using instance = await createTestInstance("sqlite", FILES, started.environment);
  const { repoStore, project } = instance;
  const start = (environment: Record<string, string>) =>
    startServer(loadConfig({ data: instance.data, port: 0, logLevel: "silent" }, environment), {
      logger: silentLogger,
    });
  const head = await repoStore.resolve(project.id, "refs/heads/main");
  await repoStore.updateRef(project.id, { ref: "refs/heads/doomed", expected: null, to: head! });
  const create = async (baseUrl: string, body: unknown) =>
    (await callApi(baseUrl, instance, { path: "/job", body })).body.id;

  const idle = await start({ ...instance.environment, DOCENT_JOBS_AT_ONCE: "0" });
  const queued = await create(idle.baseUrl, { prompt: "Anything" });
  const branchless = await create(idle.baseUrl, { prompt: "Anything", ref: "doomed" });
  const modelless = await create(idle.baseUrl, { prompt: "Anything", model: "dear/gold" });
  await callApi(idle.baseUrl, instance, { method: "POST", path: `/job/${queued}/cancel` });
  const cancelled = (await callApi(idle.baseUrl, instance, { path: `/job/${queued}` })).body;
  expectFailure(cancelled, { code: "cancelled", message: /was cancelled/, hint: /follow-up message/ });
  await repoStore.updateRef(project.id, { ref: "refs/heads/doomed", expected: head, to: null });
  await idle[Symbol.asyncDispose]();

  const { DOCENT_MODELS: _models, ...without } = instance.environment;
  await using server = await start(without);
  const refused = await waitForJob(server.baseUrl, instance, branchless);
  expectFailure(refused, { code: "ref_not_found", message: /no branch "doomed"/, hint: /Create the branch/ });
  const gone = await waitForJob(server.baseUrl, instance, modelless);
  expectFailure(gone, { code: "model_error", message: /No provider "dear"/, hint: /Set the provider up again/ });
});

it("has covered every error code", () => {
  const codes = Object.keys(FAILURE_HINTS) as FailCode[];
  expect(codes.filter((code) => !reached.has(code))).toEqual([]);
});
