import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { loadDocsConfig } from "./docs-config.ts";
import type { ConfigNode } from "./written-navigation.ts";

const load = (files: Record<string, string>, contentRoot: string | null = null) =>
  loadDocsConfig(createTestSnapshot(files), { contentRoot });
const loadJson = (value: unknown) => load({ "docs.json": JSON.stringify(value) });

/** Navigation as short text: `tab Guides [group Start [a b]]`. */
function outline(nodes: readonly ConfigNode[] | null): string | null {
  if (nodes === null) return null;
  const one = (node: ConfigNode): string => {
    if (node.kind === "page") return node.page;
    if (node.kind === "link") return `-> ${node.href}`;
    if (node.kind === "operation") return `<${node.reference}>`;
    const target = node.href === null ? "" : ` -> ${node.href}`;
    return `${node.kind} ${node.title}${target} [${node.children.map(one).join(" ")}]`;
  };
  return nodes.map(one).join(" ");
}

describe("the location of the configuration", () => {
  it.each([
    [{ "docs.json": "{}", "docs/docs.json": "{}" }, "docs.json", ""],
    [{ "mint.json": "{}", "docs/docs.json": "{}" }, "mint.json", ""],
    [{ "mint.json": "{}", "docs.json": "{}" }, "docs.json", ""],
    [{ "docs/mint.json": "{}", "a/docs.json": '{"navigation":{}}' }, "docs/mint.json", "docs"],
    [{ "x/y/docs.json": '{"navigation":[]}', "z/docs.json": '{"navigation":[]}' }, "z/docs.json", "z"],
    [{ "stencil/docs.json": '{"components":[]}', "a/b/docs.json": '{"navigation":{}}' }, "a/b/docs.json", "a/b"],
    [{ "node_modules/x/docs.json": '{"navigation":{}}', ".x/docs.json": '{"navigation":{}}' }, null, ""],
  ])("of %j is %s", async (files, file, contentRoot) => {
    expect(await load(files as unknown as Record<string, string>)).toMatchObject({ file, contentRoot });
  });

  it("is the requested folder", async () => {
    const files = { "docs.json": "{}", "web/docs.json": '{"name":"Web"}' };
    expect(await load(files, "/web/")).toMatchObject({ file: "web/docs.json", contentRoot: "web" });
    expect(await load(files, "elsewhere")).toMatchObject({ file: null, contentRoot: "elsewhere" });
  });
});

