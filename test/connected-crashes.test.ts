import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RemoteKind } from "#code-hosts/code-host.ts";
import { startForgejoServer, startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { type Fault, HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { runDocent } from "./support/commands.ts";
import type { CrashPoint } from "./support/crashing-server.ts";
import { type Caller, callApi, waitForJob } from "./support/instance.ts";
import { startProcess } from "./support/processes.ts";
import { createRandom } from "./support/random.ts";

const FILES = {
  "index.md": "# Start\n\nHarbor Cloud is here.\n",
  "guide.md": "# Guide\n\nUse Harbor Cloud.\n",
  "theirs.md": "# Theirs\n",
};
/** After each of them nothing of it is on record here. */
const POINTS: readonly CrashPoint[] = LONG_TESTS ? ["committed", "pushed", "pull-request"] : ["pushed", "pull-request"];
const SERVER = "test/support/crashing-server.ts";
const ENVIRONMENT = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32", DOCENT_JOB_LEASE_MS: "1000" };
// A short run has so few requests that of one in twenty none may be hit.
const FAILING = LONG_TESTS ? 0.05 : 0.2;

const HOSTS: Record<RemoteKind, (files: Record<string, string>) => Promise<HostServer>> = {
  github: startGithubServer,
  gitlab: startGitlabServer,
  gitea: startGiteaServer,
  forgejo: startForgejoServer,
};
const TRIED = LONG_TESTS
  ? (["github", "gitlab", "gitea", "forgejo"] as const).flatMap((kind) =>
      [1, 2, 3, 4, 5].map((seed) => ({ kind, seed })),
    )
  : [{ kind: "github" as const, seed: 1 }];

describe.each(TRIED)("a server killed while it publishes to a $kind that fails now and then (seed $seed)", (tried) => {
  it("leaves one pull request for each job, with every message handled and every commit of people in it", async () => {
    await using stack = new AsyncDisposableStack();
    const host = stack.use(await HOSTS[tried.kind](FILES));
    const { path: directory } = stack.use(await createTestDirectory());
    const { data, caller } = await connect(host, { kind: tried.kind, directory });
    host.state.fault = failingNowAndThen(tried.seed);
    const { repoStore, repository, embedded } = host.parts;
    const tipOf = (branch: string) => repoStore.resolve(repository.projectId, `refs/heads/${branch}`);

    for (const point of POINTS) {
      const doomed = await startProcess(SERVER, [point, data], ENVIRONMENT);
      const created = await callApi(doomed.started.baseUrl, caller, {
        path: "/job",
        body: { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' },
      });
      expect([point, created.status, await doomed.exited]).toEqual([point, 201, "SIGKILL"]);

      const isPushed = (branch: string) => branch.startsWith("docent/") && branch.endsWith(created.body.id.slice(-8));
      const branches = (await repoStore.branches(repository.projectId)).map(({ name }) => name);
      const branch = branches.find(isPushed) ?? "main";
      expect(branch === "main").toBe(point === "committed");
      const theirs = await pushAsPerson(host, { branch, work: path.join(directory, point), text: point });

      const server = await startProcess(SERVER, ["never", data], ENVIRONMENT);
      stack.defer(() => server.kill("SIGTERM"));
      const { baseUrl } = server.started;
      const followUp = { prompt: 'Add a page titled "Notes" with the text "Read me."' };
      const said = await callApi(baseUrl, caller, { path: `/job/${created.body.id}/message`, body: followUp });
      expect(said.status).toBeLessThan(300);
      const job = await waitForJob(baseUrl, caller, created.body.id);
      expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { state: "open" } });

      const all = await embedded.listPullRequests(repository, { state: "all", limit: 100, before: null });
      const own = all.filter(({ head }) => head.branch.endsWith(created.body.id.slice(-8)));
      expect(own.map(({ number, state }) => ({ number, state }))).toEqual([
        { number: job.pullRequest!.number, state: "open" },
      ]);
      expect(await repoStore.contained(repository.projectId, (await tipOf(branch))!, [theirs])).toEqual(
        new Set([theirs]),
      );
      const head = (await tipOf(own[0]!.head.branch))!;
      const base = (await tipOf("main"))!;
      const commits = await repoStore.log(repository.projectId, { base, head, limit: 20 });
      const turns = commits.map((commit) => commit.trailers["Docent-Turn"]).filter((turn) => turn !== undefined);
      expect(turns).toEqual(["2", "1"]);
      const mergeBase = (await repoStore.mergeBase(repository.projectId, base, head))!;
      const changes = await repoStore.changes(repository.projectId, mergeBase, head);
      expect(changes.map((change) => `${change.status} ${change.path}`)).toEqual(
        expect.arrayContaining(["added notes.md", "modified guide.md", "modified index.md"]),
      );
      await server.kill("SIGTERM");
    }
    expect(await embedded.listPullRequests(repository, { state: "all", limit: 100, before: null })).toHaveLength(
      POINTS.length,
    );
  });
});

/** Requests of the REST interface that get a 502, or no answer: before it was carried out, or after. */
function failingNowAndThen(seed: number): Fault {
  const random = createRandom(seed);
  return async (request, answer) => {
    if (!new URL(request.url).pathname.startsWith("/api/") || random() >= FAILING) return null;
    if (random() < 0.5) await answer();
    return random() < 0.5 ? "cut" : new Response("Bad gateway", { status: 502 });
  };
}

/** A data directory with one project, whose repository stays on a host. */
async function connect(
  host: HostServer,
  { kind, directory }: { kind: RemoteKind; directory: string },
): Promise<{ data: string; caller: Caller }> {
  const data = path.join(directory, "data");
  const tokenFile = path.join(directory, "token");
  await writeFile(tokenFile, HOST_TOKEN);
  const docent = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runDocent([...args, "--data", data, "--json"], ENVIRONMENT);
    expect([exitCode, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout) as { id: string; key: string };
  };
  const where = ["--repo", host.url, "--token-file", tokenFile, "--host", kind];
  const { id } = await docent("projects", "create", "Acme", ...where);
  const { key } = await docent("keys", "create", "acme");
  return { data, caller: { project: { id }, key } };
}

async function pushAsPerson(
  host: HostServer,
  { branch, work, text }: { branch: string; work: string; text: string },
): Promise<string> {
  const address = host.url.replace("://", `://ada:${HOST_TOKEN}@`);
  await git(path.dirname(work), "clone", "--quiet", "--branch", branch, `${address}.git`, work);
  await commitFiles(work, { "theirs.md": `# Theirs\n\n${text}\n` }, "Theirs");
  await git(work, "push", "--quiet", "origin", branch);
  return (await git(work, "rev-parse", "HEAD")).trim();
}
