import { describe, expect, it } from "vitest";
import { trimEndOf, trimOf, trimStartOf, withoutClosingMarks } from "./trim.ts";

describe("trimming", () => {
  it("removes the given characters from the ends, and none from inside", () => {
    expect(trimOf("//a/b//", "/")).toBe("a/b");
    expect(trimStartOf("//a/", "/")).toBe("a/");
    expect(trimEndOf("/a \t/", "/ \t")).toBe("/a");
    expect(trimOf("///", "/")).toBe("");
    expect(trimOf("", "/")).toBe("");
  });

  it("visits each character once: an inner run is not retried from each of its positions", () => {
    const long = `x${"/".repeat(400_000)}x`;
    expect(trimOf(`/${long}/`, "/")).toBe(long);
  });
});

it.each([
  [" Words", " Words"],
  [" Words ## \t", " Words"],
  [" C#", " C#"],
  [" #", ""],
  ["", ""],
])("takes from heading %j the words %j", (text, words) => expect(withoutClosingMarks(text)).toBe(words));
