import fc from "fast-check";
import { expect, it } from "vitest";
import { cutText } from "./cut-text.ts";

const FAMILY = "👩‍👩‍👧‍👦";

it("leaves a short text unchanged", () => {
  expect(cutText("Harbor", 6)).toBe("Harbor");
});

it("ends before a character that does not fit whole", () => {
  expect(cutText("ab😀", 3)).toBe("ab");
  expect(cutText(`ab${FAMILY}c`, 10)).toBe("ab");
  expect(cutText("cafe\u0301s", 4)).toBe("caf");
  expect(cutText("🇩🇪🇫🇷", 6)).toBe("🇩🇪");
});

it("cuts inside an oversized grapheme, and keeps surrogate pairs whole", () => {
  expect(cutText(`e${"\u0301".repeat(1_000)}`, 100)).toHaveLength(100);
  const joined = Array.from({ length: 100 }, () => "😀").join("\u200d");
  expect(cutText(joined, 100).isWellFormed()).toBe(true);
  expect(cutText(joined, 100).length).toBeGreaterThan(97);
});

it("returns a well-formed prefix that fits, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 0, max: 200 }), (text, max) => {
      const cut = cutText(text, max);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});
