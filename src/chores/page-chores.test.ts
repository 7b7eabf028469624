import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();

async function run(files: Record<string, string>, name: string, input: Record<string, unknown>) {
  const bench = createAgentBench(tools, files);
  const before = await bench.brokenLinks();
  const result = await bench.run(name, input);
  const broken = await bench.brokenLinks();
  expect(broken.length).toBeLessThanOrEqual(before.length);
  const contents = await bench.contents();
  const changed = Object.fromEntries(Object.entries(contents).filter(([path, text]) => files[path] !== text));
  const gone = Object.keys(files).filter((path) => !(path in contents));
  expect(result.ok || bench.tree.edits().size === 0).toBe(true);
  const content = result.ok ? (result.content as { summary: string; notes: string[] }) : null;
  return {
    ok: result.ok,
    message: result.ok ? "" : result.message,
    summary: content?.summary,
    notes: content?.notes,
    changed,
    gone,
    broken,
  };
}

const config = `{
  "navigation": {
    "groups": [
      { "group": "Start", "pages": ["index", "quickstart"] },
      {
        "group": "Guides",
        "pages": [
          "guides/install",
          "guides/use"
        ]
      }
    ]
  },
  "navbar": { "links": [{ "label": "Use", "href": "/guides/use" }] },
  "redirects": [
    { "source": "/old", "destination": "/guides/use" }
  ]
}
`;
const site = {
  "docs.json": config,
  "index.mdx": "---\ntitle: Home\n---\n\n[use](/guides/use) and [relative](./guides/use.mdx#run) and <Card title=\"Use\" href=\"/guides/use?x=1#run\" />\n",
  "quickstart.mdx": "---\ntitle: Quickstart\n---\n\n[i](/guides/install)\n",
  "guides/install.mdx": "---\ntitle: Install\n---\n\n[next](use) ![](../images/a.png)\n",
  "guides/use.mdx": "---\ntitle: Use it\n---\n\n## Run\n\n[self](#run) [install](./install) [me](/guides/use#run) ![shot](../images/a.png)\n",
  "images/a.png": "png",
}; // oxfmt-ignore

