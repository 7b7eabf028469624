import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FAILURE_HINTS } from "#features/jobs/job.ts";
import type { JobId } from "#lib/ids.ts";
import { callApi, createTestInstance, waitForJob } from "#test/support/instance.ts";
import { edit, finish, startModels } from "#test/support/models.ts";
import { startProcess } from "#test/support/processes.ts";
import { ENGINES } from "#testing/databases.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const SERVER = "test/support/crashing-server.ts";
const FILES = { "index.md": "# Start\n\nHarbor Cloud.\n" };
const PROMPT = 'Replace "Harbor Cloud" with "Harbor Platform".';

describe.each(ENGINES)("on %s", (engine) => {
  it("a job with which the server ends at the same place three times has failed, and the server goes on", async () => {
    await using instance = await createTestInstance(engine, FILES);
    // Every one of these servers would end at that place of that job.
    const start = () => startProcess(SERVER, ["claimed", instance.data], instance.environment);
    const first = await start();
    const deadly = (await callApi(first.started.baseUrl, instance, { path: "/job", body: { prompt: PROMPT } })).body.id;
    expect(await first.exited).toBe("SIGKILL");
    expect(await (await start()).exited).toBe("SIGKILL");
    expect(await (await start()).exited).toBe("SIGKILL");

    const server = await start();
    try {
      const { baseUrl } = server.started;
      expect(await waitForJob(baseUrl, instance, deadly)).toMatchObject({
        status: "failed",
        error: {
          code: "worker_died",
          message: "The server ended 3 times at the same place of this turn, so it was given up.",
          hint: FAILURE_HINTS.worker_died,
        },
      });
      expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
      expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
      const { fence, deaths } = await instance.database.kysely
        .selectFrom("job")
        .select(["fence", "deaths"])
        .executeTakeFirstOrThrow();
      expect({ fence, deaths }).toEqual({ fence: 4, deaths: 0 });
    } finally {
      await server.kill("SIGKILL");
    }
    // A follow-up is a turn of its own, with as much patience.
    const sound = await startProcess(SERVER, ["never", instance.data], instance.environment);
    try {
      const { baseUrl } = sound.started;
      await callApi(baseUrl, instance, { path: `/job/${deadly}/message`, body: { prompt: PROMPT } });
      expect(await waitForJob(baseUrl, instance, deadly)).toMatchObject({ status: "completed", error: null });
    } finally {
      await sound.kill("SIGTERM");
    }
  }, 180_000);
});

it("a job that gets one step further between kills ends well, however often the server is killed", async () => {
  const KILLS = LONG_TESTS ? 5 : 3; // two would be forgiven anyway
  const steps = Array.from({ length: KILLS }, (_, index) => ({
    ...edit("index.md", `Cloud${".".repeat(index + 1)}`, `Cloud${".".repeat(index + 2)}`),
    delayMs: 300,
  }));
  const started = await startModels({ conversations: [{ marker: "Dots", turns: [...steps, finish()] }] });
  await using _models = started.models;
  await using instance = await createTestInstance("sqlite", FILES, started.environment);
  const start = () => startProcess(SERVER, ["never", instance.data], instance.environment);
  let server = await start();
  try {
    const body = { prompt: "Dots", model: "anthropic/m" };
    const id = (await callApi(server.started.baseUrl, instance, { path: "/job", body })).body.id as JobId;
    const read = () =>
      instance.database.kysely.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    for (let kill = 1; kill <= KILLS; kill++) {
      while ((await read()).steps < kill) await sleep(5);
      await server.kill("SIGKILL");
      server = await start();
    }
    expect(await waitForJob(server.started.baseUrl, instance, id)).toMatchObject({ status: "completed", error: null });
  } finally {
    await server.kill("SIGTERM");
  }
}, 180_000);
