import { describe, expect, it } from "vitest";
import { trimEndOf, trimOf, trimStartOf, withoutClosingMarks } from "./trim.ts";

describe("trimming", () => {
  it("takes the characters from the ends that it says, and none from inside", () => {
    expect(trimOf("//a/b//", "/")).toBe("a/b");
    expect(trimStartOf("//a/", "/")).toBe("a/");
    expect(trimEndOf("/a \t/", "/ \t")).toBe("/a");
    expect(trimOf("///", "/")).toBe("");
    expect(trimOf("", "/")).toBe("");
  });

  it("looks at each character once: a run inside is not tried from each of its places", () => {
    const long = `x${"/".repeat(400_000)}x`;
    expect(trimOf(`/${long}/`, "/")).toBe(long);
  });
});

it.each([
  [" Words", " Words"],
  [" Words ## \t", " Words"],
  [" C#", " C"],
  [" #", ""],
  ["", ""],
])("the words of a heading %j are %j", (text, words) => expect(withoutClosingMarks(text)).toBe(words));