describe("move_page", () => {
  it("moves the file, its links, its entry and its address", async () => {
    const { changed, gone, broken, notes } = await run(site, "move_page", { page: "Use it", to: "start/use" });
    expect(gone).toEqual(["guides/use.mdx"]);
    expect(changed).toEqual({
      "docs.json": config
        .replace('"guides/use"', '"start/use"')
        .replace('"href": "/guides/use"', '"href": "/start/use"')
        .replace(
          '{ "source": "/old", "destination": "/guides/use" }',
          '{ "source": "/old", "destination": "/start/use" },\n    { "source": "/guides/use", "destination": "/start/use" }',
        ),
      "index.mdx": "---\ntitle: Home\n---\n\n[use](/start/use) and [relative](./start/use.mdx#run) and <Card title=\"Use\" href=\"/start/use?x=1#run\" />\n",
      "guides/install.mdx": "---\ntitle: Install\n---\n\n[next](../start/use) ![](../images/a.png)\n",
      "start/use.mdx": "---\ntitle: Use it\n---\n\n## Run\n\n[self](#run) [install](../guides/install) [me](/start/use#run) ![shot](../images/a.png)\n",
    }); // oxfmt-ignore
    expect(broken).toEqual([]);
    expect(notes).toEqual([
      "Updated 4 links to it: `guides/install.mdx:5`, `index.mdx:5`, `index.mdx:5`, `index.mdx:5`.",
      "Updated its entry in the navigation.",
      "Links and redirects of the configuration that lead to `/start/use` now: `docs.json:14`, `docs.json:16`.",
      "Added a redirect from `/guides/use` to `/start/use`.",
    ]);
  });

  it("moves the page's translations too, and leaves one that cannot be moved", async () => {
    const files = {
      "docs.json": '{ "navigation": { "pages": ["a", "fr/a", "de/a"] } }',
      "a.mdx": "---\ntitle: A\n---\n",
      "fr/a.md": "---\ntitle: A\n---\n",
      "fr/b.md": "[a](/fr/a)\n",
      "de/a.mdx": "---\ntitle: A\n---\n",
      "de/start/x.mdx": "---\ntitle: X\n---\n",
    };
    const { gone, changed, summary, notes } = await run(files, "move_page", { page: "a", to: "start/x" });
    expect(gone).toEqual(["a.mdx", "fr/a.md"]);
    expect(Object.keys(changed).sort()).toEqual(["docs.json", "fr/b.md", "fr/start/x.md", "start/x.mdx"]);
    expect(changed["fr/b.md"]).toBe("[a](/fr/start/x)\n");
    expect(JSON.parse(changed["docs.json"] ?? "")).toEqual({
      navigation: { pages: ["start/x", "fr/start/x", "de/a"] },
      redirects: [
        { source: "/a", destination: "/start/x" },
        { source: "/fr/a", destination: "/fr/start/x" },
      ],
    });
    expect(summary).toBe("Moved a.mdx to start/x.mdx, its translation fr/a.md to fr/start/x.md");
    expect(notes?.join()).toContain("Left its translation `de/a.mdx`: “de/start/x.mdx” would have the address of");
    const alone = await run(files, "move_page", { page: "a", to: "start/x", twins: false });
    expect(alone.gone).toEqual(["a.mdx"]);
  });

  it("reads an address as one if the site has pages below an address that equals its content root", async () => {
    const files = {
      "docs/docs.json": '{"navigation": {"pages": ["spec/versions", "docs/learn/start"]}}',
      "docs/spec/versions.md": "# Versions\n",
    };
    const move = { page: "/spec/versions", to: "/docs/learn/versions" };
    const nested = await run({ ...files, "docs/docs/learn/start.md": "# Start\n" }, "move_page", move);
    expect(Object.keys(nested.changed)).toContain("docs/docs/learn/versions.md");
    expect(Object.keys((await run(files, "move_page", move)).changed)).toContain("docs/learn/versions.md");
  });

  it("corrects relative links when the folder's depth changes", async () => {
    const files = {
      "a/one.mdx":
        'import X from "./part.mdx";\nimport Y from "../snippets/y.mdx";\n\n[two](./two.mdx) ![](img.png) <img src="../top.png" />\n',
      "a/part.mdx": "part\n",
      "a/two.mdx": "two\n",
      "a/img.png": "x",
      "top.png": "x",
      "snippets/y.mdx": "y\n",
    };
    const { changed } = await run(files, "move_page", { page: "a/one", to: "b/c/one" });
    expect(changed).toEqual({
      "b/c/one.mdx":
        'import X from "../../a/part.mdx";\nimport Y from "../../snippets/y.mdx";\n\n[two](../../a/two.mdx) ![](../../a/img.png) <img src="../../top.png" />\n',
    });
  });

  it("leaves a link unchanged if it has the same target from the new folder", async () => {
    const files = {
      "docs.json": "{}",
      "index.mdx": "x\n",
      "guides/index.mdx": "[a](a) [a](a.mdx)\n",
      "guides/part.mdx": "x\n",
      "guides/a.mdx":
        'import P from ".././guides/part.mdx";\n\n[home](../index) [up](../) [dir](./) [part](/guides/../guides/part.mdx) [me](a#x)\n\n## X\n',
    };
    const { changed } = await run(files, "move_page", { page: "guides/a", title: "Gamma page" });
    expect(changed["guides/gamma-page.mdx"]).toBe(
      "---\ntitle: Gamma page\n---\n\n" + files["guides/a.mdx"].replace("[me](a#x)", "[me](gamma-page#x)"),
    );
    const same = { "a.mdx": "x\n", "b.mdx": "[a](/a/) [a](./a/?x) [a](a.mdx)\n" };
    const moved = await run(same, "move_page", { page: "a", to: "a/index" });
    expect(moved.changed).toEqual({ "a/index.mdx": "x\n", "b.mdx": "[a](/a/) [a](./a/?x) [a](a/index.mdx)\n" });
  });

  it("keeps the target of broken references from the new folder", async () => {
    const files = { "guides/a.mdx": "![i](a.png) [x](nope.md) ![j](/none.png)\n", "x.mdx": "x\n" };
    const { changed } = await run(files, "move_page", { page: "guides/a", to: "start/a" });
    expect(changed["start/a.mdx"]).toBe("![i](../guides/a.png) [x](../guides/nope) ![j](/none.png)\n");
  });

  it("renames a page by its title, and keeps the file of an index page in place", async () => {
    const renamed = await run(site, "move_page", { page: "quickstart", title: "Get going: now" });
    expect(renamed.changed["get-going-now.mdx"]).toBe('---\ntitle: "Get going: now"\n---\n\n[i](/guides/install)\n');
    expect(renamed.changed["docs.json"]).toContain('"pages": ["index", "get-going-now"]');
    const home = await run(site, "move_page", { page: "/", title: "Start" });
    expect(Object.keys(home.changed)).toEqual(["index.mdx"]);
  });

  it("moves a page to another group", async () => {
    const { changed, summary } = await run(site, "move_page", { page: "quickstart", group: "guides" });
    expect(changed["docs.json"]).toBe(
      config
        .replace('["index", "quickstart"]', '["index"]')
        .replace('"guides/use"\n', '"guides/use",\n          "quickstart"\n'),
    );
    expect(summary).toBe("Moved quickstart.mdx to “Guides” in the navigation");
  });

  it("adds a page that no group lists, and names the group that lists another one", async () => {
    const more = { ...site, "loose.mdx": "Text.\n" };
    const { changed } = await run(more, "move_page", { page: "loose", group: "guides", add: true });
    expect(changed["docs.json"]).toContain('"guides/use",\n          "loose"\n');
    const elsewhere = await run(more, "move_page", { page: "quickstart", group: "guides", add: true });
    expect(elsewhere.ok).toBe(false);
    expect(elsewhere.message).toContain('send: Move the page quickstart.mdx to the group "guides"');
    const there = await run(more, "move_page", { page: "guides/use", group: "guides", add: true });
    expect(there.message).toContain("is in “Guides” already. There is nothing to add.");
  });

  it("removes and reports a group that becomes empty, and has nothing to move within the same group", async () => {
    const nested = {
      "docs.json":
        '{"navigation": {"groups": [{"group": "A", "pages": ["a", {"group": "Deep", "pages": ["b"]}]}, {"group": "C", "pages": ["c"]}]}}',
      "a.mdx": "a\n",
      "b.mdx": "b\n",
      "c.mdx": "c\n",
    };
    const { changed, summary } = await run(nested, "move_page", { page: "b", group: "C" });
    expect(changed["docs.json"]).toBe(
      '{"navigation": {"groups": [{"group": "A", "pages": ["a"]}, {"group": "C", "pages": ["c", "b"]}]}}',
    );
    expect(summary).toBe("Moved b.mdx to “C” in the navigation, removed the group “A > Deep”, which held nothing else");
    expect((await run(nested, "move_page", { page: "b", group: "Deep" })).message).toContain("nothing to move");
  });

  it.each([
    ["the page is in others", { page: "a", group: "B" }, ["a.mdx"]],
    ["the page gets another path", { page: "a", to: "x/a", group: "B", redirect: false }, ["x/a.mdx"]],
  ])("lists a page only in its new group, also when %s", async (_case, input, paths) => {
    const groups = [{ group: "A", pages: ["a", "b"] }, { group: "B", pages: ["a"] }]; // oxfmt-ignore
    const files = { "docs.json": JSON.stringify({ navigation: { groups } }), "a.mdx": "a\n", "b.mdx": "b\n" };
    const { changed, ok } = await run(files, "move_page", input);
    expect(ok).toBe(true);
    const [path = ""] = paths;
    const stem = path.replace(".mdx", "");
    expect(JSON.parse(changed["docs.json"] ?? "")).toEqual({
      navigation: { groups: [{ group: "A", pages: ["b"] }, { group: "B", pages: [stem] }] },
    }); // oxfmt-ignore
  });

  it("moves a page up into the group whose only sub-group held it", async () => {
    const groups = [{ group: "P", pages: [{ group: "C", pages: ["a"] }] }, { group: "B", pages: ["b"] }]; // oxfmt-ignore
    const files = { "docs.json": JSON.stringify({ navigation: { groups } }), "a.mdx": "a\n", "b.mdx": "b\n" };
    const { changed, summary } = await run(files, "move_page", { page: "a", group: "P" });
    expect(changed["docs.json"]).toContain('[{"group":"P","pages":["a"]},');
    expect(summary).toBe("Moved a.mdx to “P” in the navigation, removed the group “P > C”, which held nothing else");
  });

  it("drops a redirect that would hide the new address, and makes no loop on the way back", async () => {
    const bench = createAgentBench(tools, site);
    await bench.run("move_page", { page: "guides/use", to: "start/use" });
    await bench.run("move_page", { page: "start/use", to: "guides/use" });
    const { redirects } = JSON.parse((await bench.contents())["docs.json"] ?? "") as { redirects: unknown };
    expect(redirects).toEqual([
      { source: "/old", destination: "/guides/use" },
      { source: "/start/use", destination: "/guides/use" },
    ]);
    expect(await bench.brokenLinks()).toEqual([]);
  });

  it("does not take an address that redirects links to another page", async () => {
    const redirects = [{ source: "/n/a", destination: "/b" }, { source: "/o", destination: "/n/a" }]; // oxfmt-ignore
    const files = {
      "docs.json": JSON.stringify({ redirects }),
      "a.md": "# A\n",
      "b.md": "# B\n",
      "c.md": "See [B](/n/a).\n",
    };
    const { ok, message } = await run(files, "move_page", { page: "a", to: "n/a" });
    expect(ok).toBe(false);
    expect(message).toContain("A redirect leads from /n/a to /b, and the link at c.md:1 goes by it.");
    expect((await run({ ...files, "c.md": "See [A](/a).\n" }, "move_page", { page: "a", to: "n/a" })).ok).toBe(true);
  });

  it("drops a redirect from the page's new address, with or without a redirect in the request", async () => {
    const redirects = [{ source: "/new", destination: "/a" }, { source: "/old", destination: "/a" }]; // oxfmt-ignore
    const files = { "docs.json": JSON.stringify({ redirects }), "a.md": "# A\n" };
    const { changed, notes } = await run(files, "move_page", { page: "a", to: "new", redirect: false });
    expect(JSON.parse(changed["docs.json"] ?? "")).toEqual({ redirects: [{ source: "/old", destination: "/new" }] });
    expect(notes).toContain("Dropped the redirect from `/new`, which is a page now.");
    const led = await run(files, "move_page", { page: "a", to: "new" });
    expect(JSON.parse(led.changed["docs.json"] ?? "")).toEqual({
      redirects: [{ source: "/old", destination: "/new" }, { source: "/a", destination: "/new" }],
    }); // oxfmt-ignore
    const removed = await run({ ...files, "new.md": "# New\n" }, "remove_page", { page: "a", redirectTo: "new" });
    expect(JSON.parse(removed.changed["docs.json"] ?? "")).toEqual(JSON.parse(led.changed["docs.json"] ?? ""));
  });

  it("also moves links to headings that the page does not have", async () => {
    const files = { "a.md": "# A\n\n## X\n", "b.md": "[a](a.md#gone) [ok](a.md#x) [html](/a.html#no)\n" };
    const { changed, notes } = await run(files, "move_page", { page: "a", to: "g/new", redirect: false });
    expect(changed["b.md"]).toBe("[a](g/new.md#gone) [ok](g/new.md#x) [html](/g/new#no)\n");
    expect(notes?.[0]).toBe("Updated 3 links to it: `b.md:1`, `b.md:1`, `b.md:1`.");
  });

  it("keeps the layout of redirects on several lines, and creates a missing list", async () => {
    const lines = '{\n\t"redirects": [\n\t\t{\n\t\t\t"source": "/x",\n\t\t\t"destination": "/a"\n\t\t}\n\t]\n}\n';
    const several = await run({ "docs.json": lines, "a.mdx": "a\n" }, "move_page", { page: "a", to: "b" });
    expect(several.changed["docs.json"]).toBe(
      '{\n\t"redirects": [\n\t\t{\n\t\t\t"source": "/x",\n\t\t\t"destination": "/b"\n\t\t},\n\t\t{\n\t\t\t"source": "/a",\n\t\t\t"destination": "/b"\n\t\t}\n\t]\n}\n',
    );
    const none = await run({ "docs.json": '{\n  "name": "x" // y\n}\n', "a.mdx": "a\n" }, "move_page", {
      page: "a",
      to: "b",
    });
    expect(none.changed["docs.json"]).toBe(
      '{\n  "name": "x",\n  "redirects": [\n    { "source": "/a", "destination": "/b" }\n  ] // y\n}\n',
    );
  });

  it("works without a docs.json, and reports that there is no redirect", async () => {
    const { changed, notes } = await run({ "a.md": "# A\n", "b.md": "[a](a.md)\n" }, "move_page", {
      page: "a",
      to: "c/",
    });
    expect(changed).toEqual({ "c/a.md": "# A\n", "b.md": "[a](c/a.md)\n" });
    expect(notes?.join()).toContain("There is no docs.json to hold a redirect");
  });

  it.each([
    [{ page: "nowhere", to: "x" }, "There is no page “nowhere”"],
    [{ page: "quickstart", to: "guides/use" }, "would have the address of guides/use.mdx"],
    [{ page: "quickstart", to: "quickstart" }, "nothing to move"],
    [{ page: "quickstart", to: "../out" }, "not a path inside the repository"],
    [{ page: "quickstart", to: ".github/x" }, "starts with a dot"],
    [{ page: "quickstart", to: "x.png" }, "is no path of a page"],
    [{ page: "quickstart", group: "Nowhere" }, "has no group “Nowhere”"],
  ])("refuses %j", async (input, reason) => {
    const { ok, message } = await run(site, "move_page", input);
    expect(ok).toBe(false);
    expect(message).toContain(reason);
  });

  it("refuses a page that other pages import", async () => {
    const files = { "a.mdx": 'import P from "/p.mdx";\n\n<P />\n', "p.mdx": "p\n" };
    expect((await run(files, "move_page", { page: "p", to: "q" })).message).toContain("is imported by a.mdx");
  });
});

