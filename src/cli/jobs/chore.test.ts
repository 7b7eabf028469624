import { expect, it } from "vitest";
import { chore, trialText } from "./chore.ts";
import { CHORES, inputsFrom, optionsOf } from "./chore-options.ts";

it("has an option for each input of each chore, without ambiguity", () => {
  for (const { name } of CHORES.values()) {
    const flags = optionsOf(name).map(({ flag }) => flag);
    const own = ["dry-run", "job", "ref", "draft", "data", "server", "project", "json", "quiet", "help"];
    expect([name, flags.filter((flag) => own.includes(flag))]).toEqual([name, []]);
  }
});

it("parses options into the inputs of a chore", () => {
  expect(inputsFrom("replace_term", { from: "A", to: "B", in: ["guides"], "no-whole-word": true })).toEqual({
    from: "A",
    to: "B",
    in: ["guides"],
    wholeWord: false,
  });
  expect(inputsFrom("set_front_matter", { page: "a", key: "hidden", value: ["true"] })).toMatchObject({ value: true });
  expect(inputsFrom("set_front_matter", { page: "a", key: "title", value: ["Plain"] })).toMatchObject({
    value: "Plain",
  });
  const keywords = inputsFrom("set_front_matter", { page: "a", key: "keywords", value: ["a", "b"] });
  expect(keywords).toMatchObject({ value: ["a", "b"] });
  expect(() => inputsFrom("replace_term", { from: "A" })).toThrow("--to is missing: chore replace-term needs it.");
});

it("prints a trial with its changed lines, and says what was truncated", () => {
  const text = trialText({
    ok: true,
    commit: "a".repeat(40),
    chores: [{ chore: "replace_term", ok: true, summary: "Replaced it", notes: ["Left one."], hint: null }],
    files: [
      {
        status: "modified",
        path: "index.md",
        oldPath: null,
        additions: 1,
        deletions: 1,
        places: [{ line: 3, before: "old", after: "new" }],
        morePlaces: 2,
      },
    ],
    moreFiles: 0,
    diff: "",
    diffLeftOut: 1,
    findings: { errors: [], warnings: [], leftOut: 3 },
  });
  expect(text).toBe(
    [
      "✓ replace_term: Replaced it",
      "    Left one.",
      "",
      "… and 3 more findings",
      "",
      "M index.md  +1 −1",
      "  3  - old",
      "  3  + new",
      "  … and 2 lines more",
      "",
      "The patch leaves 1 file out.",
      "",
      "Nothing was changed. Run the same without --dry-run to open a pull request.",
    ].join("\n"),
  );
});

it("has help for a single chore", () => {
  const help = chore.usageOf?.("fix-links") ?? "";
  expect(help).toContain("docent chore fix-links PROJECT [--in TEXT]... [--only anchors]");
  expect(help).not.toContain("replace-term");
  expect(chore.usageOf?.("fix-everything")).toBeNull();
});
