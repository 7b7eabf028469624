import { expect, it } from "vitest";
import { Data } from "#docs/dialects/reading/data.ts";
import { createProblemList } from "#docs/problems.ts";
import { createRewrite } from "./rewrites.ts";

it.each([
  [{ "a.md": "b.md" }, "a.md", "b.md"],
  [{ "packages/:name/index.md": ":name.md" }, "packages/core/index.md", "core.md"],
  [{ "packages/:name": ":name" }, "packages/core/index.md", "packages/core/index.md"],
  [{ "packages/:name/:rest*": ":name/:rest*" }, "packages/core/api/run.md", "core/api/run.md"],
  [{ "packages/:rest*": ":rest*" }, "packages.md", "packages.md"],
  [{ "pkg-:name-docs/index.md": ":name.md" }, "pkg-core-docs/index.md", "core.md"],
  [{ "pkg-:name-docs/index.md": ":name.md" }, "pkg-core/index.md", "pkg-core/index.md"],
  [{ ":name.md": "all/:name.md" }, "a.mdx", "a.mdx"],
])("%j makes %s %s", (rules, path, expected) => {
  expect(createRewrite(Data.of(rules, createProblemList()))(path)).toBe(expected);
});
