import { expect, it } from "vitest";
import { readPageHead } from "./page-head.ts";

const titleOf = (source: string) => readPageHead(new TextEncoder().encode(source)).title;

it.each([
  ["# Words", "Words"],
  ["   ## Words ## \t", "Words"],
  ["#Words", null],
  ["    # Words", null],
  ["# \n# Words", "Words"],
  ["## Small\n# Large #", "Large"],
  ["```\n# Code\n```\n\nWords\n=====  ", "Words"],
  ["1. ~~~\n   # Code\n   ~~~\n\n# Words", "Words"],
  ["# Words {: #w-1.0 .c }", "Words"],
  ["# Words # { #w }", "Words"],
  ["# Words {w}", "Words {w}"],
  ["# Words \\<A, B\\> <b>c</b>", "Words <A, B> c"],
  ["# Interface: A\\<Id, S\\>", "Interface: A<Id, S>"],
  ["# The `Map<K, V>` of `**kwargs` and `__init__`", "The Map<K, V> of **kwargs and __init__"],
  ["# `[a](b)` and ``a`b``", "[a](b) and a`b"],
  ["# A \\*star\\* and [B \\[c\\]](d)", "A *star* and B [c]"],
  ["# C# and F#", "C# and F#"],
  ["# a < b and c > d", "a < b and c > d"],
  ["# &lt;Tag&gt; &amp; &copy;", "<Tag> & \u00a9"],
  ["# snake__case and __bold__ <b>words</b>", "snake__case and bold words"],
  [`# ${"w".repeat(600)}`, "w".repeat(500)],
])("the title of %j is %j", (source, title) => expect(titleOf(source)).toBe(title));

it.each(["true", "yes", '"true"', "Yes"])("hides what its author wants hidden: %s", (value) => {
  const source = `---\nhidden: ${value}\nnoindex: ${value}\n---\n`;
  expect(readPageHead(new TextEncoder().encode(source))).toMatchObject({ hidden: true, noindex: true });
});

it("reads a heading with a long run of blanks before a line separator quickly", () => {
  // A pattern's dot does not match the separator: with it at the end, the pattern tried each way to split the blanks.
  const title = `x\u2028y`;
  expect(titleOf(`# ${" ".repeat(8_000)}${title}`)).toBe("x y");
  expect(titleOf(`# w${" ".repeat(8_000)}${title}\n`)).toMatch(/^w/);
});
