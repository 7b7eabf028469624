import { describe, expect, it } from "vitest";
import type { ToolResult } from "./tool.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";

const tools = createAgentTools();
const bench = (files: Parameters<typeof createAgentBench>[1]) => createAgentBench(tools, files);

function contentOf(result: ToolResult): Record<string, unknown> {
  if (!result.ok) throw new Error(result.message);
  return result.content as Record<string, unknown>;
}
const messageOf = (result: ToolResult) => (result.ok ? `ok: ${result.summary}` : result.message);

describe("list_files", () => {
  it("lists by folder and pattern, page by page", async () => {
    const { run } = bench({ "a.md": "1", "guides/b.mdx": "22", "guides/deep/c.mdx": "", l: { linkTo: "a.md" } });
    expect(contentOf(await run("list_files", {}))).toEqual({
      files: [
        { path: "a.md", sizeBytes: 1 },
        { path: "guides/b.mdx", sizeBytes: 2 },
        { path: "guides/deep/c.mdx", sizeBytes: 0 },
        { path: "l", kind: "symlink" },
      ],
      total: 4,
      nextOffset: null,
    });
    expect(contentOf(await run("list_files", { glob: "guides" }))).toMatchObject({ total: 2 });
    expect(contentOf(await run("list_files", { glob: "*.md" }))).toMatchObject({ total: 1 });
    expect(contentOf(await run("list_files", { glob: "**/*.{md,mdx}", limit: 2 }))).toMatchObject({
      total: 3,
      nextOffset: 2,
    });
  });
});

describe("read_file", () => {
  it("numbers lines and continues where it stopped", async () => {
    const { run } = bench({ "a.md": "\uFEFFone\r\ntwo\r\nthree\r\n" });
    const read = async (input: object) => contentOf(await run("read_file", { path: "a.md", ...input }));
    expect(await read({ limit: 2 })).toBe("a.md, lines 1 to 2 of 3. Continue with offset 3.\n1| one\n2| two");
    expect(await read({ offset: 3 })).toBe("a.md, lines 3 to 3 of 3.\n3| three");
  });

  it("returns at most 64 KB", async () => {
    const { run } = bench({ "a.md": `${"x".repeat(999)}\n`.repeat(2_000) });
    const content = contentOf(await run("read_file", { path: "a.md", limit: 5_000 })) as unknown as string;
    expect(content.length).toBeLessThanOrEqual(64 * 1024 + 100);
    expect(content).toMatch(/^a\.md, lines 1 to 6\d of 2000\. Continue with offset 6\d\./);
  });

  it("returns what a small window holds, and names the lines of that", async () => {
    const { environment } = bench({ "a.md": `${"x".repeat(99)}\n`.repeat(200) });
    const readFile = tools.find(({ name }) => name === "read_file")!;
    const result = await readFile.run({ path: "a.md", limit: 2_000, offset: 1 }, { ...environment, maxResultCharacters: 2_000 }); // oxfmt-ignore
    const content = contentOf(result) as unknown as string;
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content).toMatch(/^a\.md, lines 1 to 1\d of 200\./);
  });

  it("reports what is wrong with a path", async () => {
    const { run } = bench({
      "guides/install.mdx": "",
      "b.bin": new Uint8Array([0, 255]),
      l: { linkTo: "/etc/passwd" },
    });
    expect(messageOf(await run("read_file", { path: "guide/instal.mdx" }))).toContain(
      'Did you mean "guides/install.mdx"',
    );
    expect(messageOf(await run("read_file", { path: "guides" }))).toContain("is a folder");
    expect(messageOf(await run("read_file", { path: "b.bin" }))).toContain("not a text file");
    expect(messageOf(await run("read_file", { path: "l" }))).toContain("is a symlink");
    expect(messageOf(await run("read_file", { path: "../../etc/passwd" }))).toContain("There is no file");
  });
});

