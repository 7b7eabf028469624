import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Conversation } from "#testing/model-server/conversation.ts";
import type { TurnInput } from "#testing/model-server/script.ts";
import type { ModelServer } from "#testing/model-server/server.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, MODEL_KINDS, startModels } from "#test/support/models.ts";
import { startProcess } from "#test/support/processes.ts";
import { ENGINES } from "#testing/databases.ts";
import { serveInstance, startTestServer, type TestServer } from "#test/support/server.ts";

// Sub-tasks of the agent: side by side on one tree, each with its own conversation, files and share of the budget.

const LANGUAGES = ["fr", "de", "es"] as const;
const FILES = {
  "docs.json": '{"name": "Docs", "navigation": {"pages": ["index", "fr/index", "de/index", "es/index"]}}\n',
  "index.md": "# Start\n\nHarbor Cloud.\n",
  ...Object.fromEntries(LANGUAGES.map((language) => [`${language}/index.md`, "# Start\n\nHarbor Cloud.\n"])),
};
const PROMPT = "Translate every page.";
const subtask = (language: string, files = [`${language}/`]) => ({
  title: `Translate ${language}`,
  instruction: `Write ${language} into its page.`,
  files,
});
const START = call("run_subtasks", { subtasks: LANGUAGES.map((language) => subtask(language)) });
const translate = (language: string) => edit(`${language}/index.md`, "Harbor Cloud", `Harbor Cloud (${language})`);

/** Whose conversation it is: that of a sub-task, by its language, or that of the turn; and how many answers it has had. */
function placeIn({ messages }: Conversation): { who: string; answers: number } {
  const texts = messages.map((message) => (message.role === "user" ? message.text : ""));
  const start = texts.findIndex((text) => text.includes("The sub-task:"));
  const who = /Write (\w+) into/.exec(texts[start] ?? "")?.[1] ?? "turn";
  const from = start === -1 ? texts.findIndex((text) => text.includes(PROMPT)) : start;
  return { who, answers: messages.slice(from).filter(({ role }) => role === "assistant").length };
}

type Answers = Record<string, (TurnInput | (() => TurnInput | Promise<TurnInput>))[]>;

/** Answers by conversation. After its last answer a conversation repeats it. */
const script = (answers: Answers) => async (conversation: Conversation) => {
  const { who, answers: number } = placeIn(conversation);
  const answer = answers[who]?.[number] ?? answers[who]?.at(-1);
  return typeof answer === "function" ? answer() : (answer ?? null);
};

/** An answer that waits until `count` of them were asked for. */
function together(count: number) {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  return (answer: TurnInput) => async () => {
    if (++asked === count) all.resolve();
    await all.promise;
    return answer;
  };
}

// A busy machine must not lose its hold on a job, which would ask the model again.
const UNHURRIED = { DOCENT_JOB_LEASE_MS: "60000" };

const calls = (answer: TurnInput) => answer.calls ?? [];

interface ModelledServer extends TestServer {
  models: ModelServer;
}

const serve = async (answers: Answers, environment: Record<string, string> = {}): Promise<ModelledServer> => {
  const started = await startModels(script(answers));
  const server = await startTestServer({
    engine: "sqlite",
    files: FILES,
    environment: { ...started.environment, ...UNHURRIED, ...environment },
  });
  return {
    ...server,
    models: started.models,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await started.models.close();
    },
  };
};

/** Of all tests that need no settings of their own. */
let shared: ModelledServer;
beforeAll(async () => {
  shared = await serve({});
});
afterAll(() => shared[Symbol.asyncDispose]());

function answering(answers: Answers): ModelledServer {
  shared.models.setScript(script(answers));
  shared.models.requests.length = 0;
  return shared;
}

const create = async ({ baseUrl, instance }: Pick<TestServer, "baseUrl" | "instance">, model = "anthropic/m") =>
  (await callApi(baseUrl, instance, { path: "/job", body: { prompt: PROMPT, model } })).body.id;

interface Event {
  type: string;
  data: Record<string, unknown>;
}
const eventsOf = async ({ instance }: Pick<TestServer, "instance">, id: string): Promise<Event[]> =>
  (
    await instance.database.kysely
      .selectFrom("job_event")
      .select(["type", "data"])
      .where("job_id", "=", id as never)
      .orderBy("seq")
      .execute()
  ).map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));

