import { expect, test } from "vitest";
import { enteredValue, headerValue, pathValue, queryValues } from "./parameter-values.ts";

// The table "Style Examples" of OpenAPI 3.1.1, for the parameter `color`.
const LIST = ["blue", "black", "brown"];
const OBJECT = { R: 100, G: 200, B: 150 };
const styled = (style: string, explode: boolean) => ({ style, explode, isJson: false });

test.each([
  ["matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
  ["matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
  ["label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
])("writes a path value in the style %s, explode %s", (style, explode, text, list, object) => {
  const values = ["blue", LIST, OBJECT].map((value) => pathValue("color", value, styled(style, explode)));
  expect(values).toEqual([text, list, object]);
});

test.each([
  ["form", false, "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["form", true, "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  ["spaceDelimited", false, "color=blue black brown", "color=R 100 G 200 B 150"],
  ["pipeDelimited", false, "color=blue|black|brown", "color=R|100|G|200|B|150"],
  ["deepObject", true, "color=blue&color=black&color=brown", "color[R]=100&color[G]=200&color[B]=150"],
])("writes a query value in the style %s, explode %s", (style, explode, list, object) => {
  const query = (value: object) =>
    queryValues("color", value, styled(style, explode))
      .map((pair) => pair.join("="))
      .join("&");
  expect([query(LIST), query(OBJECT)]).toEqual([list, object]);
});

test("writes lists and objects in a header with commas", () => {
  expect(headerValue(LIST, styled("simple", false))).toBe("blue,black,brown");
  expect(headerValue(OBJECT, styled("simple", true))).toBe("R=100,G=200,B=150");
});

test("sends a parameter with content as JSON", () => {
  expect(queryValues("q", { a: [1] }, { style: "form", explode: true, isJson: true })).toEqual([["q", '{"a":[1]}']]);
});

test.each([
  ["a, b", "list", ["a", "b"]],
  ['["a,b", 1]', "list", ["a,b", 1]],
  ['{"constructor": 1}', "object", { constructor: 1 }],
  ["a=1, b=x=y", "object", { a: "1", b: "x=y" }],
  ["a, b", "text", "a, b"],
] as const)("reads %s as a %s", (text, type, value) => {
  expect(enteredValue(text, type)).toEqual(value);
});
