import { expect, it } from "vitest";
import { withoutTwoslash } from "./twoslash.ts";

it("shows the code after a cut, between others, and before an end, without settings and questions", () => {
  const code = [
    "import { a } from 'a'",
    "// ---cut---",
    "// @errors: 2322",
    "// @noErrors",
    "// @ts-expect-error it is a number",
    "const b: string = a",
    "//    ^?",
    "// ---cut-start---",
    "hidden()",
    "// ---cut-end---",
    "// @filename: b.ts",
    "shown(b)",
    "// ---cut-after---",
    "export {}",
  ];
  expect(withoutTwoslash(code.join("\n")).split("\n")).toEqual([
    "// @ts-expect-error it is a number",
    "const b: string = a",
    "// @filename: b.ts",
    "shown(b)",
  ]);
});