describe("navigation", () => {
  it.each([
    [{ pages: ["a", "b/c.mdx"] }, "a b/c.mdx"],
    [{ groups: [{ group: "G", pages: ["a", { group: "H", pages: ["b"] }] }] }, "group G [a group H [b]]"],
    [
      {
        tabs: [
          { tab: "T", groups: [{ group: "G", pages: ["a"] }] },
          { tab: "U", href: "https://u.example" },
        ],
      },
      "tab T [group G [a]] tab U -> https://u.example []",
    ],
    [
      {
        versions: [
          { version: "v2", tabs: [{ tab: "T", pages: ["a"] }] },
          { version: "v1", pages: ["b"] },
        ],
      },
      "version v2 [tab T [a]] version v1 [b]",
    ],
    [
      {
        languages: [
          { language: "en", pages: ["a"] },
          { language: "pt-BR", pages: ["b"] },
          { language: "xx-??", pages: ["c"] },
        ],
      },
      "language English [a] language Português (Brasil) [b] language xx-?? [c]",
    ],
    [
      { products: [{ product: "P", dropdowns: [{ dropdown: "D", anchors: [{ anchor: "A", pages: ["a"] }] }] }] },
      "product P [dropdown D [anchor A [a]]]",
    ],
    [
      {
        tabs: [{ tab: "T", menu: [{ item: "M", pages: ["a"] }] }],
        global: { anchors: [{ anchor: "Blog", href: "/blog" }] },
      },
      "tab T [menu M [a]] anchor Blog -> /blog []",
    ],
    [[{ group: "Old", pages: ["a"] }], "group Old [a]"],
    [
      { groups: [{ group: "API", pages: ["GET /users", "openapi.json POST /users", "intro"] }] },
      "group API [<GET /users> <openapi.json POST /users> intro]",
    ],
    [{ anchors: [{ anchor: "A", href: "javascript:alert(1)" }] }, "anchor A []"],
    [{}, null],
    [{ pages: [] }, null],
  ])("%j is read as %s", async (navigation, expected) => {
    const { config } = await loadJson({ navigation });
    expect(outline(config.navigation)).toBe(expected);
  });

  it("reports the file and line of each invalid entry and keeps the others", async () => {
    const { config, problems } = await load({
      "docs.json": [
        "{",
        "  // comments and trailing commas are fine",
        '  "navigation": { "groups": [',
        '    { "group": "G", "pages": ["a", 7, {"what": 1}] },',
        '    "b",',
        '    { "group": "H", "pages": "c" },',
        "  ] },",
        "}",
      ].join("\n"),
    });
    expect(outline(config.navigation)).toBe("group G [a] b group H []");
    expect(problems.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([
      'docs.json:4 An entry of "pages" must be the path of a page or a group.',
      'docs.json:4 An entry of "pages" must be the path of a page or a group.',
      'docs.json:6 "pages" must be a list.',
    ]);
  });

  it("resolves a $ref relative to the folder of its file", async () => {
    const { config, problems } = await load({
      "docs.json":
        '{"navigation":{"tabs":[{"$ref":"./nav/guides.json"},{"tab":"Two","groups":{"$ref":"nav/two.json"}}]}}',
      "nav/guides.json": '{"tab":"Guides","groups":[{"$ref":"deep/group.json"}]}',
      "nav/deep/group.json": '{"group":"G","pages":["a",\n3]}',
      "nav/two.json": '[{"group":"H","pages":["b"]}]',
    });
    expect(outline(config.navigation)).toBe("tab Guides [group G [a]] tab Two [group H [b]]");
    expect(problems).toMatchObject([{ path: "nav/deep/group.json", line: 2 }]);
  });

  it.each([
    [
      "a cycle",
      {
        "docs.json": '{"navigation":{"groups":[{"$ref":"a.json"}]}}',
        "a.json": '{"group":"A","pages":[{"$ref":"a.json"}]}',
      },
      /leads back to itself/,
    ],
    ["a missing file", { "docs.json": '{"navigation":{"$ref":"none.json"}}' }, /no such JSON file/],
    [
      "a path out of the repository",
      { "docs.json": '{"navigation":{"$ref":"../../etc/passwd"}}' },
      /leads out of the repository/,
    ],
  ])("survives a $ref to %s", async (_, files, message) => {
    const { problems } = await load(files as unknown as Record<string, string>);
    expect(problems.some((problem) => message.test(problem.message))).toBe(true);
  });

  it("limits references that expand exponentially", async () => {
    const files: Record<string, string> = { "docs.json": '{"navigation":{"groups":[{"$ref":"0.json"}]}}' };
    for (let level = 0; level < 30; level += 1) {
      const next = `{"$ref":"${level + 1}.json"}`;
      files[`${level}.json`] = `{"group":"G","pages":[${next},${next}]}`;
    }
    files["30.json"] = '{"group":"G","pages":["a"]}';
    const { problems } = await load(files);
    expect(problems.length).toBeGreaterThan(0);
  });

  it("reads 50,000 entries", async () => {
    const pages = Array.from({ length: 50_000 }, (_, index) => `pages/page-${index}`);
    const { config, problems } = await loadJson({ navigation: { pages } });
    expect(config.navigation).toHaveLength(50_000);
    expect(problems).toEqual([]);
  });

  it("ends at 12 levels", async () => {
    let group: unknown = { group: "leaf", pages: ["a"] };
    for (let level = 0; level < 15; level += 1) group = { group: "G", pages: [group] };
    const { config, problems } = await loadJson({ navigation: { pages: [group] } });
    expect(outline(config.navigation)).not.toContain("leaf");
    expect(problems).toMatchObject([{ message: "The navigation is nested more than 12 deep." }]);
  });
});

describe("a broken file", () => {
  it.each([
    ["", "docs.json is not valid JSON", 1],
    ['{"name": "A",\n "navigation": {\n  "pages": ["a" "b"]\n}}', "comma expected", 3],
    ["[]", "must hold a JSON object", 1],
    ["null", "must hold a JSON object", 1],
    ['"text"', "must hold a JSON object", 1],
    ["\u0000\u0001", "not valid JSON", 1],
    [`${"[".repeat(200_000)}`, "not valid JSON", null],
  ])("%# results in the defaults and a problem", async (text, message, line) => {
    const { config, problems } = await load({ "docs.json": text });
    expect(config.navigation).toBeNull();
    expect(config.name).toBeNull();
    expect(problems[0]).toMatchObject({ severity: "error", path: "docs.json", line });
    expect(`docs.json is ${problems[0]?.message}`).toContain(message.replace("docs.json is ", ""));
  });

  it("shows the pages of a group without a name, and warns of it", async () => {
    const { config, problems } = await loadJson({
      navigation: { groups: [{ group: "", pages: ["a"] }, { pages: ["b"] }] },
    });
    expect(outline(config.navigation)).toBe("group  [a] group  [b]");
    expect(problems.map(({ severity, message }) => [severity, message])).toEqual(
      Array.from({ length: 2 }, () => [
        "warning",
        'A group of the navigation has no "group": its pages are shown without a heading.',
      ]),
    );
  });

  it.each([
    { navigation: "pages" },
    { navigation: 3 },
    { navigation: { tabs: {} } },
    { navigation: { groups: [null, 1, [], {}, { group: {} }] } },
    { name: {}, logo: 7, favicon: [], colors: "red", navbar: [], footer: 1, seo: "x", redirects: {} },
    { navbar: { links: [null, "x", { href: "javascript:x" }], primary: [] }, footer: { socials: [1, {}], links: [1] } },
    { redirects: [null, {}, { source: "/a" }] },
    JSON.parse('{"__proto__": {"name": "x"}, "constructor": 1}') as unknown,
  ])("with values of the wrong type never throws: %j", async (value) => {
    await expect(loadJson(value)).resolves.toMatchObject({ file: "docs.json" });
  });
});

it("reads any JSON without throwing, and its result can be walked", async () => {
  const names = [
    "navigation",
    "groups",
    "group",
    "pages",
    "tabs",
    "tab",
    "versions",
    "version",
    "languages",
    "language",
  ];
  const others = [
    "$ref",
    "global",
    "anchors",
    "anchor",
    "href",
    "root",
    "redirects",
    "source",
    "colors",
    "logo",
    "navbar",
  ];
  const key = fc.oneof(fc.constantFrom(...names, ...others), fc.string({ maxLength: 5 }));
  const leaf = fc.oneof(fc.constantFrom("a", "docs.json", "../x.json", "", null, true, 7), fc.string({ maxLength: 8 }));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "medium", withCrossShrink: true }, leaf, tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(key, tie("value"), { maxKeys: 6 }),
  }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, value, { maxKeys: 8 }), async (root) => {
      const { config } = await loadJson(root);
      expect(typeof (outline(config.navigation) ?? "")).toBe("string");
    }),
    { numRuns: LONG_TESTS ? 500 : 100 },
  );
});

