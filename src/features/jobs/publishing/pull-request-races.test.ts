import { expect, it } from "vitest";
import type { CodeHost } from "#hosts/code-host.ts";
import { carryJob } from "#testing/carried-job.ts";
import { jobError } from "#features/jobs/job.ts";
import { releaseJob } from "#features/jobs/queue/queue.ts";

type Run = Awaited<ReturnType<typeof carryJob>>;

const pullRequests = async ({ app }: Run) =>
  (await app.codeHost.listPullRequests(app.repository, { state: "all", limit: 9, before: null }))
    .map(({ number, state }) => `${number} ${state}`)
    .toReversed();

const filesOf = async ({ app }: Run, number: number) => {
  const range = (await app.codeHost.pullRequestRange(app.repository, number))!;
  const changes = await app.repoStore.changes(app.project.id, range.base, range.head);
  return changes.map((change) => `${change.status} ${change.path}`).sort();
};

/** Merges like a host that does not delete the branch. */
async function mergeAndKeep({ app }: Run, number: number) {
  const { head } = (await app.codeHost.getPullRequest(app.repository, number))!;
  const merged = await app.codeHost.mergePullRequest(app.repository, number, { expectedHead: null });
  if (!merged.ok) throw new Error(merged.detail);
  const ref = `refs/heads/${head.branch}`;
  await app.repoStore.updateRef(app.project.id, { ref, to: head.commit, expected: null });
}

/** A host on which `happen` runs once, right before the first of these calls. */
function interrupted(host: CodeHost, at: readonly (keyof CodeHost)[], happen: () => Promise<unknown>): CodeHost {
  let isOver = false;
  return new Proxy(host, {
    get(target, name: keyof CodeHost) {
      const method: unknown = target[name];
      if (!at.includes(name) || typeof method !== "function") return method;
      return async (...call: unknown[]) => {
        if (!isOver) {
          isOver = true;
          await happen();
        }
        return (method as (...call: unknown[]) => unknown).apply(target, call);
      };
    },
  });
}

const DESCRIBING = ["ensurePullRequest", "updatePullRequest"] as const;

/** A job with a pull request, whose second turn is ready to publish. */
async function followUp(run: Run) {
  await run.carry({ "one.md": "# One\n" });
  await run.say("Turn 2");
  return run.work({ "two.md": "# Two\n" });
}

it("opens a pull request with the follow-up alone when a merge right before its push keeps the branch", async () => {
  await using run = await carryJob();
  const worked = await followUp(run);
  const codeHost = interrupted(run.app.codeHost, ["push"], () => mergeAndKeep(run, 1));
  const outcome = await run.publish(worked, { codeHost });
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 2, state: "open" } });
  await run.finish(worked, outcome);
  expect(await pullRequests(run)).toEqual(["1 merged", "2 open"]);
  expect(await filesOf(run, 2)).toEqual(["added two.md"]);
  // The next turn adds a commit to the new pull request.
  await run.say("Turn 3");
  await run.carry({ "three.md": "# Three\n" });
  expect(await filesOf(run, 2)).toEqual(["added three.md", "added two.md"]);
});

it("opens a pull request with the follow-up alone when the first is closed right before its push", async () => {
  await using run = await carryJob();
  const worked = await followUp(run);
  const close = () => run.app.codeHost.closePullRequest(run.app.repository, 1);
  const outcome = await run.publish(worked, { codeHost: interrupted(run.app.codeHost, ["push"], close) });
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 2 } });
  expect(await pullRequests(run)).toEqual(["1 closed", "2 open"]);
  expect(await filesOf(run, 2)).toEqual(["added two.md"]);
});

it("opens no pull request when a merge right after the push keeps the branch and includes the follow-up", async () => {
  await using run = await carryJob();
  const worked = await followUp(run);
  const codeHost = interrupted(run.app.codeHost, DESCRIBING, () => mergeAndKeep(run, 1));
  const outcome = await run.publish(worked, { codeHost });
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 1, state: "merged" } });
  expect(await pullRequests(run)).toEqual(["1 merged"]);
});

it("opens no pull request when the merged pages have been changed again since", async () => {
  await using run = await carryJob();
  const worked = await followUp(run);
  const codeHost = interrupted(run.app.codeHost, DESCRIBING, async () => {
    await mergeAndKeep(run, 1);
    await run.app.pushCommit("main", { "two.md": "# Second\n" });
  });
  expect(await run.publish(worked, { codeHost })).toMatchObject({ ok: true, pullRequest: { state: "merged" } });
  expect(await pullRequests(run)).toEqual(["1 merged"]);
});

