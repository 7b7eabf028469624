import { describe, expect, it } from "vitest";
import { callApi, createTestInstance, waitForJob } from "#test/support/instance.ts";
import { edit, startModels } from "#test/support/models.ts";
import { serveInstance } from "#test/support/server.ts";
import { startProcess } from "#test/support/processes.ts";
import type { CrashPoint } from "#test/support/crashing-server.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { ENGINES } from "#testing/databases.ts";

const FILES = {
  "index.md": "# Start\n\nHarbor Cloud is here. See [the guide](guide.md).\n",
  "guide.md": "# Guide\n\nUse Harbor Cloud. `Harbor Cloud` stays in code.\n",
};
const POINTS: readonly CrashPoint[] = ["claimed", "mid-loop", "committed", "pushed", "pull-request"];
const SERVER = "test/support/crashing-server.ts";
/** One point of each stage; of publishing the last, after which a second pull request could be opened. */
const points = LONG_TESTS ? POINTS : (["claimed", "mid-loop", "pull-request"] as const);
/** An early end is published like any other once its error is known. */
const EARLY_ENDS: readonly CrashPoint[] = LONG_TESTS ? POINTS.filter((point) => point !== "claimed") : ["pushed"];

describe.each(ENGINES)("a server killed on %s", (engine) => {
  it.each(EARLY_ENDS)(
    "at the point %s of a turn that ends early leaves one pull request, and the agent does not continue",
    async (point) => {
      const turns = [
        edit("index.md", "Harbor Cloud", "Harbor Platform"),
        { faults: [{ kind: "auth" as const }] },
        edit("guide.md", "Harbor Cloud", "Harbor Platform"),
      ];
      const started = await startModels({ conversations: [{ marker: "Rename", turns }] });
      await using models = started.models;
      await using instance = await createTestInstance(engine, FILES, started.environment);
      const doomed = await startProcess(SERVER, [point, instance.data], instance.environment);
      const body = { prompt: "Rename it.", model: "anthropic/m" };
      const created = await callApi(doomed.started.baseUrl, instance, { path: "/job", body });
      expect(await doomed.exited).toBe("SIGKILL");
      const asked = models.requests.length;

      const server = await serveInstance(instance);
      try {
        const job = await waitForJob(server.baseUrl, instance, created.body.id);
        expect(job).toMatchObject({
          status: "failed",
          error: { code: "model_auth" },
          pullRequest: { number: 1, draft: true },
        });
        const { database, repoStore, project } = instance;
        const rows = await database.kysely.selectFrom("pull_request").select("number").execute();
        expect(rows).toEqual([{ number: 1 }]);
        const base = await repoStore.resolve(project.id, "refs/heads/main");
        const head = await repoStore.resolve(project.id, `refs/heads/${job.source.ref}`);
        const commits = await repoStore.log(project.id, { base, head: head!, limit: 10 });
        expect(commits.map((commit) => commit.trailers["Docent-Turn"])).toEqual(["1"]);
        // Killed before the first step was stored it asks for that once more, and for the one that fails.
        expect(models.requests).toHaveLength(point === "mid-loop" ? asked + 2 : asked);
      } finally {
        await server[Symbol.asyncDispose]();
      }
    },
    120_000,
  );

  it.each(points)(
    "at the point %s ends the job with one pull request and each message handled once",
    async (point) => {
      await using instance = await createTestInstance(engine, FILES);
      const doomed = await startProcess(SERVER, [point, instance.data], instance.environment);
      const created = await callApi(doomed.started.baseUrl, instance, {
        path: "/job",
        body: { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' },
      });
      expect(created.status).toBe(201);
      expect(await doomed.exited).toBe("SIGKILL");

      const server = await serveInstance(instance);
      try {
        const followUp = { prompt: 'Add a page titled "Notes" with the text "Read me."' };
        await callApi(server.baseUrl, instance, { path: `/job/${created.body.id}/message`, body: followUp });
        const job = await waitForJob(server.baseUrl, instance, created.body.id);
        expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { number: 1, state: "open" } });

        const { database, repoStore, project } = instance;
        const rows = await database.kysely.selectFrom("pull_request").select("number").execute();
        expect(rows).toEqual([{ number: 1 }]);
        const base = await repoStore.resolve(project.id, "refs/heads/main");
        const head = await repoStore.resolve(project.id, `refs/heads/${job.source.ref}`);
        const commits = await repoStore.log(project.id, { base, head: head!, limit: 10 });
        expect(commits.map((commit) => commit.trailers["Docent-Turn"])).toEqual(["2", "1"]);
        const events = await database.kysely.selectFrom("job_event").select("type").orderBy("seq").execute();
        const told = events.map((event) => event.type).filter((type) => type.startsWith("pull_request."));
        expect(told).toEqual(["pull_request.opened", "pull_request.updated"]);
        const changes = await repoStore.changes(project.id, base!, head!);
        expect(changes.map((change) => `${change.status} ${change.path}`).sort()).toEqual([
          "added notes.md",
          "modified guide.md",
          "modified index.md",
        ]);
      } finally {
        await server[Symbol.asyncDispose]();
      }
    },
    120_000,
  );
});