describe("appearance", () => {
  it("reads valid fields and reports invalid ones", async () => {
    const { config, problems } = await loadJson({
      name: "Acme",
      logo: { light: "/logo/light.svg", dark: "/logo/dark.svg", href: "https://acme.example" },
      favicon: { light: "/favicon.svg", dark: "/favicon-dark.svg" },
      colors: { primary: "#0D9373", light: "red;background:url(//x)" },
      navbar: {
        links: [
          { label: "Support", href: "mailto:a@b.example" },
          { type: "github", href: "https://github.com/x" },
        ],
        primary: { type: "button", label: "Sign in", href: "/login" },
      },
      footer: {
        socials: { x: "https://x.com/acme", bad: "javascript:x" },
        links: [{ header: "Company", items: [{ label: "Jobs", href: "/jobs" }] }],
      },
      redirects: [
        { source: "/old/:slug*", destination: "/new/:slug*" },
        { source: "/t", destination: "/u", permanent: false },
      ],
      seo: { indexing: "all", metatags: { "og:site": "Acme" } },
    });
    expect(config).toMatchObject({
      name: "Acme",
      logo: { light: "/logo/light.svg", dark: "/logo/dark.svg", href: "https://acme.example" },
      favicon: "/favicon.svg",
      colors: { primary: "#0D9373", light: null, dark: null },
      navbar: {
        links: [
          { label: "Support", href: "mailto:a@b.example" },
          { label: "GitHub", href: "https://github.com/x" },
        ],
        primary: { label: "Sign in", href: "/login" },
      },
      footer: {
        socials: [{ label: "X", href: "https://x.com/acme" }],
        columns: [{ title: "Company", links: [{ label: "Jobs", href: "/jobs" }] }],
      },
      redirects: [
        { source: "/old/:slug*", destination: "/new/:slug*", permanent: true },
        { source: "/t", destination: "/u", permanent: false },
      ],
      seo: { indexAll: true, metatags: { "og:site": "Acme" } },
    });
    expect(problems.map((problem) => problem.message)).toEqual([
      '"colors.light": is not a color such as #0D9373. It is ignored.',
      '"footer.socials.bad": is not a path or an http(s) address. It is ignored.',
    ]);
  });

  it.each<[written: object, messages: string[]]>([
    [{ navbar: { links: [{ label: "A" }] } }, ['"navbar.links[0]": has no href. It is ignored.']],
    [
      { navbar: { links: [{ label: "A", href: "javascript:alert(1)" }] } },
      ['"navbar.links[0].href": is not a path or an http(s) address. It is ignored.'],
    ],
    [
      { footer: { links: [{ header: "H", items: [{ label: "A", href: 7 }] }, "x"] } },
      [
        '"footer.links[0].items[0].href": must be a string. It is ignored.',
        '"footer.links[1]": must be an object. It is ignored.',
      ],
    ],
    [
      {
        theme: "mint",
        integrations: { ga4: { measurementId: "G-1" }, telemetry: { enabled: true } },
        banner: { content: "B", dismissible: true },
      },
      ["Without effect in Docent: theme, banner.dismissible, integrations.ga4."],
    ],
    [{ navigaton: {} }, ['"navigaton" is not a setting of a docs.json. Did you mean "navigation"?']],
    [{ colours: {} }, ['"colours" is not a setting of a docs.json. Did you mean "colors"?']],
    [
      { navbar: { link: [] }, navigation: { pages: [{ group: "G", pgaes: [] }] } },
      [
        '"link" is not a setting of a docs.json. Did you mean "links"?',
        '"pgaes" is not a setting of a docs.json. Did you mean "pages"?',
      ],
    ],
    [
      {
        navigation: {
          pages: [{ group: "G", pages: ["a"], hidden: "yes" }],
          tabs: [{ tab: "T", href: "javascript:alert(1)", pages: ["a"], tag: "a".repeat(61) }],
        },
      },
      [
        '"tag" of an entry of the navigation is ignored: it must be a text of at most 60 characters.',
        '"href" of an entry of the navigation is ignored: it must be a path or an http(s) address.',
        '"hidden" of an entry of the navigation is ignored: it must be true or false.',
      ],
    ],
    [
      { navigation: { pages: [{ link: "a".repeat(201), href: "/a" }] } },
      ["Of the text of a link in the navigation the first 200 characters are shown."],
    ],
    [
      { theme: "mint", search: { prompt: "Ask" }, myOwn: true, $schema: "x" },
      ["Without effect in Docent: theme, search."],
    ],
    [
      { appearance: { default: "ligth" } },
      ['"appearance.default": must be one of "system", "light", "dark". It is ignored.'],
    ],
    [{ seo: { indexing: "everything" } }, ['"seo.indexing": must be one of "all", "navigable". It is ignored.']],
    [
      { api: { playground: { display: "maybe" } } },
      ['"api.playground.display" is one of interactive, simple, auth, none. It is ignored.'],
    ],
    [
      { footer: { socials: { gihtub: "https://a.example" } } },
      ['"gihtub" is not a setting of a docs.json. Did you mean "github"?'],
    ],
  ])("names what is wrong in %j", async (written, messages) => {
    const { problems } = await load({ "docs.json": JSON.stringify(written, null, 1) });
    expect(problems.map(({ message }) => message)).toEqual(messages);
    for (const { line } of problems) expect(line).toBeGreaterThan(1);
  });

  it("keep long names whole, and report a meta tag that is not text", async () => {
    const name = "Acme ".repeat(40).trim();
    const { config, problems } = await loadJson({ name, seo: { metatags: { "og:type": 7, "og:site": "" } } });
    expect([config.name, config.seo.metatags]).toEqual([name, { "og:site": "" }]);
    expect(problems.map((problem) => problem.message)).toEqual([
      '"seo.metatags.og:type": must be text. It is ignored.',
    ]);
  });
});