describe("search_files", () => {
  it("finds literal text and patterns, with lines", async () => {
    const { run } = bench({ "a.md": "one\nHarbor Cloud\n", "b.mdx": "harbor\n", "c.bin": new Uint8Array([0, 104]) });
    expect(contentOf(await run("search_files", { text: "Harbor" }))).toMatchObject({
      hits: [{ path: "a.md", line: 2, text: "Harbor Cloud" }],
      more: null,
    });
    expect(contentOf(await run("search_files", { text: "harbor", caseSensitive: false }))).toMatchObject({
      hits: [{ path: "a.md" }, { path: "b.mdx" }],
    });
    expect(contentOf(await run("search_files", { pattern: "^h\\w+r$" }))).toMatchObject({
      hits: [{ path: "b.mdx", line: 1 }],
    });
    expect(contentOf(await run("search_files", { text: "o", glob: "*.mdx" }))).toMatchObject({
      hits: [{ path: "b.mdx" }],
    });
  });

  it("runs patterns that never end in a backtracking engine", async () => {
    const { run } = bench({ "a.md": `${"a".repeat(5_000)}b\n` });
    for (const pattern of ["(a+)+$", "(a|aa)+$", "(.*a){20}x", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
      contentOf(await run("search_files", { pattern }));
    }
    expect(messageOf(await run("search_files", { pattern: "(a" }))).toContain("not valid in RE2 syntax");
    expect(messageOf(await run("search_files", { pattern: "(?=a)" }))).toContain("not valid in RE2 syntax");
  });

  it("treats a pattern that looks like an option as a pattern", async () => {
    const { run } = bench({ "a.md": "--open-files-in-pager=touch x\n" });
    expect(contentOf(await run("search_files", { text: "--open-files-in-pager=touch x" }))).toMatchObject({
      hits: [{ line: 1 }],
    });
  });

  it("returns at most the requested number of hits and reports that there may be more", async () => {
    const { run } = bench({ "a.md": "x\n".repeat(500) });
    const content = contentOf(await run("search_files", { text: "x", limit: 100 }));
    expect(content["hits"]).toHaveLength(100);
    expect(content["more"]).toContain("narrow the search");
  });
});

describe("outline_page", () => {
  it("shows front matter, headings and anchors, or why they are missing", async () => {
    const { run } = bench({
      "a.mdx": '---\ntitle: A\n---\n\n## One\n\n<Step title="Go">x</Step>\n',
      "b.mdx": "<Open>\n",
    });
    expect(contentOf(await run("outline_page", { path: "a.mdx" }))).toMatchObject({
      frontMatter: { title: "A" },
      headings: [{ line: 5, depth: 2, text: "One", anchor: "#one" }],
      otherAnchors: [{ line: 7, anchor: "#go" }],
    });
    expect(messageOf(await run("outline_page", { path: "b.mdx" }))).toContain("does not parse");
  });
});

describe("edit_file", () => {
  const page = "---\r\ntitle: A\r\n---\r\n\r\nHello world.\r\nHello again.\r\n";

  it("replaces exactly the match and keeps byte order mark, line ends and everything else", async () => {
    const { run, contents } = bench({ "a.mdx": `\uFEFF${page}` });
    contentOf(
      await run("edit_file", {
        path: "a.mdx",
        edits: [{ old: "Hello world.\nHello again.", new: "Bye.\nBye again." }],
      }),
    );
    expect((await contents())["a.mdx"]).toBe("\uFEFF---\r\ntitle: A\r\n---\r\n\r\nBye.\r\nBye again.\r\n");
  });

  it("applies all edits or none", async () => {
    const { run, contents } = bench({ "a.mdx": page });
    const edits = [
      { old: "world", new: "there" },
      { old: "nowhere", new: "x" },
    ];
    expect(messageOf(await run("edit_file", { path: "a.mdx", edits }))).toContain("Edit 2 of 2");
    expect((await contents())["a.mdx"]).toBe(page);
  });

  it("lists the lines of a text that occurs more than once", async () => {
    const { run } = bench({ "a.mdx": page });
    const answer = await run("edit_file", { path: "a.mdx", edits: [{ old: "Hello", new: "Hi" }] });
    expect(messageOf(answer)).toContain("occurs 2 times, on lines 5, 6");
    contentOf(await run("edit_file", { path: "a.mdx", edits: [{ old: "Hello", new: "Hi", all: true }] }));
  });

  it("shows the nearest lines of a text that does not occur", async () => {
    const { run } = bench({ "a.mdx": page });
    expect(messageOf(await run("edit_file", { path: "a.mdx", edits: [{ old: "Hello wrld.", new: "x" }] }))).toContain(
      "5| Hello world.",
    );
    expect(
      messageOf(await run("edit_file", { path: "a.mdx", edits: [{ old: "Hello  world.\n\nHello again.", new: "x" }] })),
    ).toContain("Lines 5 to 6 differ from it in white space only");
  });

  it("refuses an empty or unchanged text", async () => {
    const { run } = bench({ "a.mdx": page });
    expect(messageOf(await run("edit_file", { path: "a.mdx", edits: [{ old: "  ", new: "x" }] }))).toContain("empty");
    expect(
      messageOf(await run("edit_file", { path: "a.mdx", edits: [{ old: "Hello", new: "Hello", all: true }] })),
    ).toContain("the same");
  });

  it("refuses to break a page that parses, and can repair one that does not", async () => {
    const { run } = bench({ "a.mdx": page, "broken.mdx": "<Note>\nopen\n", "docs.json": '{"name": "x"}' });
    expect(messageOf(await run("edit_file", { path: "a.mdx", edits: [{ old: "world", new: "<b>" }] }))).toContain(
      "would not parse",
    );
    contentOf(await run("edit_file", { path: "broken.mdx", edits: [{ old: "open", new: "still open" }] }));
    expect(messageOf(await run("edit_file", { path: "docs.json", edits: [{ old: '"x"', new: "x" }] }))).toContain(
      "not valid JSON",
    );
  });

  it("inserts replacement text literally", async () => {
    const { run, contents } = bench({ "a.md": "cost: X\n" });
    contentOf(await run("edit_file", { path: "a.md", edits: [{ old: "X", new: "$& $1 $$" }] }));
    expect((await contents())["a.md"]).toBe("cost: $& $1 $$\n");
  });
});

describe("write_file, move_file and delete_file", () => {
  it("write new files and replace small ones on request", async () => {
    const { run, contents } = bench({ "a.md": "old\r\n", "big.md": "x\n".repeat(500) });
    contentOf(await run("write_file", { path: "b.mdx", content: "# B\n" }));
    expect(messageOf(await run("write_file", { path: "a.md", content: "new\n" }))).toContain("exists");
    contentOf(await run("write_file", { path: "a.md", content: "new\n", replace: true }));
    expect((await contents())["a.md"]).toBe("new\r\n");
    expect(messageOf(await run("write_file", { path: "big.md", content: "x", replace: true }))).toContain(
      "piece by piece",
    );
    expect(messageOf(await run("write_file", { path: "c.mdx", content: "{" }))).toContain("would not parse");
    expect(messageOf(await run("write_file", { path: "d.md", content: "x", replace: true }))).toContain("no such file");
  });

  it("move files byte for byte, and delete files", async () => {
    const png = new Uint8Array([0x89, 0x50, 0, 255]);
    const { run, tree } = bench({ "images/a.png": png, "b.md": "b" });
    contentOf(await run("move_file", { from: "images/a.png", to: "assets/a.png" }));
    expect(Buffer.from((await tree.read("assets/a.png"))!)).toEqual(Buffer.from(png));
    expect(await tree.exists("images/a.png")).toBe(false);
    expect(messageOf(await run("move_file", { from: "b.md", to: "assets/a.png" }))).toContain("keeps its kind");
    contentOf(await run("delete_file", { path: "b.md" }));
    expect(await tree.exists("b.md")).toBe(false);
  });

  it.each([
    ["write_file", { path: ".github/workflows/x.yml", content: "on: push" }],
    ["write_file", { path: "../x.md", content: "x" }],
    ["write_file", { path: "AGENTS.md", content: "Obey." }],
    ["write_file", { path: "l/x.md", content: "x" }],
    ["move_file", { from: "a.md", to: ".git/hooks/x.md" }],
    ["move_file", { from: "a.md", to: "l/x.md" }],
    ["move_file", { from: "l", to: "b.md" }],
    ["delete_file", { path: "LICENSE" }],
    ["delete_file", { path: "l" }],
    ["edit_file", { path: "package.json", edits: [{ old: "1", new: "2" }] }],
  ] as const)("%s refuses %j", async (name, input) => {
    const { run, tree } = bench({ "a.md": "a", LICENSE: "x", "package.json": "1", l: { linkTo: "/etc" } });
    expect((await run(name, input)).ok).toBe(false);
    expect(tree.edits().size).toBe(0);
  });
});

describe("finish", () => {
  it("returns its input, which the loop reads", async () => {
    const input = { outcome: "done", title: "T", summary: "S" };
    expect(contentOf(await bench({}).run("finish", input))).toEqual(input);
  });
});

describe("check_chores", () => {
  it("tries chores in sequence without changing anything", async () => {
    const files = {
      "docs.json": '{"navigation": {"groups": [{"group": "Start", "pages": ["index"]}]}}',
      "index.mdx": "# Home\n",
    };
    const { run, tree } = bench(files);
    const chores = [
      { tool: "add_page", input: { title: "New", text: "Text.", group: "Start" } },
      { tool: "move_page", input: { page: "New", to: "guides/new" } },
      { tool: "move_page", input: { page: "Nowhere", to: "x" } },
      { tool: "move_page", input: { page: "index" } },
      { tool: "format_disk", input: {} },
    ];
    const { results } = contentOf(await run("check_chores", { chores })) as {
      results: { ok: boolean; message?: string }[];
    };
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false, false, false]);
    expect(results[2]?.message).toContain("There is no page “Nowhere”");
    expect(results[4]?.message).toContain("no chore “format_disk”");
    expect(tree.edits().size).toBe(0);
  });

  it("caches the outcome for the chore itself, as long as nothing changes in between", async () => {
    const files = { "a.mdx": "Harbor Cloud\n", "b.mdx": "Harbor Cloud\n" };
    const { run, contents, environment } = bench(files);
    let parses = 0;
    const { parser } = environment;
    environment.parser = { parse: (source, format) => (parses++, parser.parse(source, format)) };
    const input = { from: "Harbor Cloud", to: "Harbor Platform" };
    contentOf(await run("check_chores", { chores: [{ tool: "replace_term", input }] }));
    const tried = parses;
    expect(tried).toBeGreaterThan(0);
    expect(contentOf(await run("replace_term", input))).toMatchObject({ changedCount: 2 });
    expect(parses).toBe(tried);
    expect(await contents()).toEqual({ "a.mdx": "Harbor Platform\n", "b.mdx": "Harbor Platform\n" });
    environment.tree.write("a.mdx", "Harbor Cloud and Harbor Cloud\n");
    expect(contentOf(await run("replace_term", input))).toMatchObject({ changedCount: 1, replaced: 2 });
  });
});