/** The changed files of the job's branch, and its number of commits. */
async function published({ instance: { repoStore, project } }: Pick<TestServer, "instance">, ref: string) {
  const base = await repoStore.resolve(project.id, "refs/heads/main");
  const head = await repoStore.resolve(project.id, `refs/heads/${ref}`);
  const changes = await repoStore.changes(project.id, base!, head!);
  const commits = await repoStore.log(project.id, { base, head: head!, limit: 10 });
  return { paths: changes.map(({ path }) => path).sort(), commits: commits.length };
}

const resultsIn = ({ messages }: Conversation) =>
  messages.flatMap((message) => (message.role === "results" ? message.results.map(({ text }) => text) : []));

it.each(MODEL_KINDS)("carries out three sub-tasks side by side in one commit, on the wire of %s", async (kind) => {
  const meet = together(3);
  const server = answering({
    // It sees what they changed, and can change it again.
    turn: [START, edit("fr/index.md", "(fr)", "(français)"), finish("Translate the pages")],
    ...Object.fromEntries(
      LANGUAGES.map((each) => [each, [meet(translate(each)), finish("Translate", `Wrote ${each}.`)]]),
    ),
  });
  const { models, baseUrl, instance } = server;
  const id = await create(server, `${kind}/m`);
  const job = await waitForJob(baseUrl, instance, id);
  expect(job.error).toBe(null);
  expect(job).toMatchObject({
    status: "completed",
    changed: true,
    pullRequest: { state: "open", draft: false },
  });
  expect(await published(server, job.source.ref!)).toEqual({
    paths: ["de/index.md", "es/index.md", "fr/index.md"],
    commits: 1,
  });
  const asked = models.requests.map(({ conversation }) => conversation!);
  // All requests have the same beginning, which the provider can cache: tools, instructions, map of the site.
  expect(new Set(asked.map(({ system, tools }) => JSON.stringify([system, tools]))).size).toBe(1);
  const firsts = asked.map(({ messages: [first] }) => (first?.role === "user" ? first.text : ""));
  const [map] = firsts[0]!.split(PROMPT);
  expect(firsts.filter((text) => !text.startsWith(map!.trim()))).toEqual([]);
  const ofFrench = asked.filter((each) => placeIn(each).who === "fr");
  expect(JSON.stringify(ofFrench)).not.toContain(PROMPT);
  expect(resultsIn(asked.at(-1)!)).toEqual([
    [
      "3 of 3 sub-tasks done.",
      ...LANGUAGES.map(
        (each, at) => `${at + 1}. Translate ${each}: done after 2 steps. Changed ${each}/index.md.\nWrote ${each}.`,
      ),
    ].join("\n\n"),
    expect.stringContaining("fr/index.md"),
  ]);
  expect(job.usage.steps).toBe(9);
});

it("refuses sub-tasks that share files, and a call of one that changes the files of another", async () => {
  const overlapping = call("run_subtasks", { subtasks: [subtask("fr"), subtask("de", ["de", "./fr/index.md"])] });
  const unclear = call("run_subtasks", { subtasks: [subtask("fr", ["**/*.md"])] });
  const server = answering({
    turn: [
      overlapping,
      unclear,
      { calls: [...calls(finish()), ...calls(START), ...calls(START), ...calls(finish())] },
      finish("Translate"),
    ],
    fr: [
      translate("de"),
      START,
      call("replace_term", { from: "Harbor Cloud", to: "Port" }),
      translate("fr"),
      finish("Translate"),
    ],
    de: [finish("Nothing", "The page is not clear to me.", "impossible")],
    es: [translate("es"), finish("Translate")],
  });
  const { models, baseUrl, instance } = server;
  const job = await waitForJob(baseUrl, instance, await create(server));
  expect(job).toMatchObject({ status: "completed", error: null });
  expect((await published(server, job.source.ref!)).paths).toEqual(["es/index.md", "fr/index.md"]);
  const said = (who: string) =>
    resultsIn(models.requests.findLast(({ conversation }) => placeIn(conversation!).who === who)!.conversation!);
  expect(said("turn")).toEqual([
    'The sub-tasks "Translate fr" (fr) and "Translate de" (fr/index.md) would change the same files. None was started: give each file to one of them, or keep it for yourself.',
    'The sub-task "Translate fr" must name its files and folders one by one: "**/*.md" is not the path of one. None was started.',
    expect.stringContaining('"outcome":"done"'),
    expect.stringMatching(
      /^2 of 3 sub-tasks done\.[^]*2\. Translate de: not done after 1 step\. Changed no file\.\nThe page is not clear/,
    ),
    expect.stringContaining("Call it in your next answer"),
    expect.stringContaining("Call it in your next answer"),
  ]);
  expect(said("fr").slice(0, 3)).toEqual([
    expect.stringContaining("It would change de/index.md, and this sub-task may change fr only."),
    expect.stringContaining("cannot start sub-tasks"),
    expect.stringContaining(
      "It would change de/index.md, es/index.md, index.md, and this sub-task may change fr only.",
    ),
  ]);
});

