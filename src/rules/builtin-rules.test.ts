import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { type AgentBench, createAgentBench, readFolder } from "#testing/agent-bench.ts";
import { createBuiltinRules } from "./builtin-rules.ts";

const files = readFolder(new URL("../../examples/harbor-docs", import.meta.url).pathname);
const tools = createAgentTools();
const offered: LanguageModelV4FunctionTool[] = tools.map((tool) => ({
  type: "function",
  name: tool.name,
  description: tool.description,
  inputSchema: { type: "object" },
}));

const user = (text: string): LanguageModelV4Prompt[number] => ({ role: "user", content: [{ type: "text", text }] });

/** Runs one turn like the agent loop: one call per step, with its result added to the conversation, until `finish`. */
async function runTurn(bench: AgentBench, conversation: LanguageModelV4Prompt, during?: Record<number, string>) {
  const model = createBuiltinRules();
  const called: string[] = [];
  for (let step = 0; step < 30; step += 1) {
    const late = during?.[step];
    if (late !== undefined) conversation.push(user(late));
    const { content } = await model.doGenerate({ prompt: conversation, tools: offered });
    const call = content[0];
    if (call?.type !== "tool-call") throw new Error("no call");
    called.push(call.toolName);
    const input = JSON.parse(call.input) as Record<string, unknown>;
    const result = await bench.run(call.toolName, input);
    conversation.push({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: call.toolCallId, toolName: call.toolName, input }],
    });
    const output = result.ok
      ? { type: "text" as const, value: JSON.stringify(result.content) }
      : { type: "error-text" as const, value: result.message };
    conversation.push({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: call.toolCallId, toolName: call.toolName, output }],
    });
    if (call.toolName === "finish")
      return { called, ending: input as { outcome: string; title: string; summary: string; hint?: string } };
  }
  throw new Error("the turn did not end");
}

it("carries out a request of several instructions, after trying all of them", async () => {
  const bench = createAgentBench(tools, files);
  const prompt =
    "Replace Harbor Cloud with Harbor Platform everywhere and fix broken links. Also add a page titled 'Webhooks at scale' " +
    "under 'Guides' with the text: Many endpoints need [filters](/guides/filter-by-type).";
  const { called, ending } = await runTurn(bench, [user(prompt)]);
  expect(called).toEqual(["check_chores", "replace_term", "fix_links", "add_page", "finish"]);
  expect(ending.outcome).toBe("done");
  expect(ending.title).toBe("Replace “Harbor Cloud” with “Harbor Platform” and 2 more changes");
  expect(ending.summary).toContain("Replaced “Harbor Cloud” with “Harbor Platform” 41 times in 19 files.");
  expect(ending.summary).toContain("not a language model");
  const after = await bench.contents();
  expect(after["guides/webhooks-at-scale.mdx"]).toBe(
    "---\ntitle: Webhooks at scale\n---\n\nMany endpoints need [filters](/guides/filter-by-type).\n",
  );
  expect(await bench.brokenLinks()).toEqual([]);
});

it("changes nothing when one of several instructions cannot be carried out", async () => {
  const bench = createAgentBench(tools, files);
  const { called, ending } = await runTurn(bench, [user('Fix broken links and move quikstart to "start/quickstart".')]);
  expect(called).toEqual(["check_chores", "finish"]);
  expect(ending).toMatchObject({ outcome: "impossible", title: "Request cannot be carried out" });
  expect(ending.summary).toContain("There is no page “quikstart”. Did you mean “Quickstart” or “quickstart”?");
  expect(bench.tree.edits().size).toBe(0);
});

