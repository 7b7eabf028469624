import { describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

const files = {
  "docs.json": JSON.stringify({
    navigation: { pages: ["introduction", "install", "gone"] },
    redirects: [{ source: "/setup", destination: "/install" }],
  }),
  "introduction.md": "---\ntitle: Introduction\n---\n\nHarbor runs your ships. See [Install](/setup).\n",
  "install.md": "---\ntitle: Install\n---\n\nRun the installer, then read the [introduction](/introduction).\n",
};

interface Refused {
  id: string;
  error: { message: string; suggestions: { chore: object; title: string; files: number; places: number }[] };
}

describe.each(ENGINES)("an instruction that the rules do not understand, on %s", (engine) => {
  it("gets the chores that would change something, the nearest first", async () => {
    await using server = await startTestServer({ engine, files });
    const { baseUrl, instance } = server;
    const refused = async (prompt: string) => {
      const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
      const { id, error } = (await waitForJob(baseUrl, instance, body.id)) as unknown as Refused;
      expect(error.message).toContain("This job has no language model");
      expect(error.message).toContain("/reference/jobs/models says how to set one up");
      return { id, suggestions: error.suggestions };
    };
    const offered = async (prompt: string) =>
      (await refused(prompt)).suggestions.map(({ title, files: count }) => `${title}: ${count}`);

    expect(await offered("Write a better introduction, please.")).toEqual([
      "Add missing descriptions in introduction.md: 1",
      "Add missing descriptions: 2",
      "Fix broken links in introduction.md: 1",
    ]);
    expect(await offered("Update the docs for the new release")).toEqual([
      "Fix broken links: 1",
      "Add missing descriptions: 2",
      "Repair the navigation: 1",
    ]);
    expect((await offered("rename the page install to getting started"))[0]).toBe(
      'Rename the page "install.md" to "Getting started": 2',
    );
    expect((await offered('Fix broken links and replace "ships" by: boats')).slice(0, 1)).toEqual([
      "Fix broken links: 1",
    ]);
    const { id, suggestions } = await refused("Fix teh menu adn brokn lnks");
    expect(suggestions.map(({ title }) => title)).toEqual([
      "Fix broken links",
      "Repair the navigation",
      "Add missing descriptions",
    ]);
    expect(suggestions[0]).toEqual({ chore: { fix_links: {} }, title: "Fix broken links", files: 1, places: 1 });
    const chores = [suggestions[0]!.chore];
    await callApi(baseUrl, instance, { path: `/job/${id}/message`, body: { chores } });
    expect(await waitForJob(baseUrl, instance, id)).toMatchObject({ status: "completed", changed: true, error: null });
  });
});