it("opens no second pull request when the first is merged before its description is complete", async () => {
  await using run = await carryJob();
  const worked = await run.work({ "one.md": "# One\n" });
  const codeHost: CodeHost = {
    ...run.app.codeHost,
    ensurePullRequest: async (...request) => {
      const ensured = await run.app.codeHost.ensurePullRequest(...request);
      if ("pullRequest" in ensured && ensured.outcome === "created") await mergeAndKeep(run, 1);
      return ensured;
    },
  };
  expect(await run.publish(worked, { codeHost })).toMatchObject({
    ok: true,
    pullRequest: { number: 1, state: "merged" },
  });
  expect(await pullRequests(run)).toEqual(["1 merged"]);
});

/** Runs a first turn whose worker dies after it opened the pull request and before it recorded it. */
async function diesAfterOpening(run: Run) {
  const worked = await run.work({ "one.md": "# One\n" });
  const codeHost: CodeHost = {
    ...run.app.codeHost,
    ensurePullRequest: async (...request) => {
      await run.app.codeHost.ensurePullRequest(...request);
      throw new Error("power cut");
    },
  };
  await expect(run.publish(worked, { codeHost })).rejects.toThrow("power cut");
  await releaseJob(run.deps, worked.claim, { delayMs: 0, undoAttempt: false });
}

it("finds the pull request that a dead worker opened, even when it has been merged", async () => {
  await using run = await carryJob();
  await diesAfterOpening(run);
  await run.app.codeHost.mergePullRequest(run.app.repository, 1, { expectedHead: null });
  const outcome = await run.publish(await run.work({ "one.md": "# One\n" }));
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 1, state: "merged" } });
  expect(await pullRequests(run)).toEqual(["1 merged"]);
});

it("does not reopen a pull request that a person closed", async () => {
  await using run = await carryJob();
  await diesAfterOpening(run);
  await run.app.codeHost.closePullRequest(run.app.repository, 1);
  const outcome = await run.publish(await run.work({ "one.md": "# One\n" }));
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 1, state: "closed" } });
  expect(await pullRequests(run)).toEqual(["1 closed"]);
});

it("uses up its attempts when the code host fails after each push", async () => {
  await using run = await carryJob();
  const failing: CodeHost = { ...run.app.codeHost, ensurePullRequest: () => Promise.reject(new Error("no")) };
  const attempts: number[] = [];
  for (let attempt = 1; attempt <= 4; attempt++) {
    const worked = await run.work({ "one.md": "# One\n" });
    attempts.push(worked.claim.attempt);
    await expect(run.publish(worked, { codeHost: failing })).rejects.toThrow("no");
    await releaseJob(run.deps, worked.claim, { delayMs: 0, undoAttempt: false });
  }
  expect(attempts).toEqual([1, 1, 2, 3]); // the push was progress, once
  const { json } = await run.app.call("GET", `/job/${run.jobId}/events?limit=500`);
  expect(json.events.filter(({ type }) => type === "commit.pushed")).toHaveLength(1);
});

it("fails immediately when the base branch no longer exists, and keeps the work", async () => {
  await using run = await carryJob();
  const { app } = run;
  const worked = await run.work({ "one.md": "# One\n" });
  const ref = "refs/heads/main";
  await app.repoStore.updateRef(app.project.id, { ref, to: null, expected: worked.turn.baseCommit });
  expect(await run.publish(worked)).toMatchObject({
    ok: false,
    error: {
      code: "ref_not_found",
      message: `The repository has no branch "main" any more. The work is kept on the branch ${worked.turn.branch}.`,
    },
  });
});

it("keeps the link to the job's pull request when the base branch already has the follow-up's changes", async () => {
  await using run = await carryJob();
  const { app } = run;
  await run.carry({ "one.md": "# One\n" });
  await app.codeHost.mergePullRequest(app.repository, 1, { expectedHead: null });
  // A failed turn's work is on a separate branch, which someone deletes while the next turn continues it.
  await run.say("Turn 2");
  const second = await run.work({ "two.md": "# Two\n" });
  await run.finish(second, await run.keep(second));
  await run.say("Turn 3");
  const third = await run.work({ "three.md": "# Three\n" });
  const ref = `refs/heads/${third.turn.branch}`;
  await app.repoStore.updateRef(app.project.id, { ref, to: null, expected: third.turn.baseCommit });
  await app.pushCommit("main", { "three.md": "# Three\n" });
  const outcome = await run.publish(third);
  expect(outcome).toMatchObject({ ok: true, pullRequest: { number: 1 } });
});

it("starts a follow-up from the base branch when an unrecorded pull request was merged", async () => {
  await using run = await carryJob();
  const { app } = run;
  await diesAfterOpening(run);
  const first = await run.work({ "one.md": "# One\n" });
  await run.finish(first, { ok: false, error: jobError("internal", "It was given up."), handledSeq: 1 });
  await mergeAndKeep(run, 1);
  const main = await app.pushCommit("main", { "one.md": "# One, by hand\n" });
  await run.say("Turn 2");
  const second = await run.work({ "two.md": "# Two\n" });
  expect(second.turn.baseCommit).toBe(main);
  expect(second.turn.branch).not.toBe(first.turn.branch);
});