it("reads the home page as the page at the root, and suggests the page that a word of its title may mean", async () => {
  const site = {
    "docs.json": "{}",
    "index.md": "# Welcome\n\n[a](/guides/quickstart)\n",
    "quickstart.md": "# Quickstart\n",
    "upgrade/from-one.md": "---\ntitle: Migrating from 1.0\nhidden: true\n---\n",
  };
  const home = createAgentBench(tools, site);
  const { ending } = await runTurn(home, [user("Can you fix the dead links on the home page?")]);
  expect(ending.summary).toContain("Fixed 1 of 1 broken link, in 1 file.");
  expect((await home.contents())["index.md"]).toBe("# Welcome\n\n[a](/quickstart)\n");
  const { ending: refused } = await runTurn(createAgentBench(tools, site), [user("Unhide the migration guide")]);
  expect(refused.summary).toContain("There is no page “migration”. Did you mean “Migrating from 1.0”?");
});

it("refuses before any call when one instruction is not understood, and reports what it did and did not understand", async () => {
  const bench = createAgentBench(tools, files);
  const { called, ending } = await runTurn(bench, [
    user("Fix broken links and improve the introduction of the quickstart"),
  ]);
  expect(called).toEqual(["look_up_names", "finish"]);
  expect(ending).toMatchObject({ outcome: "not_understood" });
  expect(ending.summary).toContain(
    "“improve the introduction of the quickstart”: to improve text needs a language model",
  );
  expect(ending.summary).toContain("Understood:\n- “Fix broken links”");
  expect(ending.hint).toBeDefined();
  expect(bench.tree.edits().size).toBe(0);
});

it("asks for a new target of the links, and proceeds when one of its sentences is sent", async () => {
  const bench = createAgentBench(tools, {
    "index.md": "# Home\n\n[use](/guides/use)\n",
    "guides/use.md": "# Use\n",
    "guides/install.md": "# Install\n",
  });
  const conversation = [user("Remove the page guides/use")];
  const { ending } = await runTurn(bench, conversation);
  expect(ending).toMatchObject({ outcome: "impossible" });
  expect(ending.summary).toContain("A link leads to it (`index.md:3`).");
  expect(bench.tree.edits().size).toBe(0);
  const [, , second] = (ending.hint ?? "").split("\n");
  expect(second).toBe('Remove the page "guides/use.md" and redirect it to "guides/install.md"');
  conversation.push(user(second ?? ""));
  expect((await runTurn(bench, conversation)).ending.outcome).toBe("done");
  expect((await bench.contents())["index.md"]).toBe("# Home\n\n[use](/guides/install)\n");
});

it.each([
  "Update Harbor to v1.12",
  "Replace Harbor Cloud with Harbor Platform except in links",
  'Add a page titled "Limits" under "Guides" with the text: Ten a second. Also fix broken links.',
  'Replace "Harbor Cloud" with "Harbor Platform" and fix broken links, but leave the changelog alone',
])("changes nothing if it would have to guess: %s", async (prompt) => {
  const bench = createAgentBench(tools, files);
  const { called, ending } = await runTurn(bench, [user(prompt)]);
  expect(called).toEqual(["look_up_names", "finish"]);
  expect(ending.outcome).toBe("not_understood");
  expect(bench.tree.edits().size).toBe(0);
});

it("reads only the follow-up once a turn has ended", async () => {
  const bench = createAgentBench(tools, files);
  const conversation = [user("Fix broken links")];
  await runTurn(bench, conversation);
  conversation.push(user('Now rename the page "Replay events" to "Deliver again"'));
  const { called, ending } = await runTurn(bench, conversation);
  expect(called).toEqual(["check_chores", "move_page", "finish"]);
  expect(ending.title).toBe("Rename Replay events to “Deliver again”");
});

it("repeats the chores when a follow-up requests it", async () => {
  const bench = createAgentBench(tools, files);
  const conversation = [user('Replace "webhook" with "callback" in guides/')];
  await runTurn(bench, conversation);
  conversation.push(user("The same for concepts/"));
  const { called, ending } = await runTurn(bench, conversation);
  expect(called).toEqual(["check_chores", "replace_term", "finish"]);
  expect(ending).toMatchObject({ outcome: "done", title: "Replace “webhook” with “callback”" });
  conversation.push(user("Undo that"));
  expect((await runTurn(bench, conversation)).ending).toMatchObject({ outcome: "impossible" });
});

