import { describe, expect, it } from "vitest";
import { createAgentBench } from "#testing/agent-bench.ts";
import { runTool } from "./tool-call.ts";
import { createAgentTools } from "./toolbox/tools.ts";

const FILES = {
  "quickstart.mdx": "---\ntitle: Start\n---\n\nHarbor Cloud keeps ships.\n",
  "guides/install.mdx": "# Install\n\nHarbor Cloud.\n",
  "guides/both.md": "# Both\n",
  "guides/both.mdx": "# Both\n",
};

async function send(name: string, input: Record<string, unknown>) {
  const tools = createAgentTools();
  const { environment } = createAgentBench(tools, FILES);
  const deps = { tools, environment, reportFault: () => undefined };
  const { result } = await runTool(deps, { id: "1", name, input, invalid: null }, 60_000);
  const answer = result.ok ? result.content : result.message;
  return {
    ok: result.ok,
    answer: typeof answer === "string" ? answer : JSON.stringify(answer),
    tree: environment.tree,
  };
}

const EDIT = { old: "Harbor Cloud", new: "Harbor Platform" };

describe("an imprecise call, as models send it,", () => {
  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ["a path with a slash before it", "read_file", { path: "/quickstart.mdx" }, /^quickstart\.mdx, lines 1 to 5 of 5/],
    ["a path with ./ before it", "read_file", { path: "./guides/install.mdx" }, /^guides\/install\.mdx, lines/],
    ["several of them", "read_file", { path: ".//./quickstart.mdx" }, /^quickstart\.mdx, lines/],
    ["the name of a page", "read_file", { path: "quickstart" }, /^quickstart\.mdx, lines/],
    ["the address of a page", "outline_page", { path: "/guides/install" }, /"path":"guides\/install\.mdx"/],
    ["null for an argument that is left out", "read_file", { path: "quickstart.mdx", offset: null, limit: null }, /lines 1 to 5/],
    ["null for a pattern", "search_files", { text: "Harbor", glob: null }, /quickstart\.mdx/],
    ["a number as a text", "read_file", { path: "quickstart.mdx", offset: "2", limit: "2" }, /lines 2 to 3 of 5/],
    ["a flag as a text", "edit_file", { path: "quickstart.mdx", edits: [{ ...EDIT, all: "true" }] }, /"replacements":1/],
    ["one edit for a list of edits", "edit_file", { path: "quickstart.mdx", edits: EDIT }, /"replacements":1/],
    ["a list of edits as JSON", "edit_file", { path: "/quickstart", edits: JSON.stringify([EDIT]) }, /"replacements":1/],
    ["one edit as JSON", "edit_file", { path: "quickstart.mdx", edits: JSON.stringify(EDIT) }, /"replacements":1/],
    ["an unknown argument", "read_file", { path: "quickstart.mdx", encoding: "utf8" }, /^There is no argument "encoding": it was ignored\.\nquickstart/],
    ["one page for a list of pages", "replace_term", { from: "Harbor Cloud", to: "Harbor Platform", in: "quickstart" }, /quickstart\.mdx/],
    ["a list of pages as JSON", "replace_term", { from: "Harbor Cloud", to: "Harbor Platform", in: '["quickstart"]' }, /quickstart\.mdx/],
    ["a dot for all files", "list_files", { glob: "." }, /"total":4/],
    ["a slash for all files", "list_files", { glob: "/" }, /"total":4/],
    ["another name of the text", "search_files", { query: "Harbor", glob: null }, /quickstart\.mdx.*query\\" was read as \\"text/],
    ["another name of the path", "read_file", { file_path: "quickstart.mdx" }, /"file_path" was read as "path"\.\nquickstart/],
    ["a path for a pattern", "list_files", { path: "guides" }, /"total":3.*path\\" was read as \\"glob/],
    ["other names in an edit", "edit_file", { path: "quickstart", edits: { old_string: "Harbor", new_string: "Port" } }, /"replacements":1.*edits\[0\]\.old_string\\" was read as \\"old/],
    ["all for everywhere", "replace_term", { from: "Harbor Cloud", to: "Harbor Platform", all: "true" }, /2 times.*all\\": it was ignored/],
    ["null for an unknown argument", "replace_term", { from: "Harbor Cloud", to: "Port", exclude: null }, /2 times.*exclude\\": it was ignored/],
    ["a new file at /", "write_file", { path: "/new.md", content: "# New\n" }, /"path":"new\.md"/],
  ])("with %s is run", async (_what, name, input, answer) => {
    const sent = await send(name, input);
    expect([sent.ok, sent.answer]).toEqual([true, expect.stringMatching(answer)]);
  }); // oxfmt-ignore

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ["an unknown restriction", "replace_term", { from: "Harbor Cloud", to: "X", exclude: ["guides/"] }, /exclude/],
    [
      "an unknown argument of an edit",
      "edit_file",
      { path: "quickstart.mdx", edits: [{ ...EDIT, count: 1 }] },
      /count/,
    ],
    [
      "two names of the path",
      "edit_file",
      { file: "quickstart.mdx", file_path: "quickstart.mdx", edits: EDIT },
      /not known: "file_path"/,
    ],
    [
      "the path and another name of it",
      "edit_file",
      { path: "quickstart.mdx", file_path: "quickstart.mdx", edits: EDIT },
      /not known: "file_path"/,
    ],
    ["not all", "replace_term", { from: "Harbor Cloud", to: "X", all: false }, /all/],
    ["a name that two pages have", "read_file", { path: "guides/both" }, /There is no file/],
    ["a path out of the tree", "write_file", { path: "/../x.md", content: "x" }, /not a path inside/],
    ["a text that is no number", "read_file", { path: "quickstart.mdx", limit: "all" }, /limit/],
    ["an argument that is missing", "edit_file", { path: "quickstart.mdx" }, /edits/],
    ["null for one that is needed", "read_file", { path: null }, /path/],
    ["a text for an object", "edit_file", { path: "quickstart.mdx", edits: "replace it" }, /edits/],
  ])("with %s is refused, with the reason", async (_what, name, input, answer) => {
    const sent = await send(name, input);
    expect([sent.ok, sent.answer]).toEqual([false, expect.stringMatching(answer)]);
    expect(sent.tree.edits().size).toBe(0);
  });
});
