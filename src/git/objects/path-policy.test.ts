import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newPathProblem, pathProblem } from "./path-policy.ts";

describe("newPathProblem", () => {
  it.each([
    "index.md",
    "docs/getting started.mdx",
    "ключ/页面.md",
    "images/logo@2x.png",
    "a/b/c/d.md",
    "...md",
    "gitignore-guide.md",
    "docs/git.md",
    ".gitbook/assets/door.png",
    "docs/.gitbook.yaml",
    "console.md",
    "com10.md",
  ])("lets %j pass", (name) => {
    expect(newPathProblem(name)).toBeNull();
  });

  it.each([
    ["", "the path is empty"],
    ["/a", "the path must be relative"],
    ["a/", "the path has an empty part"],
    ["./a", 'the path must not contain "." or ".."'],
    ["a/../b", 'the path must not contain "." or ".."'],
    ["a/.git/hooks/x", '".git" belongs to git'],
    [".gitattributes", '".gitattributes" belongs to git'],
    [".gitlab-ci.yml", '".gitlab-ci.yml" belongs to git'],
    [".git::$INDEX_ALLOCATION/x", '".git::$INDEX_ALLOCATION" belongs to git'],
    [".gitmodules.", '".gitmodules." belongs to git'],
    [".Git ./x", '".Git ." belongs to git'],
    ["\u{ff0e}git/x", '"\u{ff0e}git" belongs to git'],
    ["GIT~2", '"GIT~2" belongs to git'],
    ["a\\b", '"a\\b" holds one of < > : " | ? * \\'],
    ["C:x", '"C:x" holds one of < > : " | ? * \\'],
    ["aux", '"aux" is a reserved name on Windows'],
    ["nul.md", '"nul.md" is a reserved name on Windows'],
    [" a", '" a" begins or ends in a space or a dot'],
    ["a\u2028b", "the name holds a control character"],
    ["\ud800", "the path is not valid Unicode"],
    ["a/".repeat(60) + "b", "the path is deeper than 40 folders"],
  ])("says of %j: %s", (name, problem) => {
    expect(newPathProblem(name)).toBe(problem);
  });
});

it("accepts no path that leaves the folder it is joined to or enters .git", () => {
  const segment = fc.constantFrom(
    "..",
    ".",
    "",
    "a",
    ".git",
    ".GIT",
    ".g\u200dit",
    "git~1",
    "b.md",
    "\0",
    "~",
    "\\..",
    " ",
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
      const name = segments.join("/");
      fc.pre(pathProblem(name) === null);
      const joined = path.posix.join("/root", name);
      expect(joined).toBe(`/root/${name}`);
      expect(joined.toLowerCase()).not.toMatch(/\/\.git(\/|$)/);
    }),
  );
});
