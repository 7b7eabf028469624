import { setTimeout as sleep } from "node:timers/promises";
import { loadConfig } from "#app/instance/config.ts";
import type { JobId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import type { Conversation } from "#testing/model-server/conversation.ts";
import type { TurnInput } from "#testing/model-server/script.ts";
import { git } from "#testing/repositories.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "./instance.ts";
import { call, edit, finish, startModels } from "./models.ts";
import { type RunningProcess, startProcess } from "./processes.ts";
import { serveInstance } from "./server.ts";
import { startComposed } from "./composed-server.ts";
import { createRandom } from "./random.ts";

/** What is asked of a storm: so many jobs of three messages each, two workers, and so many kills among them. */
export interface StormOptions {
  engine: "sqlite" | "postgres";
  jobs: number;
  kills: number;
  seed: number;
  /** How long the model takes for an answer. */
  modelDelayMs: number;
  /** For an instance that is not the suite's: where its PostgreSQL is. */
  databaseUrl?: string | undefined;
  timeoutMs: number;
}

/** How one job ended, in a form in which two runs can be compared. */
export interface JobEnd {
  status: string;
  error: unknown;
  handled: number;
  steps: number;
  pullRequests: number;
  /** Turns that ended, in order, by the number of their first message. */
  finishedTurns: number[];
  /** How often each prompt was said to the model, in the order in which it first was. */
  prompts: string[];
  /**
   * Every commit of the branch, oldest first, as git stores it, but for what differs between two runs by design: the
   * job's id, the date (the start of the turn) and the ids of parents, which depend on both.
   */
  commits: string[];
  tree: string;
  /** Whether each commit has the date that its turn settled before its first step, however often it was replayed. */
  hasTurnDates: boolean;
  /** Whether the transcript counts 1, 2, 3 … */
  hasGaplessEvents: boolean;
}

export interface StormReport {
  ends: JobEnd[];
  kills: number;
  modelCalls: number;
  durationMs: number;
}

const FILES = { "index.md": "# Start\n\nAll about ships.\n", "log.md": "# Log\n\nEND\n" };
const MESSAGES = 3;
const SERVER = "test/support/crashing-server.ts";
const promptOf = (job: number, message: number) => `Ship ${job}, leg ${message}: write it down.`;

/** What the model does for one message: four steps over several files, one of them an edit that must happen once. */
function stepsFor(job: string, message: string): TurnInput[] {
  const page = `ships/${job}-${message}.md`;
  return [
    call("read_file", { path: "index.md" }),
    call("write_file", { path: page, content: `# Ship ${job}\n\nLeg ${message} begins.\n` }),
    edit("log.md", "END", `- Ship ${job}, leg ${message}\n\nEND`),
    {
      calls: [
        { name: "edit_file", input: { path: page, edits: [{ old: "begins", new: "ends" }] } },
        {
          name: "write_file",
          input: { path: `notes/${job}-${message}.md`, content: `# Note\n\nOf leg ${message}.\n` },
        },
      ],
    },
  ];
}

/** A function of the conversation alone: the messages in their order, each carried out before the next. */
function answer({ messages }: Conversation): TurnInput {
  const waiting: TurnInput[] = [];
  for (const message of messages) {
    if (message.role === "assistant") waiting.shift();
    if (message.role !== "user") continue;
    for (const [, job = "", leg = ""] of message.text.matchAll(/Ship (\d+), leg (\d+):/g))
      waiting.push(...stepsFor(job, leg));
  }
  return waiting[0] ?? finish("Write the log", "Wrote down what the ships did.");
}

/**
 * Runs jobs through two worker processes (without kills: a server in this process), kills random ones at random moments and
 * starts them again at once. A server in this process takes the calls and is never killed. Every third job gets its messages
 * all at once, before any worker runs, the others one after another.
 */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const counted = { calls: 0 };
  const started = await startModels((conversation) => {
    counted.calls += 1;
    return { ...answer(conversation), delayMs: options.modelDelayMs };
  });
  await using _models = started.models;
  await using instance = await createTestInstance(options.engine, FILES, {
    ...started.environment,
    DOCENT_AGENT_CALLS_PER_HOUR: "10000",
    DOCENT_JOB_MAX_DEATHS: "1000", // it kills at random, and no job is at fault
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
  });
  const config = loadConfig(
    { data: instance.data, port: 0, logLevel: "silent" },
    { ...instance.environment, DOCENT_JOBS_AT_ONCE: "0" },
  );
  await using api = await startComposed(config, { logger: silentLogger, content: sharedContent() });
  const begin = performance.now();
  const jobs = await Promise.all(
    Array.from({ length: options.jobs }, (_, job) => createJob(api.baseUrl, instance, job)),
  );
  await using _worker = options.kills > 0 ? null : await serveInstance(instance);
  const workers = Array.from({ length: options.kills > 0 ? 2 : 0 }, () => startWorker(instance));
  await Promise.all(workers);
  try {
    const stormy = storm(options, workers, instance, counted);
    await Promise.all(jobs.map((id, job) => carry(api.baseUrl, instance, { id, job, timeoutMs: options.timeoutMs })));
    await stormy;
  } finally {
    await Promise.all(workers.map(async (worker) => (await worker).kill("SIGTERM")));
  }
  const durationMs = Math.round(performance.now() - begin);
  const ends: JobEnd[] = [];
  for (const id of jobs) ends.push(await readEnd(instance, id));
  return { ends, kills: options.kills, modelCalls: counted.calls, durationMs };
}

