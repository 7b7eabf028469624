import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();

/** A chore's result and every changed file. */
async function run(files: Record<string, string>, chore: string, input: Record<string, unknown>) {
  const bench = createAgentBench(tools, files);
  const result = await bench.run(chore, input);
  const after = await bench.contents();
  const changed = Object.fromEntries(Object.entries(after).filter(([path, text]) => files[path] !== text));
  const gone = Object.keys(files).filter((path) => !(path in after));
  return { result, changed, gone, broken: await bench.brokenLinks() };
}

const page = (...lines: string[]) => ["---", ...lines, "---", "", "Text.", ""].join("\n");

describe("a term in the front matter is replaced in place", () => {
  it.each<[string, [from: string, to: string], string[], string[]]>([
    ["not in the longer word before it", ["search", "lookup"], ["description: Acmesearch's full-text search"], ["description: Acmesearch's full-text lookup"]],
    ["where the value is quoted anew for the new words", ["search", "find: all"], ["description: Acmesearch's full-text search"], ['description: "Acmesearch\'s full-text find: all"']],
    ["where a comment would begin", ["search", "lookup #1"], ["description: Acmesearch's search box"], ['description: "Acmesearch\'s lookup #1 box"']],
    ["between two longer words", ["cat", "dog"], ["title: 'concat cat concat'"], ["title: 'concat dog concat'"]],
    ["each of several", ["api", "interface"], ["title: apis, api, rapid and api"], ["title: apis, interface, rapid and interface"]],
    ["not in an address before it", ["harbor", "port"], ["description: See harbor.example.com for harbor"], ["description: See harbor.example.com for port"]],
    ["an address before it, with new words that need quotes", ["harbor", "port: x"], ["description: See harbor.example.com for harbor"], ['description: "See harbor.example.com for port: x"']],
    ["not in a name before it", ["Vue", "React"], ["title: Vue.js and Vue"], ["title: Vue.js and React"]],
    ["after an escaped quote", ["search", 'say "x"'], ['description: "An \\"Acmesearch\\" search"'], ['description: "An \\"Acmesearch\\" say \\"x\\""']],
    ["with a quote in single quotes", ["search", "user's list"], ["description: 'Acmesearch''s search'"], ['description: "Acmesearch\'s user\'s list"']],
    ["in a block of lines", ["search", "lookup"], ["description: >-", "  Acmesearch and", "  search"], ["description: >-", "  Acmesearch and", "  lookup"]],
    ["over two lines of a block", ["full text", "whole text"], ["description: >", "  A full textual full", "  text index"], ["description: >", "  A full textual whole", "  text index"]],
  ])("%s", async (_name, [from, to], before, after) => {
    const { changed } = await run({ "a.mdx": page(...before) }, "replace_term", { from, to });
    expect(changed).toEqual({ "a.mdx": page(...after) });
  }); // oxfmt-ignore

  it("and not in a value whose position is unknown, which is reported", async () => {
    const files = { "a.mdx": page("title: \uE0000\uE001 search") };
    const { changed, result } = await run(files, "replace_term", { from: "search", to: "lookup" });
    expect(changed).toEqual({});
    expect(result).toMatchObject({
      ok: true,
      content: { replaced: 0, left: { "in other front-matter keys and values": 1 } },
    });
  });

  it("and not in a comment next to the value", async () => {
    const files = { "a.mdx": page("description: > # search", "  Text.") };
    const { changed, result } = await run(files, "replace_term", { from: "search", to: "lookup" });
    expect(changed).toEqual({});
    expect(result).toMatchObject({ ok: true, content: { replaced: 0 } });
  });

  it("only in its own case, on request", async () => {
    const files = { "a.mdx": "Webhook, webhook, WEBHOOK.\n" };
    const { changed } = await run(files, "replace_term", { from: "webhook", to: "hook", letterCase: "exact" });
    expect(changed["a.mdx"]).toBe("Webhook, hook, WEBHOOK.\n");
  });
});

describe("the navigation", () => {
  const files = {
    "docs.json":
      '{"navigation": {"groups": [{"group": "A", "pages": ["a/one", "a/gone"]}, {"group": "B", "pages": ["b/gone"]}]}}',
    "a/one.mdx": "1\n",
    "a/two.mdx": "2\n",
  };

  it("loses nothing when pages are added to it", async () => {
    const { changed, result } = await run(files, "repair_navigation", { addOrphans: true });
    expect(changed["docs.json"]).toBe(files["docs.json"].replace('"a/gone"', '"a/gone", "a/two"'));
    expect(result).toMatchObject({ summary: "Added 1 page to the navigation" });
    expect(JSON.stringify(result)).toContain("Left the entry `/b/gone`");
  });

  it("gains no other entries when it is repaired", async () => {
    const { changed } = await run(files, "repair_navigation", {});
    expect(changed["docs.json"]).toBe('{"navigation": {"groups": [{"group": "A", "pages": ["a/one"]}]}}');
  });
});