describe("a page's name", () => {
  const files = {
    "docs/docs.json": "{}",
    "docs/a/setup.mdx": "---\ntitle: Setup A\n---\n",
    "docs/b/setup.mdx": "---\ntitle: Setup B\nsidebarTitle: B\n---\n",
    "docs/b/other page.mdx": "---\ntitle: Other\n---\n",
    "docs/index.mdx": "---\ntitle: Other\n---\n",
    "docs/b/migrate-from-one.mdx": "---\ntitle: Migrating from 1.0\n---\n",
  };
  it.each([
    ["docs/a/setup.mdx", "docs/a/setup.mdx"],
    ["a/setup.mdx", "docs/a/setup.mdx"],
    ["a/setup", "docs/a/setup.mdx"],
    ["/a/setup", "docs/a/setup.mdx"],
    ["/a/setup#x", "docs/a/setup.mdx"],
    ["A/Setup", "docs/a/setup.mdx"],
    ["setup b", "docs/b/setup.mdx"],
    ["b", "docs/b/setup.mdx"],
    ["other page", "docs/b/other page.mdx"],
    ["/", "docs/index.mdx"],
    ["index", "docs/index.mdx"],
    ["home", "docs/index.mdx"],
    ["Home page", "docs/index.mdx"],
    ["homepage", "docs/index.mdx"],
    ["start page", "docs/index.mdx"],
    ["landing page", "docs/index.mdx"],
  ])("%j is found", async (page, path) => {
    const { changed } = await run(files, "set_front_matter", { page, key: "icon", value: "x" });
    expect(Object.keys(changed)).toEqual([path]);
  });
  it.each([
    ["setup", "could be 2 pages: docs/a/setup.mdx, docs/b/setup.mdx"],
    ["Other", "could be 2 pages"],
    ["stup b", "Did you mean “Setup B”"],
    ["../secret", "There is no page"],
    ["migration", "There is no page “migration”. Did you mean “Migrating from 1.0” or “docs/b/migrate-from-one”?"],
    ["migration guide", "Did you mean “Migrating from 1.0” or “docs/b/migrate-from-one”?"],
    ["the", "There is no page “the”."],
  ])("%j is refused", async (page, reason) => {
    expect((await run(files, "set_front_matter", { page, key: "icon", value: "x" })).message).toContain(reason);
  });
});

