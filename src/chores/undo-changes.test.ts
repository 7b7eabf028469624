import { expect, it } from "vitest";
import type { OwnChange } from "#tools/own-work.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();
const [A, B, C] = ["text one\n", "text two\n", "text three\n"] as const;
const changed = (before: string, after: string, path = "page.md"): OwnChange => ({ path, before, after });

/** Undoes the turns of a job, given as their changes, on the current page. */
async function undo(turns: readonly (readonly OwnChange[])[], now: string, input: object = { of: "last" }) {
  const ownWork = { turns: async () => turns, read: async (id: string) => new TextEncoder().encode(id) };
  const bench = createAgentBench(tools, { "page.md": now }, { ownWork });
  const result = await bench.run("undo_changes", { ...input });
  const said = result.ok ? result.summary : result.message;
  return { said, page: (await bench.contents())["page.md"], hint: result.ok ? null : (result.hint ?? null) };
}

it("undoes the last change", async () => {
  const { said, page } = await undo([[changed(A, B)]], B);
  expect(page).toBe(A);
  expect(said).toBe("Put 1 file back to how it was before the last change");
});

it("reports that there is nothing to undo if the files are already as before, as after a closed pull request", async () => {
  const { said, page } = await undo([[changed(A, B)]], A);
  expect(page).toBe(A);
  expect(said).toBe("Put no file back: all that the last change touched is as it was before already");
});

it("never redoes a change that is already undone", async () => {
  const undone = [[changed(A, B)], [changed(B, A)]];
  const counted = await undo(undone, A, { of: "last", turns: 0 });
  expect([counted.said, counted.page]).toEqual(["All that this job changed is undone already.", A]);
  const inPart = [[changed(A, B, "other.md"), changed(A, B)], [changed(B, A)]];
  for (const turns of [undone, inPart]) {
    const { said, page } = await undo([...turns, []], A);
    expect(said).toBe("The last message changed no file, and the change before it was an undo already.");
    expect(page).toBe(A);
  }
});

it("does not read a change as an undo if it ends in a different state", async () => {
  const { said } = await undo([[changed(A, B)], [changed(B, C)]], C);
  expect(said).toBe("Put 1 file back to how it was before the last change");
});

it("undoes the last change, also after messages that changed nothing", async () => {
  expect((await undo([[changed(A, B)], [changed(B, C)], []], C)).page).toBe(B);
  expect((await undo([[changed(A, B)], []], B, { of: "last", orNothing: true })).page).toBe(B);
});

it("offers no sentence if the job has changed no file at all, as in a dry run", async () => {
  const { said, hint, page } = await undo([[], []], A);
  expect(page).toBe(A);
  expect(said).toBe("This job has changed no file, so there is nothing to undo.");
  expect(hint).toBeNull();
});
