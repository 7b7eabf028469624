import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "#tools/history.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();

async function run(
  files: Record<string, string>,
  [name, input]: [name: string, input: Record<string, unknown>],
  history: readonly HistoryEntry[] = [],
) {
  const bench = createAgentBench(tools, files, { history });
  const before = await bench.brokenLinks();
  const result = await bench.run(name, input);
  expect((await bench.brokenLinks()).length).toBeLessThanOrEqual(before.length);
  expect(result.ok || bench.tree.edits().size === 0).toBe(true);
  const contents = await bench.contents();
  const changed = Object.fromEntries(Object.entries(contents).filter(([path, text]) => files[path] !== text));
  const content = result.ok ? (result.content as { summary: string; notes: string[] }) : { summary: "", notes: [] };
  return { summary: content.summary, notes: content.notes, changed, message: result.ok ? "" : result.message };
}

describe("sections", () => {
  const page =
    "---\ntitle: P\n---\n\nIntro.\n\n## One\n\nA.\n\n### Deep\n\nB.\n\n## Two\n\n[one](#one) [deep](#deep)\n";
  const files = { "p.mdx": page, "q.mdx": "[deep](/p#deep) [two](/p#two)\n" };
  const cases: [what: string, call: [string, Record<string, unknown>], after: string][] = [
    ["added at the end", ["add_section", { page: "p", title: "Three", text: "C." }], `${page}\n## Three\n\nC.\n`],
    ["added after a section and its sub-sections", ["add_section", { page: "p", title: "New", text: "C.", after: "one" }], page.replace("B.\n\n", "B.\n\n## New\n\nC.\n\n")],
    ["added after a sub-section, of its depth", ["add_section", { page: "p", title: "New", text: "C.", after: "Deep" }], page.replace("B.\n\n", "B.\n\n### New\n\nC.\n\n")],
    ["added before a section", ["add_section", { page: "p", title: "New", text: "C.", before: "One" }], page.replace("## One", "## New\n\nC.\n\n## One")],
    ["replaced below its heading", ["replace_section", { page: "p", title: "Two", text: "New." }], page.replace("[one](#one) [deep](#deep)", "New.")],
  ]; // oxfmt-ignore
  it.each(cases)("are %s", async (_what, call, after) => {
    expect((await run(files, call)).changed).toEqual({ "p.mdx": after });
  });

  it("are removed, and links to them point to the page", async () => {
    const { changed, notes } = await run({ ...files, "p.mdx": page.replace("[one](#one) [deep](#deep)", "End.") }, [
      "remove_section",
      { page: "p", title: "One" },
    ]);
    expect(changed).toEqual({
      "p.mdx": "---\ntitle: P\n---\n\nIntro.\n\n## Two\n\nEnd.\n",
      "q.mdx": "[deep](/p) [two](/p#two)\n",
    });
    expect(notes).toEqual(["Links that lead to the page itself now: `q.mdx:1`."]);
  });

  it("are removed from the end of a page, with line ends kept", async () => {
    const crlf = { "p.md": "# P\r\n\r\n## One\r\n\r\nA.\r\n\r\n## Two\r\n\r\nB.\r\n" };
    expect((await run(crlf, ["remove_section", { page: "p", title: "Two" }])).changed).toEqual({
      "p.md": "# P\r\n\r\n## One\r\n\r\nA.\r\n",
    });
  });

  it.each([
    [["add_section", { page: "p", title: "one", text: "x" }], "has a section “one” already"],
    [
      ["add_section", { page: "p", title: "X", text: "x", after: "Oen" }],
      "Did you mean “One”? It has: “One”, “Deep”, “Two”.",
    ],
    [["add_section", { page: "p", title: "X", text: "[x](/nope)" }], "links to “/nope”"],
    [["add_section", { page: "p", title: "X", text: "<Open>" }], "would not parse"],
    [["remove_section", { page: "p", title: "One" }], "The page itself links to it on line 17"],
  ] as [[string, Record<string, unknown>], string][])("refuses %j", async (call, reason) => {
    expect((await run(files, call)).message).toContain(reason);
  });

  it("has callouts below the title, below a heading, and as a quote in plain Markdown", async () => {
    const callout = async (text: string, input: Record<string, unknown>, path = "p.mdx") =>
      (await run({ [path]: text }, ["add_callout", { page: "p", kind: "note", text: "Mind\n\nit.", ...input }]))
        .changed[path];
    expect(await callout(page, {})).toBe(page.replace("Intro.", "<Note>\n  Mind\n\n  it.\n</Note>\n\nIntro."));
    expect(await callout(page, { section: "Two" })).toBe(
      page.replace("## Two\n", "## Two\n\n<Note>\n  Mind\n\n  it.\n</Note>\n"),
    );
    expect(await callout("# P\n\nIntro.\n", {}, "p.md")).toBe("# P\n\n> **Note:** Mind\n>\n> it.\n\nIntro.\n");
  });
});

