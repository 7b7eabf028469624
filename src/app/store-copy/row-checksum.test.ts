import { expect, it } from "vitest";
import { createRowChecksum } from "./row-checksum.ts";
import type { StoredRow } from "./table-store.ts";

const checksum = (...rows: StoredRow[]) => {
  const sum = createRowChecksum();
  for (const row of rows) sum.add(row);
  return sum.text();
};
const bytes = (text: string) => Buffer.from(text);

// Rows of texts, of bytes, and of both are written in different ways.
it.each<[string, StoredRow, StoredRow]>([
  ["texts", ["as1:b", "c"], ["a", "bs1:c"]],
  ["texts without lengths", ["asb", "c"], ["a", "bsc"]],
  ["bytes", [bytes("ab1:b"), bytes("c")], [bytes("a"), bytes("bb1:c")]],
  ["bytes without lengths", [bytes("abb"), bytes("c")], [bytes("a"), bytes("bbc")]],
  ["bytes and a text", [bytes("as"), "b"], [bytes("a"), "sb"]],
  ["a number and its digits", [1n], ["1"]],
  ["nothing and an empty text", [null], [""]],
  ["nothing and its letter", [null], ["n"]],
])("tells rows apart by their values: %s", (_, one, other) => {
  expect(checksum(one)).not.toBe(checksum(other));
});

it("does not depend on the order of rows, and counts equal ones", () => {
  expect(checksum(["a"], ["b"], ["b"])).toBe(checksum(["b"], ["a"], ["b"]));
  expect(checksum(["a"], ["b"], ["b"])).not.toBe(checksum(["a"], ["a"], ["b"]));
  expect(checksum(["a"], ["a"])).not.toBe(checksum());
});
