import { pino } from "pino";
import { expect, it } from "vitest";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, finish, MODEL_KEY, startModels } from "#test/support/models.ts";
import { startTestServer } from "#test/support/server.ts";

it("logs an unexpected error of a tool without credentials, and adds no details to the transcript", async () => {
  const prompt = "Write the changelog";
  const turns = [call("changelog_from_history", {}), finish("Nothing", "It could not be done.")];
  const started = await startModels({ conversations: [{ marker: prompt, turns }] });
  await using models = started.models;
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  await using server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Start\n", "changelog.md": "# Changelog\n" },
    environment: started.environment,
    server: {
      logger,
      wrapRepoStore: (store) => ({
        ...store,
        tags: () => Promise.reject(new TypeError(`cannot read "tags" of ${MODEL_KEY}`)),
      }),
    },
  });
  const { baseUrl, instance } = server;
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "anthropic/m" } });
  expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({ status: "completed", prLink: null });

  const logged = lines.filter((line) => line["msg"] === "tool failed unexpectedly");
  expect(logged).toMatchObject([{ level: 50, jobId: body.id, turn: 1, tool: "changelog_from_history" }]);
  expect(logged[0]!["error"]).toMatch(/^TypeError: cannot read "tags" of \[redacted\]\n\s+at /);
  expect(JSON.stringify(lines)).not.toContain(MODEL_KEY);

  const events = await instance.database.kysely.selectFrom("job_event").select(["type", "data"]).execute();
  const finished = events.find((event) => event.type === "tool.finished")!;
  expect(JSON.parse(finished.data)).toMatchObject({
    ok: false,
    summary: "The tool failed by a fault of the server; it changed nothing.",
  });
  expect(JSON.stringify(events)).not.toContain("cannot read");
  expect(JSON.stringify(models.requests.at(-1)!.body)).not.toContain("cannot read");
});
