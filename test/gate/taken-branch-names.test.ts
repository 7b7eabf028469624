import { expect, it } from "vitest";
import type { CodeHost } from "#hosts/code-host.ts";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

const FILES = { "index.md": "# Start\n\nHarbor Cloud.\n" };
const REPLACE = 'Replace "Harbor Cloud" with "Harbor Platform".';

// To git a branch `docent` and a branch `docent/fix` are a file and a folder of one name: only one of them can be there.

it("a branch with the name of the agent's folder costs no job its work", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: FILES });
  const { project, key, repoStore } = server.instance;
  await using outside = await createTestDirectory();
  const remote = `${server.baseUrl.replace("//", `//docent:${key}@`)}/git/${project.slug}.git`;
  await git(outside.path, "clone", "-q", remote, "work");
  await git(`${outside.path}/work`, "push", "-q", "origin", "HEAD:refs/heads/docent");
  const { body } = await callApi(server.baseUrl, server.instance, { path: "/job", body: { prompt: REPLACE } });
  const job = await waitForJob(server.baseUrl, server.instance, body.id);
  expect([job.status, job.error]).toEqual(["completed", null]);
  expect(job.prLink).not.toBeNull();
  const branches = await repoStore.branches(project.id);
  expect(branches.map(({ name }) => name)).toEqual([
    "docent",
    expect.stringMatching(/^docent-replace-harbor-cloud-\S+-\w{8}$/) as string,
    "main",
  ]);
});

it.each([
  ["above", () => "docent", /^docent-replace-\S+-\w{8}-2$|^docent-replace-\S+-\w{8}$/],
  ["below", (branch: string) => `${branch}/of-somebody`, /^docent\/replace-\S+-\w{8}-2$/],
] as const)("a branch that comes %s the job's own while the agent works costs it no work", async (_, comes, goesTo) => {
  let isFirst = true;
  const wrapCodeHost = (host: CodeHost): CodeHost => ({
    ...host,
    async push(repository, options) {
      if (isFirst) {
        isFirst = false;
        const main = await host.fetchBranch(repository, "main");
        await host.push(repository, { branch: comes(options.branch), commit: main!, expected: null });
      }
      return host.push(repository, options);
    },
  });
  await using server = await startTestServer({ engine: "sqlite", files: FILES, server: { wrapCodeHost } });
  const { body } = await callApi(server.baseUrl, server.instance, { path: "/job", body: { prompt: REPLACE } });
  const job = await waitForJob(server.baseUrl, server.instance, body.id);
  expect([job.status, job.error]).toEqual(["completed", null]);
  const branches = await server.instance.repoStore.branches(server.instance.project.id);
  expect(branches.filter(({ name }) => goesTo.test(name))).toHaveLength(1);
  const events = await callApi(server.baseUrl, server.instance, { path: `/job/${body.id}/events` });
  expect(JSON.stringify(events.body)).toContain("Another branch is in the way of");
});
