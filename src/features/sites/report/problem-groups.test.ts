import { expect, test } from "vitest";
import { groupProblems, placeText } from "./problem-groups.ts";

const problem = (path: string, message = "The icon anchr is in no set.", line: number | null = 2) => ({
  severity: "warning" as const,
  code: "unknown_icon",
  path,
  line,
  message,
});

test("four or more places with the same problem are one group with its first places, largest group first", () => {
  const rare = ["a", "b", "c"].map((path) => problem(path, "Rare."));
  const often = ["a", "b", "c", "d"].map((path) => problem(path, "Often."));
  const most = Array.from({ length: 200 }, (_, at) => problem(`page-${at}`));
  const { groups, single } = groupProblems([...rare, ...often, ...most]);
  expect(groups.map(({ count, shown }) => [count, shown.map(placeText)])).toEqual([
    [200, ["page-0:2", "page-1:2", "page-2:2"]],
    [4, ["a:2", "b:2", "c:2"]],
  ]);
  expect(single).toEqual(rare);
});

test("errors come before warnings, however many those are", () => {
  const warnings = Array.from({ length: 9 }, (_, at) => problem(`page-${at}`));
  const errors = ["a", "b", "c", "d"].map((path) => ({ ...problem(path, "Broken."), severity: "error" as const }));
  expect(groupProblems([...warnings, ...errors]).groups.map(({ first }) => first.message)).toEqual([
    "Broken.",
    "The icon anchr is in no set.",
  ]);
});

test("an error and a warning with the same message are two groups", () => {
  const mixed = ["a", "b", "c", "d"].map((path, at) => ({
    ...problem(path),
    severity: at === 0 ? ("error" as const) : ("warning" as const),
  }));
  expect(groupProblems(mixed).groups).toEqual([]);
});

test("a place is as precise as it is known", () => {
  expect(placeText(problem("a.md", "x", null))).toBe("a.md");
  expect(placeText({ ...problem("a.md"), column: 7 })).toBe("a.md:2:7");
});