describe("mint.json", () => {
  it.each<[string, object, string]>([
    [
      "versions by name",
      { versions: ["v2", { name: "v1", default: true }] },
      "version v2 [group Start [both] group New [two]] version v1 [group Start [both] group Old [one]]",
    ],
    [
      "versions that are languages",
      { versions: [{ locale: "en" }, { name: "v1", locale: "fr" }] },
      "language English [group Start [both]] language Français [group Start [both] group Old [one]]",
    ],
    ["none", { versions: [] }, "group Start [both] group Old [one] group New [two]"],
  ])("assigns groups to their versions: %s", async (_, versions, expected) => {
    const navigation = [
      { group: "Start", pages: ["both"] },
      { group: "Old", version: "v1", pages: ["one"] },
      { group: "New", version: "v2", pages: ["two"] },
    ];
    const { config } = await load({ "mint.json": JSON.stringify({ ...versions, navigation }) });
    expect(outline(config.navigation)).toBe(expected);
  });

  it("gives each tab the groups below its path", async () => {
    const { config } = await load({
      "mint.json": JSON.stringify({
        name: "Agno",
        logo: { light: "/l.svg", dark: "/d.svg" },
        colors: { primary: "#ff4017" },
        tabs: [
          { name: "API", url: "api" },
          { name: "Blog", url: "https://blog.example" },
        ],
        primaryTab: { name: "Docs" },
        anchors: [
          { name: "Community", url: "https://c.example", icon: "x" },
          { name: "Examples", url: "examples" },
        ],
        navigation: [
          { group: "Start", pages: ["intro", { group: "More", pages: ["more"] }] },
          { group: "Endpoints", pages: ["api/list"] },
          { group: "Samples", pages: [{ group: "S", pages: ["examples/one"] }] },
        ],
        topbarLinks: [
          { name: "Support", url: "mailto:x@y.example" },
          { type: "github", url: "https://github.com/agno" },
        ],
        topbarCtaButton: { name: "Go", url: "https://app.example" },
        footerSocials: { github: "https://github.com/agno" },
        redirects: [{ source: "/a", destination: "/b" }],
      }),
    });
    expect(outline(config.navigation)).toBe(
      "tab Docs [group Start [intro group More [more]]] tab API [group Endpoints [api/list]] " +
        "tab Examples [group Samples [group S [examples/one]]] tab Blog -> https://blog.example [] " +
        "anchor Community -> https://c.example []",
    );
    expect(config.navbar).toEqual({
      links: [
        { label: "Support", href: "mailto:x@y.example" },
        { label: "GitHub", href: "https://github.com/agno" },
      ],
      primary: { label: "Go", href: "https://app.example" },
    });
    expect(config.redirects).toHaveLength(1);
    expect(config.footer.socials).toEqual([{ label: "GitHub", href: "https://github.com/agno" }]);
  });
});