const isTogether = (job: number) => job % 3 === 0;
const startWorker = (instance: TestInstance) => startProcess(SERVER, ["never", instance.data], instance.environment);

async function createJob(baseUrl: string, instance: TestInstance, job: number): Promise<JobId> {
  const body = { prompt: promptOf(job, 1), model: "anthropic/m" };
  const id = (await callApi(baseUrl, instance, { path: "/job", body })).body.id;
  if (isTogether(job))
    for (let message = 2; message <= MESSAGES; message++) await send(baseUrl, instance, { id, job, message });
  return id as JobId;
}

async function send(
  baseUrl: string,
  instance: TestInstance,
  to: { id: string; job: number; message: number },
): Promise<void> {
  const { status } = await callApi(baseUrl, instance, {
    path: `/job/${to.id}/message`,
    body: { prompt: promptOf(to.job, to.message) },
  });
  if (status !== 200) throw new Error(`A message was answered with ${status}.`);
}

async function carry(
  baseUrl: string,
  instance: TestInstance,
  { id, job, timeoutMs }: { id: JobId; job: number; timeoutMs: number },
): Promise<void> {
  const { status } = await waitForJob(baseUrl, instance, id, timeoutMs);
  for (let message = 2; message <= MESSAGES && !isTogether(job) && status === "completed"; message++) {
    await send(baseUrl, instance, { id, job, message });
    await waitForJob(baseUrl, instance, id, timeoutMs);
  }
}

/** Kills whenever the model was asked so and so often, a moment later: work is under way then, somewhere. */
async function storm(
  { jobs, kills, seed }: StormOptions,
  workers: Promise<RunningProcess>[],
  instance: TestInstance,
  counted: { calls: number },
): Promise<void> {
  const random = createRandom(seed);
  const undisturbedCalls = jobs * MESSAGES * 4;
  const moments = Array.from({ length: kills }, () => 1 + Math.floor(random() * undisturbedCalls)).sort(
    (a, b) => a - b,
  );
  for (const moment of moments) {
    while (counted.calls < moment) await sleep(5);
    await sleep(random() * 250);
    // Of the workers that are up; the other one may still be on its way back.
    const victim = await Promise.race(workers.map((worker, index) => worker.then(() => index)));
    const index = random() < 0.5 ? victim : (await isUp(workers[1 - victim])) ? 1 - victim : victim;
    await (await workers[index]!).kill("SIGKILL");
    workers[index] = startWorker(instance);
    workers[index].catch(() => undefined); // whoever waits for it learns of it
  }
}

const isUp = (worker: Promise<RunningProcess> | undefined) =>
  Promise.race([worker?.then(() => true), Promise.resolve(false)]);

async function readEnd(instance: TestInstance, id: JobId): Promise<JobEnd> {
  const { database, repoStore, project } = instance;
  const { kysely } = database;
  const job = await kysely.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const turns = await kysely.selectFrom("job_turn").selectAll().where("job_id", "=", id).execute();
  const steps = await kysely
    .selectFrom("job_step")
    .select("messages")
    .where("job_id", "=", id)
    .orderBy("turn")
    .orderBy("step")
    .execute();
  const events = await kysely
    .selectFrom("job_event")
    .select(["seq", "turn", "type"])
    .where("job_id", "=", id)
    .orderBy("seq")
    .execute();
  const branch = job.branch ?? "";
  const pullRequests = await kysely.selectFrom("pull_request").select("number").where("head", "=", branch).execute();
  const base = await repoStore.resolve(project.id, "refs/heads/main");
  const head = await repoStore.resolve(project.id, `refs/heads/${branch}`);
  const log = head === null ? [] : (await repoStore.log(project.id, { base, head, limit: 100 })).toReversed();
  const raw = await Promise.all(
    log.map((commit) => git(repoStore.directory(project.id), "cat-file", "commit", commit.id)),
  );
  const startedAt = new Map(turns.map((turn) => [String(turn.turn), turn.started_at]));
  return {
    status: job.status,
    error: job.error,
    handled: job.done_seq,
    steps: job.steps,
    pullRequests: pullRequests.length,
    finishedTurns: events.filter((event) => event.type === "turn.finished").map((event) => event.turn),
    prompts: steps.flatMap((step) =>
      [...step.messages.matchAll(/"content":"(Ship \d+, leg \d+):/g)].map((match) => match[1]!),
    ),
    commits: raw.map((text) =>
      text
        .replaceAll(id, "JOB")
        .replaceAll(/^parent .*$/gm, "parent")
        .replaceAll(/^((?:author|committer) .*>) \d+ \+0000$/gm, "$1 DATE"),
    ),
    tree: log.at(-1)?.tree ?? "",
    hasTurnDates: log.every(
      (commit) => commit.authoredAt.getTime() === startedAt.get(commit.trailers["Docent-Turn"] ?? ""),
    ),
    hasGaplessEvents: events.every((event, index) => event.seq === index + 1),
  };
}
