import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Fault, HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import type { CrashPoint } from "#test/support/crashing-server.ts";
import { createConnectedProject } from "#test/support/connected-project.ts";
import { HOST_SHAPES } from "#test/support/host-shapes.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { createRandom } from "#test/support/random.ts";

const FILES = {
  "index.md": "# Start\n\nHarbor Cloud is here.\n",
  "guide.md": "# Guide\n\nUse Harbor Cloud.\n",
  "theirs.md": "# Theirs\n",
};
/** Before each of them nothing of its work is on record here, but after the last. */
const POINTS: readonly CrashPoint[] = ["committed", "pushed", "pull-request", "recorded"];
const SERVER = "test/support/crashing-server.ts";
const ENVIRONMENT = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32", DOCENT_JOB_LEASE_MS: "1000" };
const FAILING = 0.05;
const TRIED = [1, 2, 3].flatMap((seed) => HOST_SHAPES.map((shape) => ({ ...shape, seed })));

describe.each(TRIED)("a server killed while it publishes to a $kind that fails now and then (seed $seed)", (tried) => {
  it.each(POINTS)(
    "at the point %s leaves one pull request, every message handled, all of people's commits",
    async (point) => {
      await using stack = new AsyncDisposableStack();
      const host = stack.use(await tried.start(FILES));
      const { path: directory } = stack.use(await createTestDirectory());
      const { data, caller } = await createConnectedProject(host, {
        kind: tried.kind,
        directory,
        environment: ENVIRONMENT,
      });
      host.state.fault = failingNowAndThen(tried.seed);
      const { repoStore, repository, embedded } = host.parts;
      const { projectId } = repository;
      const tipOf = (branch: string) => repoStore.resolve(projectId, `refs/heads/${branch}`);
      const start = async (at: CrashPoint | "never") => {
        const server = await startProcess(SERVER, [at, data], ENVIRONMENT);
        stack.defer(() => server.kill("SIGKILL"));
        return {
          ...server,
          call: (call: Parameters<typeof callApi>[2]) => callApi(server.started.baseUrl, caller, call),
        };
      };
      const doomed = await start(point);
      const created = await doomed.call({
        path: "/job",
        body: { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' },
      });
      expect([created.status, await doomed.exited]).toEqual([201, "SIGKILL"]);
      const { id } = created.body;

      const isPushed = (branch: string) => branch.startsWith("docent/") && branch.endsWith(id.slice(-8));
      const branches = (await repoStore.branches(projectId)).map(({ name }) => name);
      const branch = branches.find(isPushed) ?? "main";
      expect(branch === "main").toBe(point === "committed");
      const theirs = [await pushAsPerson(host, { branch, work: path.join(directory, "first") })];

      // The follow-up is worked on when the server is killed once more.
      const followUp = {
        path: `/job/${id}/message`,
        body: { prompt: 'Add a page titled "Notes" with the text "Read me."' },
      };
      const between = await start("never");
      await waitForJob(between.started.baseUrl, caller, id);
      await between.kill("SIGTERM");
      const doomedAgain = await start(point);
      const said = (await doomedAgain.call(followUp)).status;
      expect([said < 300, await doomedAgain.exited]).toEqual([true, "SIGKILL"]);
      theirs.push(await pushAsPerson(host, { branch, work: path.join(directory, "second") }));
      const server = await start("never");
      const job = await waitForJob(server.started.baseUrl, caller, id);
      expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { state: "open" } });

      const all = await embedded.listPullRequests(repository, { state: "all", limit: 100, before: null });
      expect(all.map(({ number, state }) => ({ number, state }))).toEqual([
        { number: job.pullRequest!.number, state: "open" },
      ]);
      expect(await repoStore.contained(projectId, (await tipOf(branch))!, theirs)).toEqual(new Set(theirs));
      const head = (await tipOf(all[0]!.head.branch))!;
      const base = (await tipOf("main"))!;
      const commits = await repoStore.log(projectId, { base, head, limit: 20 });
      const turns = commits.map((commit) => commit.trailers["Docent-Turn"]).filter((turn) => turn !== undefined);
      expect(turns).toEqual(["2", "1"]);
      const mergeBase = (await repoStore.mergeBase(projectId, base, head))!;
      const changes = await repoStore.changes(projectId, mergeBase, head);
      expect(changes.map((change) => `${change.status} ${change.path}`)).toEqual(
        expect.arrayContaining(["added notes.md", "modified guide.md", "modified index.md"]),
      );
      await server.kill("SIGTERM");
    },
    300_000,
  );
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

async function pushAsPerson(host: HostServer, { branch, work }: { branch: string; work: string }): Promise<string> {
  const address = host.url.replace("://", `://ada:${HOST_TOKEN}@`);
  await git(path.dirname(work), "clone", "--quiet", "--branch", branch, `${address}.git`, work);
  await commitFiles(work, { "theirs.md": `# Theirs\n\n${work}\n` }, "Theirs");
  await git(work, "push", "--quiet", "origin", branch);
  return (await git(work, "rev-parse", "HEAD")).trim();
}
