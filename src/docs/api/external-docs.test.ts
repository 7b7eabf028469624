import { expect, it } from "vitest";
import { markdownLink } from "./external-docs.ts";

it.each([
  ["an address", "https://a.example/b?c=d#e", "[Guide](https://a.example/b?c=d#e)"],
  ["an address with parentheses", "https://a.example/b_(c)", "[Guide](<https://a.example/b_(c)>)"],
  ["an address that would be a link's title", 'https://a.example "Words"', '[Guide](https://a.example%20"Words")'],
  ["an address that would end the link", "https://a.example) Words", "[Guide](<https://a.example)%20Words>)"],
  [
    "an address that would end its brackets",
    "https://a.example/(b)> Words",
    "[Guide](<https://a.example/(b)%3E%20Words>)",
  ],
  ["an address with a backslash", "https://a.example/(b)\\", "[Guide](<https://a.example/(b)%5C>)"],
])("a link in Markdown contains %s whole", (_, href, expected) => {
  expect(markdownLink({ href, text: "Guide" })).toBe(expected);
});
