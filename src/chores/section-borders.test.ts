import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();

/** The page after a chore, or the reason of its refusal. */
async function edited(path: string, text: string, [name, input]: [string, Record<string, unknown>]): Promise<string> {
  const bench = createAgentBench(tools, { [path]: text, "x.mdx": "x\n" });
  const result = await bench.run(name, { page: "p", ...input });
  if (!result.ok) return result.message;
  return (await bench.contents())[path] ?? "";
}

const note = { kind: "note", text: "new" };
const replaced = (title: string, text: string): [string, Record<string, unknown>] => [
  "replace_section",
  { title, text },
];
const removed = (title: string): [string, Record<string, unknown>] => ["remove_section", { title }];

describe("an edit keeps the meaning of the text after it", () => {
  it.each<[string, string, [string, Record<string, unknown>], string]>([
    ["words below a heading", "## A\ntext here\n\n## B\ny\n", ["add_callout", { ...note, section: "A" }], "## A\n\n> **Note:** new\n\ntext here\n\n## B\ny\n"],
    ["an underlined heading", "# P\nB\n---\ny\n", ["add_callout", note], "# P\n\n> **Note:** new\n\nB\n---\ny\n"],
    ["a quote", "## A\n> quote\n", ["add_callout", { ...note, section: "A" }], "## A\n\n> **Note:** new\n\n> quote\n"],
    ["a table", "## A\n| a |\n|---|\n| b |\n", ["add_callout", { ...note, section: "A" }], "## A\n\n> **Note:** new\n\n| a |\n|---|\n| b |\n"],
    ["a list in the note", "# P\n\ntext\n", ["add_callout", { kind: "note", text: "- a\n- b" }], "# P\n\n> **Note:**\n>\n> - a\n> - b\n\ntext\n"],
    ["a heading that follows at once", "# P\n\n## A\nB\n---\ny\n", ["add_section", { title: "C", text: "- x", after: "A" }], "# P\n\n## A\n\n## C\n\n- x\n\nB\n---\ny\n"],
    ["the same with words in front", "# P\ntext\n## A\nx\n\ny\n---\n", removed("A"), "# P\ntext\n\ny\n---\n"],
    ["a box around the section", "# P\n\n<details>\n<summary>Linux</summary>\n\n## Install\n\nrun\n\n</details>\n\n## Next\n\ny\n", replaced("Install", "new"), "# P\n\n<details>\n<summary>Linux</summary>\n\n## Install\n\nnew\n\n</details>\n\n## Next\n\ny\n"],
    ["a tab around the section", '# P\n\n<Tabs>\n<Tab title="L">\n\n## A\n\nx\n\n</Tab>\n</Tabs>\n\n## C\n\nz\n', removed("A"), '# P\n\n<Tabs>\n<Tab title="L">\n\n</Tab>\n</Tabs>\n\n## C\n\nz\n'],
  ])("%s", async (_what, text, call, after) => {
    expect(await edited("p.md", text, call)).toBe(after);
  }); // oxfmt-ignore

  it.each<[string, string, string, [string, Record<string, unknown>], string]>([
    ["code without an end", "p.md", "# P\n\n## A\n\nx\n\n## B\n\ny\n", replaced("A", "```\nopen"), "leaves a code block open"],
    ["the same in MDX", "p.mdx", "# P\n\n## A\n\nx\n\n## B\n\ny\n", ["add_section", { title: "C", text: "```\nopen", after: "A" }], "leaves a code block open"],
    ["a page whose last block is open", "p.md", "# P\n\n## A\n\n```\nunclosed\n", ["add_section", { title: "C", text: "y" }], "leaves a block open on line 5"],
    ["a formula without an end", "p.md", "# P\n\n## A\n\nx\n\n## B\n\ny\n", ["add_section", { title: "C", text: "$$\nopen", after: "A" }], "begins with $$ has no end"],
    ["text for a heading in a quote", "p.md", "> ## A\n>\n> x\n>\n> ## B\n>\n> y\n\n## C\n\nz\n", replaced("A", "new\n\ntext"), "is in a quote or a list"],
    ["a heading in a quote", "p.md", "# P\n\n> ## A\n>\n> x\n\n## B\n\nz\n", removed("A"), "is in a quote or a list"],
    ["a heading in a list", "p.md", "# P\n\n- ## A\n\n  x\n- y\n\n## B\n\nz\n", removed("A"), "is in a quote or a list"],
    ["a tag that closes behind the section", "p.md", '# P\n\n## A\n\nx\n\n<div align="center">\n\n## B\n\ny\n\n</div>\n\n## C\n\nz\n', removed("A"), "“<div>” has its other half outside of the section"],
    ["a value that the page uses", "p.mdx", "# P\n\n## A\n\nexport const v = 1\n\n## B\n\nv is {v}\n", removed("A"), "defines “v”, which the rest of the page uses"],
    ["a snippet that the page uses", "p.mdx", "# P\n\n## A\n\nimport X from './x.mdx'\n\ny\n\n## B\n\n<X/>\n", removed("A"), "defines “X”, which the rest of the page uses"],
  ])("or is refused: %s", async (_what, path, text, call, reason) => {
    expect(await edited(path, text, call)).toContain(reason);
  }); // oxfmt-ignore
});
