import { sql } from "kysely";
import { expect, it } from "vitest";
import type { CodeHost } from "#hosts/code-host.ts";
import type { Database } from "#db/database.ts";
import type { JobId } from "#lib/ids.ts";
import { carryJob } from "#testing/carried-job.ts";
import type { TestApp } from "#testing/test-app.ts";
import { AppError } from "#lib/app-error.ts";
import type { TurnOutcome } from "#features/jobs/turn/finish-turn.ts";
import { releaseJob } from "#features/jobs/queue/queue.ts";

async function pullRequestEvents(app: TestApp, jobId: JobId): Promise<string[]> {
  const { json } = await app.call("GET", `/job/${jobId}/events?limit=500`);
  return json.events.map((event) => event.type).filter((type) => type.startsWith("pull_request."));
}

const subjects = async (app: TestApp, head: string) => {
  const base = await app.repoStore.resolve(app.project.id, "refs/heads/main");
  const tip = await app.repoStore.resolve(app.project.id, `refs/heads/${head}`);
  return (await app.repoStore.log(app.project.id, { base, head: tip!, limit: 20 })).map((commit) => commit.subject);
};

const messageOf = (outcome: TurnOutcome) => (outcome.ok ? null : outcome.error.message);

const filesOf = async (app: TestApp, number: number) => {
  const range = (await app.codeHost.pullRequestRange(app.repository, number))!;
  const changes = await app.repoStore.changes(app.project.id, range.base, range.head);
  return changes.map((change) => `${change.status} ${change.path}`).sort();
};

it("keeps the unpublished work of a first turn on the job's branch", async () => {
  await using run = await carryJob();
  const worked = await run.work({ "broken.md": "# Broken\n" });
  const kept = await run.keep(worked);
  expect(messageOf(kept)).toMatch(/kept on the branch docent\/turn-1-\w{8}\.$/);
  expect(await subjects(run.app, worked.turn.branch)).toEqual(["Do 1"]);
});

it("sends the webhook event of a new pull request with the job's title", async () => {
  await using run = await carryJob();
  const { app } = run;
  await app.call("POST", "/webhooks", { body: { url: "http://127.0.0.1:1/hook", events: ["pull_request.opened"] } });
  await run.carry({ "one.md": "# One\n" });
  const { job } = await app.database.kysely.selectFrom("webhook_event").select("job").executeTakeFirstOrThrow();
  expect(JSON.parse(job)).toMatchObject({ job: { status: "active", title: "Do 1", pullRequest: { number: 1 } } });
});

it("continues work that was kept after a merge when there is no other pull request yet", async () => {
  await using run = await carryJob();
  await run.carry({ "one.md": "# One\n" });
  await run.app.codeHost.mergePullRequest(run.app.repository, 1, { expectedHead: null });
  await run.say("Turn 2");
  const second = await run.work({ "broken.md": "# Broken\n" });
  await run.finish(second, await run.keep(second));
  await run.say("Turn 3");
  const third = await run.carry({ "three.md": "# Three\n" });
  expect(third.turn.branch).toBe(second.turn.branch);
  expect(await filesOf(run.app, 2)).toEqual(["added broken.md", "added three.md"]);
});

it("keeps the unpublished work of a follow-up on another branch and leaves the open pull request unchanged", async () => {
  await using run = await carryJob();
  const first = await run.carry({ "one.md": "# One\n" });
  const { branch } = first.turn;
  await run.say("Turn 2");
  const worked = await run.work({ "broken.md": "# Broken\n" });
  const kept = await run.keep(worked);
  const message = `A link is broken. The work is kept on the branch ${branch}-unpublished-2.`;
  expect(kept).toMatchObject({ ok: false, error: { message } });
  expect(await subjects(run.app, branch)).toEqual(["Do 1"]);
  expect(await subjects(run.app, `${branch}-unpublished-2`)).toEqual(["Do 2", "Do 1"]);
  expect(await run.keep(worked)).toEqual(kept); // a replay finds what it pushed
  await run.finish(worked, kept);

  await run.say("Turn 3");
  const third = await run.carry({ "three.md": "# Three\n" });
  expect(third.turn.branch).toBe(branch);
  expect(await filesOf(run.app, 1)).toEqual(["added one.md", "added three.md"]);
  const pullRequest = await run.app.codeHost.getPullRequest(run.app.repository, 1);
  expect(pullRequest!.body).toMatch(/Did 1\.[^]*Did 3\./);
  expect(pullRequest!.body).not.toContain("Did 2.");
});

