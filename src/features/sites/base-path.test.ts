import { expect, it } from "vitest";
import { cssBelow, htmlBelow, markdownBelow, pathInside } from "./base-path.ts";

it.each([
  ['<a href="/">', '<a href="/docs/">'],
  ["<a class=x href='/a?b=/c#d'>", "<a class=x href='/docs/a?b=/c#d'>"],
  ['<a href="//cdn.example/x">', null],
  ['<a href="https://example.com/a">', null],
  ['<a href="#here">', null],
  ['<input name="to" value="/a" title="/b" alt="/c">', null],
  [
    '<img srcset="/a.png 1x, /b.png 2x" src="/a.png">',
    '<img srcset="/docs/a.png 1x, /docs/b.png 2x" src="/docs/a.png">',
  ],
  ['<p data-x="/_docent/x.js" data-path="/api/users">', '<p data-x="/docs/_docent/x.js" data-path="/api/users">'],
  ['<code>&lt;a href="/a"&gt;</code> href="/a"', null],
  ['<style>a{content:"<a href=\\"/a\\">"}</style>', null],
  [
    '<form action="/_docent/search"><button formaction="/a">',
    '<form action="/docs/_docent/search"><button formaction="/docs/a">',
  ],
])("prefixes the addresses of %s with the base path", (html, moved) => {
  expect(htmlBelow("/docs", html)).toBe(moved ?? html);
  expect(htmlBelow("", html)).toBe(html);
});

it("prefixes links of Markdown, and leaves its code alone", () => {
  const source = [
    "[a](/a) ![b](</b c.png>) `[no](/x)` [c](//d.example) [e](e.md)",
    '[ref]: /ref "Title"',
    '<Card href="/card" title="/t"><img src=\'/i.png\' /></Card>',
    "```md",
    "[no](/x)",
    "```",
    "[z](/z)",
  ].join("\n");
  expect(markdownBelow("/docs", source)).toBe(
    [
      "[a](/docs/a) ![b](</docs/b c.png>) `[no](/x)` [c](//d.example) [e](e.md)",
      '[ref]: /docs/ref "Title"',
      '<Card href="/docs/card" title="/t"><img src=\'/docs/i.png\' /></Card>',
      "```md",
      "[no](/x)",
      "```",
      "[z](/docs/z)",
    ].join("\n"),
  );
});

it("prefixes the files of styles", () => {
  expect(cssBelow("/docs", 'a{src:url("/f.woff2")}b{background:url(/i.png),url(data:x)}')).toBe(
    'a{src:url("/docs/f.woff2")}b{background:url(/docs/i.png),url(data:x)}',
  );
});

it.each([
  ["/docs/a", "/a"],
  ["/docs", "/"],
  ["/docs/", "/"],
  ["/docsy/a", "/docsy/a"],
  ["/a", "/a"],
])("maps %s to %s inside the site", (path, inside) => {
  expect(pathInside("/docs", path)).toBe(inside);
});
