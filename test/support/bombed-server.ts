import { request } from "node:http";
import { text } from "node:stream/consumers";
import { systemClock } from "#lib/clock.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { createTestRepository } from "#testing/repositories.ts";
import { createTestInstance, type TestInstance } from "./instance.ts";
import { type RunningProcess, startProcess } from "./processes.ts";

export interface BombedServer extends AsyncDisposable {
  process: RunningProcess;
  instance: TestInstance;
  /** Somebody else's project, whose page says “Calm”. */
  other: Project;
  /** Where the instance's project is pushed to. */
  remote: string;
  get(path: string): Promise<{ status: number; body: string }>;
  /** The first page of a project's site. */
  site(project: Project): Promise<{ status: number; body: string }>;
}

/** A server as a process of its own, with the project that bombs are pushed to and another beside it. */
export async function startBombedServer(files: Record<string, string>): Promise<BombedServer> {
  await using made = new AsyncDisposableStack();
  const instance = made.use(await createTestInstance("sqlite", files));
  await using source = await createTestRepository({ "index.md": "# Calm\n" });
  const deps = { database: instance.database, repoStore: instance.repoStore, clock: systemClock };
  const other = await createProject(deps, { name: "Calm docs", source: source.path, branch: null });
  const server = await startProcess("test/support/crashing-server.ts", ["never", instance.data], instance.environment);
  made.defer(() => server.kill("SIGKILL"));
  const { port } = server.started;

  async function get(path: string, host = "127.0.0.1"): Promise<{ status: number; body: string }> {
    const answer = await new Promise<{ status: number; body: Promise<string> }>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, headers: { host } }, (response) =>
        resolve({ status: response.statusCode ?? 0, body: text(response) }),
      );
      sent.once("error", reject);
      sent.end();
    });
    return { status: answer.status, body: await answer.body };
  }

  const all = made.move();
  return {
    process: server,
    instance,
    other,
    remote: `http://x:${instance.key}@127.0.0.1:${port}/git/${instance.project.slug}.git`,
    get: (path) => get(path),
    site: (project) => get("/", `${project.slug}.localhost:${port}`),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
