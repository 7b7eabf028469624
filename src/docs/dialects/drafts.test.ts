import { describe, expect, it } from "vitest";
import { type Files, load } from "#docs/dialects/dialect.contract.ts";

const DRAFT = "---\ntitle: Withdrawn\ndate: 2026-01-02\ndraft: true\n---\n# Withdrawn\n";
const STARLIGHT = { "astro.config.mjs": 'import s from "@astrojs/starlight";\nexport default { integrations: [s({ title: "A" })] };' }; // oxfmt-ignore
const PRESET = { "docusaurus.config.js": 'export default { title: "A", presets: [["classic", {}]] };' };
const mkdocs = (blog: string) => ({
  "mkdocs.yml": `site_name: A\nplugins:\n  - blog${blog}\n`,
  "docs/index.md": "# A",
});
const docs = "src/content/docs";

const addresses = async (files: Files) => [...(await load(files)).pages.keys()].toSorted();

describe("a page that its author withdrew", () => {
  it.each<[string, Files, string[]]>([
    ["Starlight", { ...STARLIGHT, [`${docs}/a.md`]: "# A", [`${docs}/b.md`]: DRAFT }, ["/a"]],
    ["Docusaurus", { ...PRESET, "docs/a.md": "# A", "docs/b.md": DRAFT, "blog/c.md": DRAFT }, ["/docs/a"]],
    ["a blog of Material", { ...mkdocs(""), "docs/blog/posts/a.md": DRAFT }, ["/"]],
  ])("has no address in %s", async (_, files, routes) => {
    expect(await addresses(files)).toEqual(routes);
  });

  it("has an address where the tool builds it", async () => {
    const withDrafts = { ...mkdocs(":\n      draft: true"), "docs/blog/posts/a.md": DRAFT };
    expect(await addresses(withDrafts)).toEqual(["/", "/blog/2026/01/02/withdrawn"]);
    expect(await addresses({ ...mkdocs(""), "docs/a.md": DRAFT })).toEqual(["/", "/a"]);
  });

  it("takes no address from another page", async () => {
    const files = { ...STARLIGHT, [`${docs}/a.md`]: DRAFT, [`${docs}/a/index.md`]: "# A" };
    const site = await load(files);
    expect([...site.pages.keys()]).toEqual(["/a"]);
    expect(site.problems).toEqual([]);
  });
});

describe("Starlight's content below a folder that begins with an underscore", () => {
  const files = { ...STARLIGHT, [`${docs}/a.md`]: "# A", [`${docs}/_old/b.md`]: "# B", [`${docs}/_c.md`]: "# C" };

  it("has no address", async () => {
    expect(await addresses(files)).toEqual(["/a"]);
  });

  it("has an address with Starlight's loader, which leaves out files of such names alone", async () => {
    const config = "export const collections = { docs: defineCollection({ loader: docsLoader() }) };";
    expect(await addresses({ ...files, "src/content.config.ts": config })).toEqual(["/_old/b", "/a"]);
  });
});
