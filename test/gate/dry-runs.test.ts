import { describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

const files = {
  "docs.json": '{ "navigation": { "pages": ["index", "old"] } }',
  "index.md": "# Start\n\nHarbor Cloud.\n",
  "old.md": "# Old\n\nHarbor Cloud.\n\nThis page has been here for years, and its text is long.\n",
};

describe.each(ENGINES)("a dry run on %s", (engine) => {
  it("reports what would change and publishes nothing, also in follow-ups", async () => {
    await using server = await startTestServer({ engine, files });
    const { baseUrl, instance } = server;
    const branches = () => instance.repoStore.branches(instance.project.id);
    const before = await branches();
    const prompt = 'Replace "Harbor Cloud" with "Harbor Platform" and move the page old to archive/first.';
    const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt, dryRun: true } });
    expect(body).toMatchObject({ dryRun: true, plan: null });
    const job = await waitForJob(baseUrl, instance, body.id);
    expect(job).toMatchObject({
      status: "completed",
      prLink: null,
      pullRequest: null,
      source: { ref: null },
      plan: { added: 1, modified: 2, removed: 1, paths: ["archive/first.md", "docs.json", "index.md", "old.md"] },
    });
    expect(job.summary).toContain("Replaced “Harbor Cloud” with “Harbor Platform” 2 times in 2 files");
    expect(job.summary).toContain("This was a dry run: there is no branch and no pull request.");
    const told = await instance.database.kysely
      .selectFrom("job_event")
      .select("data")
      .where("type", "=", "files.changed")
      .orderBy("seq")
      .execute();
    expect(JSON.parse(told.at(-1)!.data)).toMatchObject({ moved: [{ from: "old.md", to: "archive/first.md" }] });

    await callApi(baseUrl, instance, { path: `/job/${body.id}/message`, body: { prompt: "Check links." } });
    expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({
      status: "completed",
      prLink: null,
      plan: { added: 0, modified: 0, removed: 0, paths: [] },
    });
    expect(await branches()).toEqual(before);
  });

  it("is rejected if its field is misspelled, or is in a message", async () => {
    await using server = await startTestServer({ engine, files });
    const { baseUrl, instance } = server;
    for (const field of ["dry_run", "dryrun", "isDryRun"]) {
      const { status, body } = await callApi(baseUrl, instance, {
        path: "/job",
        body: { prompt: "Check links.", [field]: true },
      });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`${field}`)]);
    }
    const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt: "Check links." } });
    await waitForJob(baseUrl, instance, body.id);
    const asked = { prompt: "Check links.", dryRun: true };
    const message = await callApi(baseUrl, instance, { path: `/job/${body.id}/message`, body: asked });
    expect([message.status, JSON.stringify(message.body)]).toEqual([400, expect.stringContaining("a job of its own")]);
  });

  it("fails as the job would", async () => {
    await using server = await startTestServer({ engine, files });
    const { baseUrl, instance } = server;
    const asked = { prompt: "Remove the page nowhere.", dryRun: true };
    const { body } = await callApi(baseUrl, instance, { path: "/job", body: asked });
    expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({
      status: "failed",
      error: { code: "impossible" },
      plan: null,
      prLink: null,
    });
  });
});