it("handles a message that arrives during the work, after the earlier ones", async () => {
  const bench = createAgentBench(tools, files);
  const { called } = await runTurn(bench, [user('Fix broken links and replace "web hook" with "webhook"')], {
    2: "Check the links",
  });
  expect(called).toEqual(["check_chores", "fix_links", "replace_term", "check_chores", "check_links", "finish"]);
});

it("runs a fenced block of chores", async () => {
  const bench = createAgentBench(tools, files);
  const prompt = "```chores\n- replace_term: { from: web hook, to: webhook, in: [quickstart] }\n- fix_links\n```";
  const { called, ending } = await runTurn(bench, [user(prompt)]);
  expect(called).toEqual(["check_chores", "replace_term", "fix_links", "finish"]);
  expect(ending.outcome).toBe("done");
  expect((await bench.contents())["changelog.mdx"]).toContain("web hook");
});

it("succeeds when there is nothing to change", async () => {
  const bench = createAgentBench(tools, files);
  const { ending } = await runTurn(bench, [user('Replace "Quux" with "Corge"')]);
  expect(ending).toMatchObject({ outcome: "done", title: "Replace “Quux” with “Corge”" });
  expect(ending.summary).toContain("Found no “Quux” to replace.");
  expect(bench.tree.edits().size).toBe(0);
});

it("streams the same call that it generates, and counts no tokens", async () => {
  const model = createBuiltinRules();
  const options = { prompt: [user("Fix broken links")], tools: offered };
  const generated = await model.doGenerate(options);
  const { stream } = await model.doStream(options);
  const parts = await Array.fromAsync(stream);
  expect(parts.filter((part) => part.type === "tool-call")).toEqual(generated.content);
  expect(generated.usage.inputTokens.total).toBe(0);
  expect(parts.at(-1)).toMatchObject({ type: "finish", usage: generated.usage });
});

it("reports that a tool that it needs is not offered", async () => {
  const { content } = await createBuiltinRules().doGenerate({ prompt: [user("Fix broken links")], tools: [] });
  expect(content[0]).toMatchObject({ toolName: "finish" });
  expect(JSON.stringify(content)).toContain("there is no tool fix_links here");
});

it("holds a follow-up at a changed line to its file, and says that the whole page was in scope", async () => {
  const bench = createAgentBench(tools, {
    "a.md": "# A\n\nOne berth.\n\nTwo berths.\n",
    "b.md": "# B\n\nOne berth.\n",
  });
  const conversation = [user("Fix broken links")];
  await runTurn(bench, conversation);
  conversation.push(user('In a.md, line 3: Replace "berth" with "slot".'));
  const { ending } = await runTurn(bench, conversation);
  expect(ending.outcome).toBe("done");
  expect(ending.summary).toContain("The whole of a.md was in scope, not only line 3");
  const after = await bench.contents();
  expect(after["a.md"]).toContain("One slot.");
  expect(after["b.md"]).toContain("One berth.");
});

it("lists what is left before what is done, and counts every line that is not listed", async () => {
  const lines = (count: number, target: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `[a](${target(index)})\n`).join("\n");
  const bench = createAgentBench(tools, {
    "index.md": `${lines(30, (index) => `/nowhere-${index}`)}\n${lines(60, () => "/Page")}`,
    "page.md": "# Page\n",
  });
  const { ending } = await runTurn(bench, [user("Fix broken links.")]);
  const notes = ending.summary.split("\n").filter((line) => line.startsWith("  - "));
  expect(notes.filter((line) => line.includes("Left `")).length).toBe(30);
  expect(notes[0]).toContain("Left `");
  expect(notes.at(-1)).toBe(`  - … and ${90 - (notes.length - 1)} more.`);
});
