import { expect, it } from "vitest";
import { inlineMarkdown } from "./inline-markdown.ts";

it.each([
  ["Plain & simple", "Plain &amp; simple"],
  [
    "See [what's new](/new) **now**: `v2`",
    'See <a href="/new">what&#39;s new</a> <strong>now</strong>: <code>v2</code>',
  ],
  ["[x](https://x.example)", '<a href="https://x.example">x</a>'],
  ["[x](javascript:alert(1))", "[x](javascript:alert(1))"],
  ["[x](data:text/html,y)", "[x](data:text/html,y)"],
  ['<b onclick="x">', "&lt;b onclick=&quot;x&quot;&gt;"],
  ["**[a](b", "**[a](b"],
])("%j becomes %s", (text, markup) => {
  expect(inlineMarkdown(text).toString()).toBe(markup);
});
