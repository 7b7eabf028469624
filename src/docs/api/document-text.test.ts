import { expect, it } from "vitest";
import { fence } from "./document-text.ts";

it("a block of code has a longer fence than any inside it", () => {
  expect(fence("json", "a")).toEqual(["```json", "a", "```"]);
  expect(fence("json", "a\n```\nb")).toEqual(["````json", "a\n```\nb", "````"]);
});