it("never overwrites an existing branch that has the name for the kept work", async () => {
  await using run = await carryJob();
  const { branch } = (await run.carry({ "one.md": "# One\n" })).turn;
  const main = await run.app.repoStore.resolve(run.app.project.id, "refs/heads/main");
  const taken = `${branch}-unpublished-2`;
  await run.app.repoStore.updateRef(run.app.project.id, { ref: `refs/heads/${taken}`, to: main, expected: null });
  await run.say("Turn 2");
  const kept = await run.keep(await run.work({ "broken.md": "# Broken\n" }));
  expect(messageOf(kept)).toBe(`A link is broken. The work is kept on the branch ${taken}-2.`);
  expect(await run.app.repoStore.resolve(run.app.project.id, `refs/heads/${taken}`)).toBe(main);
});

it("keeps unpublished work outside the folder when someone's branch has the name of the folder", async () => {
  await using run = await carryJob();
  const worked = await run.work({ "broken.md": "# Broken\n" });
  const main = await run.app.repoStore.resolve(run.app.project.id, "refs/heads/main");
  await run.app.repoStore.updateRef(run.app.project.id, { ref: "refs/heads/docent", to: main, expected: null });
  const kept = await run.keep(worked);
  const branch = `${worked.turn.branch.replace("/", "-")}-unpublished-1-2`;
  expect(messageOf(kept)).toBe(`A link is broken. The work is kept on the branch ${branch}.`);
  expect(await subjects(run.app, branch)).toEqual(["Do 1"]);
  expect(await run.keep(worked)).toEqual(kept); // a replay finds what it pushed
});

it("records the opening of the pull request exactly once, even after a crash right after it was created", async () => {
  await using run = await carryJob();
  const dying: CodeHost = {
    ...run.app.codeHost,
    ensurePullRequest: async (...request) => {
      await run.app.codeHost.ensurePullRequest(...request);
      throw new Error("power cut");
    },
  };
  const doomed = await run.work({ "one.md": "# One\n" });
  await expect(run.publish(doomed, { codeHost: dying })).rejects.toThrow("power cut");
  await releaseJob(run.deps, doomed.claim, { delayMs: 0, undoAttempt: false });

  const replayed = await run.work({ "one.md": "# One\n" });
  const outcome = await run.publish(replayed);
  expect(await run.publish(replayed)).toEqual(outcome);
  await run.finish(replayed, outcome);
  expect(await pullRequestEvents(run.app, run.jobId)).toEqual(["pull_request.opened"]);
  await run.say("Turn 2");
  await run.carry({ "two.md": "# Two\n" });
  expect(await pullRequestEvents(run.app, run.jobId)).toEqual(["pull_request.opened", "pull_request.updated"]);
});

it("moves a follow-up to a new branch from the base when its pull request is merged during the turn", async () => {
  await using run = await carryJob();
  const first = await run.carry({ "one.md": "# One\n" });
  await run.say("Turn 2");
  const worked = await run.work({ "two.md": "# Two\n" });
  await run.app.codeHost.mergePullRequest(run.app.repository, 1, { expectedHead: null });
  await run.app.pushCommit("main", { "meanwhile.md": "# Meanwhile\n" });
  const outcome = await run.publish(worked);
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 2, state: "open" } });
  await run.finish(worked, outcome);
  expect(await filesOf(run.app, 2)).toEqual(["added two.md"]);
  const { branch } = await run.row();
  expect(branch).not.toBe(first.turn.branch);
  expect(await subjects(run.app, branch!)).toEqual(["Do 2"]);
  const pullRequest = await run.app.codeHost.getPullRequest(run.app.repository, 2);
  expect(pullRequest!.head.branch).toBe(branch);
  expect(pullRequest!.body).not.toContain("Did 1.");
  expect(await run.app.repoStore.resolve(run.app.project.id, `refs/heads/${first.turn.branch}`)).toBeNull();
});

it("moves a follow-up to one new branch when the merge comes right before the push, even with a replay", async () => {
  await using run = await carryJob();
  await run.carry({ "one.md": "# One\n" });
  await run.say("Turn 2");
  const merging: CodeHost = {
    ...run.app.codeHost,
    push: async (repository, push) => {
      await run.app.codeHost.mergePullRequest(repository, 1, { expectedHead: null });
      return run.app.codeHost.push(repository, push);
    },
    ensurePullRequest: () => Promise.reject(new Error("power cut")),
  };
  const doomed = await run.work({ "log.md": "# Log\n\nTwo.\n" });
  await expect(run.publish(doomed, { codeHost: merging })).rejects.toThrow("power cut");
  await releaseJob(run.deps, doomed.claim, { delayMs: 0, undoAttempt: false });
  const replayed = await run.work({ "log.md": "# Log\n\nTwo.\n" });
  const outcome = await run.publish(replayed);
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 2 } });
  expect(await filesOf(run.app, 2)).toEqual(["modified log.md"]);
  expect((await run.app.repoStore.branches(run.app.project.id)).map(({ name }) => name)).toHaveLength(2);
});

