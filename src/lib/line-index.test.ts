import { expect, it } from "vitest";
import { createLineIndex } from "./line-index.ts";

it.each(["", "one", "one\n", "one\ntwo\r\n\nfour", "\n\n\n"])(
  "returns the line of every offset of %j, in any order",
  (text) => {
    const lineOf = createLineIndex(text);
    for (let offset = text.length; offset >= 0; offset -= 1)
      expect([offset, lineOf(offset)]).toEqual([offset, text.slice(0, offset).split("\n").length]);
  },
);
