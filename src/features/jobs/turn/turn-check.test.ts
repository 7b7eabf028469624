import { expect, it } from "vitest";
import { carryJob } from "#testing/carried-job.ts";
import { checkTurn } from "./turn-check.ts";

const NAMES = Array.from({ length: 12 }, (_, index) => `p${index}.md`);
const PAGES = Object.fromEntries(NAMES.map((path) => [path, `# ${path}\n\n${`Words of ${path}. `.repeat(20)}\n`]));

it.each([
  ["that was delivered in the turn permits its deletions", 2, []],
  ["that waits behind the turn permits no deletions", 1, [expect.objectContaining({ check: "deletions" })]],
])("a message %s", async (_what, deliveredSeq, errors) => {
  await using run = await carryJob({ "index.md": "# Welcome\n", ...PAGES });
  await run.say("Delete all the pages.");
  const { claim, project, turn, tree } = await run.work(Object.fromEntries(NAMES.map((path) => [path, null])), {
    deliveredSeq,
  });
  const at = { turn: turn.turn, base: turn.baseCommit, checked: turn.baseCommit, tree };
  expect((await checkTurn(run.deps, { claim, project, ...at })).errors).toEqual(errors);
  // The check against an earlier commit that passed has the same result.
  const earlier = await run.app.repoStore.commit(project.id, {
    tree: await run.app.repoStore.snapshot(project.id, { base: turn.baseCommit, edits: [] }),
    parents: [turn.baseCommit],
    message: "Earlier",
    author: { name: "A", email: "a@example.com" },
    at: new Date(0),
  });
  expect((await checkTurn(run.deps, { claim, project, ...at, checked: earlier })).errors).toEqual(errors);
});