it("ends a sub-task that has used its share of the steps or tokens, and keeps its work and the rest", async () => {
  const look = (number: number) => call("search_files", { text: "Harbor", limit: number });
  await using server = await serve(
    {
      turn: [START, finish("Translate the pages")],
      fr: [translate("fr"), look(1), look(2), look(3), look(4)],
      de: [{ ...translate("de"), usage: { inputTokens: 47_000, outputTokens: 10 } }],
      es: [translate("es"), finish("Translate")],
    },
    { DOCENT_JOB_MAX_STEPS: "20", DOCENT_JOB_INPUT_TOKENS: "200000" },
  );
  const { models, baseUrl, instance } = server;
  const id = await create(server);
  const job = await waitForJob(baseUrl, instance, id);
  expect(job).toMatchObject({ status: "completed", error: null, usage: { steps: 9 } });
  expect((await published(server, job.source.ref!)).paths).toHaveLength(3);
  const report = resultsIn(models.requests.at(-1)!.conversation!)[0]!;
  expect(report).toContain(
    "1. Translate fr: stopped, because its share of the steps is used up after 4 steps. Changed fr/index.md.",
  );
  expect(report).toContain(
    "2. Translate de: stopped, because its share of the budget is used up after 1 step. Changed de/index.md.",
  );
  expect(report).toContain("3. Translate es: done after 2 steps.");
  // The model was told in time: its last answer may be its report.
  const lastOfFrench = models.requests.findLast(({ conversation }) => placeIn(conversation!).who === "fr");
  expect(JSON.stringify(lastOfFrench!.conversation!.messages)).toContain("this is your last answer");
  const ends = (await eventsOf(server, id)).filter(({ type }) => type === "subtask.finished");
  expect(Object.fromEntries(ends.map(({ data }) => [data["subtask"], [data["ok"], data["steps"]]]))).toEqual({
    1: [false, 4],
    2: [false, 1],
    3: [true, 2],
  });
  const [last] = await instance.database.kysely
    .selectFrom("job_step")
    .select("state")
    .orderBy("step", "desc")
    .execute();
  expect(JSON.parse(last!.state)).toMatchObject({ loop: { stepsInTurn: job.usage.steps } });
  const used = await instance.database.kysely
    .selectFrom("job_turn")
    .select(["weighted_tokens", "output_tokens"])
    .executeTakeFirstOrThrow();
  expect(used).toEqual({ weighted_tokens: job.usage.inputTokens, output_tokens: job.usage.outputTokens });
});

it("hands out no more sub-tasks than the steps that are left are enough for", async () => {
  await using server = await serve({ turn: [START, finish("Nothing")] }, { DOCENT_JOB_MAX_STEPS: "12" });
  const { models, baseUrl, instance } = server;
  await waitForJob(baseUrl, instance, await create(server));
  expect(resultsIn(models.requests[1]!.conversation!)).toEqual([
    "You have 11 steps left. Three quarters of them are for sub-tasks, and each of the 3 needs at least 3. Start fewer, or do the work yourself.",
  ]);
});

it("lets the others go on when one fails at its provider", async () => {
  const failing = { ...translate("fr"), faults: [{ kind: "no_credit" as const, times: "always" as const }] };
  const server = answering({
    turn: [START, finish("Translate the pages")],
    fr: [failing],
    de: [translate("de"), finish("Translate")],
    es: [translate("es"), finish("Translate")],
  });
  const { models, baseUrl, instance } = server;
  const job = await waitForJob(baseUrl, instance, await create(server));
  expect(job).toMatchObject({ status: "completed", error: null });
  expect((await published(server, job.source.ref!)).paths).toEqual(["de/index.md", "es/index.md"]);
  expect(resultsIn(models.requests.at(-1)!.conversation!)[0]).toMatch(
    /^2 of 3 sub-tasks done\.\n\n1\. Translate fr: stopped \(.+\) after 0 steps/,
  );
});

