import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBranchName, isReferenceName } from "./references.ts";

const gitAccepts = (name: string) => spawnSync("git", ["check-ref-format", name]).status === 0;

describe("isReferenceName", () => {
  it.each([
    ["refs/heads/main", true],
    ["refs/heads/feature/ключ-1_x", true],
    ["refs/heads/a.b", true],
    ["main", false],
    ["refs/heads/", false],
    ["refs/heads/a..b", false],
    ["refs/heads/a b", false],
    ["refs/heads/a\nb", false],
    ["refs/heads/.a", false],
    ["refs/heads/a.lock", false],
    ["refs/heads/a.lock/b", false],
    ["refs/heads/a.", false],
    ["refs/heads/a@{1}", false],
    ["refs/heads/a~1", false],
    ["refs/heads/a^", false],
    ["refs/heads/a:b", false],
    ["refs/heads/a?", false],
    ["refs/heads/a*", false],
    ["refs/heads/a[", false],
    ["refs/heads/a\\b", false],
    ["refs/heads//a", false],
    ["refs/heads/a\0b", false],
    [`refs/heads/${"a".repeat(500)}`, false],
  ])("%j: %s", (name, expected) => {
    expect(isReferenceName(name)).toBe(expected);
  });

  it("accepts no name that git refuses", () => {
    const part = fc.constantFrom(
      "a",
      ".",
      "..",
      "/",
      "@",
      "{",
      "@{",
      ".lock",
      "-",
      " ",
      "~",
      "^",
      ":",
      "\\",
      "\u007f",
      "é",
      "[",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const name = `refs/heads/${parts.join("")}`;
        expect(isReferenceName(name) && !gitAccepts(name)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

it("rejects a branch name that looks like an option", () => {
  expect(["-x", "--upload-pack=x", "HEAD", "@", ""].map(isBranchName)).toEqual([false, false, false, false, false]);
  expect(["main", "docent/x-1", "refs"].map(isBranchName)).toEqual([true, true, true]);
});
