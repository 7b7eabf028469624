import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

// Inputs that are nearly right, and pages that are nearly usual: handled exactly, or refused.

const tools = createAgentTools();

async function run(name: string, input: Record<string, unknown>, files: Record<string, string>) {
  const bench = createAgentBench(tools, files);
  const result = await bench.run(name, input);
  const content = (result.ok ? result.content : {}) as { summary?: string; notes?: string[] };
  return {
    files: await bench.contents(),
    summary: content.summary ?? null,
    notes: content.notes ?? [],
    refused: result.ok ? null : result.message,
  };
}
const accepts = (name: string, input: object) =>
  tools.find((tool) => tool.name === name)?.input.safeParse(input).success;

describe("a scope", () => {
  it("that is an empty list is refused instead of meaning all of the docs", () => {
    expect(accepts("replace_term", { from: "a", to: "b", in: [] })).toBe(false);
    expect(accepts("fix_links", { in: [] })).toBe(false);
    expect(accepts("set_front_matter", { in: [], key: "tag", value: "x" })).toBe(false);
    expect(accepts("replace_term", { from: "a", to: "b", in: ["guides"] })).toBe(true);
  });
});

describe("a term that only changes its capitals", () => {
  const replaced = async (text: string, input: Record<string, unknown>) => {
    const { files } = await run("replace_term", input, { "a.md": text });
    const again = await run("replace_term", input, files);
    expect(again.files).toEqual(files);
    return files["a.md"];
  };
  it.each([
    ["service", "Service", {}, "A service. Service, SERVICE\n", "A Service. Service, SERVICE\n"],
    ["iphone", "iPhone", {}, "iphone Iphone iPhone IPHONE\n", "iPhone iPhone iPhone IPHONE\n"],
    ["Harbor", "harbor", {}, "Harbor harbor HARBOR\n", "harbor harbor HARBOR\n"],
    ["github", "GitHub", { letterCase: "any" }, "github Github GITHUB GitHub\n", "GitHub GitHub GitHub GitHub\n"],
  ])("%s to %s", async (from, to, options, before, after) => {
    expect(await replaced(before, { from, to, ...options })).toBe(after);
  });
});

describe("formulas", () => {
  it("keep the term like code, and are counted", async () => {
    const page =
      "Harbor $Harbor^2$ and $$ Harbor = x $$\n\n$$\nHarbor + 1\n$$\n\n" +
      "It costs $5 at Harbor and $10 at sea.\n\n```math\nHarbor\n```\n";
    const { files, notes } = await run("replace_term", { from: "Harbor", to: "Dock" }, { "a.mdx": page });
    expect(files["a.mdx"]).toBe(page.replace("Harbor $", "Dock $").replace("at Harbor", "at Dock"));
    expect(notes).toEqual(["Left 3 in formulas: `a.mdx:1`, `a.mdx:4`.", "Left 1 in code: `a.mdx:10`."]);
  });
});

describe("tags of inline code", () => {
  it.each(["a.md", "a.mdx"])("keep the term in %s", async (path) => {
    const page = "Press <kbd>Harbor</kbd> in Harbor&nbsp;Cloud or <code>Harbor *x*</code>, Harbor.\n";
    const { files } = await run("replace_term", { from: "Harbor", to: "Dock" }, { [path]: page });
    expect(files[path]).toBe("Press <kbd>Harbor</kbd> in Dock&nbsp;Cloud or <code>Harbor *x*</code>, Dock.\n");
  });
});

describe("the sentence that is offered for the remaining occurrences", () => {
  const offered = async (input: Record<string, unknown>, text = "service services SERVICE\n") => {
    const files = { "guides/a.md": text, "guides/b.md": text, "c.md": text };
    const { notes } = await run("replace_term", { from: "service", to: "app", ...input }, files);
    return notes.flatMap((note) => / send: (.*)\.$/.exec(note)?.[1] ?? []);
  };
  it("keeps the same part of the docs and the same options", async () => {
    expect(await offered({})).toEqual(['Replace "services" with "apps"', 'Replace "service" with "app", in any case']);
    expect(await offered({ in: ["guides"], except: ["guides/b.md"], includeCode: true })).toEqual([
      'Replace "services" with "apps" in "guides" except in "guides/b.md", also in code',
      'Replace "service" with "app" in "guides" except in "guides/b.md", also in code, in any case',
    ]);
    expect(await offered({ in: ["guides/a.md", "c"], only: "headings" }, "## service\n\n## services\n")).toEqual([
      'Replace "services" with "apps" in headings in "guides/a.md" and "c"',
    ]);
    expect(await offered({ only: "titles", plural: true }, "# service SERVICE\n")).toEqual([
      'Replace "service" with "app" in titles, also plurals, in any case',
    ]);
  });
  it("agrees in number with its count", async () => {
    const { notes } = await run("replace_term", { from: "service", to: "app" }, { "a.md": "services\n" });
    expect(notes[0]).toMatch(/^Left 1 plural form “services”: /);
  });
});

