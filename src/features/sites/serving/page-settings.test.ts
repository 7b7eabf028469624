import { expect, it } from "vitest";
import { load } from "#docs/dialects/dialect.contract.ts";
import { createTestSite } from "#testing/site.ts";

it("a page has no date and no link to edit it where its front matter says so, and a date where the site has none", async () => {
  const settings = { feedback: { suggestEdit: true }, metadata: { timestamp: false } };
  const files = {
    "docs.json": JSON.stringify(settings),
    "plain.md": "# A\n",
    "own.md": "---\nsuggestEdit: false\ntimestamp: true\n---\n# B\n",
  };
  const hostedAt = { kind: "github", url: "https://github.com/acme/docs" } as const;
  await using site = await createTestSite(files, { project: { hostedAt } });
  const shown = async (path: string) => {
    const html = await (await site.request(path)).text();
    return { edit: html.includes("/edit/main/"), date: html.includes("Last changed on") };
  };
  expect(await shown("/plain")).toEqual({ edit: true, date: false });
  expect(await shown("/own")).toEqual({ edit: false, date: true });
});

const NONE = { isUnsearched: true, showsDate: false, hidesEditLink: true };
const starlight = 'import s from "@astrojs/starlight";\nexport default { integrations: [s({ title: "A" })] };';

it.each<[string, Record<string, string>, object]>([
  ["Docent", { "a.md": "---\nsearchable: false\ntimestamp: no\nsuggestEdit: false\n---\n# A" }, NONE],
  [
    "Starlight",
    {
      "astro.config.mjs": starlight,
      "src/content/docs/a.md": "---\npagefind: false\nlastUpdated: false\neditUrl: false\n---\n# A",
    },
    NONE,
  ],
  [
    "VitePress",
    {
      ".vitepress/config.js": "export default {}",
      "a.md": "---\nsearch: false\nlastUpdated: false\neditLink: false\n---\n# A",
    },
    NONE,
  ],
  [
    "MkDocs",
    { "mkdocs.yml": "site_name: A\n", "docs/a.md": "---\nsearch:\n  exclude: true\n---\n# A" },
    { isUnsearched: true },
  ],
  [
    "Docusaurus",
    {
      "docusaurus.config.js": 'export default { presets: [["classic", { docs: { routeBasePath: "/" } }]] };',
      "docs/a.md": "---\ncustom_edit_url: null\n---\n# A",
    },
    { hidesEditLink: true },
  ],
])("the front matter of %s turns search, date and link to edit off for a page", async (_, files, expected) => {
  expect((await load(files)).pages.get("/a")).toMatchObject(expected);
});
