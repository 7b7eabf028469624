import { expect, it } from "vitest";
import { NO_RULES } from "#docs/page-rules.ts";
import { putIncludesIn } from "./includes.ts";

it("includes files in blocks of code as markdown-include does, whole or some of their lines", async () => {
  const files = new Map([["docs_src/first.py", "import typer\n\n\ndef main():\n    print(1)\n"]]);
  const warned: string[] = [];
  const page =
    '```Python\n{!../docs_src/first.py!}\n```\n\n=== "Tab"\n\n    ```Python\n    {!> ../docs_src/first.py [ln:4-5] !}\n    ```\n\n{!../docs_src/gone.py!}\n\n`{!a!}`\n';
  const { source } = await putIncludesIn(page, "docs/a/index.md", {
    dialect: "mkdocs",
    contentRoot: "docs",
    rules: NO_RULES,
    readsValues: false,
    read: async (path) => files.get(path) ?? null,
    warn: (_offset, message) => warned.push(message),
  });
  expect(source).toBe(
    '```Python\nimport typer\n\n\ndef main():\n    print(1)\n```\n\n=== "Tab"\n\n    ```Python\n    def main():\n        print(1)\n    ```\n\n\n\n`{!a!}`\n',
  );
  expect(warned).toEqual(["../docs_src/gone.py is not included: the repository has no such file."]);
});

it("includes files from the folder of Fumadocs' configuration and beside it", async () => {
  const files = new Map([
    ["apps/site/lib/a.ts", "a"],
    ["examples/b.ts", "b"],
  ]);
  const page = "<include cwd>\n  ./lib/a.ts\n</include>\n\n<include cwd>\n  ../../examples/b.ts\n</include>\n";
  const { source } = await putIncludesIn(page, "apps/site/content/docs/page.mdx", {
    dialect: "fumadocs",
    contentRoot: "apps/site",
    rules: NO_RULES,
    readsValues: false,
    read: async (path) => files.get(path) ?? null,
    warn: (_offset, message) => expect.fail(message),
  });
  expect(source).toBe("```ts \na\n```\n\n```ts \nb\n```\n");
});

it("includes files from VitePress' folder of pages below that of the configuration", async () => {
  const { source } = await putIncludesIn("<!-- @include: @/parts/a.md -->\n", "docs/content/guide/page.md", {
    dialect: "vitepress",
    contentRoot: "docs",
    rules: NO_RULES,
    readsValues: false,
    read: async (path) => (path === "docs/content/parts/a.md" ? "One.\n" : null),
    warn: (_offset, message) => expect.fail(message),
  });
  expect(source).toBe("One.\n");
});

it("counts the size of included files after nested indentation", async () => {
  const files = new Map([["docs/s0.md", "a\n".repeat(100_000)]]);
  const indent = " ".repeat(200);
  for (let at = 1; at <= 10; at++) files.set(`docs/s${at}.md`, `${indent}--8<-- "docs/s${at - 1}.md"\n`);
  const warned: string[] = [];
  const { source } = await putIncludesIn('--8<-- "docs/s10.md"\n', "docs/index.md", {
    dialect: "mkdocs",
    contentRoot: "docs",
    rules: NO_RULES,
    readsValues: false,
    read: async (path) => files.get(path) ?? null,
    warn: (_offset, message) => warned.push(message),
  });
  expect(source.length).toBeLessThan(2_000_000);
  expect(warned.join("\n")).toContain("with 2 MB in all");
});

it("appends files to a page up to 2 MB in all, and names the others and those that do not exist", async () => {
  const files = new Map([["long.txt", "x".repeat(900_000)]]);
  const warned: string[] = [];
  const { source } = await putIncludesIn("# A\n", "docs/a.md", {
    dialect: "mkdocs",
    contentRoot: "docs",
    rules: { ...NO_RULES, snippets: { folders: [], appended: ["gone.md", "long.txt", "long.txt", "long.txt"] } },
    readsValues: false,
    read: async (path) => files.get(path) ?? null,
    warn: (_offset, message) => warned.push(message),
  });
  expect(source.length).toBeLessThan(2_000_000);
  expect(warned).toEqual([
    "gone.md is not appended: the repository has no such file.",
    "long.txt is not appended: a page includes at most 2 MB.",
  ]);
});

/** A page of VitePress in `docs/guides`, with what was read and warned of. */
async function vitepress(page: string, files: Record<string, string>) {
  const read: string[] = [];
  const warned: string[] = [];
  const { source } = await putIncludesIn(page, "docs/guides/a.md", {
    dialect: "vitepress",
    contentRoot: "docs",
    rules: NO_RULES,
    readsValues: false,
    read: async (path) => (read.push(path), files[path] ?? null),
    warn: (_offset, message) => warned.push(message),
  });
  return { source, read, warned };
}

it("looks for no file outside the repository", async () => {
  const { read, warned } = await vitepress("<<< ../../../etc/passwd\n\n<<< @/../../etc/passwd\n", {});
  expect(read.filter((path) => /^(?:\.\.|\/)/.test(path))).toEqual([]);
  expect(warned).toHaveLength(2);
});

it("includes up to a hundred files with up to 2 MB in all", async () => {
  const many = await vitepress("<<< ./b.js\n\n".repeat(101), { "docs/guides/b.js": "1" });
  expect([many.read.length, many.warned.length]).toEqual([100, 1]);
  const large = await vitepress("<<< ./b.js\n\n".repeat(3), { "docs/guides/b.js": "x".repeat(900_000) });
  expect([large.source.length < 2_000_000, large.warned.length]).toEqual([true, 1]);
});

it("shows a page as code in a longer fence than those in it, and as text without its front matter", async () => {
  const files = { "docs/guides/b.md": "---\ntitle: B\n---\n````js\n1\n````\n" };
  expect((await vitepress("<<< ./b.md\n", files)).source).toBe(
    "`````md \n---\ntitle: B\n---\n````js\n1\n````\n`````\n",
  );
  expect((await vitepress("<!-- @include: ./b.md -->\n", files)).source).toBe("````js\n1\n````\n");
});

it("shows a region without an end to the end of the file", async () => {
  const files = { "docs/guides/b.js": "0;\n// #region one\n1;\n2;" };
  expect((await vitepress("<<< ./b.js#one\n", files)).source).toBe("```js \n1;\n2;\n```\n");
});