describe("a section with a definition that the rest of the page uses", () => {
  const page = "# P\n\nSee [Webhook] and[^1].\n\n## Notes\n\n[own]\n\n[webhook]: /p\n[own]: /p\n\n[^1]: A note.\n";
  const section = { page: "p", title: "Notes" };
  it("is not removed, because links would be lost", async () => {
    const { message, changed } = await run({ "p.mdx": page }, ["remove_section", section]);
    expect(message).toContain("The section defines “webhook”, which line 3 outside of it needs.");
    expect(changed).toEqual({});
    const noted = page.replace("[Webhook] and", "");
    expect((await run({ "p.mdx": noted }, ["remove_section", section])).message).toContain("defines “1”");
    const alone = noted.replace("[^1].", ".");
    expect((await run({ "p.mdx": alone }, ["remove_section", section])).changed["p.mdx"]).toBe("# P\n\nSee .\n");
    const twice = alone.replace("See .", "See [own].\n\n[own]: /p");
    expect(Object.keys((await run({ "p.mdx": twice }, ["remove_section", section])).changed)).toEqual(["p.mdx"]);
  });

  it("is replaced by a text that defines it", async () => {
    const replace = (text: string) => run({ "p.mdx": page }, ["replace_section", { ...section, text }]);
    expect((await replace("Words.")).message).toContain("The section defines “webhook”");
    expect(Object.keys((await replace("[webhook]: /p\n\n[^1]: A note.")).changed)).toEqual(["p.mdx"]);
  });

  const twice = "# P\n\nSee [w  a].\n\n## Old\n\n[W a]: /x\n\n## New\n\n[w a]: /y\n";
  const files = { "p.mdx": twice, "x.mdx": "x\n", "y.mdx": "y\n" };
  const old = (text: string) => run(files, ["replace_section", { page: "p", title: "Old", text }]);

  it("is not removed if the page defines the same label differently elsewhere", async () => {
    const remove = { page: "p", title: "Old" };
    const { message } = await run(files, ["remove_section", remove]);
    expect(message).toContain(
      "defines “w a”, which line 3 outside of it needs, and the page defines it again otherwise",
    );
    expect((await old("Words.")).message).toContain("and the page defines it again otherwise");
    const same = { ...files, "p.mdx": twice.replace("/y", "/x") };
    expect((await run(same, ["remove_section", remove])).changed["p.mdx"]).not.toContain("Old");
  });

  it.each(["```\n[w a]: /x\n```", "Words [w a]: /x and more.", "<Note>\n```\n[w a]: /x\n```\n</Note>"])(
    "is not replaced by %j, which is not a definition",
    async (text) => {
      const alone = { ...files, "p.mdx": twice.replace("[w a]: /y", "Words.") };
      const { message } = await run(alone, ["replace_section", { page: "p", title: "Old", text }]);
      expect(message).toContain("The section defines “w a”, which line 3 outside of it needs.");
    },
  );

  it("is replaced by a text that spells the label differently, or gives it another address", async () => {
    expect((await old("[w   A]: /x")).changed["p.mdx"]).toContain("[w   A]: /x");
    expect((await old("[w\na]: /y")).changed["p.mdx"]).toContain("[w\na]: /y");
  });

  it("is not inserted before the definition that applies, nor into unclosed code", async () => {
    const page = "# P\n\nSee [w] and[^1].\n\n## Notes\n\n[w]: /y\n\n[^1]: A note.\n";
    const add = async (text: string, input: Record<string, unknown> = { before: "Notes" }) =>
      run({ ...files, "p.mdx": page }, ["add_section", { page: "p", title: "More", text, ...input }]);
    const taken = "The text defines “w”, which the page defines already and line 3 needs.";
    expect((await add("[W]: /x")).message).toContain(taken);
    expect((await add("[^1]: Other.")).message).toContain("The text defines “1”");
    expect((await add("[w]: /y")).changed["p.mdx"]).toContain("## More");
    expect((await add("[w]: /x", {})).changed["p.mdx"]).toContain("## More");
    expect((await add("[v]: /x")).changed["p.mdx"]).toContain("## More");
    expect((await add("```\ncode")).message).toContain("The text would take “w” from the page");
    const noted = await run({ ...files, "p.mdx": page }, ["add_callout", { page: "p", kind: "note", text: "[w]: /x" }]);
    expect(noted.message).toContain(taken);
  });
});

