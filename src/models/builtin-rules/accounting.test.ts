import { describe, expect, it } from "vitest";
import { leftOver } from "./accounting.ts";
import type { Rule } from "./clause.ts";
import { protectQuotes } from "./prompt-text.ts";

const calls = [{ tool: "replace_term", input: { from: "a", to: "b c", in: ["guides/"] } }];
const rule: Rule = { example: "", match: () => null, carriesOut: ({ text }) => text.match(/, also in code/) ?? [] };
const left = (words: string) => leftOver(protectQuotes(words), calls, rule);

describe("the words that an understanding does not account for", () => {
  it.each<[string, string[]]>([
    ['Replace "a" with "b c" in guides/', []],
    ["Replace a with b c in guides/", []],
    ['Replace "a" with "b c", also in code in guides/', []],
    ['Replace "a" with "b c" only in guides/', []],
    ['Replace "a" with "b c" twice in guides/', ["twice"]],
    ['Quickly replace "a" with "b c"', ["quickly"]],
    ["Replace a with b c d in guides/", ["d"]],
    ['Replace "a" with "b c" except here', ["except", "here"]],
  ])("%s", (words, expected) => expect(left(words)).toEqual(expected));
});
