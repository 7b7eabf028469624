import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { outline } from "#docs/dialects/dialect.contract.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { judge } from "#testing/judged-change.ts";
import { dialectParser, moveSite } from "#testing/moved-site.ts";
import { parserOf } from "#docs/parser.ts";

const settingsOf = (files: Record<string, string>, path = "docs.json") =>
  JSON.parse(files[path] ?? "null") as Record<string, unknown>;

describe("a move to docs.json", () => {
  it("keeps a repository of Markdown files as it is, and does not publish its other files", async () => {
    const { before, after, files, result } = await moveSite({
      "README.md": "# Trains\n\nSee [doors](docs/doors.md). :tada:\n",
      "docs/doors.md": "# Doors\n",
      "src/main.ts": "secret",
      "main.py": "secret",
    });
    expect(result.summary).toBe("Moved 2 pages of Markdown files to docs.json");
    expect(settingsOf(files)).toEqual({
      navigation: { pages: ["README", { group: "Docs", pages: ["docs/doors"] }] },
      exclude: ["/main.py", "/src/"],
    });
    expect(files["README.md"]).toBe("# Trains\n\nSee [doors](docs/doors.md). 🎉\n");
    expect([...after.assets.keys()]).toEqual([...before.assets.keys()]);
  });

  it("says that there is nothing to move in a site with a docs.json, and changes nothing", async () => {
    const files = { "docs.json": '{"name": "T"}', "a.md": ":::note\nA\n:::\n" };
    const { result, files: after } = await moveSite(files);
    expect(result).toMatchObject({ ok: true, summary: "There is nothing to move: the site has its docs.json" });
    expect(after).toEqual(files);
  });

  it("puts docs.json into the folder that the project names", async () => {
    const files = { "mkdocs.yml": "site_name: T\n", "docs/a.md": "# A\n", "docs/b/c.md": "# C\n\n[A](../a.md)\n" };
    const bench = createAgentBench(createAgentTools(), files, {
      parser: parserOf(dialectParser, { dialect: "mkdocs" }),
    });
    bench.environment.contentRoot = "";
    expect(await bench.run("move_to_docs_json", {})).toMatchObject({ ok: true });
    expect(Object.keys(await bench.contents()).toSorted()).toEqual(["a.md", "b/c.md", "docs.json", "mkdocs.yml"]);
  });

  it("changes only what is the syntax of the tool", async () => {
    const page =
      "# A  \r\n\r\n* one\r\n+ two\r\n\r\n!!! tip\r\n    Three   \r\n\r\nA\\_b &amp; `!!! note`\r\n\r\n\r\n\r\nEnd";
    const { files } = await moveSite({ "mkdocs.yml": "site_name: T\n", "docs/index.md": page });
    expect(files["docs/index.md"]).toBe(page.replace("!!! tip\r\n    Three   \r\n", ":::tip\r\nThree   \r\n:::\r\n"));
  });

  it("moves partial pages along, and links and pictures with pages whose folder changes", async () => {
    const { files, pages, result } = await moveSite({
      "docusaurus.config.js": 'module.exports = { presets: [["classic", { blog: false }]] };',
      "docs/01-guide/02-doors.mdx":
        'import Part from "../_parts/_gap.md";\nimport picture from "./door.png";\n\n# Doors\n\n<Part />\n\n<img src={picture} alt="" />\n\n![](./door.png) [all](../all.md#x)\n',
      "docs/01-guide/door.png": "png",
      "docs/_parts/_gap.md": ":::note[Gap]\nMind the gap.\n:::\n",
      "docs/all.md": "# All\n\n## X\n",
    });
    expect(result.ok).toBe(true);
    for (const { before, after } of pages) expect(after).toEqual(before);
    expect(files["docs/guide/doors.mdx"]).toBe(
      'import Part from "../_parts/_gap.md";\nexport const picture = "../01-guide/door.png"\n\n# Doors\n\n<Part />\n\n<img src={picture} alt="" />\n\n![](/docs/01-guide/door.png) [all](../all.md#x)\n',
    );
    expect(files["docs/_parts/_gap.md"]).toContain('<Note title="Gap">');
  });

  it("keeps the titles of the navigation, of languages too, and names pages with several", async () => {
    const { before, after, files, result } = await moveSite({
      ".vitepress/config.js":
        'export default { locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch (neu)", lang: "de", themeConfig: { sidebar: [{ text: "Türen", link: "/doors" }] } } }, themeConfig: { sidebar: [{ text: "The doors", link: "/doors" }] } };',
      "doors.md": "---\naside: false\n---\n\n# Doors\n",
      "de/index.md": "---\nhero: { name: T }\n---\n",
    });
    expect(outline(after.navigation)).toBe(outline(before.navigation).replace("Türen", "The doors"));
    expect(files["doors.md"]).toBe("---\naside: false\nsidebarTitle: The doors\nmode: wide\n---\n\n# Doors\n");
    expect(JSON.stringify(result)).toContain("and not these: `doors.md` (Türen)");
    expect(JSON.stringify(result)).toContain(
      "Pages of Docent do not show a hero in front matter (`hero`): `de/index.md`",
    );
  });

  it.each([
    ["in a folder whose name begins with an underscore", "core/_template/index.md"],
    ["whose name begins with an underscore", "core/_template.md"],
  ])("leaves a page %s that the navigation does not list, and moves the others", async (_where, path) => {
    const files = {
      ".vitepress/config.js": 'export default { themeConfig: { sidebar: [{ text: "Start", link: "/core/start" }] } };',
      "core/start.md": "# Start\n\n::: tip\nA\n:::\n",
      [path]: "# Template\n\n::: tip\nA\n:::\n",
    };
    const moved = await moveSite(files);
    expect(moved.files[path]).toBe(files[path]);
    expect(Object.keys(moved.files)).toHaveLength(4);
    expect(moved.result.summary).toBe("Moved 1 page of VitePress to docs.json");
    expect(settingsOf(moved.files)).not.toHaveProperty("redirects");
    expect(JSON.stringify(moved.result)).toContain(`the navigation does not list it: \`${path}\``);
    const { errors } = await judge(files, moved.files, { movesSite: true });
    expect(errors).toEqual([]);
  });

  it("leaves a page that cannot be written as MDX, and says so", async () => {
    const page = '# A\n\n=== "Tab"\n\n    <div>text\n\n    more</span>\n';
    const { files, result } = await moveSite({ "mkdocs.yml": "site_name: T\n", "docs/index.md": page });
    expect(files["docs/index.md"]).toBe(page);
    expect(JSON.stringify(result)).toMatch(/The page cannot be written as native MDX.*: `docs\/index\.md/);
  });

  it("keeps the titles and kinds of alerts that GitHub does not have", async () => {
    const { files } = await moveSite({
      ".vitepress/config.js": "export default {};",
      "a.md": "# A\n\n> [!INFO] Own *title*\n> Two.\n\n- x\n  > [!danger]\n  > Three.\n\n> [!OTHER] Four\n",
    });
    expect(files["a.md"]).toBe(
      "# A\n\n> [!NOTE]\n> **Own *title***\n>\n> Two.\n\n- x\n  > [!CAUTION]\n  > Three.\n\n> [!OTHER] Four\n",
    );
  });

  it.each([
    [
      "a table of contents in the text",
      { ".vitepress/config.js": "export default {};" },
      "a.md",
      "# A\n\n[[toc]]\n\n## B\n",
    ],
    [
      "lines of code that readers do not see",
      { "book.toml": "", "src/SUMMARY.md": "- [A](a.md)\n" },
      "src/a.md",
      "# A\n\n```rust\n# use b;\nc();\n```\n",
    ],
  ])("says that it leaves out %s", async (what, settings, path, page) => {
    const { result } = await moveSite({ ...settings, [path]: page });
    expect(JSON.stringify(result).toLowerCase()).toContain(what);
    expect(JSON.stringify(result)).toContain(`\`${path}:`);
  });
});
