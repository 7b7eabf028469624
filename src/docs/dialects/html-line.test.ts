import { expect, it } from "vitest";
import { htmlLine, htmlLink } from "./html-line.ts";

it.each([
  ["Copyright &copy; 2026&ndash;27 A &lt;B&gt;", "Copyright © 2026–27 A <B>"],
  ['By <a class="x" href="https://a.example/b(c)">the <b>team</b></a>.', "By [the team](https://a.example/b%28c%29)."],
  ["<strong>New</strong>:<br/>two\n  lines", "**New**: two lines"],
  ["<div><script>alert(1)</script><img src=a.png></div>", null],
  ["  ", null],
  ["a < b & c", "a < b & c"],
])("%s is one line of Markdown", (html, line) => {
  expect(htmlLine(html)).toBe(line);
});

it("finds the first link with words", () => {
  expect(htmlLink('<a href="/a"><img src="b.png"></a> <a href="/c?d=1">E</a>')).toEqual({ label: "E", href: "/c?d=1" });
  expect([htmlLink("<b>a</b>"), htmlLink(null)]).toEqual([null, null]);
});

it("reads the beginning of a line that is far too long, however deep its elements are", () => {
  for (const tag of ["<div>", "<b>", "<a href=b>"]) {
    expect(htmlLine(tag.repeat(1_000_000))).toBeNull();
    expect(htmlLink(tag.repeat(1_000_000))).toBeNull();
    expect(htmlLine(`${tag.repeat(400)}c`)).toContain("c");
  }
});
