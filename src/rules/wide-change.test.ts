import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { nextCall } from "./turn.ts";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

const tools = createAgentTools();
const names = tools.map(({ name }) => name);
const pages = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`guides/page-${at}.md`, `# Page ${at}\n\n${text}\n`]));

/** The second step of a turn, after the trial of the chores. */
async function afterTrial(files: Record<string, string>, request: string) {
  const bench = createAgentBench(tools, files);
  const prompt: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: request }] }];
  const trial = nextCall(prompt, names);
  expect(trial.tool).toBe("check_chores");
  const result = await bench.run(trial.tool, trial.input);
  if (!result.ok) throw new Error(result.message);
  prompt.push({ role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: trial.tool, input: trial.input }] }); // oxfmt-ignore
  const output = { type: "text" as const, value: JSON.stringify(result.content) };
  prompt.push({ role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: trial.tool, output }] });
  return nextCall(prompt, names);
}

it("asks before a request changes more than half of many pages without saying so", async () => {
  const files = { ...pages(60, "A berth."), "index.md": "# Home\n" };
  const next = await afterTrial(files, 'Replace "berth" with "slot".');
  expect(next).toMatchObject({ tool: "finish", input: { outcome: "impossible" } });
  expect(next.input["summary"]).toContain("it would change 60 files of a documentation with 61 pages");
  expect(next.input["hint"]).toBe('Replace "berth" with "slot" everywhere');
  expect((await afterTrial(files, String(next.input["hint"]))).tool).toBe("replace_term");
});

it.each([
  ["half of them", { ...pages(60, "A berth."), ...Object.fromEntries(Object.entries(pages(60, "None.")).map(([path, text]) => [`other/${path}`, text])) }],
  ["few of them", pages(49, "A berth.")],
])("does not ask for %s", async (_name, files) => {
  expect((await afterTrial(files, 'Replace "berth" with "slot".')).tool).toBe("replace_term");
}); // oxfmt-ignore

it.each(['Hi all, replace "all" with "every".', 'Replace "every page" with "each".'])(
  "ignores a word such as “all” in a greeting, a quotation or an option: %s",
  async (request) => {
    const next = await afterTrial({ ...pages(60, "For all of every page."), "index.md": "# Home\n" }, request);
    expect(next.tool).toBe("finish");
  },
);

it.each([
  'Replace every "berth" with "slot".',
  'Replace all mentions of "berth" with "slot".',
  'Replace "berth" with "slot" in all pages.',
  "```chores\n- replace_term: { from: berth, to: slot }\n```",
])("does not ask for %j, which says so", async (request) => {
  const next = await afterTrial({ ...pages(60, "A berth."), "index.md": "# Home\n" }, request);
  expect(next.tool).toBe("replace_term");
});
