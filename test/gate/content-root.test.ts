import { expect, it } from "vitest";
import { saveSettings } from "#features/projects/projects.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

// A program with its documentation in a folder that no configuration names.
const FILES = {
  "README.md": "# Harbor Cloud\n\nThe source. See [the guide](/guide).\n",
  "src/notes.json": '{ "name": "Harbor Cloud" }\n',
  "handbook/index.md": "# Start\n\nHarbor Cloud. Read [the guide](/guide#setup).\n",
  "handbook/guide.md": "# Guide\n\n## Setup\n\nBack to [the start](/).\n",
};

it("works only in the folder that the project's settings name", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: FILES });
  const { instance, baseUrl } = server;
  await saveSettings(instance, instance.project, { contentRoot: "/handbook/" });
  const filesAfter = async (prompt: string) => {
    const { body: created } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
    const job = await waitForJob(baseUrl, instance, created.id);
    expect(job).toMatchObject({ status: "completed" });
    const row = await instance.database.kysely
      .selectFrom("pull_request")
      .select("head")
      .orderBy("number", "desc")
      .executeTakeFirstOrThrow();
    const head = await instance.repoStore.resolve(instance.project.id, `refs/heads/${row.head}`);
    const changed: Record<string, string> = {};
    for (const { path, oid } of await instance.repoStore.tree(instance.project.id, head!)) {
      const text = (await instance.repoStore.readBlob(instance.project.id, oid)).toString();
      if (text !== (FILES as Record<string, string>)[path]) changed[path] = text;
    }
    return changed;
  };

  // "/guide" is a page only below the folder: elsewhere the gate would find the moved page's links broken.
  expect(await filesAfter("Move the page guide to start/guide")).toEqual({
    "handbook/index.md": "# Start\n\nHarbor Cloud. Read [the guide](/start/guide#setup).\n",
    "handbook/start/guide.md": FILES["handbook/guide.md"],
  });
  expect(await filesAfter('Replace "Harbor Cloud" with "Harbor" everywhere')).toEqual({
    "handbook/index.md": "# Start\n\nHarbor. Read [the guide](/guide#setup).\n",
  });
  expect(await filesAfter('Add a page titled "News" with the text: "Go [back](/guide)."')).toEqual({
    "handbook/news.md": "# News\n\nGo [back](/guide).\n",
  });
});
