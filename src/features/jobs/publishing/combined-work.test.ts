import { expect, it } from "vitest";
import type { CodeHost } from "#hosts/code-host.ts";
import { carryJob } from "#testing/carried-job.ts";
import type { TurnOutcome } from "#features/jobs/turn/finish-turn.ts";
import { releaseJob } from "#features/jobs/queue/queue.ts";

type Run = Awaited<ReturnType<typeof carryJob>>;

const messageOf = (outcome: TurnOutcome) => (outcome.ok ? null : outcome.error.message);
const tipOf = ({ app }: Run, branch: string) => app.repoStore.resolve(app.project.id, `refs/heads/${branch}`);
const pathsOf = async (run: Run, branch: string) => {
  const files = await run.app.repoStore.tree(run.app.project.id, (await tipOf(run, branch))!);
  return files.map(({ path }) => path).sort();
};
const pullRequestOf = ({ app }: Run, number: number) => app.codeHost.getPullRequest(app.repository, number);

const LINK_TO_LOG = { "index.md": "# Welcome\n\nSee [the log](/log).\n" };
const DOCS_IN_ROOT = { "docs.json": '{"name": "Docs"}\n', "index.md": "# Welcome\n" };
/** Moves the documentation into a folder, so that the agent may no longer write data files outside it. */
const INTO_FOLDER = {
  "docs.json": null,
  "index.md": null,
  "docs/docs.json": '{"name": "Docs"}\n',
  "docs/index.md": "# Welcome\n",
};

/** A job with a pull request, whose second turn is ready to publish. */
async function followUp(run: Run, edits: Parameters<Run["work"]>[0]) {
  const first = await run.carry({ "one.md": "# One\n" });
  await run.say("Turn 2");
  return { branch: first.turn.branch, worked: await run.work(edits) };
}

it("does not publish a change that breaks only together with someone's push, and keeps it on another branch", async () => {
  await using run = await carryJob();
  const { branch, worked } = await followUp(run, LINK_TO_LOG);
  const theirs = await run.app.pushCommit(branch, { "log.md": null });
  const outcome = await run.publish(worked);
  expect(outcome).toMatchObject({ ok: false, error: { code: "validation_failed" } });
  expect(messageOf(outcome)).toBe(
    `Someone pushed to ${branch} meanwhile, and the combined change does not pass the checks: ` +
      `The link to /log is broken now: no such page. The work is kept on the branch ${branch}-unpublished-2.`,
  );
  expect(await tipOf(run, branch)).toBe(theirs);
  expect(await pathsOf(run, `${branch}-unpublished-2`)).toEqual(["index.md", "log.md", "one.md"]);
  expect(await pullRequestOf(run, 1)).toMatchObject({ state: "open", draft: false, head: { commit: theirs } });
  await run.finish(worked, outcome);
  const { json } = await run.app.call("GET", `/job/${run.jobId}/events?limit=500`);
  expect(json.events.filter(({ type }) => type === "validation").map(({ data }) => data)).toMatchObject([
    { errors: [{ check: "links", path: "index.md" }] },
  ]);
  // The next turn starts from the branch as it was pushed.
  await run.say("Turn 3");
  await run.carry({ "three.md": "# Three\n" });
  expect(await pathsOf(run, branch)).toEqual(["index.md", "one.md", "three.md"]);
});

it("refuses the removal of a page that someone has linked to meanwhile", async () => {
  await using run = await carryJob();
  const { branch, worked } = await followUp(run, { "log.md": null });
  const theirs = await run.app.pushCommit(branch, LINK_TO_LOG);
  expect(messageOf(await run.publish(worked))).toContain("The link to /log is broken now: no such page.");
  expect(await tipOf(run, branch)).toBe(theirs);
});

it("does not refuse a change for problems that someone else caused on any page", async () => {
  await using run = await carryJob();
  const { branch, worked } = await followUp(run, { "index.md": "# Welcome\n\nTwo.\n", "two.md": "# Two\n" });
  await run.app.pushCommit(branch, { "log.md": "# Log\n\n[Away](/away)\n", "bad.mdx": "<Open\n" });
  expect(await run.publish(worked)).toMatchObject({ ok: true, pullRequest: { number: 1, draft: false } });
  expect(await pathsOf(run, branch)).toEqual(["bad.mdx", "index.md", "log.md", "one.md", "two.md"]);
});

it("makes the pull request a draft instead when the project has this setting, even after a crash", async () => {
  await using run = await carryJob(undefined, { draftOnFindings: true });
  const { branch, worked } = await followUp(run, LINK_TO_LOG);
  await run.app.pushCommit(branch, { "log.md": null });
  const dying: CodeHost = { ...run.app.codeHost, updatePullRequest: () => Promise.reject(new Error("power cut")) };
  await expect(run.publish(worked, { codeHost: dying })).rejects.toThrow("power cut");
  await releaseJob(run.deps, worked.claim, { delayMs: 0, undoAttempt: false });
  const replayed = await run.work(LINK_TO_LOG);
  expect(await run.publish(replayed)).toMatchObject({ ok: true, pullRequest: { number: 1, draft: true } });
  const { body } = (await pullRequestOf(run, 1))!;
  expect(body).toContain("✗ 1 found");
  expect(body).toContain("The link to /log is broken now");
});