describe("the home page", () => {
  const rename = (files: Record<string, string>) =>
    run({ "docs.json": "{}", ...files }, "set_front_matter", { page: "home", key: "icon", value: "x" });

  it("is the page of that name if it exists", async () => {
    const { changed } = await rename({ "index.md": "# Welcome\n", "app/home.md": "# The app\n" });
    expect(Object.keys(changed)).toEqual(["app/home.md"]);
    const titled = await rename({ "index.md": "# Welcome\n", "app/first.md": "---\ntitle: Home\n---\n" });
    expect(Object.keys(titled.changed)).toEqual(["app/first.md"]);
  });

  it("is not found if there is no page at the root", async () => {
    const { ok, message } = await rename({ "en/index.md": "# Welcome\n", "fr/index.md": "# Bienvenue\n" });
    expect([ok, message]).toEqual([false, "There is no page “home”."]);
  });
});

describe("add_page", () => {
  it("adds a page like its siblings, at the end of its group", async () => {
    const { changed, summary } = await run(site, "add_page", {
      title: "Tips & tricks: one",
      text: "See [use](/guides/use).\n\n",
      group: "guides",
    });
    expect(changed).toEqual({
      "guides/tips--tricks-one.mdx": '---\ntitle: "Tips & tricks: one"\n---\n\nSee [use](/guides/use).\n',
      "docs.json": config.replace('"guides/use"\n', '"guides/use",\n          "guides/tips--tricks-one"\n'),
    });
    expect(summary).toBe("Added the page “Tips & tricks: one” (guides/tips--tricks-one.mdx) under “Guides”");
  });

  it("is placed after another page on request", async () => {
    const { changed } = await run(site, "add_page", { title: "New", text: "x", after: "index" });
    expect(changed["docs.json"]).toBe(config.replace('["index", "quickstart"]', '["index", "new", "quickstart"]'));
    expect(changed["new.mdx"]).toBe("---\ntitle: New\n---\n\nx\n");
  });

  it("writes plain Markdown if the docs do, with a heading as its title", async () => {
    const { changed } = await run({ "a.md": "# A\r\n", "guides/b.md": "# B\r\n" }, "add_page", {
      title: "C",
      text: "x\ny",
      group: "Guides",
    });
    expect(changed).toEqual({ "guides/c.md": "# C\r\n\r\nx\r\ny\r\n" });
  });

  it("uses plain Markdown for text that is not MDX, unless a path sets the format", async () => {
    const { changed } = await run(site, "add_page", { title: "Math", text: "if a <b, then {", group: "Start" });
    expect(Object.keys(changed)).toContain("math.md");
    const { message } = await run(site, "add_page", { title: "Math", text: "a < b and {", path: "math.mdx" });
    expect(message).toContain("math.mdx would not parse");
  });

  it("drops a redirect from the address of the new page", async () => {
    const { changed, notes } = await run(site, "add_page", { title: "Old", text: "x", group: "Start" });
    expect(JSON.parse(changed["docs.json"] ?? "")).toMatchObject({ redirects: [] });
    expect(notes).toEqual(["Dropped the redirect from `/old`, which is a page now."]);
  });

  it.each([
    [{ title: "Quickstart", text: "x", group: "Start" }, "There is a page with this address already: quickstart.mdx"],
    [{ title: "New", text: "x", group: "Nope" }, "has no group “Nope”. It has: “Start”, “Guides”."],
    [{ title: "New", text: "x", group: "Gides" }, "Did you mean “Guides”?"],
    [{ title: "New", text: "[x](/nope)", group: "Start" }, "links to “/nope”, which does not exist"],
    [{ title: "New", text: "[x](javascript:alert(1))", group: "Start" }, "are not allowed"],
    [{ title: "New", text: "x", path: "../new.mdx" }, "not a path inside"],
    [{ title: "New", text: "x", path: "AGENTS.md" }, "instructions for agents"],
    [{ title: "！！", text: "x" }, "give a path"],
  ])("refuses %j", async (input, reason) => {
    const { ok, message } = await run(site, "add_page", input);
    expect(ok).toBe(false);
    expect(message).toContain(reason);
  });

  it("asks for the whole trail when a group's title is used twice", async () => {
    const files = {
      "docs.json":
        '{"navigation": {"tabs": [{"tab": "A", "groups": [{"group": "G", "pages": []}]}, {"tab": "B", "groups": [{"group": "G", "pages": ["x"]}]}]}}',
      "x.mdx": "x\n",
    };
    expect((await run(files, "add_page", { title: "N", text: "n", group: "G" })).message).toContain("“A > G”, “B > G”");
    const { changed } = await run(files, "add_page", { title: "N", text: "n", group: "A > G" });
    expect(changed["docs.json"]).toContain('"pages": ["n"]');
  });
});

