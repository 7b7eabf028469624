import { expect, it } from "vitest";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

it("records every phase of a job in its transcript, for each message", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n\nHarbor Cloud.\n" } });
  const { baseUrl, instance } = server;
  const prompt = 'Replace "Harbor Cloud" with "Harbor Platform".';
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
  await waitForJob(baseUrl, instance, body.id);
  await callApi(baseUrl, instance, {
    path: `/job/${body.id}/message`,
    body: { prompt: 'Add a page titled "Notes" with the text "Read me."' },
  });
  expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({ status: "completed", phase: "idle" });
  const events = await instance.database.kysely
    .selectFrom("job_event")
    .select(["type", "data"])
    .orderBy("seq")
    .execute();
  const phases = events
    .filter((event) => event.type === "job.phase")
    .map((event) => (JSON.parse(event.data) as { phase: string }).phase);
  const each = ["preparing", "running", "validating", "publishing"];
  expect(phases).toEqual([...each, ...each]);
});
