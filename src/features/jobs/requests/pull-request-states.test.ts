import { testVault } from "#testing/vault.ts";
import { describe, expect, it } from "vitest";
import { listEvents } from "#features/jobs/events.ts";
import { claimJob } from "#features/jobs/queue/queue.ts";
import { archiveJob } from "./lifecycle.ts";
import { createJob } from "./submit.ts";
import { finishTurn } from "#features/jobs/turn/finish-turn.ts";
import { recordProgress } from "#features/jobs/turn/turns.ts";
import { systemClock } from "#lib/clock.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { recordPullRequestStates } from "./pull-request-states.ts";

const redact = (text: string) => text;

describe.each(ENGINES)("the pull request of a job on %s", (engine) => {
  it("is recorded as people left it at the host, each change once, and stays merged", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const deps = { database, clock: systemClock, redact };
    const projectId = await insertTestProject(database);
    const other = await insertTestProject(database, "other");
    const submit = { ...deps, vault: testVault, redactFor: async () => redact, agentCallsPerHour: 100 };
    const asked = { projectId, prompt: "One.", model: "m", baseRef: "main", draft: false, title: null };
    const { job } = await createJob(submit, asked, null);
    const claim = (await claimJob(deps, { owner: "test", leaseMs: 60_000 }))!;
    const branch = "docent/one";
    const start = {
      turn: 1,
      baseCommit: "a".repeat(40),
      branch,
      startedAt: new Date(),
      commitId: null,
      waitedMs: 0,
      endedEarly: null,
    };
    await recordProgress(deps, claim, { turn: 1, start, events: [] });
    const pullRequest = {
      number: 7,
      url: "https://host.test/7",
      state: "open",
      draft: false,
      previewUrl: null,
    } as const;
    await finishTurn(deps, {
      claim,
      turn: 1,
      outcome: { ok: true, title: "Done", summary: "Done.", pullRequest, handledSeq: 1 },
    });

    const head = { branch, commit: "b".repeat(40) };
    const see = (state: "open" | "merged" | "closed", { number = 7, of = projectId } = {}) =>
      recordPullRequestStates(deps, of, [{ number, state, head }]);
    const pullRequestEvents = async () => {
      const { events } = await listEvents({ database }, { jobId: job.id, after: 0, limit: 100 });
      return events.filter(({ type }) => type.startsWith("pull_request.")).map(({ type, data }) => [type, data]);
    };
    await see("open");
    await see("merged", { number: 8 });
    await see("merged", { of: other });
    expect(await pullRequestEvents()).toEqual([]);
    await Promise.all([see("closed"), see("closed"), see("closed")]);
    await see("open");
    await archiveJob(deps, { projectId, jobId: job.id });
    await see("merged");
    await see("open");
    await see("closed");
    const data = { number: 7, url: "https://host.test/7" };
    expect(await pullRequestEvents()).toEqual([
      ["pull_request.closed", data],
      ["pull_request.reopened", data],
      ["pull_request.merged", data],
    ]);
    expect(await findJob({ database }, { projectId, jobId: job.id })).toMatchObject({
      status: "archived",
      pullRequest: { number: 7, state: "merged" },
    });
  });
});
