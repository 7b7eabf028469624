import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadConfig } from "#app/instance/config.ts";
import { openDatabase } from "#db/database.ts";
import { createContentProcess, type ContentProcess } from "#docs/render/process/content-process.ts";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import { createProject, saveSettings } from "#features/projects/projects.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { startServer } from "#main.ts";
import { changeBy, compare } from "./change.ts";
import { failuresOf } from "./checks.ts";
import { createSites } from "./checks/site.ts";
import type { Failure } from "./failure.ts";
import type { Repositories } from "./repositories.ts";
import type { Task } from "./task.ts";

/** One line of a results file. */
export interface Result {
  task: string;
  kind: Task["kind"];
  style: Task["style"];
  model: string;
  passed: boolean;
  failures: Failure[];
  /** `completed`, or the code of the job's error. */
  outcome: string;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  costUsd: number;
  steps: number;
  ms: number;
}

const WAIT_MS = 2 * 3_600_000;

/**
 * Sends each task as a job to a separate server and judges the tree of its pull request; without one, the tree that the job
 * started from. `environment` has the model's settings: `DOCENT_MODELS`, keys of providers.
 */
export async function* runTasks(
  tasks: readonly Task[],
  {
    repositories,
    model,
    environment,
    ...given
  }: {
    repositories: Repositories;
    model: string;
    environment: NodeJS.ProcessEnv;
    /** Renders the pages to judge; the server has its own. */
    content?: ContentProcess;
  },
): AsyncGenerator<Result> {
  await using made = new AsyncDisposableStack();
  const data = await mkdtemp(path.join(tmpdir(), "docent-agent-bench-data-"));
  made.defer(() => rm(data, { recursive: true, force: true }));
  const { DATABASE_URL: _, ...settings } = environment;
  const config = loadConfig(
    { data, port: 0, logLevel: "silent" },
    { ...settings, DOCENT_AGENT_CALLS_PER_HOUR: "100000", DOCENT_STALL_SECONDS: "0" },
  );
  const database = made.use(await openDatabase({ location: config.database, logger: silentLogger, migrate: true }));
  const repoStore = made.use(createRepoStore({ root: path.join(data, "repositories"), logger: silentLogger }));
  const server = made.use(await startServer(config, { logger: silentLogger }));
  const content = given.content ?? made.use(createContentProcess({ logger: silentLogger, isWarmedUp: false }));
  const deps = { database, repoStore, clock: systemClock };
  for (const task of tasks) yield await runTask(task, { deps, repositories, model, content, baseUrl: server.baseUrl });
}

async function runTask(
  task: Task,
  { deps, repositories, model, content, baseUrl }: {
    deps: Parameters<typeof createProject>[0];
    repositories: Repositories;
    model: string;
    content: ContentProcess;
    baseUrl: string;
  },
): Promise<Result> {
  const { database, repoStore, clock } = deps;
  const source = await repositories.checkout(task);
  const project = await createProject(deps, { name: `Bench ${randomUUID()}`, source, branch: "main" });
  await rm(source, { recursive: true, force: true });
  if (task.contentRoot !== undefined) await saveSettings({ database }, project, { contentRoot: task.contentRoot });
  const named = { projectId: project.id, name: "bench", expiresInDays: 7 };
  const { key } = await createApiKey({ database, clock, keysPerHour: 1_000 }, named);
  const api = `${baseUrl}/v2/agent/${project.id}/job`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const ask = async (at: string, init: RequestInit = {}): Promise<AgentJobBody> => {
    const answer = await fetch(`${api}${at}`, { headers, ...init });
    if (!answer.ok) throw new Error(`${task.name}: the server answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as AgentJobBody;
  };

  const startedAt = performance.now();
  let job = await ask("", { method: "POST", body: JSON.stringify({ prompt: task.instruction, model }) });
  while (job.status === "active" && performance.now() - startedAt < WAIT_MS) {
    await sleep(50);
    job = await ask(`/${job.id}`);
  }
  const ms = Math.round(performance.now() - startedAt);

  const base = await repoStore.resolve(project.id, "refs/heads/main");
  const head = job.pullRequest && job.source.ref && (await repoStore.resolve(project.id, `refs/heads/${job.source.ref}`));
  if (base === null) throw new Error(`${task.name}: the repository has no commit.`);
  const before = commitSnapshot(repoStore, project.id, base);
  const change = head ? await compare(before, commitSnapshot(repoStore, project.id, head)) : await changeBy(before, new Map());
  const failures = await failuresOf(task, change, createSites(content, task.contentRoot ?? null));
  await repoStore.remove(project.id);
  const { costUsd, steps, inputTokens, cachedInputTokens, outputTokens } = job.usage;
  return {
    task: task.name,
    kind: task.kind,
    style: task.style,
    model,
    passed: failures.length === 0,
    failures,
    outcome: job.error?.code ?? job.status,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    costUsd,
    steps,
    ms,
  };
} // oxfmt-ignore
