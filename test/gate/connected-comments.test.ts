import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createConnectedProject } from "#test/support/connected-project.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { serveInstance } from "#test/support/server.ts";

const FILES = { "index.md": "# Start\n\nHarbor Cloud is here.\n" };
const ENVIRONMENT = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32", DOCENT_JOB_LEASE_MS: "1000" };

it("a comment at the host is handled and answered once, even if the server is killed during the answer", async () => {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startGithubServer(FILES));
  const { talk } = host.state;
  const { path: directory } = stack.use(await createTestDirectory());
  const connecting = { kind: "github" as const, directory, environment: ENVIRONMENT };
  const { data, project, caller, docent } = await createConnectedProject(host, connecting);
  expect(await docent("projects", "set", "acme", "mention", "acme-agent")).toMatchObject({
    settings: { mention: "acme-agent" },
  });
  const { secret } = await docent("projects", "webhook", "acme");
  const hint = async (baseUrl: string) => {
    const signature = `sha256=${createHmac("sha256", secret!).update("{}").digest("hex")}`;
    const headers = { "x-hub-signature-256": signature };
    return (await fetch(`${baseUrl}/git/${project["id"]}/webhook`, { method: "POST", headers, body: "{}" })).status;
  };

  const serving = ["serve", "--port", "0", "--json", "--data", data];
  const doomed = await startProcess("src/cli/main.ts", serving, ENVIRONMENT);
  const created = await callApi(doomed.started.baseUrl, caller, {
    path: "/job",
    body: { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' },
  });
  await waitForJob(doomed.started.baseUrl, caller, created.body.id);
  const jane = talk.person("jane", "write");
  talk.say(jane, 1, "@docent is not what it is called here");
  talk.say(jane, 1, 'Thanks!\n\n@acme-agent replace "is here" with "is great".');
  host.state.fault = async (request, answer) => {
    if (request.method !== "POST" || !request.url.endsWith("/comments")) return null;
    host.state.fault = () => null;
    await answer();
    await doomed.kill("SIGKILL");
    return "cut";
  };
  expect(await hint(doomed.started.baseUrl)).toBe(202);
  expect(await doomed.exited).toBe("SIGKILL");
  expect(talk.comments.filter(({ author }) => author === talk.self)).toHaveLength(1);

  const server = stack.use(await serveInstance({ data, environment: ENVIRONMENT }));
  for (let webhook = 0; webhook < 3; webhook++) expect(await hint(server.baseUrl)).toBe(202);
  const answers = () => talk.comments.filter(({ author }) => author === talk.self).map(({ body }) => body);
  const done = [expect.stringMatching(/Done in [0-9a-f]{12}\./)];
  await expect.poll(answers, { timeout: 60_000 }).toEqual(done);
  const job = await waitForJob(server.baseUrl, caller, created.body.id);
  expect(job).toMatchObject({ status: "completed", pullRequest: { number: 1, state: "open" } });
  const { embedded, repository, repoStore } = host.parts;
  const [pullRequest] = await embedded.listPullRequests(repository, { state: "all", limit: 10, before: null });
  const main = await repoStore.resolve(repository.projectId, "refs/heads/main");
  const range = { base: main, head: pullRequest!.head.commit, limit: 10 };
  const turns = (await repoStore.log(repository.projectId, range)).map(({ trailers }) => trailers["Docent-Turn"]);
  expect(turns).toEqual(["2", "1"]);
  const page = await repoStore.tree(repository.projectId, pullRequest!.head.commit);
  const index = page.find((file) => file.path === "index.md")!;
  expect((await repoStore.readBlob(repository.projectId, index.oid)).toString()).toContain("Harbor Platform is great.");
  expect(answers()).toEqual(done);
});