it("waits with the job while the provider is away, and asks no sub-task that has ended again", async () => {
  let now = Date.now();
  const away = { faults: [{ kind: "overloaded" as const, times: 3, retryAfterSeconds: 0.02 }] };
  const started = await startModels(
    script({
      turn: [START, finish("Translate the pages")],
      fr: [translate("fr"), { ...finish("Translate", "Wrote fr."), ...away }],
      de: [translate("de"), finish("Translate")],
      es: [translate("es"), finish("Translate")],
    }),
  );
  await using models = started.models;
  await using server = await startTestServer({
    engine: "sqlite",
    files: FILES,
    environment: { ...started.environment, DOCENT_JOB_LEASE_MS: "36000000" }, // the clock jumps
    server: { clock: { now: () => new Date(now) } },
  });
  const { baseUrl, instance } = server;
  const id = await create(server);
  const read = async () => (await callApi(baseUrl, instance, { method: "GET", path: `/job/${id}` })).body;
  await expect.poll(async () => (await read()).phase, { timeout: 20_000 }).toBe("waiting");
  const waiting = await read();
  expect(waiting).toMatchObject({ waitingFor: { provider: "anthropic" }, usage: { steps: 6 } });
  now = Date.parse(waiting.waitingFor!.retryAt) + 2_000;
  const job = await waitForJob(baseUrl, instance, id);
  expect(job).toMatchObject({ status: "completed", error: null, usage: { steps: 8 } });
  expect(await published(server, job.source.ref!)).toMatchObject({ commits: 1, paths: { length: 3 } });
  const asked = models.requests.map(({ conversation, status }) => [placeIn(conversation!).who, status]);
  expect(asked.filter(([who]) => who === "de" || who === "es")).toHaveLength(4);
  expect(asked.filter(([who]) => who === "fr").map(([, status]) => status)).toEqual([200, 529, 529, 529, 200]);
  expect((await eventsOf(server, id)).filter(({ type }) => type === "subtask.finished")).toHaveLength(3);
});

it("publishes what the sub-tasks had stored when the job is cancelled, and tells a follow-up about it", async () => {
  const never = () => new Promise<TurnInput>(() => undefined);
  const server = answering({
    turn: [START, finish("Go on", "Went on.")],
    fr: [translate("fr"), never],
    de: [translate("de"), finish("Translate")],
    es: [never],
  });
  const { models, baseUrl, instance } = server;
  const id = await create(server);
  await expect
    .poll(async () => (await callApi(baseUrl, instance, { method: "GET", path: `/job/${id}` })).body.usage.steps, {
      timeout: 20_000,
    })
    .toBe(4);
  await callApi(baseUrl, instance, { path: `/job/${id}/cancel`, body: { keepWork: true } });
  const job = await waitForJob(baseUrl, instance, id);
  expect(job).toMatchObject({ status: "failed", error: { code: "cancelled" }, pullRequest: { draft: true } });
  expect((await published(server, job.source.ref!)).paths).toEqual(["de/index.md", "fr/index.md"]);
  await vi.waitFor(() => expect(models.requests.filter(({ aborted }) => aborted)).toHaveLength(2));

  await callApi(baseUrl, instance, { path: `/job/${id}/message`, body: { prompt: "Go on." } });
  await waitForJob(baseUrl, instance, id);
  const { conversation } = models.requests.at(-1)!;
  expect(resultsIn(conversation!)[0]).toBe(
    "The turn ended before the sub-tasks did. Look at their files: what they had changed may be there.",
  );
});