describe("remove_page", () => {
  it("redirects its links and its address to another page", async () => {
    const { changed, gone, broken } = await run(site, "remove_page", { page: "guides/use", redirectTo: "Install" });
    expect(gone).toEqual(["guides/use.mdx"]);
    expect(changed["index.mdx"]).toBe(
      '---\ntitle: Home\n---\n\n[use](/guides/install) and [relative](./guides/install.mdx) and <Card title="Use" href="/guides/install?x=1" />\n',
    );
    expect(changed["docs.json"]).toBe(
      config
        .replace('"guides/install",\n          "guides/use"', '"guides/install"')
        .replace('"href": "/guides/use"', '"href": "/guides/install"')
        .replace(
          '{ "source": "/old", "destination": "/guides/use" }',
          '{ "source": "/old", "destination": "/guides/install" },\n    { "source": "/guides/use", "destination": "/guides/install" }',
        ),
    );
    expect(broken).toEqual([]);
  });

  it("points the configuration to the other page, without a heading that only this one had, and reports the places", async () => {
    const files = {
      "docs.json":
        '{\n  "navigation": { "pages": ["index", "a", "b"] },\n  "navbar": { "links": [{ "label": "A", "href": "/a" }] },\n' +
        '  "footer": { "links": [{ "items": [{ "label": "Two", "href": "/a#two" }] }] },\n' +
        '  "redirects": [\n    { "source": "/old", "destination": "/a#two" },\n    { "source": "/b", "destination": "/index" }\n  ]\n}\n',
      "index.mdx": "x\n",
      "a.mdx": "# A\n\n## Two\n",
      "b.mdx": "# B\n",
    };
    const { changed, notes } = await run(files, "remove_page", { page: "a", redirectTo: "b" });
    expect(changed["docs.json"]).toBe(
      '{\n  "navigation": { "pages": ["index", "b"] },\n  "navbar": { "links": [{ "label": "A", "href": "/b" }] },\n' +
        '  "footer": { "links": [{ "items": [{ "label": "Two", "href": "/b" }] }] },\n' +
        '  "redirects": [\n    { "source": "/old", "destination": "/b" },\n    { "source": "/a", "destination": "/b" }\n  ]\n}\n',
    );
    expect(notes).toEqual([
      "Removed 1 navigation entry.",
      "Links and redirects of the configuration that lead to `/b` now: `docs.json:3`, `docs.json:4`, `docs.json:6`.",
      "Added a redirect from `/a` to `/b`.",
      "Dropped 1 redirect that stood in its way.",
    ]);
  });

  it("also removes a group that becomes empty", async () => {
    const files = {
      "docs.json": '{"navigation": {"groups": [{"group": "A", "pages": ["a"]}, {"group": "B", "pages": ["b"]}]}}',
      "a.mdx": "a\n",
      "b.mdx": "b\n",
    };
    const { changed, summary } = await run(files, "remove_page", { page: "b" });
    expect(changed["docs.json"]).toBe('{"navigation": {"groups": [{"group": "A", "pages": ["a"]}]}}');
    expect(summary).toBe("Removed the page “B” (b.mdx), and the group “B”, which held nothing else");
  });

  const page = (name: string) => ({ [`${name}.mdx`]: `${name}\n` });
  const withoutC = async (navigation: unknown) => {
    const files = { "docs.json": JSON.stringify({ navigation }), ...page("c"), ...page("d") };
    const { changed, summary } = await run(files, "remove_page", { page: "c" });
    return { navigation: (JSON.parse(changed["docs.json"] ?? "{}") as { navigation: unknown }).navigation, summary };
  };

  it.each([
    ["an API", { group: "Q", openapi: "x.json" }],
    ["an API in a folder", { group: "Q", asyncapi: { source: "x.json", directory: "x" } }],
    ["an address", { tab: "Q", href: "https://example.com" }],
    ["a page of its own", { group: "Q", root: "d" }],
    ["what this version does not know", { group: "Q", future: { a: 1 } }],
  ])("keeps a group that contains %s", async (_what, group) => {
    const list = "tab" in group ? "tabs" : "groups";
    const { navigation, summary } = await withoutC({ [list]: [{ ...group, pages: ["c"] }, { group: "B", tab: "B", pages: ["d"] }] }); // oxfmt-ignore
    expect(navigation).toEqual({
      [list]: [
        { ...group, pages: [] },
        { group: "B", tab: "B", pages: ["d"] },
      ],
    });
    expect(summary).toBe("Removed the page “C” (c.mdx)");
  });

  it("also removes all groups that become empty, except the last one of all", async () => {
    const nested = { group: "P", icon: "x", pages: [{ group: "C", pages: ["c"] }] };
    const other = { group: "B", pages: ["d"] };
    expect(await withoutC({ groups: [nested, other] })).toEqual({
      navigation: { groups: [other] },
      summary: "Removed the page “C” (c.mdx), and the group “P”, which held nothing else",
    });
    expect(await withoutC({ groups: [nested] })).toEqual({
      navigation: { groups: [{ group: "P", icon: "x", pages: [] }] },
      summary: "Removed the page “C” (c.mdx), and the group “P > C”, which held nothing else",
    });
    expect(await withoutC({ tabs: [{ tab: "T", groups: [{ group: "G", pages: ["c"] }], pages: ["d"] }] })).toEqual({
      navigation: { tabs: [{ tab: "T", groups: [], pages: ["d"] }] },
      summary: "Removed the page “C” (c.mdx), and the group “T > G”, which held nothing else",
    });
    expect((await withoutC([{ group: "G", pages: ["c"] }])).navigation).toEqual([{ group: "G", pages: [] }]);
    expect((await withoutC({ groups: [{ group: "G", root: "c" }, other] })).navigation).toEqual({ groups: [other] });
  });

  it("counts links to headings that the page does not have", async () => {
    const files = { "a.md": "# A\n", "b.md": "[a](a.md#gone)\n", "c.md": "# C\n", "docs.json": "{}" };
    expect((await run(files, "remove_page", { page: "a" })).message).toContain("A link leads to it (`b.md:1`)");
    const { changed } = await run(files, "remove_page", { page: "a", redirectTo: "c" });
    expect(changed["b.md"]).toBe("[a](c.md)\n");
  });

  it("refuses to leave broken links", async () => {
    const files = { "a.md": "[b](b.md)\n", "b.md": "# B\n" };
    expect((await run(files, "remove_page", { page: "b" })).message).toContain("A link leads to it (`a.md:1`)");
    expect((await run(files, "remove_page", { page: "b", redirectTo: "b" })).message).toContain("to itself");
  });
});

