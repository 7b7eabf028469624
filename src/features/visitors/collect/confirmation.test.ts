import { expect, test } from "vitest";
import { readConfirmation } from "./confirmation.ts";

const page = { path: "/guide" };

test("a message of the script is read, with what an older script leaves out", () => {
  expect(readConfirmation(page)).toEqual({
    path: "/guide",
    referrer: null,
    id: null,
    storage: false,
    isAutomated: false,
  });
  const whole = { ...page, referrer: "https://a.example/", id: "12345678", storage: true, automated: true, newer: 1 };
  const read = { referrer: "https://a.example/", id: "12345678", storage: true, isAutomated: true };
  expect(readConfirmation(whole)).toEqual({ ...page, ...read });
});

test("an id from eight characters on is one; a shorter one is none, a longer one than 64 no message", () => {
  const idOf = (length: number) => readConfirmation({ ...page, id: "x".repeat(length) })?.id;
  expect([idOf(0), idOf(7), idOf(8), idOf(64), idOf(65)]).toEqual([
    null,
    null,
    "x".repeat(8),
    "x".repeat(64),
    undefined,
  ]);
});

test("only what says that it is automated is", () => {
  const read = (automated: unknown) => readConfirmation({ ...page, automated })?.isAutomated;
  expect([true, false, null, "true", 1].map(read)).toEqual([true, false, false, false, false]);
});

test("texts up to 4,096 characters are taken, and no longer ones", () => {
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
])("%j is no message", (message) => {
  expect(readConfirmation(message)).toBeNull();
});