describe("set_front_matter", () => {
  const unusual = {
    "open.md": "---\ntitle: Open\n\nText without an end of the front matter.\n",
    "toml.md": '+++\ntitle = "T"\n+++\n\nText.\n',
    "line.md": "---\n\nA page that begins with a line.\n",
    "usual.md": "---\ntitle: U\n---\n\nText.\n",
  };
  it("leaves and reports pages whose front matter is unclosed or TOML", async () => {
    const { files, notes } = await run("set_front_matter", { in: ["**"], key: "tag", value: "Beta" }, unusual);
    expect(files).toEqual({
      ...unusual,
      "line.md": "---\ntag: Beta\n---\n\n---\n\nA page that begins with a line.\n",
      "usual.md": "---\ntitle: U\ntag: Beta\n---\n\nText.\n",
    });
    expect(notes.join("\n")).toMatch(/open\.md.*has no end/);
    expect(notes.join("\n")).toMatch(/toml\.md.*TOML/);
    const one = await run("set_front_matter", { page: "open", key: "tag", value: "Beta" }, unusual);
    expect(one.refused).toMatch(/has no end/);
  });

  it("writes hidden as true or false, and nothing else", async () => {
    const files = { "a.md": "---\ntitle: A\nhidden: true\n---\n", "b.md": "---\ntitle: B\n---\n" };
    const shown = await run("set_front_matter", { page: "a", key: "hidden", value: "false" }, files);
    expect(shown.files["a.md"]).toBe("---\ntitle: A\nhidden: false\n---\n");
    const hidden = await run("set_front_matter", { page: "b", key: "hidden", value: "true" }, files);
    expect(hidden.files["b.md"]).toBe("---\ntitle: B\nhidden: true\n---\n");
    for (const value of ["---\n<script>", "yes", 1, ["true"]])
      expect(accepts("set_front_matter", { page: "a", key: "hidden", value })).toBe(false);
    const all = await run("set_front_matter", { in: ["**"], key: "hidden", value: true }, files);
    expect(all.summary).toBe("Hid 1 page from the navigation");
  });
});

describe("add_page", () => {
  const files = { "index.mdx": "---\ntitle: Home\n---\n" };
  it.each([
    [{ title: "Config", path: "docs.json" }, /docs\.json.*no page/],
    [{ title: "Snippet", path: "snippets/x.jsx" }, /x\.jsx.*no page/],
    [{ title: "../../evil" }, /title/],
  ])("refuses %j", async (input, reason) => {
    const { refused, files: after } = await run("add_page", input, files);
    expect(refused).toMatch(reason);
    expect(after).toEqual(files);
  });
  it.each([
    [{ title: "CI/CD" }, "cicd.mdx"],
    [{ title: "What is new", path: "releases/v2.6" }, "releases/v2.6.mdx"],
  ])("takes %j", async (input, path) => {
    expect(Object.keys((await run("add_page", input, files)).files)).toContain(path);
  });
});

describe("add_redirect", () => {
  const files = {
    "docs.json": '{ "navigation": { "pages": ["index", "quickstart"] } }\n',
    "index.mdx": "---\ntitle: Home\n---\n",
    "quickstart.mdx": "---\ntitle: Quickstart\n---\n\n## Install\n",
  };
  it.each(["/*", "/:slug*", "/:page", "*"])(
    "refuses %s, which would redirect every address without a page",
    async (from) => {
      const { refused, files: after } = await run("add_redirect", { from, to: "/quickstart" }, files);
      expect(refused).toMatch(/every address/);
      expect(after).toEqual(files);
    },
  );
  it("reports that the page has no such heading", async () => {
    const { notes } = await run("add_redirect", { from: "/old", to: "/quickstart#nope" }, files);
    expect(notes).toEqual(["quickstart.mdx itself has no heading `#nope`: check the address."]);
    expect((await run("add_redirect", { from: "/old", to: "/quickstart#install" }, files)).notes).toEqual([]);
  });
  it("reports that readers leave the site", async () => {
    const { notes } = await run("add_redirect", { from: "/old", to: "https://other.example/x" }, files);
    expect(notes).toEqual(["It leads readers away from this site, to `other.example`."]);
  });
});
