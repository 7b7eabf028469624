import { expect, it } from "vitest";
import type { DialectName } from "#docs/dialect.ts";
import { createTestSite } from "#testing/site.ts";
import { pageMode } from "./page-mode.ts";

const PARTS = {
  sidebar: 'class="site-frame">',
  trail: "site-breadcrumbs",
  title: '<h1 class="site-page-title"',
  unseen: '<h1 class="site-unseen"',
  lead: "site-lead",
  next: "site-neighbours",
  contents: "site-contents",
  footer: "site-footer",
};

it.each([
  ["wide", "## A\n\n## B", ["sidebar", "trail", "title", "lead", "next", "footer"]],
  ["center", "## A\n\n## B", ["trail", "title", "lead", "next", "footer"]],
  ["frame", "## A\n\n## B", ["sidebar", "unseen", "footer"]],
  ["custom", "## A\n\n## B", ["unseen"]],
  ["custom", "<div>\n\n# Own\n\n</div>", []],
  ["poster", "## A\n\n## B", ["sidebar", "trail", "title", "lead", "next", "contents", "footer"]],
])("a page of mode %s shows these parts of the theme: %j", async (mode, body, shown) => {
  await using site = await createTestSite({
    "docs.json": JSON.stringify({ navigation: { groups: [{ group: "Start", pages: ["home", "other"] }] } }),
    "home.mdx": `---\ntitle: Home\ndescription: Said once.\nmode: ${mode}\n---\n\n${body}\n`,
    "other.md": "# Other\n",
  });
  const html = await (await site.request("/home")).text();
  const document = html.slice(html.indexOf("<body"));
  expect(Object.keys(PARTS).filter((part) => document.includes(PARTS[part as keyof typeof PARTS]))).toEqual(shown);
  // On small screens the navigation opens from the header.
  expect(document).toContain('popovertarget="menu"');
});

it.each<[DialectName, Record<string, unknown>, string]>([
  ["vitepress", { layout: "home", hero: { name: "A" } }, "center"],
  ["vitepress", { layout: "home" }, ""],
  ["vitepress", { aside: false }, "wide"],
  ["starlight", { template: "splash" }, "center"],
  ["starlight", { tableOfContents: false }, "wide"],
  ["mkdocs", { hide: ["navigation", "toc"] }, "center"],
  ["mkdocs", { hide: ["toc"] }, "wide"],
  ["mkdocs", { hide: ["navigation"] }, ""],
  ["docusaurus", { hide_table_of_contents: true }, "wide"],
  ["docusaurus", { hide_table_of_contents: true, mode: "frame" }, "frame"],
  ["fumadocs", { full: true }, "wide"],
  [
    "gitbook",
    { layout: { width: "wide", outline: { visible: false }, tableOfContents: { visible: false } } },
    "center",
  ],
  ["gitbook", { layout: { outline: { visible: false }, title: { visible: true } } }, "wide"],
  ["native", { layout: "home" }, ""],
])("a page of %s with %j has the mode %j", (dialect, frontMatter, mode) => {
  expect(pageMode(frontMatter, dialect).name).toBe(mode);
});

it.each([
  ["below a logo", '<p align="center"><img src="/logo.png" alt="Logo" /></p>\n\n<h1>Own</h1>\n', 0],
  ["below words", "Words.\n\n<h1>Own</h1>\n", 1],
])("shows the title above a page with a heading %s: %j", async (_, body, titles) => {
  await using site = await createTestSite({ "index.md": `---\ntitle: Home\n---\n\n${body}` });
  const html = await (await site.request("/")).text();
  expect(html.split(PARTS.title).length - 1).toBe(titles);
  expect(html).toContain("Own</h1>");
});

it("shows no title above a page of MkDocs with a heading of its own", async () => {
  const page = "!!! tip\n\n    See the menu.\n\n# Welcome\n\nWords.\n";
  await using site = await createTestSite({ "mkdocs.yml": "site_name: T\n", "docs/index.md": page });
  const html = await (await site.request("/")).text();
  expect(html).not.toContain(PARTS.title);
  expect(html.split("<h1").length - 1).toBe(1);
});

it("hides the navigation of a MkDocs page that says so, and keeps the list of its headings", async () => {
  await using site = await createTestSite({
    "mkdocs.yml": "site_name: T\n",
    "docs/index.md": "---\nhide: [navigation]\n---\n# Home\n\n## A\n\n## B\n",
    "docs/other.md": "# Other\n",
  });
  const html = await (await site.request("/")).text();
  expect(html).toContain('class="site-frame alone"');
  expect(html).toContain("site-contents");
});
