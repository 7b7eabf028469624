import { describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { runDocent } from "#test/support/commands.ts";
import { startTestServer } from "#test/support/server.ts";

interface Trial {
  files: { path: string }[];
  diff: string;
}

const files = {
  "docs.json": '{ "navigation": { "pages": ["index", "old"] } }',
  "index.md": "# Start\n\nHarbor Cloud. [Old](/old)\n",
  "old.md": "# Old\n\nHarbor Cloud.\n\nThis page has been here for years, and its text is long.\n",
};

describe.each(ENGINES)("chores on %s", (engine) => {
  it("run in a job as given, and in its follow-ups, with one pull request", async () => {
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

    const environment = { DOCENT_SERVER: baseUrl, DOCENT_PROJECT: instance.project.id, DOCENT_API_KEY: instance.key };
    const keywords = ["set-front-matter", instance.project.id, "--page", "index", "--key", "keywords"];
    const told = await runDocent(["chore", ...keywords, "--value", "a", "--value", "b", "--job", body.id, "--json"], {
      environment,
    });
    expect(JSON.parse(told.stdout)).toMatchObject({ id: body.id, changed: true, pullRequest: { number: 1 } });

    await callApi(baseUrl, instance, { path: message, body: { chores: [{ remove_page: { page: "nowhere" } }] } });
    expect(await waitForJob(baseUrl, instance, body.id)).toMatchObject({
      status: "completed",
      lastMessage: {
        error: { code: "impossible", message: expect.stringContaining("There is no page “nowhere”") as string },
      },
    });
  });

  it("can be tried without a job, with files, changed lines, the patch and the findings of the checks", async () => {
    await using server = await startTestServer({ engine, files });
    const { baseUrl, instance } = server;
    const before = await instance.repoStore.branches(instance.project.id);
    const attempt = async (chores: object[], ref?: string) =>
      (await callApi(baseUrl, instance, { path: "/chores/try", body: { chores, ...(ref && { ref }) } }))
        .body as unknown as Trial;
    const chores = [
      { replace_term: { from: "Harbor Cloud", to: "Harbor Platform" } },
      { move_page: { page: "old", to: "archive/first" } },
    ];
    const tried = await attempt(chores);
    expect(tried).toMatchObject({
      ok: true,
      chores: [
        { chore: "replace_term", ok: true, summary: expect.stringContaining("2 times in 2 files") as string },
        {},
      ],
      diffLeftOut: 0,
      findings: { errors: [] },
    });
    expect(tried.files.find(({ path }) => path === "index.md")).toMatchObject({
      status: "modified",
      places: [{ line: 3, before: "Harbor Cloud. [Old](/old)", after: "Harbor Platform. [Old](/archive/first)" }],
    });
    expect(tried.diff).toContain("+Harbor Platform. [Old](/archive/first)");

    const refused = await attempt([...chores, { remove_page: { page: "nowhere" } }]);
    expect(refused).toMatchObject({
      ok: false,
      files: [],
      diff: "",
      chores: [{ ok: true }, { ok: true }, { ok: false }],
    });
    expect(await attempt([{ audit: {} }])).toMatchObject({ ok: true, files: [] });
    expect(await attempt(chores, "nowhere")).toMatchObject({ code: "invalid", details: [{ path: "ref" }] });
    expect(await instance.repoStore.branches(instance.project.id)).toEqual(before);
  });
});
