import { expect, it } from "vitest";
import { proveTasks } from "#bench/agent/prove.ts";
import { openRepositories } from "#bench/agent/repositories.ts";
import { tableOf } from "#bench/agent/results.ts";
import { runTasks } from "#bench/agent/run.ts";
import { loadTasks } from "#bench/agent/task.ts";
import { edit, finish, startModels } from "#test/support/models.ts";
import { sharedContent } from "#testing/shared-content.ts";

// The benchmark's own check: a judge that cannot tell right from wrong measures nothing.

it("accepts the right change of each of our tasks, and none with a planted mistake", async () => {
  const tasks = (await loadTasks()).filter(({ repository }) => repository.startsWith("own:"));
  expect(tasks).toHaveLength(20);
  await using repositories = await openRepositories(null);
  const objections = [];
  for await (const proof of proveTasks(tasks, repositories, sharedContent()))
    objections.push(...proof.objections.map((each) => `${proof.task}: ${each}`));
  expect(objections).toEqual([]);
});

it("runs a task as a job, and judges the resulting pull request", async () => {
  const tasks = (await loadTasks()).filter(({ name }) => /own\/(?:edit-2|restructure-2)-/.test(name));
  const page = "guides/replay-events.mdx";
  const wrong = edit("docs/docs.json", '"name": "Tern"', '"name": "Terns"');
  const { models, environment } = await startModels({
    conversations: [
      { marker: "harbor replay --rate", turns: [edit(page, 'default="50"', 'default="20"'), finish()] },
      { marker: "List caching", turns: [wrong, finish()] },
    ],
  });
  await using _ = models;
  await using repositories = await openRepositories(null);
  const run = { repositories, model: "anthropic/any", environment, content: sharedContent() };
  const results = await Array.fromAsync(runTasks(tasks, run));
  expect(results.map(({ task, passed, outcome }) => [task, passed, outcome])).toEqual([
    ["own/edit-2-replay-rate", true, "completed"],
    ["own/restructure-2-order", false, "completed"],
  ]);
  expect(results[1]?.failures).toEqual([
    {
      kind: "navigation",
      check: "navigation",
      message: "The navigation does not list docs/guides/watching.mdx directly after docs/guides/caching.mdx.",
    },
  ]);
  expect(results[0]?.inputTokens).toBeGreaterThan(0);
  expect(tableOf(results)).toContain("| all | 1 of 2 |");
});