it("refuses files that the agent may no longer write, even as a draft", async () => {
  await using run = await carryJob(DOCS_IN_ROOT, { draftOnFindings: true });
  const { branch, worked } = await followUp(run, { "facts.json": "{}\n" });
  const theirs = await run.app.pushCommit(branch, INTO_FOLDER);
  expect(await run.publish(worked)).toMatchObject({ ok: false, error: { code: "policy" } });
  expect(await tipOf(run, branch)).toBe(theirs);
});

it("checks a follow-up again when a merge moves it to the base branch", async () => {
  await using run = await carryJob();
  const { branch, worked } = await followUp(run, LINK_TO_LOG);
  await run.app.codeHost.mergePullRequest(run.app.repository, 1, { expectedHead: null });
  await run.app.pushCommit("main", { "log.md": null });
  const outcome = await run.publish(worked);
  const moved = (await run.row()).branch!;
  expect(moved).not.toBe(branch);
  expect(messageOf(outcome)).toBe(
    "main changed meanwhile, and the combined change does not pass the checks: " +
      `The link to /log is broken now: no such page. The work is kept on the branch ${moved}-unpublished-2.`,
  );
  expect(await tipOf(run, moved)).toBeNull();
  expect(await pullRequestOf(run, 2)).toBeNull();
  await run.finish(worked, outcome);
  await run.say("Turn 3");
  await run.carry({ "three.md": "# Three\n" });
  expect(await pullRequestOf(run, 2)).toMatchObject({ state: "open" });
});

it("keeps work that conflicts with someone's push on another branch", async () => {
  await using run = await carryJob();
  const { branch, worked } = await followUp(run, { "log.md": "# Log\n\nOurs.\n" });
  await run.app.pushCommit(branch, { "log.md": "# Log\n\nTheirs.\n" });
  const outcome = await run.publish(worked);
  expect(outcome).toMatchObject({ ok: false, error: { code: "branch_moved" } });
  expect(messageOf(outcome)).toBe(
    `Someone pushed to ${branch} meanwhile, and both changed log.md. ` +
      `The work is kept on the branch ${branch}-unpublished-2.`,
  );
});

it("does not restore what someone removed from the branch with a force push", async () => {
  await using run = await carryJob();
  const { branch, worked } = await followUp(run, { "two.md": "# Two\n" });
  const main = (await tipOf(run, "main"))!;
  const kept = await run.app.repoStore.snapshot(run.app.project.id, {
    base: main,
    edits: [{ path: "kept.md", content: Buffer.from("# Kept\n") }],
  });
  const author = { name: "Ada Writer", email: "ada@example.com" };
  const commit = { tree: kept, parents: [main], message: "Begin again\n", author, at: new Date(0) };
  const forced = await run.app.repoStore.commit(run.app.project.id, commit);
  const expected = await tipOf(run, branch);
  await run.app.repoStore.updateRef(run.app.project.id, { ref: `refs/heads/${branch}`, to: forced, expected });
  expect(await run.publish(worked)).toMatchObject({ ok: true, pullRequest: { number: 1 } });
  expect(await pathsOf(run, branch)).toEqual(["index.md", "kept.md", "log.md", "two.md"]);
});

/** A job without a pull request, whose first turn's work is kept on its branch. */
async function keptOnce(run: Run, edits: Parameters<Run["work"]>[0]) {
  const first = await run.work({ "one.md": "# One\n" });
  await run.finish(first, await run.keep(first));
  await run.say("Turn 2");
  return { branch: first.turn.branch, worked: await run.work(edits) };
}

it("keeps failed work on another branch when it conflicts with someone's push", async () => {
  await using run = await carryJob();
  const { branch, worked } = await keptOnce(run, { "log.md": "# Log\n\nOurs.\n" });
  const theirs = await run.app.pushCommit(branch, { "log.md": "# Log\n\nTheirs.\n" });
  expect(messageOf(await run.keep(worked))).toContain(`kept on the branch ${branch}-unpublished-2.`);
  expect(await tipOf(run, branch)).toBe(theirs);
});

it("keeps failed work on another branch when the agent may no longer write its files after someone's push", async () => {
  await using run = await carryJob(DOCS_IN_ROOT);
  const { branch, worked } = await keptOnce(run, { "facts.json": "{}\n" });
  const theirs = await run.app.pushCommit(branch, INTO_FOLDER);
  expect(messageOf(await run.keep(worked))).toContain(`kept on the branch ${branch}-unpublished-2.`);
  expect(await tipOf(run, branch)).toBe(theirs);
});

it("keeps failed work on the job's branch even when someone's push breaks a link", async () => {
  await using run = await carryJob();
  const { branch, worked } = await keptOnce(run, LINK_TO_LOG);
  await run.app.pushCommit(branch, { "log.md": null });
  expect(messageOf(await run.keep(worked))).toBe(`A link is broken. The work is kept on the branch ${branch}.`);
  expect(await pathsOf(run, branch)).toEqual(["index.md", "one.md"]);
});
