import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createApiKey } from "#features/keys/api-keys.ts";
import { loadConfig } from "#app/instance/config.ts";
import { type Database, openDatabase } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { importingFiles } from "#testing/imported-files.ts";
import { writeMigratedFile } from "#testing/migrated-file.ts";
import { createTestDirectory, createTestRepository, type TestFile } from "#testing/repositories.ts";

/** A data directory with one project and a key, as the commands make it, for servers started on it as processes. */
export interface TestInstance extends AsyncDisposable {
  data: string;
  environment: Record<string, string>;
  database: Database;
  repoStore: RepoStore;
  project: Project;
  key: string;
}

export async function createTestInstance(
  engine: "sqlite" | "postgres",
  files: Record<string, TestFile>,
  environment: Record<string, string> = {},
  chosen?: string,
): Promise<TestInstance> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTestDirectory());
  const data = chosen ?? `${directory.path}/data`;
  const postgres: Record<string, string> = {};
  if (engine === "postgres" && environment["DATABASE_URL"] === undefined) {
    const { createMigratedDatabase } = await import("#testing/databases.ts"); // works inside the suite only
    postgres["DATABASE_URL"] = stack.use(await createMigratedDatabase()).url;
  }
  const variables = { DOCENT_JOB_LEASE_MS: "1000", DOCENT_FIND_LOCAL_MODELS: "false", ...environment, ...postgres };
  const config = loadConfig({ data }, variables);
  if (config.database.engine === "sqlite" && !existsSync(config.database.path)) {
    await mkdir(path.dirname(config.database.path), { recursive: true });
    await writeMigratedFile(config.database.path);
  }
  const database = stack.use(await openDatabase({ location: config.database, logger: silentLogger, migrate: true }));
  const repoStore = stack.use(createRepoStore({ root: `${data}/repositories`, logger: silentLogger }));
  const { project, key } = await addProject({ database, repoStore }, { name: "Test docs", files });
  const owned = stack.move();
  return {
    data,
    environment: variables,
    database,
    repoStore,
    project,
    key,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A project with a key, for a test that shares its server with others. */
export async function addProject(
  { database, repoStore }: Pick<TestInstance, "database" | "repoStore">,
  { name, files }: { name: string; files: Record<string, TestFile> },
): Promise<Pick<TestInstance, "project" | "key">> {
  await using source = await createTestRepository(files);
  const deps = { database, repoStore: importingFiles(repoStore, files), clock: systemClock };
  const project = await createProject(deps, { name, source: source.path, branch: null });
  const { key } = await createApiKey(
    { ...deps, keysPerHour: 100 },
    { projectId: project.id, name: "test", expiresInDays: 7 },
  );
  return { project, key };
}

/** Whose key calls, for which project. */
export interface Caller {
  project: { id: string };
  key: string;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: AgentJobBody & { code?: string; error?: unknown };
}

/** One call of the agent interface with the instance's key. */
export async function callApi(
  baseUrl: string,
  instance: Caller,
  call: { method?: string; path: string; body?: unknown; headers?: Record<string, string> },
): Promise<ApiAnswer> {
  const response = await fetchAgain(`${baseUrl}/v2/agent/${instance.project.id}${call.path}`, {
    method: call.method ?? (call.body === undefined ? "GET" : "POST"),
    headers: {
      authorization: `Bearer ${instance.key}`,
      ...(call.body !== undefined && { "content-type": "application/json" }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? {} : JSON.parse(text)) as ApiAnswer["body"],
  };
}

const MAX_ATTEMPTS = 3;

/**
 * `fetch`, once more where the server closed the idle connection at the moment that the call went out: under load a client
 * learns of that too late. Only for calls that may be made twice: one that makes something may have been taken. A server
 * that is gone refuses the connection, and that is told at once.
 */
async function fetchAgain(url: string, options: RequestInit): Promise<Response> {
  const attempts = options.method === "GET" ? MAX_ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url, options);
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      if (attempt === attempts || !["ECONNRESET", "UND_ERR_SOCKET"].includes(cause?.code ?? "")) throw error;
    }
  }
}

/** Long after any job of a test is done also on a busy machine: it only ends a test that would wait for ever. */
const PATIENCE_MS = 100_000;

/** Polls a job until it is no longer active. */
export async function waitForJob(
  baseUrl: string,
  instance: Caller,
  id: string,
  timeoutMs = PATIENCE_MS,
): Promise<AgentJobBody> {
  for (const start = Date.now(); Date.now() - start < timeoutMs;) {
    const { body } = await callApi(baseUrl, instance, { path: `/job/${id}` });
    if (body.status !== "active") return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Job ${id} was not done after ${timeoutMs} ms.`);
}