describe("front matter", () => {
  const set = async (text: string, key: string, value: unknown) =>
    (await run({ "p.mdx": text }, ["set_front_matter", { page: "p", key, value }])).changed["p.mdx"];

  it("gets a value, changes it and removes it, with other lines untouched", async () => {
    const page = "---\n# ours\ntitle: 'P' # short\ntags: [a,  b]\n---\nText\n";
    expect(await set(page, "description", "One: two #3")).toBe(
      "---\n# ours\ntitle: 'P' # short\ntags: [a,  b]\ndescription: \"One: two #3\"\n---\nText\n",
    );
    expect(await set(page, "title", "Q")).toBe("---\n# ours\ntitle: Q # short\ntags: [a,  b]\n---\nText\n");
    expect(await set(page, "tags", null)).toBe("---\n# ours\ntitle: 'P' # short\n---\nText\n");
    expect(await set(page, "hidden", true)).toBe(
      "---\n# ours\ntitle: 'P' # short\ntags: [a,  b]\nhidden: true\n---\nText\n",
    );
  });

  it("is created if missing, and the title of a page is its heading", async () => {
    expect(await set("Text\n", "description", "D")).toBe("---\ndescription: D\n---\n\nText\n");
    expect(await set("\uFEFFText\r\n", "icon", "x")).toBe("\uFEFF---\r\nicon: x\r\n---\r\n\r\nText\r\n");
    expect(await set("# Old *title*\n\nText\n", "title", "New")).toBe("# New\n\nText\n");
    expect(await set("# Old \\{#old}\n\nText\n", "title", "New")).toBe("# New \\{#old}\n\nText\n");
    expect(await set("---\ndescription: >-\n  folded\n  text\nicon: a\n---\n", "description", "D")).toBe(
      "---\ndescription: D\nicon: a\n---\n",
    );
  });

  it.each(["constructor", "toString", "hasOwnProperty", "valueOf"])(
    "accepts a key that objects have: %s",
    async (key) => {
      const page = "---\ntitle: P\n---\nText\n";
      const having = `---\ntitle: P\n${key}: x\n---\nText\n`;
      expect(await set(page, key, "x")).toBe(having);
      expect(await set(having, key, "x")).toBeUndefined();
      expect(await set(having, key, null)).toBe(page);
      expect(await set(page, key, null)).toBeUndefined();
      const words = await run({ "p.mdx": page }, ["set_front_matter", { page: "p", key, value: ["x"], add: true }]);
      expect(words.changed["p.mdx"]).toBe(`---\ntitle: P\n${key}: [x]\n---\nText\n`);
      expect(
        (await run({ "p.mdx": page }, ["set_front_matter", { in: ["**"], key, value: "x" }])).changed["p.mdx"],
      ).toBe(having);
    },
  );

  it("ends its lines as the page's own front matter does", async () => {
    const page = "---\r\ntitle: T\r\n---\r\n\r\nUse Harbor with links and code. More.\r\n";
    const after = page.replace("---\r\n\r\n", "description: Use Harbor with links and code.\r\n---\r\n\r\n");
    expect((await run({ "a.mdx": page }, ["add_missing_descriptions", {}])).changed["a.mdx"]).toBe(after);
    const mixed = "---\ntitle: T\n---\n\nUse Harbor with links and code. More.\r\n";
    expect((await run({ "a.mdx": mixed }, ["add_missing_descriptions", {}])).changed["a.mdx"]).toBe(
      mixed.replace("---\n\n", "description: Use Harbor with links and code.\n---\n\n"),
    );
  });

  it("gets descriptions from first sentences, and nothing else", async () => {
    const head = (text: string) => `---\ntitle: T\n---\n\n${text}\n`;
    const files = {
      "a.mdx": head("Use **Harbor** with [links](/a) and `code`. More."),
      "b.mdx": head("<Note>In a box.</Note>"),
      "c.mdx": head("Has {expression} in it, so it is not known."),
      "d.mdx": head("Too short."),
      "e.mdx": head("No sentence, just a line without an end"),
      "f.mdx": "---\ndescription: Has one.\n---\n",
      "g.mdx": head("港口平台接收您的产品事件，并将它们可靠地交付给客户。第二句。"),
      "h.md": "# Install\n\nThis page has no front matter. More.\n",
      "i.mdx": head("Learn how to run clusters with <Tool /> in a short time."),
      "k.md": head(":::info Mind\nThis is a box that another system of documentation knows.\n\nMore.\n\n:::"),
      "m.md": head("/// tip\nThis is a box that another system of documentation knows.\n///"),
      "l.md": head("!!! note\n    This is a box that another system of documentation knows."),
      "j.md": head("Learn how to run clusters<br> with a tool in a short time."),
    };
    const { changed, summary, notes } = await run(files, ["add_missing_descriptions", {}]);
    expect(changed).toEqual({
      "h.md":
        "---\ndescription: This page has no front matter.\n---\n\n# Install\n\nThis page has no front matter. More.\n",
      "a.mdx":
        "---\ntitle: T\ndescription: Use Harbor with links and code.\n---\n\nUse **Harbor** with [links](/a) and `code`. More.\n",
      "g.mdx":
        "---\ntitle: T\ndescription: 港口平台接收您的产品事件，并将它们可靠地交付给客户。\n---\n\n港口平台接收您的产品事件，并将它们可靠地交付给客户。第二句。\n",
    });
    expect(summary).toBe("Added 3 descriptions to the 12 pages without one");
    expect(notes[0]).toBe(
      "Left 9 pages, no first sentence that could serve as a description: `b.mdx`, `c.mdx`, `d.mdx`, `e.mdx`, `i.mdx`, `j.md`, `k.md`, `l.md`, `m.md`.",
    );
  });

  it("gives no front matter to pages of mdBook, which shows it as text", async () => {
    const text = "# Install\n\nThis page has no front matter. More.\n";
    const files = { "book.toml": "", "src/SUMMARY.md": "- [Install](install.md)\n", "src/install.md": text };
    const { changed, notes } = await run(files, ["add_missing_descriptions", {}]);
    expect(changed).toEqual({});
    expect(notes).toEqual(["Left 1 page, no front matter, and mdBook would show it as text: `src/install.md`."]);
  });

  it.each([
    ["MkDocs", { "mkdocs.yml": "site_name: T\n" }, "docs/index.md"],
    ["VitePress", { "docs/.vitepress/config.js": "export default { title: 'T' }\n" }, "docs/index.md"],
    ["Docusaurus", { "docusaurus.config.js": "module.exports = { title: 'T', url: 'https://a.example', baseUrl: '/', presets: [['classic', {}]] }\n" }, "docs/index.md"],
  ] as const)("gives front matter to pages of %s", async (_tool, config, page) => {
    const text = "# Install\n\nThis page has no front matter. More.\n";
    const { changed } = await run({ ...config, [page]: text }, ["add_missing_descriptions", {}]);
    expect(changed).toEqual({ [page]: `---\ndescription: This page has no front matter.\n---\n\n${text}` });
  }); // oxfmt-ignore
});

