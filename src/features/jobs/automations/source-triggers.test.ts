import { describe, expect, it } from "vitest";
import { findSourceRange, mergedPullRequests } from "#features/jobs/source-news.ts";
import type { JobId } from "#lib/ids.ts";
import { ENGINES } from "#testing/databases.ts";
import { insertTestSource } from "#testing/sources.ts";
import { createTestApp } from "#testing/test-app.ts";
import { noticePushes, runDueAutomations } from "./automation-triggers.ts";

async function open(engine: (typeof ENGINES)[number], kind: string) {
  const app = await createTestApp(engine);
  const files = { "src/a.ts": "a\n" };
  const source = await insertTestSource(app, { projectId: app.project.id, name: "api", files });
  const body = { name: "Follow", prompt: "Document what changed.", trigger: { kind, source: "api" } };
  const made = await app.call("POST", "/automations", { body });
  expect(made.json.trigger).toEqual({ kind, source: "api" });
  const automation = () => app.database.kysely.selectFrom("automation").selectAll().executeTakeFirstOrThrow();
  return {
    app,
    source,
    id: made.json.id,
    automation,
    tip: () => app.repoStore.resolve(source.mirror, "refs/heads/main"),
    /** One poll of two servers at the same time. */
    async step() {
      await Promise.all([noticePushes(app.automations), noticePushes(app.automations)]);
      const started = await Promise.all([runDueAutomations(app.automations), runDueAutomations(app.automations)]);
      return started[0] + started[1];
    },
    async range(jobId: string, seq: number) {
      return findSourceRange(app.database, { jobId: jobId as JobId, seq });
    },
    async jobs() {
      const rows = await app.database.kysely.selectFrom("job_message").selectAll().orderBy("created_at").execute();
      return rows.map(({ job_id, seq, prompt }) => ({ jobId: job_id, seq, prompt }));
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

describe.each(ENGINES)("automations triggered by a source, on %s", (engine) => {
  it("run once for each push, over all commits since the last run", async () => {
    await using test = await open(engine, "source_push");
    const { app, source, step, jobs } = test;
    expect(await step()).toBe(0); // existing commits trigger nothing
    const base = await test.tip();
    await source.commit("Add b\n", { "src/b.ts": "b\n" });
    const head = await source.commit("Add c\n", { "src/c.ts": "c\n" });
    expect([await step(), await step()]).toEqual([1, 0]);
    const [first] = await jobs();
    expect(first).toMatchObject({ seq: 1, prompt: "Document what changed." });
    expect(await test.range(first!.jobId, 1)).toEqual({ source: "api", base, head });

    // Commits that arrive while a run waits are not lost: one later run covers them.
    const next = await source.commit("Add d\n", { "src/d.ts": "d\n" });
    expect(await step()).toBe(1);
    expect(await test.range(first!.jobId, 2)).toEqual({ source: "api", base: head, head: next });
    await source.commit("Add e\n", { "src/e.ts": "e\n" });
    expect(await step()).toBe(0);
    const last = await source.commit("Add f\n", { "src/f.ts": "f\n" });
    expect(await step()).toBe(0);
    await app.carryOut();
    await app.database.kysely.updateTable("automation").set({ due_at: 1 }).execute();
    expect([await step(), await step()]).toEqual([1, 0]);
    expect(await test.range(first!.jobId, 3)).toEqual({ source: "api", base: next, head: last });
  });

  it("run for a merged pull request and no other push when the trigger is source_merge", async () => {
    await using test = await open(engine, "source_merge");
    const { source, step, jobs } = test;
    await source.commit("Tidy up\n", { "src/b.ts": "b\n" });
    expect(await step()).toBe(0);
    const base = await test.tip();
    const head = await source.commit("Listen on 5000 (#12)\n", { "src/c.ts": "c\n" });
    expect([await step(), await step()]).toEqual([1, 0]);
    const [first] = await jobs();
    expect(await test.range(first!.jobId, 1)).toEqual({ source: "api", base, head });
  });

  it("run for pushes to the source that they name, and for no other source", async () => {
    await using test = await open(engine, "source_push");
    const { app, source, step } = test;
    const others = await Promise.all(
      ["aaa", "zzz"].map((name) =>
        insertTestSource(app, { projectId: app.project.id, name, files: { "src/a.ts": "a\n" } }),
      ),
    );
    expect(await step()).toBe(0);
    for (const other of others) await other.commit("Add b\n", { "src/b.ts": "b\n" });
    expect(await step()).toBe(0);
    await source.commit("Add b\n", { "src/b.ts": "b\n" });
    expect(await step()).toBe(1);
  });

  it("a run over HTTP covers the new commits, so that no second run follows", async () => {
    await using test = await open(engine, "source_push");
    const { app, source, step, jobs } = test;
    const head = await source.commit("Add b\n", { "src/b.ts": "b\n" });
    await noticePushes(app.automations);
    expect((await app.call("POST", `/automation/${test.id}/run`)).status).toBeLessThan(300);
    expect(await step()).toBe(0);
    const all = await jobs();
    expect(all).toHaveLength(1);
    expect(await test.range(all[0]!.jobId, 1)).toMatchObject({ head });
    expect(await test.automation()).toMatchObject({ due_at: null, from_commit: null });
  });

  it("commits by an automation trigger nothing when docs and code are in one repository", async () => {
    await using test = await open(engine, "source_push");
    const { source, step, jobs } = test;
    await source.commit("Add b\n", { "src/b.ts": "b\n" });
    expect(await step()).toBe(1);
    const [{ jobId } = { jobId: "" }] = await jobs();
    await source.commit(`Document b\n\nDocent-Job: ${jobId}\n`, { "docs/b.md": "b\n" });
    expect(await step()).toBe(0);
    expect(await test.automation()).toMatchObject({ from_commit: null });
  });

  it("need an existing source, and remain when it is removed", async () => {
    await using test = await open(engine, "source_push");
    const { app, step } = test;
    const body = { name: "Follow", prompt: "Do it.", trigger: { kind: "source_push", source: "web" } };
    expect(await app.call("POST", "/automations", { body })).toMatchObject({ status: 400 });
    await app.database.kysely.deleteFrom("source").execute();
    expect(await step()).toBe(0);
    expect((await app.call("GET", `/automations/${test.id}`)).status).toBe(200);
  });
});

it("finds merged pull requests by the commit messages that code hosts write, and ignores similar ones", () => {
  const commit = (subject: string, body = "") => ({ subject, body });
  expect(
    mergedPullRequests([
      commit("Merge pull request #12 from acme/port", "Listen on 5000"),
      commit("Merge pull request 'Listen on (all) ports' (#13) from port into main"),
      commit("Listen on 5000 (#14)"),
      commit("Listen on 5000 (#14)"),
      commit("Merge branch 'port' into 'main'", "Listen\n\nSee merge request acme/api!15"),
      commit('Revert "Listen on 5000 (#16)"'),
      commit("Fix #17"),
      commit("Merge pull request #999999999999 from acme/port"),
      commit("Talk of !18", "See merge request in the other place"),
    ]),
  ).toEqual(["#12", "#13", "#14", "!15"]);
});