it("leaves out the old commits even when the host keeps the branch of a closed pull request", async () => {
  await using run = await carryJob();
  await run.carry({ "one.md": "# One\n" });
  await run.say("Turn 2");
  const worked = await run.work({ "two.md": "# Two\n" });
  await run.app.codeHost.closePullRequest(run.app.repository, 1);
  expect(await run.publish(worked)).toMatchObject({ ok: true, pullRequest: { number: 2 } });
  expect(await filesOf(run.app, 2)).toEqual(["added two.md"]);
});

it("names the conflict when a follow-up builds on changes that the base branch does not have", async () => {
  await using run = await carryJob();
  await run.carry({ "log.md": "# Log\n\nOne.\n" });
  await run.say("Turn 2");
  const worked = await run.work({ "log.md": "# Log\n\nOne.\n\nTwo.\n" });
  await run.app.codeHost.closePullRequest(run.app.repository, 1);
  const outcome = await run.publish(worked);
  expect(outcome).toMatchObject({ ok: false, error: { code: "branch_moved" } });
  expect(messageOf(outcome)).toMatch(/^main changed meanwhile, and both changed log\.md\. The work is kept on .*-2\.$/);
});

it("publishes nothing more when the merge included the follow-up", async () => {
  await using run = await carryJob();
  await run.carry({ "one.md": "# One\n" });
  await run.say("Turn 2");
  const merging: CodeHost = {
    ...run.app.codeHost,
    updatePullRequest: async (repository) => {
      await run.app.codeHost.mergePullRequest(repository, 1, { expectedHead: null });
      throw new Error("power cut");
    },
  };
  const doomed = await run.work({ "two.md": "# Two\n" });
  await expect(run.publish(doomed, { codeHost: merging })).rejects.toThrow("power cut");
  await releaseJob(run.deps, doomed.claim, { delayMs: 0, undoAttempt: false });
  const outcome = await run.publish(await run.work({ "two.md": "# Two\n" }));
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 1, state: "merged" } });
  expect((await run.app.repoStore.branches(run.app.project.id)).map(({ name }) => name)).toEqual(["main"]);
});

it("reads the steps of a job once per publication, without their messages", async () => {
  await using run = await carryJob();
  const worked = await run.work({ "one.md": "# One\n" });
  await sql`update job_step set messages = 'not to be parsed'`.execute(run.app.database.kysely);
  const read: string[] = [];
  const kysely = new Proxy(run.app.database.kysely, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== "selectFrom" || typeof value !== "function") return value;
      return (table: string) => {
        read.push(table);
        return (value as (table: string) => unknown).call(target, table);
      };
    },
  });
  const database: Database = { ...run.app.database, kysely };
  expect(await run.publish(worked, { database })).toMatchObject({ ok: true });
  expect(read.filter((table) => table === "job_step")).toHaveLength(1);
});

it("treats a code host's not_found as a fault of the host while the base branch exists", async () => {
  await using run = await carryJob();
  const worked = await run.work({ "one.md": "# One\n" });
  const ensurePullRequest = () => Promise.reject(new AppError("not_found", "There is no such repository."));
  const publishing = run.publish(worked, { codeHost: { ...run.app.codeHost, ensurePullRequest } });
  await expect(publishing).rejects.toMatchObject({ code: "not_found" });
});

it("records a new branch before it pushes to it, and pushes nothing that the base branch already has", async () => {
  await using run = await carryJob();
  const { codeHost } = run.app;
  const pushed: { branch: string; recorded: string | null }[] = [];
  const push: CodeHost["push"] = async (repository, options) => {
    pushed.push({ branch: options.branch, recorded: (await run.row()).branch });
    return codeHost.push(repository, options);
  };
  await run.carry({ "one.md": "# One\n" });
  await run.say("Turn 2");
  const second = await run.work({ "two.md": "# Two\n" });
  await codeHost.closePullRequest(run.app.repository, 1);
  const outcome = await run.publish(second, { codeHost: { ...codeHost, push } });
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 2 } });
  expect(pushed).toHaveLength(1);
  expect(pushed[0]!.recorded).toBe(pushed[0]!.branch);
  expect(pushed[0]!.branch).not.toBe(second.turn.branch);
  await run.finish(second, outcome);

  await run.say("Turn 3");
  const third = await run.work({ "three.md": "# Three\n" });
  await codeHost.closePullRequest(run.app.repository, 2);
  await run.app.pushCommit("main", { "three.md": "# Three\n" });
  expect(await run.publish(third, { codeHost: { ...codeHost, push } })).toMatchObject({ ok: true });
  expect(pushed).toHaveLength(1);
});
