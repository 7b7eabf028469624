import { expect, test } from "vitest";
import { isNestedDeeperThan } from "./json-nesting.ts";

test.each([
  ['{"a": [[1], [2]]}', 3, false],
  ['{"a": [[1], [2]]}', 2, true],
  ['{"a": "[[[[\\"[[["}', 1, false],
  ['{"a\\\\": {"b": 1}}', 1, true],
  ["]]]][[", 2, false],
  ["", 0, false],
])("%s is nested deeper than %i: %s", (json, limit, expected) => {
  expect(isNestedDeeperThan(limit, new TextEncoder().encode(json))).toBe(expected);
});
