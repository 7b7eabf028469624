import { expect, it } from "vitest";
import { createSecretScanner } from "#lib/secrets/secret-scan.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { eventText } from "./events.ts";

const KEY = "key-of-the-provider-4711";
const { redact } = createSecretScanner([new Secret(KEY)]);

it("truncates long texts, long lists and deep nesting", () => {
  const deep = { a: { a: { a: { a: { a: { a: { a: "hidden" } } } } } } };
  const data = { text: "x".repeat(10_000), list: Array.from({ length: 1_000 }, (_, index) => index), deep };
  const stored = JSON.parse(eventText(data, redact)) as { text: string; list: number[]; deep: unknown };
  expect(stored.text).toBe(`${"x".repeat(4_096)}… (10000 characters)`);
  expect(stored.list).toHaveLength(200);
  expect(JSON.stringify(stored.deep)).not.toContain("hidden");
});

it.each([
  ["many texts", { input: Array.from({ length: 500 }, () => "y".repeat(4_000)) }],
  ["lists in lists", { input: Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => "z".repeat(100))) }],
  ["a very long field name", { input: { ["k".repeat(1_000_000)]: 1 } }],
])("stays under 32 KB with %s", (_name, data) => {
  expect(eventText(data, redact).length).toBeLessThanOrEqual(32_768);
});

it("leaves no part of a credential where it truncates a text", () => {
  for (let shift = 0; shift <= KEY.length; shift++) {
    const text = `${"x".repeat(4_096 - shift)}${KEY}${"x".repeat(100)}`;
    expect(eventText({ text }, redact)).not.toMatch(/key-o/);
  }
});
