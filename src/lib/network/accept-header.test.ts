import { expect, test } from "vitest";
import { preferredType } from "./accept-header.ts";

test.each([
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "application/json"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV; charset=utf-8", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv, */*;q=0.1", "text/csv"],
  ["application/json, text/csv;q=0.1", "application/json"],
  ["text/csv;q=0, application/json", "application/json"],
  ["text/csv;q=0", "application/json"],
  ["text/csv;q=0, */*", "application/json"],
  ["application/json;q=0.5, text/csv;q=0.6", "text/csv"],
  ["text/csv, application/json", "text/csv"],
  ["application/json, text/csv", "application/json"],
  ["application/json;q=0, */*", "text/csv"],
  ["image/png", "application/json"],
  ["text/csv-schema", "application/json"],
  ["text/csv;q=nonsense, application/json;q=0.1", "application/json"],
  [",,;;q=", "application/json"],
])("prefers between JSON and CSV: %j asks for %s", (accept, expected) => {
  expect(preferredType(accept, ["application/json", "text/csv"])).toBe(expected);
});
