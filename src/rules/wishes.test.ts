import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { understand } from "./understanding.ts";

const names = createAgentTools().map(({ name }) => name);
const callsOf = (prompt: string) => understand(prompt, names).calls.map(({ tool, input }) => [tool, input]);

it.each([
  ["The page guides/lone should be hidden.", [["set_front_matter", { page: "guides/lone", key: "hidden", value: true }]]],
  ["I'd like the page guides/lone to be removed.", [["remove_page", { page: "guides/lone" }]]],
  ["The page a/one must be deleted and redirected to a/two.", [["remove_page", { page: "a/one", redirectTo: "a/two" }]]],
  ["We need a redirect from /old to quickstart.", [["add_redirect", { from: "/old", to: "quickstart" }]]],
] as const)("a wish is a request in another word order: %j", (prompt, calls) => {
  expect(callsOf(prompt)).toEqual(calls);
}); // oxfmt-ignore

it.each([
  "The page guides/lone should not be hidden.",
  "The page guides/lone should never be removed.",
  "The page guides/lone should have been removed.",
  "The page guides/lone will be removed.",
  "The page guides/lone was to be removed.",
  "The page guides/lone may be removed.",
  "The page guides/lone should be removed when 2.7 is out.",
  "The page guides/lone should only be removed if nobody links to it.",
  "If nobody links to it, the page guides/lone should be removed.",
  "Marketing says that the page guides/lone should be removed.",
  "Nobody thinks the page guides/lone should be removed.",
  "I don't want the page guides/lone to be removed.",
  "I no longer want the page guides/lone to be hidden.",
  "We need the redirect from /old to quickstart.",
  "Should the page guides/lone be removed?",
  "The page guides/lone should be removed?",
  "I'd like to know why the page guides/lone should be removed.",
  "We want the page guides/lone to be removed by the next release.",
  'The note with the text "Beta." should be removed from the page a/one.',
  'The page a/one should have the description "All of it."',
  'The page a/one should have a note with the text "Beta."',
  'We need the keyword "retry" added to all pages in api/.',
  'I would like all mentions of "webhook" to become "callback".',
  'Every mention of "webhook" is to be replaced by "callback".',
])("a negative, conditional or indirect wish is not a request: %j", (prompt) => {
  expect(callsOf(prompt)).toEqual([]);
});
