import { describe, expect, test } from "vitest";
import { judge, type TestFiles } from "#testing/judged-change.ts";

const BASE: TestFiles = {
  "docs.json": JSON.stringify({
    name: "Docs",
    navigation: { pages: ["index", "guides/a"] },
    openapi: "api/openapi.yaml",
  }),
  "index.md": "# Start\n\n[Prices](/data/prices.csv) and [next year's](/data/next.yaml)\n",
  "tools.md":
    '# Tools\n\nWrite tools/app.yaml and `tools/app.yaml` so:\n\n```yaml\nextends: "tools/app.yaml"\n```\n\nThen `config/limits.yaml`.\n',
  "guides/a.mdx": 'import B from "/snippets/b.mdx"\n\n# A\n\n<B />\n',
  "snippets/b.mdx": "Part.\n",
  "snippets/unused.mdx": "Part.\n",
  "data/prices.csv": "a,b\n",
  "data/other.json": "{}\n",
  "api/openapi.yaml": "openapi: 3.1.0\npaths:\n  $ref: ./paths.yaml\n",
  "api/paths.yaml": "{}\n",
  LICENSE: "Text\n",
  "config/limits.yaml": "a: 1\n",
  "logo.png": Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0]),
  "AGENTS.md": "# Rules\n",
  "CONTEXT.md": "# Rules\n",
};

async function policyOf(change: TestFiles, removed: string[] = [], base: TestFiles = BASE): Promise<string[]> {
  const after = Object.fromEntries(Object.entries({ ...base, ...change }).filter(([path]) => !removed.includes(path)));
  const { errors } = await judge(base, after, { prompts: ["Delete what is old."] });
  return errors.filter(({ check }) => check === "policy").map(({ message }) => message);
}

const PAGE = "# Page\n\nText.\n";

describe("new files that configure tools, agents or hosts are refused", () => {
  test.each([
    "ＡGENTS.md", "copilot-instructions.md", ".github/copilot-instructions.md", "guides/copilot-instructions.md", "QWEN.md", "guides/QWEN.mdx",
    "WARP.md", "CRUSH.md", "IFLOW.md", "CONTEXT2.md", "REPLIT.md", "replit.md", "memory.md", "soul.md", "heartbeat.md", "jules.md", "codex.md", "goose.md", "junie.md", "skills/x/SKILL.mdx", "skills/x/SKILL.md",
    "opencode.json", "crush.json", "mcp.json", "amplify.yml", "render.yaml", "environment.yml", "dev-requirements.txt",
    "codemagic.yaml", "bitrise.yml", "nodemon.json", "template.yaml", "hugo.yaml", "Pulumi.yaml", "robots.txt", "llms.txt",
    "config/mcp.json", "app/amplify.yml", "x/nodemon.json", "public/robots.txt", "static/_redirects.txt", "NEWTOOL.md",
    "newtool.yaml", "newtool.json", "guides/review.instructions.md", "guides/x.prompt.md", "docs/mint.json", "mint.json",
    "guides/Аgent-notes.md", "guides/a#b.md", "guides/a%62.md", "guides/ﬁle.md", "CLAUDE.mdx", "index.html", "x.jsx",
  ])("%s", async (path) => {
    expect(await policyOf({ [path]: path.endsWith(".md") || path.endsWith(".mdx") ? PAGE : "{}\n" })).not.toEqual([]);
  }); // oxfmt-ignore

  test("even if a page links to one of them", async () => {
    expect(await policyOf({ "amplify.yml": "a: 1\n", "index.md": "# Start\n\n[x](/amplify.yml)\n" })).not.toEqual([]);
    expect(await policyOf({ "newtool.yaml": "a: 1\n", "index.md": "# Start\n\n[x](/newtool.yaml)\n" })).not.toEqual([]);
  });
});

