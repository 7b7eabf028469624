import { expect, it } from "vitest";
import { parseCodeMeta } from "./code-meta.ts";

it.each([
  ["Icon example", "Icon example"],
  ["Custom image icon examples", "Custom image icon examples"],
  ["Theme variables", "Theme variables"],
  ["Copy", "Copy"],
  ["Wrap long lines in a cell", "Wrap long lines in a cell"],
  ["NODE_ENV=production", "NODE_ENV=production"],
  ["kubectl --set=a.b=1 lines", "kubectl --set=a.b=1"],
  ["src/app.ts {2} lines", "src/app.ts"],
  ['HelloWorld.java example lines icon="java"', "HelloWorld.java example"],
  ["HelloWorld.java example icon=java lines", "HelloWorld.java example"],
  ["twoslash Twoslash example", "Twoslash example"],
  ['"Theme and wrap" wrap', "Theme and wrap"],
  ['"wrap"', "wrap"],
  ['"a" or "b"', '"a" or "b"'],
  ['title="a b.js" nocopy', "a b.js"],
  ["wrap", null],
  ["{9-14} wrap", null],
])("reads the title of ```js %s", (meta, title) => {
  expect(parseCodeMeta(meta).title).toBe(title);
});

it("takes options only in their documented form, after the title", () => {
  const flagsOf = (meta: string) => {
    const { lineNumbers, wrap, expandable } = parseCodeMeta(meta);
    return [lineNumbers && "lines", wrap && "wrap", expandable && "expandable"].filter(Boolean);
  };
  expect(flagsOf("Wrap example wrap lines expandable")).toEqual(["lines", "wrap", "expandable"]);
  expect(flagsOf("lines of code")).toEqual([]);
  expect(flagsOf("Expandable")).toEqual([]);
  expect(flagsOf("wrap=false lines={true}")).toEqual(["lines"]);
});