describe("alt texts", () => {
  const files = {
    "a.mdx": '![](/img/a.png) ![has one](/img/b.png) <img src="/img/a.png" /> <img src={"/img/c.png"} alt="" />\n',
    "guides/b.md": '![x][ref] <img src="../img/a.png" width="3">\n\n[ref]: /img/b.png\n',
    "img/a.png": "x",
    "img/b.png": "x",
    "img/c.png": "x",
  };
  it("are set wherever the image is used", async () => {
    const { changed } = await run(files, ["set_alt_text", { image: "a.png", alt: 'The "a" [x]' }]);
    expect(changed).toEqual({
      "a.mdx":
        '![The "a" \\[x\\]](/img/a.png) ![has one](/img/b.png) <img src="/img/a.png" alt="The &quot;a&quot; [x]" /> <img src={"/img/c.png"} alt="" />\n',
      "guides/b.md": '![x][ref] <img src="../img/a.png" width="3" alt="The &quot;a&quot; [x]">\n\n[ref]: /img/b.png\n',
    });
  });

  it("are reported when they are missing", async () => {
    const { changed, notes, summary } = await run(files, ["report_missing_alt", {}]);
    expect(changed).toEqual({});
    expect(summary).toBe("3 of 5 images have no alt text");
    expect(notes).toEqual(["`a.mdx:1`: `/img/a.png`", "`a.mdx:1`: `/img/a.png`", "`guides/b.md:1`: `../img/a.png`"]);
  });

  it("can mark an image as decorative, which is then not reported as missing", async () => {
    const decorated = {
      "a.mdx":
        '![](/img/line.png)\n\n| a |\n| - |\n| ![Line](img/line.png "A \\| B") |\n\n<img src="/img/line.png" />\n',
      "b.md":
        '- ![](img/line.png)\n  with *text*\n\n[![](img/line.png)](a.mdx) ![other](img/other.png)\n\n<img src="img/line.png">\n',
      "img/line.png": "x",
      "img/other.png": "x",
    };
    const before = await run(decorated, ["report_missing_alt", {}]);
    expect(before.summary).toBe("5 of 7 images have no alt text");
    const { changed, summary, notes } = await run(decorated, ["set_alt_text", { image: "line", alt: "" }]);
    expect(changed).toEqual({
      "a.mdx":
        '<img src="/img/line.png" alt="" />\n\n| a |\n| - |\n| <img src="img/line.png" alt="" title="A &#124; B" /> |\n\n<img src="/img/line.png" alt="" />\n',
      "b.md":
        '- <img src="img/line.png" alt="" /><!-- -->\n  with *text*\n\n[<img src="img/line.png" alt="" />](a.mdx) ![other](img/other.png)\n\n<img src="img/line.png" alt="">\n',
    });
    expect(summary).toBe("Marked img/line.png in 6 places as decoration");
    expect(notes).toHaveLength(6);
    const after = { ...decorated, ...changed };
    expect((await run(after, ["report_missing_alt", {}])).summary).toBe("0 of 7 images have no alt text");
    expect((await run(after, ["set_alt_text", { image: "line.png", alt: "" }])).changed).toEqual({});
    const audit = await run(after, ["audit", {}]);
    expect(audit.notes.filter((note) => note.includes("alt text"))).toEqual([]);
  });

  it("are refused for an image that no page shows", async () => {
    expect((await run(files, ["set_alt_text", { image: "z.png", alt: "x" }])).message).toContain(
      "shows an image “z.png”",
    );
  });
});

