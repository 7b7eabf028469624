import { expect, it } from "vitest";
import { createAgentBench } from "#testing/agent-bench.ts";
import { createAgentTools } from "./tools.ts";

const FILES = { "a.md": "# A\n\nA web hook.\n", "b.md": "# B\n\nText.\n" };
const tools = createAgentTools();
const replace = (from: string, to: string) => ({ tool: "replace_term", input: { from, to } });

it("tries each chore on what those before it made, changes no file, and says which cannot be done and why", async () => {
  const bench = createAgentBench(tools, FILES);
  const chores = [
    replace("web hook", "webhook"),
    replace("webhook", "callback"),
    replace("web hook", "signal"),
    { tool: "replace_term", input: { from: "Text" } },
    { tool: "replace_terms", input: {} },
  ];
  const result = await bench.run("check_chores", { chores });
  const ofTerm = { tool: "replace_term", ok: true, changedCount: 1 };
  expect(result).toMatchObject({ ok: true, content: { summary: "3 of 5 can be done", pageCount: 2 } });
  expect(result).toHaveProperty("content.results", [
    expect.objectContaining(ofTerm),
    expect.objectContaining(ofTerm),
    expect.objectContaining({ ok: true, changedCount: 0 }),
    expect.objectContaining({ ok: false, message: expect.stringContaining("at to") as string }),
    { tool: "replace_terms", ok: false, message: "There is no chore “replace_terms”." },
  ]);
  expect(await bench.contents()).toEqual(FILES);
});

it("ends with its turn", async () => {
  const { environment } = createAgentBench(tools, FILES);
  const tool = tools.find(({ name }) => name === "check_chores")!;
  const signal = AbortSignal.abort(new Error("cancelled"));
  const chores = [{ tool: "none", input: {} }];
  await expect(tool.run({ chores }, { ...environment, signal })).rejects.toThrow("cancelled");
});
