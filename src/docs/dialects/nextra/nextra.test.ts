import { describe, expect, it } from "vitest";
import { dialectContract, load, outline } from "#docs/dialects/dialect.contract.ts";

const META = `import type { MetaRecord } from "nextra";
const meta: MetaRecord = {
  index: { title: "Home", type: "page", display: "hidden" },
  docs: { title: "Guides", type: "page" },
  forum: { title: "Forum", href: "https://forum.example" },
};
export default meta;
`;
const FILES = {
  "next.config.mjs":
    'import nextra from "nextra";\nexport default nextra({ latex: true })({ basePath: "/trains", i18n: undefined });\n',
  "content/_meta.ts": META,
  "content/docs/_meta.tsx":
    'export default { doors: <b>All doors</b>, _: { type: "separator", title: "More" }, deep: "" };\n',
  "content/index.mdx": "# Trains",
  "content/docs/index.md": "# The guides",
  "content/docs/doors.mdx": "# Doors",
  "content/docs/brakes.mdx": "---\nsidebarTitle: The brakes\n---\n# Brakes",
  "content/docs/deep/index.mdx": "---\nasIndexPage: true\n---\n# Deep things",
  "content/docs/deep/one.mdx": "# One",
  "app/(site)/about/page.mdx": "# About",
  "public/favicon.ico": "x",
};

dialectContract({
  dialect: "nextra",
  files: FILES,
  file: "content/_meta.ts",
  routes: ["/", "/docs", "/docs/doors", "/docs/brakes", "/docs/deep", "/docs/deep/one", "/about"],
  navigation:
    "tab:Documentation[Forum->https://forum.example About(/about)] " +
    "tab:Guides[All doors(/docs/doors) More[Deep things(/docs/deep)[One(/docs/deep/one)] The guides(/docs) The brakes(/docs/brakes)]]",
  computed: {
    file: "content/_meta.ts",
    text: "export default {\n  docs: { title: makeTitle(), type: 'page' },\n};\n",
    line: 2,
  },
});

describe("a Nextra site", () => {
  it("has the base path and the files of its Next.js application", async () => {
    const { bases, assets } = await load(FILES);
    expect(bases).toContain("/trains");
    expect(assets.get("/favicon.ico")?.path).toBe("public/favicon.ico");
  });

  it("has one tab for a home page and a folder with the same title", async () => {
    const titled = "{ title: 'Documentation', type: 'page' }";
    const docs = await load({
      ...FILES,
      "content/_meta.ts": `export default { index: ${titled}, docs: ${titled}, about: { title: "About", type: "page" } };`,
    });
    expect(outline(docs.navigation)).toMatch(
      /^tab:Documentation\[.*\(\/\) .*\(\/docs\/doors\).*\] tab:About\[About\(\/about\)\]$/,
    );
  });

  it("has languages in folders", async () => {
    const docs = await load({
      "next.config.js":
        'module.exports = require("nextra")({})({ i18n: { locales: ["en", "fr"], defaultLocale: "en" } })',
      "content/en/_meta.json": '{"b": "Second", "a": "First"}',
      "content/en/a.mdx": "# A",
      "content/en/b.mdx": "# B",
      "content/fr/a.mdx": "# Un",
    });
    expect(outline(docs.navigation)).toBe("language:en[Second(/en/b) First(/en/a)] language:fr[Un(/fr/a)]");
  });

  it("has no page for a route with a parameter, and is no application without Nextra", async () => {
    const docs = await load({ ...FILES, "app/[lang]/page.mdx": "# Any language" });
    expect([...docs.pages.values()].filter(({ title }) => title === "Any language")).toEqual([]);
    const other = await load({ "next.config.js": "module.exports = {};", "pages/a.mdx": "# A" });
    expect(other.config.dialect).not.toBe("nextra");
  });

  it("is found by its _meta files if a package of the team configures it", async () => {
    const docs = await load({
      "site/next.config.js": 'import { withDocs } from "our-theme";\nexport default withDocs({ output: "export" });',
      "site/src/pages/_meta.ts": 'export default { b: "Second", a: "First" };',
      "site/src/pages/a.mdx": "# A",
      "site/src/pages/b.mdx": "# B",
    });
    expect(outline(docs.navigation)).toBe("Second(/b) First(/a)");
  });
});
