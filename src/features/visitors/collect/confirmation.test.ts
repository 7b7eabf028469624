import { expect, test } from "vitest";
import { readConfirmation } from "./confirmation.ts";

const page = { path: "/guide" };

test("reads a message of the script, with defaults for fields that an older script omits", () => {
  expect(readConfirmation(page)).toEqual({
    path: "/guide",
    referrer: null,
    id: null,
    storage: false,
    isAutomated: false,
    isMissing: false,
  });
  const whole = {
    ...page,
    referrer: "https://a.example/",
    id: "12345678",
    storage: true,
    automated: true,
    missing: true,
    newer: 1,
  };
  const read = { referrer: "https://a.example/", id: "12345678", storage: true, isAutomated: true, isMissing: true };
  expect(readConfirmation(whole)).toEqual({ ...page, ...read });
});

test("accepts an id of at least eight characters, ignores a shorter one, and refuses a message with one longer than 64", () => {
  const idOf = (length: number) => readConfirmation({ ...page, id: "x".repeat(length) })?.id;
  expect([idOf(0), idOf(7), idOf(8), idOf(64), idOf(65)]).toEqual([
    null,
    null,
    "x".repeat(8),
    "x".repeat(64),
    undefined,
  ]);
});

test("only an explicit value marks a browser as automated", () => {
  const read = (automated: unknown) => readConfirmation({ ...page, automated })?.isAutomated;
  expect([true, false, null, "true", 1].map(read)).toEqual([true, false, false, false, false]);
});

test("accepts texts up to 4,096 characters", () => {
  const text = (length: number) => `/${"a".repeat(length - 1)}`;
  expect(readConfirmation({ path: text(4_096), referrer: text(4_096) })).not.toBeNull();
  expect(readConfirmation({ path: text(4_097) })).toBeNull();
  expect(readConfirmation({ ...page, referrer: text(4_097) })).toBeNull();
});

test.each([
  null,
  "text",
  1,
  [],
  {},
  { path: "" },
  { path: 1 },
  { ...page, id: 12_345_678 },
  { ...page, storage: "yes" },
])("refuses %j", (message) => {
  expect(readConfirmation(message)).toBeNull();
});
