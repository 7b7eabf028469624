import { expect, it } from "vitest";
import { articleBefore, otherNumber } from "./inflections.ts";

it.each([
  ["webhook", "webhooks"],
  ["API key", "API keys"],
  ["access policy", "access policies"],
  ["batch", "batches"],
  ["index", "indexes"],
  ["class", "classes"],
  ["gateway", "gateways"],
])("knows the plural of “%s” and the way back", (singular, plural) => {
  expect(otherNumber(singular)).toEqual({ phrase: plural, number: "plural" });
  expect(otherNumber(plural)).toEqual({ phrase: singular, number: "singular" });
});

it.each(["status", "analysis", "API", "v2", "イベント", "Kubernetes v1", "id"])(
  "knows no singular or plural of “%s”",
  (word) => {
    expect(otherNumber(word)).toBeNull();
  },
);

it.each([
  [
    "a",
    [
      "webhook",
      "user",
      "URL",
      "UI",
      "unique key",
      "one-time code",
      "European host",
      "UUID",
      "utility",
      "usage report",
      "NATO-like",
      "GitHub App",
      "university",
      "unicode sign",
    ],
  ],
  [
    "an",
    [
      "event",
      "API key",
      "HTTP call",
      "SDK",
      "MCP server",
      "hour",
      "honest answer",
      "uninstalled app",
      "unmarked page",
      "umbrella",
      "SSO login",
      "x-axis",
      "undo",
      "issue",
    ],
  ],
  [null, ["8-bit word", "“quoted”", "イベント", ""]],
])("puts “%s” before words that begin with that sound", (article, words) => {
  expect(words.filter((word) => articleBefore(word) !== article)).toEqual([]);
});
