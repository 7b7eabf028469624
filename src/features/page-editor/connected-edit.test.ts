import { expect, it } from "vitest";
import { browseAsOperator, connectInBrowser } from "#testing/browsing.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { createTestApp } from "#testing/test-app.ts";

it("proposes a change at the code host of a connected project, in the person's name", async () => {
  await using app = await createTestApp("sqlite");
  await using host = await startGithubServer({ "index.md": "# Welcome\n" });
  const operator = await browseAsOperator(app);
  await connectInBrowser(operator, { name: "Acme", url: host.url, kind: "github", token: HOST_TOKEN });
  const to = "/acme/pages/edit?path=index.md";
  const base = /name="base" value="([0-9a-f]{40})"/.exec((await operator.get(to)).text)?.[1] ?? "";
  const sent = await operator.post(to, { base, text: "# Hello\n", title: "Greet", description: "Shorter." });
  expect(sent).toMatchObject({ status: 303, location: "/acme/pages?proposed=1" });
  expect((await operator.get(sent.location!)).text).toContain(`<a href="${host.url}/pull/1">open pull request #1</a>`);

  const { embedded, repository, repoStore } = host.parts;
  const pullRequest = (await embedded.getPullRequest(repository, 1))!;
  expect(pullRequest).toMatchObject({ title: "Greet", state: "open", base: { branch: "main" } });
  expect(pullRequest.body).toMatch(/^Shorter\.\n\nProposed in Docent by .+\.$/);
  const [commit] = await repoStore.log(repository.projectId, { base, head: pullRequest.head.commit, limit: 2 });
  expect(commit).toMatchObject({ subject: "Greet", parents: [base] });

  // The page of a pull request on another host has no editor here.
  expect((await operator.get(`${to}&pull=1`)).status).toBe(404);
});