describe("a change cannot license its own data files", () => {
  const linked = (path: string, content: string): TestFiles => ({
    [path]: content,
    "index.md": `# Start\n\n[it](/${path}) [Prices](/data/prices.csv)\n`,
  });
  test.each<[string, TestFiles]>([
    ["settings in a separate folder", linked("tools/own.yaml", "run: id\n")],
    ["settings that an existing page mentions", linked("tools/app.yaml", "run: id\n")],
    ["settings next to unreferenced data", linked("config/own.yaml", "run: id\n")],
    ["another kind of data next to data of the docs", linked("data/own.json", "{}\n")],
    ["data in a subfolder", linked("data/more/own.csv", "a\n")],
    ["settings named in the configuration", { "tools/own.yaml": "a: 1\n", "docs.json": '{"name": "D", "navigation": {"pages": ["index", "guides/a"]}, "api": {"openapi": "tools/own.yaml"}}' }],
    ["a description with keys of another program", linked("ci/own.yaml", "openapi: 3.1.0\npaths: {}\njobs: {}\n")],
    ["a description with keys of another program, in JSON", linked("ci/own.json", '{"openapi": "3.1.0", "scripts": {}}')],
    ["a description with another key after a carriage return", linked("ci/own.yaml", "openapi: 3.1.0\ninfo: a\rjobs: {}\n")],
    ["a description with another key after a line separator", linked("ci/own.yaml", "openapi: 3.1.0\ninfo: a\u2028jobs: {}\n")],
    ["a description in a second document", linked("ci/own.yaml", "openapi: 3.1.0\n---\njobs: {}\n")],
    ["a description without a version number", linked("ci/own.yaml", "openapi: yes\n")],
  ])("%s", async (_name, change) => {
    expect(await policyOf(change)).toContainEqual(expect.stringContaining("is a new data file"));
  }); // oxfmt-ignore

  test.each<[string, TestFiles]>([
    ["data that an existing page links to", { "data/next.yaml": "a: 1\n" }],
    ["data next to data of its kind", linked("data/own.csv", "a\n")],
    ["a .yml file next to .yaml files", linked("api/own.yml", "a: 1\n")],
    ["a description", linked("spec/own.yaml", "# Ours\nopenapi: '3.1.0'\ninfo:\n  title: A\ntags:\n- name: x\nx-own: 1\npaths: {}\n")],
    ["a description in JSON", linked("spec/own.json", '{"asyncapi": "3.0.0", "info": {}, "channels": {}}')],
  ])("but %s is data", async (_name, change) => {
    expect(await policyOf(change)).toEqual([]);
  }); // oxfmt-ignore
});

describe("pages at paths where agents look for instructions", () => {
  const PATHS = [
    "commands/deploy.md", "plugins/x/commands/deploy.md", "agents/reviewer.md", "skills/x/notes.md", "prompts/a.md",
    "guides/agents.md", "guides/Claude.md", "guides/skill.md", "rules/style.md", "memory-bank/context.md", "guides/gemini.local.md",
  ]; // oxfmt-ignore
  const listed = (...pages: string[]) => ({
    "docs.json": JSON.stringify({
      name: "D",
      navigation: { pages: ["index", "guides/a", ...pages] },
      openapi: "api/openapi.yaml",
    }),
  });

  test.each(PATHS)("%s is refused unless it is in the navigation", async (path) => {
    expect(await policyOf({ [path]: PAGE })).toHaveLength(1);
    expect(await policyOf({ [path]: PAGE, ...listed(path.replace(".md", "")) })).toEqual([]);
    expect(await policyOf({ [path]: `${PAGE}More.\n` }, [], { ...BASE, [path]: PAGE })).toHaveLength(1);
    expect(
      await policyOf({ [path]: `${PAGE}More.\n` }, [], { ...BASE, ...listed(path.replace(".md", "")), [path]: PAGE }),
    ).toEqual([]);
  });

  test("without a configured navigation, existing pages of a folder decide whether it is for readers", async () => {
    const base: TestFiles = { "index.md": PAGE, "commands/login.md": PAGE };
    expect(await policyOf({ "commands/deploy.md": PAGE }, [], base)).toEqual([]);
    expect(await policyOf({ "agents/deploy.md": PAGE }, [], base)).toHaveLength(1);
    expect(await policyOf({ "commands/agents.md": PAGE }, [], base)).toHaveLength(1);
  });

  test.each(["docs/pull_request_template.md", "issue_template/bug.md", "guides/x.rules.md"])(
    "%s is refused because it is only for reviewers and tools",
    async (path) => {
      expect(await policyOf({ [path]: PAGE, ...listed(path.replace(".md", "")) })).not.toEqual([]);
    },
  );
});

