import { expect, test } from "vitest";
import { measureJson } from "./json-measure.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const list = (values: number) => `[${"1,".repeat(values - 1)}1]`;

test.each([
  ["few levels", nested(64), null],
  ["one more", nested(65), "is nested more than 64 deep"],
  ["brackets in a text", JSON.stringify(`"${nested(65)}\\"`), null],
  ["brackets behind a text that ends in a backslash", `{"a\\\\": ${nested(64)}}`, "is nested more than 64 deep"],
  ["levels beside each other", `[${"[],".repeat(100)}[]]`, null],
  ["more ends than starts", `${"]".repeat(100)}${nested(64)}`, null],
  ["many values", list(20_000), null],
  ["one more value", list(20_001), "holds more than 20000 values"],
  ["commas in a text", JSON.stringify(",".repeat(30_000)), null],
  ["nothing", "", null],
])("%s", (_, json, problem) => {
  expect(measureJson(new TextEncoder().encode(json)).problem).toBe(problem);
});
