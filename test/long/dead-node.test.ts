import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { callApi, createTestInstance, waitForJob } from "#test/support/instance.ts";
import { edit, finish, startModels } from "#test/support/models.ts";
import { startProcess } from "#test/support/processes.ts";

const SCRIPT = {
  conversations: [
    {
      marker: "Rename",
      turns: [{ ...edit("index.md", "Cloud", "Platform"), delayMs: 3_000 }, finish("Rename it")],
    },
  ],
};

it("a job of a killed node ends on another one long before its lease would expire", async () => {
  const started = await startModels(SCRIPT);
  await using models = started.models;
  await using instance = await createTestInstance(
    "postgres",
    { "index.md": "# Start\n\nHarbor Cloud.\n" },
    { ...started.environment, DOCENT_JOB_LEASE_MS: "3600000" },
  );
  const serve = ["serve", "--port", "0", "--json", "--data", instance.data];
  const doomed = await startProcess("src/cli/main.ts", serve, instance.environment);
  const body = { prompt: "Rename", model: "anthropic/m" };
  const { id } = (await callApi(doomed.started.baseUrl, instance, { path: "/job", body })).body;
  while (models.requests.length === 0) await sleep(5);
  const other = await startProcess("src/cli/main.ts", serve, instance.environment);
  try {
    await doomed.kill("SIGKILL");
    const done = await waitForJob(other.started.baseUrl, instance, id);
    expect(done).toMatchObject({ status: "completed", error: null, pullRequest: { number: 1 } });
  } finally {
    await other.kill("SIGTERM");
  }
}, 120_000);