describe("a page that is removed without a replacement", () => {
  const site = {
    "index.mdx": "# Home\n",
    "guides/index.mdx": "# Guides\n",
    "guides/install.mdx": "# Install\n",
    "guides/use.mdx": "# Use\n",
  };

  it("asks for a new target of its links, with sentences to send, and redirects nothing to the home page", async () => {
    const files = { ...site, "a.mdx": "[one](/guides/use) and [two](/guides/use)\n" };
    const { result, changed, gone } = await run(files, "remove_page", { page: "guides/use" });
    expect({ changed, gone }).toEqual({ changed: {}, gone: [] });
    expect(result).toMatchObject({
      ok: false,
      message: "2 links lead to it (`a.mdx:1`, `a.mdx:1`). Name the page that replaces it.",
      hint: 'Send one of these:\nRemove the page "guides/use.mdx" and redirect it to "guides/index.mdx"\nRemove the page "guides/use.mdx" and redirect it to "guides/install.mdx"',
    });
  });

  it.each([
    ["a button", '{"navbar": {"links": [{"label": "Use", "href": "/guides/use"}]}}'],
    ["a redirect", '{"redirects": [{"source": "/old", "destination": "/guides/use"}]}'],
  ])("also asks when only %s of the configuration refers to it", async (_what, json) => {
    const { result, changed } = await run({ ...site, "docs.json": json }, "remove_page", { page: "guides/use" });
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("`docs.json:1`") as string });
    expect(changed).toEqual({});
  });

  it("is removed without a redirect when nothing links to it", async () => {
    const json = '{"navigation": {"pages": ["index", "guides/use"]}}';
    const { changed, gone } = await run({ ...site, "docs.json": json }, "remove_page", { page: "guides/use" });
    expect(gone).toEqual(["guides/use.mdx"]);
    expect(changed).toEqual({ "docs.json": '{"navigation": {"pages": ["index"]}}' });
  });
});

describe("words that are added to the front matter", () => {
  const add = { page: "a", key: "keywords", value: ["new", "c: d"], add: true };
  it.each<[string, string[], string[]]>([
    ["a list in brackets", ["keywords: [one, two]", "icon: x"], ['keywords: [one, two, new, "c: d"]', "icon: x"]],
    ["a list of lines", ["keywords:", "  - one", "  - two # last", "icon: x"], ["keywords:", "  - one", "  - two # last", '  - new', '  - "c: d"', "icon: x"]],
    ["a list of lines at the margin", ["keywords:", "- one"], ["keywords:", "- one", "- new", '- "c: d"']],
    ["words with commas", ["keywords: one, two"], ['keywords: "one, two, new, c: d"']],
    ["an empty list", ["keywords: []"], ['keywords: [new, "c: d"]']],
    ["nothing", ["title: A"], ["title: A", 'keywords: [new, "c: d"]']],
    ["a list that has one of them", ["keywords: [New, two]"], ['keywords: [New, two, "c: d"]']],
  ])("are added to %s", async (_name, before, after) => {
    const { changed, result } = await run({ "a.mdx": page(...before) }, "set_front_matter", add);
    expect(result.ok).toBe(true);
    expect(changed).toEqual({ "a.mdx": page(...after) });
  }); // oxfmt-ignore

  it("are listed once, however often they are added", async () => {
    const files = { "a.mdx": page("keywords: [new, one]") };
    const { changed, result } = await run(files, "set_front_matter", { ...add, value: ["new"] });
    expect(changed).toEqual({});
    expect(result).toMatchObject({ ok: true, summary: "a.mdx has these keywords already" });
  });

  it("do not replace a single value", async () => {
    const files = { "a.mdx": page("description: Old words.") };
    const input = { page: "a", key: "description", value: "New words.", add: true };
    const { changed, result } = await run(files, "set_front_matter", input);
    expect(changed).toEqual({});
    expect(result).toMatchObject({ ok: false, hint: 'Set the description of "a.mdx" to "New words."' });
  });

  it("stay a list when the whole list is set", async () => {
    const files = { "a.mdx": page("keywords:", "  - one", "  - two", "icon: x") };
    const input = { page: "a", key: "keywords", value: ["three"] };
    const { changed } = await run(files, "set_front_matter", input);
    expect(changed).toEqual({ "a.mdx": page("keywords: [three]", "icon: x") });
  });
});

describe("a chore reports what it removed, and keeps to its scope", () => {
  it("quotes the alternative text of an image that now only decorates", async () => {
    const files = { "a.mdx": "# A\n\n![The console](/img/line.png)\n\n![](/img/line.png)\n", "img/line.png": "x" };
    const { result } = await run(files, "set_alt_text", { image: "line", alt: "" });
    expect(result).toMatchObject({ ok: true });
    expect(JSON.stringify(result)).toContain("`a.mdx:3`. It was: “The console”");
    expect(JSON.stringify(result)).toContain('"`a.mdx:5`"');
  });

  it("corrects only anchors on request", async () => {
    const files = {
      "docs.json": '{"redirects": [{"source": "/old", "destination": "/guides/b"}]}',
      "a.mdx": "# A\n\n[one](/guides/b#Set-Up) [two](/guides/B) [three](/old)\n",
      "guides/b.mdx": "# B\n\n## Set up\n",
    };
    const all = await run(files, "fix_links", {});
    expect(all.changed["a.mdx"]).toBe("# A\n\n[one](/guides/b#set-up) [two](/guides/b) [three](/guides/b)\n");
    const anchors = await run(files, "fix_links", { only: "anchors" });
    expect(anchors.changed).toEqual({ "a.mdx": "# A\n\n[one](/guides/b#set-up) [two](/guides/B) [three](/old)\n" });
    expect(JSON.stringify(anchors.result)).toContain("Fixed 1 of 1 broken anchor, in 1 file");
  });
});
