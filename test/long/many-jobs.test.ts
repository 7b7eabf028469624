import { expect, it } from "vitest";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

it("answers 200 concurrent creates with 201 or 429, and ends every accepted job in one pull request", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n\nWelcome.\n" } });
  const { instance, baseUrl } = server;
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      callApi(baseUrl, instance, {
        path: "/job",
        body: { prompt: `Add a page titled "Page ${number}" with the text "Number ${number}."` },
      }),
    ),
  );
  const accepted = answers.filter((answer) => answer.status === 201);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(100);
  expect(accepted).toHaveLength(100);
  const jobs = [];
  for (const { body } of accepted) jobs.push(await waitForJob(baseUrl, instance, body.id, 90_000));
  expect(new Set(jobs.map((job) => job.status))).toEqual(new Set(["completed"]));
  expect(new Set(jobs.map((job) => job.prLink)).size).toBe(100);
  const rows = await instance.database.kysely.selectFrom("pull_request").select(["number", "head"]).execute();
  expect(rows).toHaveLength(100);
  expect(new Set(rows.map((row) => row.head)).size).toBe(100);
}, 400_000);
