import { expect, it } from "vitest";
import { INITIAL_LOOP_STATE } from "#agent/loop-state.ts";
import { createVirtualTree } from "#tools/virtual-tree.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { composeModels } from "#app/models.ts";
import { readModelSettings } from "#models/settings.ts";
import { carryJob } from "#testing/carried-job.ts";
import { releaseJob } from "#features/jobs/queue/queue.ts";
import { restoreWork, storeStep } from "./turn-work.ts";

it("keeps what was made before a restart when the first edit after it fails", async () => {
  await using run = await carryJob();
  const edits = { "one.md": "# One\n" };
  const before = await run.work(edits);
  await releaseJob(run.deps, before.claim, { delayMs: 0, undoAttempt: true });

  const { claim, project, turn, tree } = await run.work(edits);
  const model = composeModels({ models: readModelSettings("{}", {}) }).resolve(claim.job.model);
  const newsFor = async () => [];
  const work = await restoreWork(run.deps, { claim, turn, model, firstPrompt: { seq: 1, prompt: "Turn 1" }, newsFor });
  expect(work.tree).toBe(tree);
  const virtualTree = createVirtualTree(commitSnapshot(run.deps.repoStore, project.id, tree));
  const usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  // A call of a tool that writes, refused: nothing was written.
  const step = {
    messages: [],
    events: [],
    mutated: true,
    finish: null,
    state: INITIAL_LOOP_STATE,
    usage,
    weightedTokens: 0,
    costMicroUsd: 0,
  };
  await storeStep(run.deps, { claim, project, turn, model, virtualTree, work, newsFor }, step);
  expect(work.tree).toBe(tree);
});
