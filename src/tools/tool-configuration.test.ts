import { expect, it } from "vitest";
import { configurationChangeProblem } from "./tool-configuration.ts";

const CONFIG = `site_name: T
x: &x [a.md]
nav:
  - Home: index.md
  - !t &k B: b.md
plugins:
  - search
  - redirects
hooks: [a.py]
`;
const change = (from: string, to: string) => configurationChangeProblem("mkdocs.yml", CONFIG, CONFIG.replace(from, to));

it.each([
  ["an entry", "  - Home: index.md\n", "  - Home: index.md\n  - New: new.md\n"],
  ["an address", "index.md", "https://example.com"],
  ["a title with a colon", "Home:", '"FAQ: start":'],
  ["a comment", "nav:\n", "nav:\n  # first\n"],
  ["an entry with a tag", "  - !t &k B: b.md\n", ""],
  ["redirects of a plugin without options", "- redirects\n", "- redirects:\n      redirect_maps: {a.md: b.md}\n"],
])("lets %s change in mkdocs.yml", (_what, from, to) => {
  expect(change(from, to)).toBeNull();
});

it.each([
  ["another setting", "a.py", "b.py"],
  ["a new setting", "hooks:", "extra: {}\nhooks:"],
  ["a plugin", "- search", "- evil"],
  ["an option of the plugin", "- redirects\n", "- redirects:\n      x: y\n"],
  ["a tag", "index.md", "!!python/name:os.system x"],
  ["an alias", "index.md", "*x"],
  ["a line break that only some parsers know", "Home:", "Home\u2028hooks:"],
  ["a second key", "hooks:", "nav: []\nhooks:"],
])("refuses %s in mkdocs.yml", (_what, from, to) => {
  expect(change(from, to)).toContain("only people");
});

it("refuses addresses that would run a script", () => {
  expect(change("index.md", "'javascript:alert(1)'")).toContain("https addresses");
});

const SIDEBARS = `import x from './x';
module.exports = { docs: ['a', { type: 'category', label: 'G', items: ['b'] }, { Short: ['s'] }, ...x('c')], run: f('d'), html: ['e'][0] };
const command = ['rm'];
`;
const sidebars = (from: string, to: string) =>
  configurationChangeProblem("sidebars.js", SIDEBARS, SIDEBARS.replace(from, to));

it.each([
  ["'a'", "'a', 'new'"],
  ["'b'", "{ type: 'doc', id: 'b', label: 'B', collapsed: true }"],
  ["'G'", "'Guides: all'"],
  ["Short", "'A title'"],
])("lets %s become %s in sidebars.js", (from, to) => {
  expect(sidebars(from, to)).toBeNull();
});

it.each([
  ["'a'", "'a' 'x'"],
  ["'b'", "['b'"],
  ["'b'", "'b']"],
  ["'a'", "'a',, {"],
])("refuses to let %s become %s, which no tool can read", (from, to) => {
  expect(sidebars(from, to)).toContain("would not be valid JavaScript any more");
});

const VITEPRESS = `import x from "x";
const sidebar: Theme.Sidebar = ["a"];
export default x({ head: [["script", {}, "s"]], themeConfig: { sidebar: [{ text: "A" }], nav: [{ text: "N" }] } });
`;

it("lets a sidebar among other settings change, and refuses the others", () => {
  const problem = (from: string, to: string) =>
    configurationChangeProblem(".vitepress/config.mts", VITEPRESS, VITEPRESS.replace(from, to));
  expect(problem('{ text: "A" }', '{ text: "A" }, { text: "B", link: "/b" }')).toBeNull();
  expect(problem('["a"]', '["a", "b"]')).toBeNull();
  for (const from of ['"x"', '"s"', '"N"', '"script"']) expect(problem(from, '"evil"')).toContain("only people");
});

it.each([
  ["'rm'", "'ls'"],
  ["'./x'", "'./y'"],
  ["'d'", "'evil'"],
  ["'c'", "'evil'"],
  ["'a'", "evil()"],
  ["'a'", "`a`"],
  ["'a'", "{ type: 'html', value: 'x' }"],
  ["'G'", "'<script>'"],
  ["'b'", "{ type: 'link', href: 'javascript:alert(1)', label: 'x' }"],
  ["docs:", "more: 'x', docs:"],
])("refuses to let %s become %s in sidebars.js", (from, to) => {
  expect(sidebars(from, to)).toContain("only people");
});

const HOST = "# Moved\n/a /b 301\n/private /login 302\n/api/* https://api.example.com/:splat 200\n";
it.each([
  ["a redirect is added", "/a /b 301", "/c /d 301\n/a /b 301", null],
  ["a redirect goes away", "/a /b 301\n", "", null],
  ["a redirect to another host is added", "/a /b 301", "/a /b 301\n/c https://evil.example 301", "only people"],
  ["a redirect to another host without a scheme is added", "/a /b 301", "/a //evil.example 301", "only people"],
  ["a wildcard is added", "/a /b 301", "/a /b 301\n/* / 301", "only people"],
  ["a placeholder is added", "/a /b 301", "/a /b 301\n/r/* /:splat 301", "only people"],
  ["a temporary redirect goes away", "/private /login 302\n", "", "only people"],
  ["the order changes", "# Moved\n/a /b 301\n", "/a /b 301\n# Moved\n", "only people"],
  ["a proxy is added", "/a /b 301", "/a /b 200", "only people"],
  ["a proxy goes away", "/api/* https://api.example.com/:splat 200\n", "", "only people"],
])("_redirects where %s", (_what, from, to, problem) => {
  const answer = configurationChangeProblem("public/_redirects", HOST, HOST.replace(from, to));
  expect(problem === null ? answer : answer?.includes(problem)).toBe(problem === null ? null : true);
});