describe("changelog_from_history", () => {
  const commit = (subject: string, day: number, tags: string[] = []): HistoryEntry => ({
    commit: subject,
    subject,
    authoredAt: new Date(Date.UTC(2026, 2, day)),
    tags,
  });
  const history = [
    commit("feat(api): add {filters} <now>", 9),
    commit("fix!: stop losing events", 8),
    commit("chore: bump", 7),
    commit("Merge pull request #3", 6),
    commit("Tidy the words", 5),
    commit("feat: old", 4, ["v2.6"]),
  ];

  it("groups conventional commits since the last tag, newest entry on top", async () => {
    const files = { "changelog.mdx": "---\ntitle: Changelog\n---\n\nAll news.\n\n## 2.6 (2026-03-04)\n\n- Old\n" };
    const { changed, summary } = await run(files, ["changelog_from_history", { version: "2.7" }], history);
    expect(changed["changelog.mdx"]).toBe(
      "---\ntitle: Changelog\n---\n\nAll news.\n\n## 2.7 (2026-03-09)\n\n**Added**\n\n- Add \\{filters\\} \\<now>\n\n**Fixed**\n\n" +
        "- **Breaking:** Stop losing events\n\n**Changed**\n\n- Tidy the words\n\n## 2.6 (2026-03-04)\n\n- Old\n",
    );
    expect(summary).toBe("Added 3 changes to changelog.mdx under “2.7”");
  });

  it("writes updates where the page has updates, and plain lines for plain commits", async () => {
    const files = { "changelog.mdx": '<Update label="2.6">\n  Old.\n</Update>\n' };
    const { changed } = await run(files, ["changelog_from_history", {}], [commit("Tidy", 9), commit("More", 8)]);
    expect(changed["changelog.mdx"]).toBe(
      '<Update label="2026-03-09" description="2026-03-09">\n  - Tidy\n  - More\n</Update>\n\n<Update label="2.6">\n  Old.\n</Update>\n',
    );
  });

  it("reports how many lines it wrote, each subject once", async () => {
    const same = [commit("Tidy", 9), commit("Tidy", 8), commit("chore: bump", 7)];
    const { summary, notes } = await run({ "changelog.md": "# News\n" }, ["changelog_from_history", {}], same);
    expect(summary).toBe("Added 1 change to changelog.md under “2026-03-09”");
    expect(notes).toEqual(["From 3 commits, 1 of them internal or merges."]);
  });

  it("adds no version twice, and needs a page", async () => {
    const files = { "changelog.md": "## 2.7 (2026-03-09)\n" };
    expect((await run(files, ["changelog_from_history", { version: "2.7" }], history)).message).toContain(
      "has an entry for 2.7 already",
    );
    expect((await run({ "a.md": "x\n" }, ["changelog_from_history", {}], history)).message).toContain(
      "no changelog page",
    );
    expect((await run({ "changelog.md": "" }, ["changelog_from_history", {}])).summary).toContain(
      "Found no change to report",
    );
  });
});

