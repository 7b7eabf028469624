import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { choresOfCorrection } from "./corrections.ts";
import { understand } from "./understanding.ts";

const toolNames = createAgentTools().map(({ name }) => name);
const after = (before: string, request: string) =>
  choresOfCorrection(request, { requests: [before], calls: understand(before, toolNames).calls }, { toolNames });

const BERTH = 'Replace "berth" with "slot"';
const slot = (to: string) => [
  ["undo_changes", { of: "last", orNothing: true }],
  ["replace_term", { from: "berth", to }],
];
it.each([
  ["Undo that", [["undo_changes", { of: "last" }]]],
  ["No, please revert it.", [["undo_changes", { of: "last" }]]],
  ["Can you undo your last change, please?", [["undo_changes", { of: "last" }]]],
  ["Sorry, roll back the last commit", [["undo_changes", { of: "last" }]]],
  ["Undo everything", [["undo_changes", { of: "all" }]]],
  ["revert all your changes.", [["undo_changes", { of: "all" }]]],
  ["Undo the changes on the page quickstart", [["undo_changes", { of: "all", in: ["quickstart"] }]]],
  ["undo the changes in guides/", [["undo_changes", { of: "all", in: ["guides/"] }]]],
  ["But leave the page quickstart alone", [["undo_changes", { of: "all", in: ["quickstart"] }]]],
  ["Keep guides/ as it was before", [["undo_changes", { of: "all", in: ["guides/"] }]]],
  ['No, use "dock" instead', slot("dock")],
  ["Actually, use “Harbor dock” instead of that.", slot("Harbor dock")],
  ["use dock instead", slot("dock")],
  ["Never mind", []],
  ["Thanks, forget it.", []],
] as const)("%s", (request, calls) => {
  expect(after(BERTH, request)?.map(({ tool, input }) => [tool, input])).toEqual(calls);
});

it.each([
  "Do not undo that",
  "Don't revert it",
  "Undo that and fix broken links",
  "Undo that unless somebody needs it",
  "Undo that only in headings",
  "Undo the redirect",
  "Undo the changes of Anna",
  "Undo the changes on every page but quickstart",
  "Leave alone",
  "Never leave the page quickstart alone",
  "Leave the word berth alone",
  "Use something else instead",
  "Use dock and slot instead",
  "Use another word instead",
  "Do not use dock instead",
  'Use "a" or "b" instead',
  "Never mind the gap on the page quickstart",
  "Nothing is better than this",
  'Replace "never mind" with "no matter"',
])("%s: is no correction", (request) => {
  expect(after(BERTH, request)).toBeNull();
});

it("corrects nothing where nothing was done, and takes no other chore's value", () => {
  expect(choresOfCorrection("Undo that", { requests: [], calls: [] }, { toolNames })).toBeNull();
  expect(after("Fix broken links", 'Use "dock" instead')).toBeNull();
  expect(after('Replace "a" with "b" and replace "c" with "d"', 'Use "e" instead')).toBeNull();
});
