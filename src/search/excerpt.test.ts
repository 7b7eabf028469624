import { expect, test } from "vitest";
import { excerptOf } from "./excerpt.ts";

test("the excerpt of a long text shows the place where a searched word is the prefix of another", () => {
  const text = `${"Nothing of that. ".repeat(50)}All deployments are listed.${" Nothing of that.".repeat(50)}`;
  const excerpt = excerptOf(text, ["deploy"]);
  expect(excerpt).toContainEqual({ text: "deployments", isMatch: true });
});
