import { describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

const files = {
  "docs.json": '{ "navigation": { "pages": ["index", "old"] } }',
  "index.md": "# Start\n\nHarbor Cloud. [Old](/old)\n",
  "old.md": "# Old\n\nHarbor Cloud.\n\nThis page has been here for years, and its text is long.\n",
};

describe.each(ENGINES)("chores on %s", (engine) => {
  it("run in a job as they are, and in its follow-ups, with one pull request", async () => {
    await using server = await startTestServer({ engine, files });
    const { baseUrl, instance } = server;
    const prompt = "The product has a new name: see the brand guide.";
    const chores = [{ replace_term: { from: "Harbor Cloud", to: "Harbor Platform" } }];
    const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt, chores } });
    const job = await waitForJob(baseUrl, instance, body.id);
    expect(job).toMatchObject({
      status: "completed",
      changed: true,
      title: "Replace “Harbor Cloud” with “Harbor Platform”",
      summary: expect.stringContaining("2 times in 2 files") as string,
      pullRequest: { number: 1 },
      usage: { inputTokens: 0 },
    });

    const message = `/job/${body.id}/message`;
    const move = [{ move_page: { page: "old", to: "archive/first" } }, { fix_links: {} }];
    await callApi(baseUrl, instance, { path: message, body: { chores: move } });
    expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({
      status: "completed",
      summary: expect.stringContaining("archive/first") as string,
      pullRequest: { number: 1 },
    });

    await callApi(baseUrl, instance, { path: message, body: { chores: [{ remove_page: { page: "nowhere" } }] } });
    expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({
      status: "completed",
      lastMessage: {
        error: { code: "impossible", message: expect.stringContaining("There is no page “nowhere”") as string },
      },
    });
  });
});
