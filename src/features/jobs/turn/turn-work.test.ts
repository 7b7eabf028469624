import { expect, it } from "vitest";
import { INITIAL_LOOP_STATE } from "#agent/loop-state.ts";
import { createVirtualTree } from "#tools/virtual-tree.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { composeModels } from "#app/models.ts";
import { readModelSettings } from "#models/settings.ts";
import { carryJob } from "#testing/carried-job.ts";
import { releaseJob } from "#features/jobs/queue/queue.ts";
import type { ModelMessage } from "#models/message.ts";
import { commitStep } from "./turns.ts";
import { restoreWork, storeStep } from "./turn-work.ts";

const NOTHING_SPENT = {
  usage: { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
  weightedTokens: 0,
  costMicroUsd: 0,
};

it("keeps the changes from before a restart when the first edit after it fails", async () => {
  await using run = await carryJob();
  const edits = { "one.md": "# One\n" };
  const before = await run.work(edits);
  await releaseJob(run.deps, before.claim, { delayMs: 0, undoAttempt: true });

  const { claim, project, turn, tree } = await run.work(edits);
  const model = composeModels({ models: readModelSettings("{}", {}) }).resolve(claim.job.model);
  const newsFor = async () => [];
  const work = await restoreWork(run.deps, {
    claim,
    turn,
    model,
    firstPrompt: { seq: 1, prompt: "Turn 1", chores: null, attachments: [] },
    newsFor,
  });
  expect(work.tree).toBe(tree);
  const virtualTree = createVirtualTree(commitSnapshot(run.deps.repoStore, project.id, tree));
  // A refused call of a tool that writes: nothing was written.
  const step = {
    messages: [],
    events: [],
    mutated: true,
    finish: null,
    started: null,
    state: INITIAL_LOOP_STATE,
    ...NOTHING_SPENT,
  };
  await storeStep(run.deps, { claim, project, turn, model, virtualTree, work, newsFor }, step);
  expect(work.tree).toBe(tree);
});

it("restores the exact messages of a step after a restart, which are stored encrypted because they contain a credential", async () => {
  await using run = await carryJob();
  const { claim, turn, tree } = await run.work({ "one.md": "# One\n" });
  const credential = ["AKIA", "Q3EGRN7XWPLT5VZB"].join("");
  const messages: ModelMessage[] = [{ role: "assistant", content: [{ type: "text", text: `I use ${credential}.` }] }];
  const step = { turn: turn.turn, step: 2, messages, tree, deliveredSeq: 1, events: [], ...NOTHING_SPENT };
  await commitStep(run.deps, claim, { ...step, state: { loop: INITIAL_LOOP_STATE, finish: null } });
  const rows = await run.app.database.kysely.selectFrom("job_step").select("messages").orderBy("step").execute();
  expect(rows.map((row) => row.messages)).toEqual(["[]", expect.stringMatching(/^v1[.]/)]);
  const model = composeModels({ models: readModelSettings("{}", {}) }).resolve(claim.job.model);
  const firstPrompt = { seq: 1, prompt: "Turn 1", chores: null, attachments: [] };
  const work = await restoreWork(run.deps, { claim, turn, model, firstPrompt, newsFor: async () => [] });
  expect(work.conversation).toEqual(messages);
});