describe("openapi_pages", () => {
  const openapi = `openapi: 3.0.3
paths:
  /a/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      tags: [Things]
      summary: Get a <thing>
      description: "# Big\\n\\nUse {id} with \`{x}\`."
      deprecated: true
      responses: { "200": { $ref: "#/components/responses/Ok" } }
    post:
      operationId: makeThing
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
      responses: {}
components:
  responses: { Ok: { description: All | good. } }
  schemas:
    Thing:
      required: [name]
      properties:
        name: { type: string, description: Its name. }
        kind: { enum: [a, b] }
        parent: { $ref: "#/components/schemas/Thing" }
`;
  const files = {
    "docs.json": '{ "navigation": { "groups": [{ "group": "Start", "pages": ["index"] }] } }\n',
    "index.mdx": "x\n",
    "openapi.yaml": openapi,
  };

  it("writes a page per tag and lists it", async () => {
    const { changed } = await run(files, ["openapi_pages", { file: "openapi.yaml" }]);
    expect(changed["docs.json"]).toBe(
      '{ "navigation": { "groups": [{ "group": "Start", "pages": ["index"] }, { "group": "API reference", "pages": ["api-reference/things", "api-reference/operations"] }] } }\n',
    );
    expect(changed["api-reference/things.mdx"]).toBe(
      "---\ntitle: Things\ngeneratedFrom: openapi.yaml\n---\n\n## Get a \\<thing>\n\n### `GET /a/{id}`\n\n**Big**\n\nUse \\{id} with `{x}`.\n\n" +
        "**Deprecated.**\n\n#### Path parameters\n\n- `id` (`string`, required)\n\n#### Responses\n\n##### 200\n\nAll | good.\n",
    );
    expect(changed["api-reference/operations.mdx"]).toContain(
      "## makeThing\n\n### `POST /a/{id}`\n\n#### Path parameters\n\n- `id` (`string`, required)\n\n#### Body\n\n" +
        "Content type `application/json`:\n\n`object` (Thing)\n\n- `name` (`string`, required): Its name.\n- `kind` (`enum<string>`): Allowed: `a`, `b`.\n" +
        "- `parent` (`object`, Thing): Recursive: see Thing.\n",
    );
  });

  it("rewrites its own pages and never other ones", async () => {
    const bench = createAgentBench(tools, files);
    await bench.run("openapi_pages", { file: "openapi.yaml" });
    const again = await bench.run("openapi_pages", { file: "openapi.yaml" });
    expect(again.summary).toContain("up to date");
    const other = { ...files, "api-reference/things.mdx": "Mine.\n" };
    expect((await run(other, ["openapi_pages", { file: "openapi.yaml" }])).message).toContain("not overwritten");
  });

  it.each([
    ["x.yaml", "paths: {}", 'it has none of "openapi: 3.x"'],
    ["x.yaml", "openapi: 3.1.0\npaths: {}", "describes no operations"],
    ["x.yaml", "a: &a [*a", "x.yaml:1: The file is not valid YAML"],
    ["x.json", "{", "x.json:1: The file is not valid YAML"],
    [
      "x.json",
      '{"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [{"$ref": "#/x"}], "responses": {}}}}, "x": {"$ref": "#/x"}}',
      "",
    ],
  ])("handles %s: %s", async (file, text, reason) => {
    expect((await run({ [file]: text, "i.mdx": "x\n" }, ["openapi_pages", { file }])).message).toContain(reason);
  });
});