describe("files of the documentation may be written", () => {
  test.each<[string, TestFiles]>([
    ["a page in the navigation's folder", { "guides/b.mdx": PAGE }],
    [
      "a page about an agent",
      { "integrations/replit.mdx": PAGE, "guides/agents.mdx": PAGE, "integrations/cursor.md": PAGE },
    ],
    ["a page in capitals that pages have", { "FAQ.md": PAGE, "guides/README.md": PAGE, "API.mdx": PAGE }],
    ["a page in another script", { "guides/名前-ünïcode.md": PAGE, "руководство/начало.md": PAGE }],
    ["a page of a folder with brackets", { "[[...slug]]/a+b (c).mdx": PAGE }],
    [
      "a snippet that a page includes",
      { "snippets/c.mdx": "C\n", "index.md": '# Start\n\n<Snippet file="c.mdx" />\n' },
    ],
    ["an existing, unused snippet", { "snippets/unused.mdx": "New.\n" }],
    ["data that a page links to", { "data/prices.csv": "a,c\n" }],
    ["a description that the configuration names", { "api/openapi.yaml": "openapi: 3.1.0\n" }],
    ["a part of a description", { "api/paths.yaml": "a: {}\n" }],
    ["new data that a page imports", { "data/n.csv": "a\n", "guides/b.mdx": 'import n from "../data/n.csv"\n\n# B\n' }],
    [
      "new data that a front matter names",
      { "data/n.yaml": "openapi: 3.1.0\n", "b.md": "---\nopenapi: /data/n.yaml GET /x\n---\n\n# B\n" },
    ],
    [
      "a description next to the configuration",
      { "openapi.json": '{"openapi": "3.1.0"}\n', "b.md": "# B\n\n[it](openapi.json)\n" },
    ],
    [
      "the configuration",
      { "docs.json": '{"name": "D", "navigation": {"pages": ["index", "guides/a"]}, "openapi": "api/openapi.yaml"}' },
    ],
  ])("%s", async (_name, change) => {
    expect(await policyOf(change)).toEqual([]);
  });
});

describe("files without a reference are left to people", () => {
  test.each<[string, TestFiles, string[]]>([
    ["new data", { "data/new.json": "{}\n" }, []],
    ["existing data", { "data/other.json": '{"a": 1}\n' }, []],
    ["settings of a program", { "config/limits.yaml": "a: 2\n" }, []],
    [
      "data that only the change references",
      { "data/other.json": '{"a": 1}\n', "index.md": "# S\n\n[x](/data/other.json) [p](/data/prices.csv)\n" },
      [],
    ],
    ["data removed", {}, ["data/other.json"]],
    ["a new snippet", { "snippets/new.mdx": "C\n" }, []],
    ["a new snippet in a folder with _", { "guides/_parts/new.mdx": "C\n" }, []],
  ])("%s", async (_name, change, removed) => {
    expect(await policyOf(change, removed)).toHaveLength(1);
  });
});

describe("other changes", () => {
  test.each<[string, TestFiles, string[], TestFiles?]>([
    ["removing the license", {}, ["LICENSE"]],
    ["removing instructions", {}, ["AGENTS.md"]],
    ["editing existing instructions", { "CONTEXT.md": "# Own\n" }, []],
    ["removing a workflow", {}, [".github/x.md"], { ...BASE, ".github/x.md": PAGE }],
    ["adding an image", { "own.png": Uint8Array.from([1, 2, 3]) }, []],
    ["giving an image another extension", { "logo.svg": BASE["logo.png"]! }, ["logo.png"]],
    ["adding a page outside the docs", { "README.md": PAGE }, [], { "docs/docs.json": "{}", "docs/index.md": PAGE }],
    [
      "adding data to a folder with a name like the docs'",
      { "docs-internal/x/y.json": "{}\n" },
      [],
      { "docs/docs.json": "{}", "docs/index.md": "# A\n\n[x](/x/y.json)\n" },
    ],
    [
      "adding a page to a folder with a name like the docs'",
      { "docs-internal/x.md": PAGE },
      [],
      { "docs/docs.json": "{}", "docs/index.md": PAGE },
    ],
    [
      "adding a configuration above the docs' own",
      { "docs.json": "{}" },
      [],
      { "docs/docs.json": "{}", "docs/index.md": PAGE },
    ],
  ])("%s is refused", async (_name, change, removed, base) => {
    expect(await policyOf(change, removed, base)).not.toEqual([]);
  });

  test("an image may be moved, and a page may change the case of its name", async () => {
    expect(await policyOf({ "images/logo.png": BASE["logo.png"]! }, ["logo.png"])).toEqual([]);
    expect(await policyOf({ "guides/A.mdx": BASE["guides/a.mdx"]! }, ["guides/a.mdx"])).toEqual([]);
  });
});

test("a new page that is not in the navigation is shown to the reviewer", async () => {
  const { warnings } = await judge(BASE, { ...BASE, "guides/b.mdx": PAGE });
  expect(warnings).toContainEqual(
    expect.objectContaining({
      check: "policy",
      message: '"guides/b.mdx" is a new page that the navigation does not name.',
    }),
  );
});
