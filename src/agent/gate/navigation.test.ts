import { expect, test } from "vitest";
import { judge } from "#testing/judged-change.ts";

const BEFORE = {
  name: "Docs",
  logo: { light: "/l.svg", href: "https://example.com" },
  navigation: { pages: ["index"] },
};

async function findingsIn(after: object | string, before: object = BEFORE, others: Record<string, string> = {}) {
  const files = { "index.md": "# Start\n", "l.svg": "x", ...others };
  const text = typeof after === "string" ? after : JSON.stringify(after);
  const report = await judge({ ...files, "docs.json": JSON.stringify(before) }, { ...files, "docs.json": text });
  const of = (findings: typeof report.errors) =>
    findings.filter(({ check }) => check === "navigation").map(({ message }) => message);
  return { errors: of(report.errors), warnings: of(report.warnings) };
}

test.each<[string, object, RegExp]>([
  ["a setting that adds a server for agents", { mcp: { servers: [{ url: "https://e.invalid" }] } }, /"mcp" can load/],
  ["a setting that sends questions elsewhere", { assistant: { endpoint: "/x" } }, /"assistant" can load/],
  ["a setting that loads code", { integrations: { gtm: { tagId: "GTM-E" } } }, /"integrations" can load code/],
  ["the same in other letters", { Scripts: ["/x.js"] }, /"Scripts" can load code/],
  ["tags of the head", { seo: { metatags: { refresh: "0" } } }, /"metatags" can load code/],
  ["a font from elsewhere", { fonts: { source: "https://e.invalid/f.woff2" } }, /Every reader would fetch https:\/\/e/],
  ["a logo from elsewhere", { logo: "//e.invalid/l.svg" }, /Every reader would fetch \/\/e/],
  ["a favicon that runs", { favicon: "javascript:x" }, /script address/],
  ["a link of the bar that runs", { navbar: { links: [{ label: "a", href: "java\nscript:x" }] } }, /script address/],
  ["a redirect that runs", { redirects: [{ source: "/a", destination: "javascript:x" }] }, /script address/],
  ["a link to code in a banner", { banner: { content: "[x](javascript:alert(1))" } }, /script address/],
  ["markup in the name", { name: "<script>x()</script>" }, /script element/],
  ["a handler in the footer", { footer: { text: "<img src=x onerror=x()>" } }, /event handler/],
])("%s stops the change", async (_name, settings, message) => {
  expect((await findingsIn({ ...BEFORE, ...settings })).errors).toContainEqual(expect.stringMatching(message));
});

test("a __proto__ key in the settings stops the change", async () => {
  const text = '{"name": "Docs", "__proto__": {"scripts": ["/x.js"]}, "navigation": {"pages": ["index"]}}';
  expect((await findingsIn(text)).errors).toContainEqual(expect.stringMatching(/no name of a setting/));
});

test("settings of an included file count like those of the configuration", async () => {
  const files = { "more/a.json": '{"tagId": "GTM-E"}' };
  const found = await findingsIn({ ...BEFORE, integrations: { $ref: "./more/a.json" } }, BEFORE, files);
  expect(found.errors).toContainEqual(expect.stringMatching(/"integrations" can load code/));
  const before = JSON.stringify({ ...BEFORE, banner: { $ref: "./more/b.json" } });
  const report = await judge(
    { "index.md": "# A\n", "docs.json": before, "more/b.json": '{"content": "x"}' },
    { "index.md": "# A\n", "docs.json": before, "more/b.json": '{"content": "[x](javascript:y)"}' },
  );
  expect(report.errors.map(({ message }) => message)).toEqual([expect.stringMatching(/script address/)]);
});

test("existing settings are not held against the change", async () => {
  const before = {
    ...BEFORE,
    scripts: ["/x.js"],
    favicon: "https://cdn.example.com/f.ico",
    banner: { content: "javascript:x" },
  };
  expect(await findingsIn({ ...before, name: "New" }, before)).toEqual({
    errors: [],
    warnings: ["Settings of the site change: name."],
  });
});

test("a logo may link to a site, and a redirect to another host is a warning", async () => {
  const settings = {
    ...BEFORE,
    logo: { light: "/l.svg", href: "https://example.org" },
    redirects: [{ source: "/a", destination: "https://e.invalid" }],
  };
  expect(await findingsIn(settings)).toEqual({
    errors: [],
    warnings: ["Settings of the site change: logo.", "/a will lead to another host: https://e.invalid"],
  });
});

test("an existing error of the configuration is not a finding", async () => {
  const before = { ...BEFORE, redirects: "none" };
  expect((await findingsIn({ ...before, navigation: { pages: ["index"] }, description: "x" }, before)).errors).toEqual(
    [],
  );
  expect((await findingsIn({ ...BEFORE, redirects: "none" })).errors).toHaveLength(1);
});