describe("normalise_style", () => {
  it("makes list markers uniform, but does not join two lists", async () => {
    const page =
      "* a\n  + b\n\n    text\n\n1. x\n   * y\n\n***\n\n- [ ] task\n\n```\n* code\n```\n\nend\n\n- one\n\n* two\n";
    const { changed } = await run({ "p.md": page }, ["normalise_style", { listMarker: "-" }]);
    expect(changed["p.md"]).toBe(
      "- a\n  - b\n\n    text\n\n1. x\n   - y\n\n***\n\n- [ ] task\n\n```\n* code\n```\n\nend\n\n- one\n\n* two\n",
    );
  });

  it("changes only lists with the given marker", async () => {
    const lists = { "p.md": "* a\n  + b\n\ntext\n\n+ c\n" };
    const { changed } = await run(lists, ["normalise_style", { listMarker: "-", insteadOf: "+" }]);
    expect(changed["p.md"]).toBe("* a\n  - b\n\ntext\n\n- c\n");
  });

  it("changes headings to sentence case by the words of the docs, and updates links", async () => {
    const files = {
      "a.mdx":
        "## Getting Started With Harbor Cloud\n\n## The REST API `Foo Bar`\n\n### Unknown Zebra: The Second Part\n",
      "b.md": "We are getting users started with things on Harbor Cloud. The second part of a started thing.\n",
    };
    const { changed } = await run(files, ["normalise_style", { headingCase: "sentence" }]);
    expect(changed["a.mdx"]).toBe(
      "## Getting started with Harbor Cloud\n\n## The REST API `Foo Bar`\n\n### Unknown Zebra: The second part\n",
    );
  });

  it("changes headings to title case", async () => {
    const { changed } = await run(
      { "a.md": "## how to set up the iPhone of a friend\n\n## Tree.file and `x y` in\n" },
      ["normalise_style", { headingCase: "title" }],
    );
    expect(changed["a.md"]).toBe("## How to Set Up the iPhone of a Friend\n\n## Tree.file and `x y` In\n");
  });

  it("applies the terms of a glossary", async () => {
    const files = {
      "glossary.yaml":
        "terms:\n  - use: webhook\n    not: [web hook, web-hook]\n  - { use: API key, not: access token }\n",
      "a.md": "A web hook and a Web-hook with an access token. `web hook`\n",
    };
    const { changed, notes } = await run(files, ["normalise_style", { glossary: "glossary.yaml" }]);
    expect(changed).toEqual({ "a.md": "A webhook and a Webhook with an API key. `web hook`\n" });
    expect(notes).toHaveLength(3);
    const inFolder = { "docs/docs.json": "{}", "docs/g.yaml": "terms: [{ use: b, not: a }]", "docs/x.md": "a\n" };
    expect((await run(inFolder, ["normalise_style", { glossary: "g.yaml" }])).changed).toEqual({ "docs/x.md": "b\n" });
    expect(
      (await run({ "g.yaml": "- a", "a.md": "x\n" }, ["normalise_style", { glossary: "g.yaml" }])).message,
    ).toContain("is no glossary");
  });
});

describe("navigation", () => {
  const files = {
    "docs.json":
      '{\n  "navigation": {\n    "groups": [\n      { "group": "A", "pages": ["a/one", "a/gone", { "group": "In", "pages": ["a/lost"] }] },\n      { "group": "B", "pages": ["b/two"] }\n    ]\n  }\n}\n',
    "a/one.mdx": "1\n",
    "a/other.mdx": "2\n",
    "b/two.mdx": "3\n",
    "c/alone.mdx": "4\n",
    "c/secret.mdx": "---\nhidden: true\n---\n",
  };
  it("is reported", async () => {
    const { notes, summary, changed } = await run(files, ["orphan_report", {}]);
    expect(changed).toEqual({});
    expect(summary).toBe("2 pages not in the navigation, 2 entries without a page");
    expect(notes).toEqual([
      "`a/other.mdx` (“Other”) is not in the navigation.",
      "`c/alone.mdx` (“Alone”) is not in the navigation.",
      "`/a/gone` is in the navigation and does not exist.",
      "`/a/lost` is in the navigation and does not exist.",
    ]);
  });

  it("is repaired", async () => {
    const repaired = await run(files, ["repair_navigation", {}]);
    const whole = { ...files, "docs.json": repaired.changed["docs.json"] ?? "" };
    const { changed, notes } = await run(whole, ["repair_navigation", { addOrphans: true }]);
    expect(changed["docs.json"]).toBe(
      '{\n  "navigation": {\n    "groups": [\n      { "group": "A", "pages": ["a/one", "a/other"] },\n      { "group": "B", "pages": ["b/two"] }\n    ]\n  }\n}\n',
    );
    expect(notes).toContain("Left `c/alone.mdx` out: no group lists pages of its folder.");
  });

  it("adds a page of the root folder to the group of its neighbors, however groups nest", async () => {
    const nested = {
      "docs.json":
        '{ "navigation": { "groups": [{ "group": "A", "pages": ["one"] }, { "group": "B", "pages": ["b/two", { "group": "C", "pages": ["b/three"] }, { "group": "D", "pages": ["b/four"] }] }] } }',
      "one.mdx": "1\n",
      "lost.mdx": "2\n",
      "b/two.mdx": "3\n",
      "b/three.mdx": "4\n",
      "b/four.mdx": "5\n",
    };
    const { notes } = await run(nested, ["repair_navigation", { addOrphans: true }]);
    expect(notes).toEqual(["Added `lost.mdx` to “A”."]);
  });

  it("is edited in the file that a $ref includes", async () => {
    const split = {
      "docs.json": '{ "navigation": { "$ref": "./nav.json" } }',
      "nav.json": '{ "groups": [{ "group": "A", "pages": ["/a"] }] }',
      "a.mdx": "a\n",
    };
    const { changed } = await run(split, ["add_page", { title: "B", text: "b", group: "A" }]);
    expect(changed["nav.json"]).toBe('{ "groups": [{ "group": "A", "pages": ["/a", "/b"] }] }');
  });

  it.each([
    ['{\n  "navigation": {\n    "groups": [,]\n', "`docs.json:3` is not valid JSON (value expected)"],
    ["", "`docs.json:1` is not valid JSON (value expected)"],
    ["[".repeat(200_000), "`docs.json` is not valid JSON (nested too deeply)"],
  ])("is not changed when its file is broken, and each refusal names file and line: %#", async (json, problem) => {
    const broken = { "docs.json": json, "a.mdx": "a\n" };
    const bench = createAgentBench(tools, broken);
    const hint = `${problem}. Correct that file first, then send the instruction again.`;
    for (const [chore, input, message] of [
      ["add_page", { title: "B", text: "b", group: "A" }, `${problem}, so it cannot be edited. Correct it first.`],
      ["replace_term", { from: "a", to: "b" }, `${problem}, so it cannot be edited. Correct it first.`],
      ["move_page", { page: "gone", to: "b" }, `There is no page “gone”. ${problem}, which may be the reason.`],
    ] as const) {
      expect(await bench.run(chore, input)).toMatchObject({ ok: false, message, hint });
    }
    expect(bench.tree.edits().size).toBe(0);
  });
});