it.each(ENGINES)(
  "continues after kill -9 on %s with the sub-tasks that had not ended, from their last stored steps",
  async (engine) => {
    let isKilled = false;
    const once = (answer: TurnInput) => async () => (isKilled ? answer : new Promise<TurnInput>(() => undefined));
    const counted = (answer: TurnInput): TurnInput => ({ ...answer, usage: { inputTokens: 1_000, outputTokens: 10 } });
    const started = await startModels(
      script({
        turn: [counted(START), counted(finish("Translate the pages"))],
        fr: [counted(translate("fr")), counted(finish("Translate", "Wrote fr."))],
        de: [counted(translate("de")), once(counted(finish("Translate", "Wrote de.")))],
        es: [once(counted(translate("es"))), counted(finish("Translate", "Wrote es."))],
      }),
    );
    await using models = started.models;
    const environment = { ...started.environment, DOCENT_JOB_LEASE_MS: "5000" };
    await using instance = await createTestInstance(engine, FILES, environment);
    const doomed = await startProcess(
      "test/support/crashing-server.ts",
      ["never", instance.data],
      instance.environment,
    );
    const id = await create({ ...doomed.started, instance });
    const steps = () => instance.database.kysely.selectFrom("job").select("steps").executeTakeFirstOrThrow();
    await expect.poll(steps, { timeout: 30_000 }).toEqual({ steps: 4 });
    await doomed.kill("SIGKILL");
    isKilled = true;
    const before = models.requests.length;

    const server = await serveInstance(instance);
    try {
      const job = await waitForJob(server.baseUrl, instance, id);
      expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { number: 1, draft: false } });
      // Eight answers were stored, each once, and so was what they cost.
      expect(job.usage).toMatchObject({ steps: 8, inputTokens: 8_000, outputTokens: 80 });
      expect(await published({ instance }, job.source.ref!)).toMatchObject({ commits: 1, paths: { length: 3 } });
      const asked = models.requests.slice(before).map(({ conversation }) => placeIn(conversation!).who);
      expect(asked.toSorted()).toEqual(["de", "es", "es", "turn"]);
      const report = resultsIn(models.requests.at(-1)!.conversation!)[0]!;
      for (const [index, language] of LANGUAGES.entries())
        expect(report).toContain(
          `${index + 1}. Translate ${language}: done after 2 steps. Changed ${language}/index.md.`,
        );
      const events = await eventsOf({ instance }, id);
      expect(events.filter(({ type }) => type === "subtask.finished")).toHaveLength(3);
      expect(events.filter(({ type, data }) => type === "usage" && data["subtask"] !== undefined)).toHaveLength(6);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  },
  120_000,
);

it("continues after a restart with the reports, when all sub-tasks had ended", async () => {
  let isRestarted = false;
  const done = finish("Translate the pages");
  const started = await startModels(
    script({
      turn: [START, async () => (isRestarted ? done : new Promise<TurnInput>(() => undefined))],
      ...Object.fromEntries(LANGUAGES.map((each) => [each, [translate(each), finish("Translate", `Wrote ${each}.`)]])),
    }),
  );
  await using models = started.models;
  await using instance = await createTestInstance("sqlite", FILES, { ...started.environment, ...UNHURRIED });
  const first = await serveInstance(instance);
  const id = await create({ baseUrl: first.baseUrl, instance });
  await vi.waitFor(() => expect(models.requests).toHaveLength(8), { timeout: 20_000 });
  await first[Symbol.asyncDispose]();
  isRestarted = true;
  await using second = await serveInstance(instance);
  const job = await waitForJob(second.baseUrl, instance, id);
  expect(job).toMatchObject({ status: "completed", error: null, usage: { steps: 8 } });
  expect(await published({ instance }, job.source.ref!)).toMatchObject({ commits: 1, paths: { length: 3 } });
  expect(models.requests.slice(8).map(({ conversation }) => placeIn(conversation!).who)).toEqual(["turn"]);
  expect(models.requests[8]!.body).toEqual(models.requests[7]!.body);
});

it("tells people which sub-task did what, and at what cost, in the stream and on the command line", async () => {
  const server = answering({
    turn: [START, finish("Translate the pages")],
    ...Object.fromEntries(LANGUAGES.map((each) => [each, [translate(each), finish("Translate", `Wrote ${each}.`)]])),
  });
  const { baseUrl, instance } = server;
  const id = await create(server, "dear/gold");
  await waitForJob(baseUrl, instance, id);
  const events = await eventsOf(server, id);
  const costs = events.filter(({ type }) => type === "subtask.finished").map(({ data }) => data["costUsd"] as number);
  expect(costs.filter((cost) => cost > 0)).toHaveLength(3);
  const headers = { authorization: `Bearer ${instance.key}` };
  const stream = await fetch(`${baseUrl}/v2/agent/${instance.project.id}/job/${id}/stream`, { headers });
  expect(await stream.text()).toContain("event: subtask.finished");
  const environment = {
    HOME: instance.data,
    DOCENT_SERVER: baseUrl,
    DOCENT_PROJECT: instance.project.id,
    DOCENT_API_KEY: instance.key,
  };
  const shown = (await runDocent(["jobs", "show", id], { environment })).stdout;
  expect(shown).toContain("· sub-tasks\n  1. Translate fr (fr)\n  2. Translate de (de)\n  3. Translate es (es)\n");
  expect(shown).toMatch(/\[2\] ✓ Translate de: 1 file, 2 steps, \d+ tokens, \$\d+\.\d{4}\n {2}Wrote de\.\n/);
  const watched = (await runDocent(["jobs", "watch", id], { environment })).stdout;
  expect(watched).toContain("[3] ✓ edit_file: ");
});
