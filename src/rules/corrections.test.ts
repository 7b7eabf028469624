import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { choresOfCorrection } from "./corrections.ts";
import { indexNames } from "./grammar/names.ts";
import { NOTHING_BEFORE } from "./turn-before.ts";
import { understand } from "./understanding.ts";

const toolNames = createAgentTools().map(({ name }) => name);
const names = indexNames({
  pages: [{ path: "quickstart", title: "Quickstart", headings: [] }],
  groups: [{ title: "Guides", pages: ["quickstart"] }],
});
/** The chores of a request after others. */
const afterAll = (said: readonly string[], request: string) => {
  let before = NOTHING_BEFORE;
  for (const each of said) {
    const calls = choresOfCorrection(each, before, { toolNames, names }) ?? understand(each, toolNames).calls;
    before = { requests: [each], isCarriedOut: true, turns: [...before.turns, calls] };
  }
  return choresOfCorrection(request, before, { toolNames, names });
};
const after = (before: string, request: string) => afterAll([before], request);

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
  ["Never mind", []],
  ["Thanks, forget it.", []],
] as const)("%s", (request, calls) => {
  expect(after(BERTH, request)?.map(({ tool, input }) => [tool, input])).toEqual(calls);
});

it.each([
  "Undo everything?",
  "Undo that?",
  'No, use "dock" instead?',
  "Leave the page quickstart alone?",
  'Use "concepts/" instead',
  "Use 'guides/search' instead",
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
  "use dock instead",
  "Use British spelling instead",
  "take guides/search instead",
  "Write nothing instead",
  "Use Harbor One instead",
  "Keep the page quickstart as it is",
  "Leave guides/ as it is",
  'Use "a" or "b" instead',
  "Never mind the gap on the page quickstart",
  "Nothing is better than this",
  'Replace "never mind" with "no matter"',
])("%s: is not a correction", (request) => {
  expect(after(BERTH, request)).toBeNull();
});

it("corrects nothing if nothing was done, and does not use a value of another chore", () => {
  expect(choresOfCorrection("Undo that", NOTHING_BEFORE, { toolNames })).toBeNull();
  expect(after("Fix broken links", 'Use "dock" instead')).toBeNull();
  expect(after('Replace "a" with "b" and replace "c" with "d"', 'Use "e" instead')).toBeNull();
});

it("replaces no word if the last request was not understood", () => {
  const turns = [understand(BERTH, toolNames).calls];
  const before = { requests: ["Make the title better"], isCarriedOut: false, turns };
  expect(choresOfCorrection('No, use "dock" instead', before, { toolNames, names })).toBeNull();
  expect(choresOfCorrection("Undo that", before, { toolNames, names })).toEqual([{ tool: "undo_changes", input: { of: "last" } }]);
}); // oxfmt-ignore

const last = (turns: number, ofTurns: number) => [["undo_changes", { of: "last", turns, ofTurns }]];
const [A, B] = ['Replace "a" with "A1"', 'Replace "b" with "B1"'];
it.each([
  [[A, B], "Undo that in guides/", [["undo_changes", { of: "last", in: ["guides/"] }]]],
  [[A, B], "Undo the changes in guides/", [["undo_changes", { of: "all", in: ["guides/"] }]]],
  [[A, B, "Undo that"], "Undo that", last(3, 3)],
  [[A, B, "Undo that", "Undo that"], "Undo that", last(0, 4)],
  [[A, "Undo that"], "Revert it", last(0, 2)],
  [[A, B, "Undo everything"], "Undo that", last(0, 3)],
  [[A, B, "Undo that in guides/"], "Undo that", last(2, 3)],
  [[A, "Never mind"], "Undo that", last(2, 2)],
  [[A, 'No, use "A2" instead'], "Undo that", last(2, 2)],
  [[A, "Undo that"], 'No, use "A2" instead', [["replace_term", { from: "a", to: "A2" }]]],
  [[A, B, "Undo that"], 'No, use "B2" instead', [["replace_term", { from: "b", to: "B2" }]]],
  [[A, "Never mind"], 'No, use "A2" instead', null],
  [[A, "Undo that in guides/"], 'No, use "A2" instead', null],
  [["Replace Harbor Cloud with Harbor Platform"], "No, use “Harbor One” instead", [["undo_changes", { of: "last", orNothing: true }], ["replace_term", { from: "Harbor Cloud", to: "Harbor One" }]]],
  [["Replace Harbor Cloud with Harbor Platform"], "No, use Guides instead", null],
  [["Replace Harbor Cloud with Harbor Platform"], "Write Release Notes instead", null],
  [["Replace Harbor Cloud with Harbor Platform"], "Take Harbor One instead", null],
  [['Replace "a" with "b/c"'], 'Use "b/d" instead', [["undo_changes", { of: "last", orNothing: true }], ["replace_term", { from: "a", to: "b/d" }]]],
  [["Replace Harbor Cloud with Harbor Platform"], "No, use Title Case instead", null],
] as const)("after %j, %j refers to the last change that was not undone", (said, request, calls) => {
  expect(afterAll(said, request)?.map(({ tool, input }) => [tool, input]) ?? null).toEqual(calls);
}); // oxfmt-ignore
