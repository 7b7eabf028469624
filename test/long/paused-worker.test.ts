import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { loadConfig } from "#app/instance/config.ts";
import { silentLogger } from "#lib/logger.ts";
import type { JobId } from "#lib/ids.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { edit, finish, startModels } from "#test/support/models.ts";
import { startProcess } from "#test/support/processes.ts";
import { startComposed } from "#test/support/composed-server.ts";
import { ENGINES } from "#testing/databases.ts";

// A machine that sleeps, a container that is frozen: the worker comes back long after its lease ended and somebody
// else did its work. Whatever it still had in its hands must not be written.

const FILES = { "index.md": "# Start\n\nHarbor Cloud.\n" };
const SERVER = "test/support/crashing-server.ts";
const SCRIPT = {
  conversations: [
    { marker: "Rename", turns: [{ ...edit("index.md", "Cloud", "Platform"), delayMs: 200 }, finish("Rename it")] },
    { marker: "Greet", turns: [edit("index.md", "# Start", "# Welcome"), finish("Greet")] },
  ],
};

/** Everything that a job has left anywhere. */
async function everythingOf(instance: TestInstance, id: JobId): Promise<unknown> {
  const { database, repoStore, project } = instance;
  const { kysely } = database;
  const own = { id: await kysely.selectFrom("job").selectAll().where("id", "=", id).execute() };
  const turns = await kysely.selectFrom("job_turn").selectAll().where("job_id", "=", id).orderBy("turn").execute();
  const steps = await kysely
    .selectFrom("job_step")
    .selectAll()
    .where("job_id", "=", id)
    .orderBy("turn")
    .orderBy("step")
    .execute();
  const events = await kysely.selectFrom("job_event").selectAll().where("job_id", "=", id).orderBy("seq").execute();
  const pullRequests = await kysely.selectFrom("pull_request").selectAll().orderBy("number").execute();
  return { own, turns, steps, events, pullRequests, branches: await repoStore.branches(project.id) };
}

/** Whether Linux says that a process is stopped. */
const isStopped = (pid: number) => /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

describe.each(ENGINES)("a worker that is paused for longer than its lease on %s", (engine) => {
  it.concurrent.each(["in a call of the model", "just before its push"])(
    "%s writes nothing when it goes on",
    async (moment) => {
      const started = await startModels(SCRIPT);
      await using models = started.models;
      await using instance = await createTestInstance(engine, FILES, started.environment);
      const config = loadConfig(
        { data: instance.data, port: 0, logLevel: "silent" },
        { ...instance.environment, DOCENT_JOBS_AT_ONCE: "0" },
      );
      await using api = await startComposed(config, { logger: silentLogger });
      const point = moment === "just before its push" ? "paused-before-push" : "never";
      const slow = await startProcess(SERVER, [point, instance.data], instance.environment);
      try {
        const body = { prompt: "Rename", model: "anthropic/m" };
        const id = (await callApi(api.baseUrl, instance, { path: "/job", body })).body.id as JobId;
        if (point === "never") {
          while (models.requests.length === 0) await sleep(5);
          slow.child.kill("SIGSTOP");
        }
        while (!isStopped(slow.child.pid!)) await sleep(5);
        const other = await startProcess(SERVER, ["never", instance.data], instance.environment);
        try {
          expect(await waitForJob(api.baseUrl, instance, id)).toMatchObject({ status: "completed", error: null });
          await callApi(api.baseUrl, instance, { path: `/job/${id}/message`, body: { prompt: "Greet" } });
          expect(await waitForJob(api.baseUrl, instance, id)).toMatchObject({ status: "completed" });
          const before = await everythingOf(instance, id);
          slow.child.kill("SIGCONT");
          await sleep(1_500);
          expect(isStopped(slow.child.pid!)).toBe(false);
          expect(await everythingOf(instance, id)).toEqual(before);
        } finally {
          await other.kill("SIGTERM");
        }
      } finally {
        await slow.kill("SIGKILL");
      }
    },
    180_000,
  );
});