describe("fix_links and check_links", () => {
  it("keep links to a field's own id and to its id on Mintlify", async () => {
    const files = {
      "index.mdx": "[a](/settings#param-icon-type) [b](/settings#icontype) [c](/settings#param-icontype)\n",
      "settings.mdx": '<ResponseField name="iconType">The style.</ResponseField>\n',
    };
    const { changed, broken } = await run(files, "fix_links", {});
    expect(broken).toEqual([]);
    expect(changed).toEqual({
      "index.mdx": "[a](/settings#param-icon-type) [b](/settings#icontype) [c](/settings#param-icon-type)\n",
    });
  });

  const files = {
    "docs.json":
      '{"redirects": [{"source": "/gone", "destination": "/guides/use"}, {"source": "/moved", "destination": "/guides/use#nope"}]}',
    "index.mdx":
      "[redirect](/gone) [anchor](/guides/use#Run-Fast) [case](/Guides/Use) [moved](/tutorials/install#a-b) [odd](/gone#nope) " +
      "[unknown](/nowhere-at-all) [ok](/guides/use) [out](https://example.com) `[code](/nope)`\n",
    "guides/use.mdx": "## Run fast\n\n[up](../indx) [self](#run_fast)\n",
    "guides/install.mdx": "## A B\n",
  };

  it("fixes links with only one candidate and reports the rest", async () => {
    const { changed, summary, broken, notes } = await run(files, "fix_links", {});
    expect(changed["index.mdx"]).toBe(
      "[redirect](/guides/use) [anchor](/guides/use#run-fast) [case](/guides/use) [moved](/guides/install#a-b) [odd](/gone#nope) " +
        "[unknown](/nowhere-at-all) [ok](/guides/use) [out](https://example.com) `[code](/nope)`\n",
    );
    expect(changed["guides/use.mdx"]).toBe("## Run fast\n\n[up](../indx) [self](#run-fast)\n");
    expect(broken).toEqual(["guides/use.mdx: ../indx", "index.mdx: /nowhere-at-all"]);
    expect(summary).toBe("Fixed 4 of 6 broken links; 1 link that worked by a redirect made direct, in 2 files");
    expect(notes).toContain("Left `index.mdx:1`: `/nowhere-at-all` (there is no such page)");
  });

  it("fixes links to a moved page and its headings on a site of Docusaurus with numbered names", async () => {
    const { changed, broken } = await run(
      {
        "docusaurus.config.js": 'export default { presets: ["classic"] };',
        "docs/index.md": "[a](/docs/old/users) [b](/docs/old/users/#add) [c](old/users.md#add)\n",
        "docs/02-g/01-users.md": "# Users\n\n## Add\n",
      },
      "fix_links",
      {},
    );
    expect(changed).toEqual({
      "docs/index.md": "[a](/docs/g/users) [b](/docs/g/users/#add) [c](02-g/01-users.md#add)\n",
    });
    expect(broken).toEqual([]);
  });

  it("counts links as fixed that were broken before and are not afterwards", async () => {
    const redirected = {
      "docs.json": '{"redirects": [{"source": "/gone", "destination": "/use"}]}',
      "index.mdx": "[a](/gone) [b](/gone) [ok](/use)\n",
      "use.mdx": "Use.\n",
    };
    expect(await run(redirected, "fix_links", {})).toMatchObject({
      summary: "Checked 3 internal links: none is broken; 2 links that worked by a redirect made direct, in 1 file",
      notes: ["Updated `index.mdx:1`: `/gone` is now `/use`.", "Updated `index.mdx:1`: `/gone` is now `/use`."],
    });
    const nothing = { "index.mdx": "[a](/nowhere-at-all)\n", "use.mdx": "Use.\n" };
    expect((await run(nothing, "fix_links", {})).summary).toBe("Fixed 0 of 1 broken link");
  });

  it("check_links only reports, and keeps to a part of the docs", async () => {
    const all = await run(files, "check_links", {});
    expect(all.changed).toEqual({});
    expect(all.summary).toBe("Checked 9 internal links: 6 are broken");
    expect((await run(files, "check_links", { in: ["guides/"] })).summary).toBe(
      "Checked 2 internal links: 2 are broken",
    );
    expect(Object.keys((await run(files, "fix_links", { in: ["guides/use"] })).changed)).toEqual(["guides/use.mdx"]);
  });

  it("find nothing to do in a second run", async () => {
    const bench = createAgentBench(tools, files);
    await bench.run("fix_links", {});
    const edits = bench.tree.edits().size;
    await bench.run("fix_links", {});
    expect(bench.tree.edits().size).toBe(edits);
  });
});

it("does not resolve a name that a page in the root and titles of others share", async () => {
  const files = {
    "overview.md": "# Welcome\n",
    "a/overview.md": "---\ntitle: Overview\n---\n",
    "b/start.md": "---\ntitle: Overview\n---\n",
  };
  const outcome = await run(files, "set_front_matter", { page: "Overview", key: "hidden", value: true });
  expect(outcome.message).toContain("“Overview” could be 3 pages: overview.md, a/overview.md, b/start.md");
  expect((await run(files, "set_front_matter", { page: "/overview", key: "hidden", value: true })).ok).toBe(true);
});

it("refuses an exception outside the part", async () => {
  const files = { "overview.md": "Harbor.\n", "flash/overview.md": "Harbor.\n", "flash/use.md": "Harbor.\n" };
  const input = { from: "Harbor", to: "Port", in: ["flash/"] };
  const outcome = await run(files, "replace_term", { ...input, except: ["overview"] });
  expect(outcome.message).toContain("“overview” is not in flash/, so it would except nothing");
  const named = await run(files, "replace_term", { ...input, except: ["flash/overview"] });
  expect(Object.keys(named.changed)).toEqual(["flash/use.md"]);
});