describe("audit", () => {
  it("counts problems and changes nothing", async () => {
    const files = {
      "docs.json": '{"navigation": {"groups": [{"group": "A", "pages": ["a", "gone"]}]}}',
      "a.mdx": "---\ntitle: Same\n---\n\n[x](/nope) ![](/i.png)\n",
      "b.mdx": "---\ntitle: Same\ndescription: D\n---\n\n<Open>\n",
      "i.png": "x",
    };
    const { changed, notes } = await run(files, ["audit", {}]);
    expect(changed).toEqual({});
    expect(notes.map((note) => note.replace(/:.*/s, ""))).toEqual([
      "Broken links (1)", "Pages that do not parse (1)", "Problems of the configuration (1)", "Pages without a description (1)",
      "Images without alt text (1)", "Pages outside the navigation (1)", "Navigation entries without a page (1)", "Titles used more than once (1)",
    ]); // oxfmt-ignore
  });
});

describe("one value on many pages", () => {
  const files = {
    "docs.json": '{ "navigation": { "pages": ["a", "guides/b", "guides/c", "guides/d"] } }',
    "a.mdx": "---\ntitle: A\n---\n",
    "guides/b.mdx": "---\ntitle: B\ntag: old\n---\n",
    "guides/c.mdx": "---\ntitle: C\ntag: new\n---\n",
    "guides/d.mdx": "---\ntitle: D\nbad: [\n---\n",
  };

  it("is set where it is missing, and pages that cannot be edited are left unchanged and reported", async () => {
    const input = { in: ["guides/"], key: "tag", value: "new" };
    const { changed, summary, notes } = await run(files, ["set_front_matter", input]);
    expect(changed).toEqual({ "guides/b.mdx": "---\ntitle: B\ntag: new\n---\n" });
    expect(summary).toBe("Set the tag on 1 page; 1 page had to be left");
    expect(notes[1]).toBe("1 page had it already.");
    expect(notes[0]).toMatch(/^`guides\/d\.mdx:\d+` cannot be edited: .*Correct it first\.$/);
    expect(notes[2]).toBe("Changed: `guides/b.mdx` (was: old).");
  });

  it("is removed, or added to lists, except on the excluded pages", async () => {
    const off = await run(files, ["set_front_matter", { in: ["**"], except: ["guides/c"], key: "tag", value: null }]);
    expect(off.changed).toEqual({ "guides/b.mdx": "---\ntitle: B\n---\n" });
    const list = { in: ["a", "guides/c"], key: "keywords", value: ["x"], add: true };
    expect(Object.keys((await run(files, ["set_front_matter", list])).changed)).toEqual(["a.mdx", "guides/c.mdx"]);
  });

  it("is never a title, which is specific to a page", async () => {
    const { message, changed } = await run(files, ["set_front_matter", { in: ["**"], key: "title", value: "X" }]);
    expect(message).toBe("Every page has a title of its own: set it page by page.");
    expect(changed).toEqual({});
  });
});
