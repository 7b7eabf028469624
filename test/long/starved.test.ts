import { describe, expect, it } from "vitest";
import { git } from "#testing/repositories.ts";
import { callApi, createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { createStarvation } from "#test/support/starvation.ts";

/** What the machine has left for the server, and how much work there is: `STARVED_PERCENT=5 STARVED_PAGES=1500` for all of it. */
const PERCENT = Number(process.env["STARVED_PERCENT"] ?? 10);
const PAGES = Number(process.env["STARVED_PAGES"] ?? 300);
/** Only ends a test that would wait for ever: 1,500 pages at 5 % of a core took sixteen minutes, 300 at 10 % took two. */
const PATIENCE_MS = 3 * 3_600_000;

const canStarve = await (async () => {
  await using group = await createStarvation(PERCENT);
  return group !== null;
})();

const pageOf = (page: number) =>
  [
    "---",
    `title: Berth ${page}`,
    "---",
    "",
    `Harbor Cloud keeps ships at berth ${page}. [The next one](/berths/berth-${(page + 1) % PAGES}).`,
    "",
    "## Moor",
    "",
    "```bash",
    `harbor moor --berth ${page}`,
    "```",
    "",
    "<Note>Harbor Cloud asks before it lets go.</Note>",
    "",
  ].join("\n");

const FILES = {
  "docs.json": JSON.stringify({ name: "Harbor" }),
  "index.md": "# Start\n",
  ...Object.fromEntries(Array.from({ length: PAGES }, (_, page) => [`berths/berth-${page}.mdx`, pageOf(page)])),
};

describe.runIf(canStarve)(`a server that gets ${PERCENT} % of one core`, () => {
  it(
    `serves ${PAGES} pages, indexes them, and lets a job that edits all of them come to its end`,
    async () => {
      await using instance = await createTestInstance("sqlite", FILES, { DOCENT_JOB_LEASE_MS: "60000" });
      const args = ["serve", "--port", "0", "--json", "--data", instance.data];
      await using group = await createStarvation(PERCENT);
      const server = await startProcess("src/cli/main.ts", args, instance.environment);
      await using _ = { [Symbol.asyncDispose]: () => server.kill("SIGKILL") };
      group!.take(server.child.pid!);
      const startedAt = performance.now();
      const say = (what: string) => process.stderr.write(`${what} after ${Math.round((performance.now() - startedAt) / 1_000)} s\n`); // oxfmt-ignore
      const { baseUrl, port } = server.started;
      using site = createSiteClient({ instance, port });
      const html = { headers: { accept: "text/html" } };
      const until = async (what: string, isThere: () => Promise<boolean>) => {
        await expect.poll(() => isThere().catch(() => false), { timeout: PATIENCE_MS, interval: 2_000 }).toBe(true);
        say(what);
      };

      await until("a page was served", async () => (await site.send("/berths/berth-7", html)).status === 200);
      const isReady = async () => (await fetch(`${baseUrl}/ready`)).status === 200;
      await until("the server was ready", isReady);
      const notReady: string[] = [];
      const body = { prompt: 'Replace "Harbor Cloud" with "Harbor Platform" everywhere.' };
      const { id } = (await callApi(baseUrl, instance, { path: "/job", body })).body;
      await until("the job was done", async () => {
        const ready = await fetch(`${baseUrl}/ready`);
        if (ready.status !== 200) notReady.push(`${new Date().toISOString()} ${await ready.text()}`);
        return (await callApi(baseUrl, instance, { path: `/job/${id}` })).body.status !== "active";
      });
      const job = (await callApi(baseUrl, instance, { path: `/job/${id}` })).body;
      expect([job.status, job.lastMessage.error]).toEqual(["completed", null]);
      expect(notReady).toEqual([]);
      const repository = instance.repoStore.directory(instance.project.id);
      const branch = (await git(repository, "branch", "--list", "docent/*", "--format=%(refname:short)")).trim();
      const changed = await git(repository, "diff", "--name-only", "main", branch);
      expect(changed.trim().split("\n")).toHaveLength(PAGES);
      await until("the index was complete", async () => {
        const answer = JSON.parse((await site.send("/_docent/search?q=berth")).text) as { indexing?: boolean };
        return answer.indexing === false;
      });
      // What was served once is there at once, and nothing was begun again.
      expect((await site.send("/berths/berth-7", html)).status).toBe(200);
      expect(server.log()).not.toMatch(/did not answer itself|render process|SIGKILL/);
    },
    PATIENCE_MS,
  );
});
