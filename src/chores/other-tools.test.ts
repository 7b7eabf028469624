import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const FILES = {
  "mkdocs.yml": "site_name: T\nnav:\n  - A: a.md\n  - B: b.md\n",
  "docs/a.md": "# A\n",
  "docs/b.md": "# B\n",
};

it.each([
  ["rename_group", { group: "A", to: "C" }, '"nav" in mkdocs.yml'],
  ["add_page", { title: "C", text: "x", group: "A" }, '"nav" in mkdocs.yml'],
  ["add_page", { title: "C", text: "x" }, "Give the path"],
  ["move_page", { page: "docs/a.md", to: "docs/c.md" }, '"nav" in mkdocs.yml'],
  ["remove_page", { page: "docs/a.md", redirectTo: "docs/b.md" }, "the options of the redirects plugin in mkdocs.yml"],
  ["add_redirect", { from: "/old", to: "/a" }, "the options of the redirects plugin in mkdocs.yml"],
  ["remove_redirect", { from: "/old" }, "the options of the redirects plugin in mkdocs.yml"],
])("%s names the file of another tool to edit, and changes nothing", async (name, input, file) => {
  const bench = createAgentBench(createAgentTools(), FILES);
  const result = await bench.run(name, input);
  expect(result).toMatchObject({ ok: false, message: expect.stringContaining(file) as string });
  expect(await bench.contents()).toEqual(FILES);
});
