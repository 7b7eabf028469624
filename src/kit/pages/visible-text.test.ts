import { expect, test } from "vitest";
import { hasInvisibleText, visibleHtml } from "./visible-text.ts";

const mark = (name: string) => `<span class="control" title="Control character ${name}">${name}</span>`;

test.each([
  ["a<b> & \"c\" 'd'", "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"],
  ["a\u202eb", `a${mark("U+202E")}b`],
  ["\ufeffa\u200b\u00adb", `${mark("U+FEFF")}a${mark("U+200B")}${mark("U+00AD")}b`],
  ["a\u{e0041}<\u0000", `a${mark("U+E0041")}&lt;${mark("U+0000")}`],
  ["👩‍👧 می‌خواهم\tx", "👩‍👧 می‌خواهم\tx"],
])("%j is shown as %s", (text, html) => {
  expect(visibleHtml(text)).toBe(html);
  expect(hasInvisibleText(text)).toBe(html.includes("control"));
});
