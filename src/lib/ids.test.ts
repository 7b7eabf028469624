import fc from "fast-check";
import { expect, it } from "vitest";
import { newId } from "./ids.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const valueOf = (id: string) =>
  id
    .slice(4)
    .split("")
    .reduce((sum, character) => sum * 32n + BigInt(ALPHABET.indexOf(character)), 0n);

it("an id is a UUIDv7 of its time, in base32, so ids sort by time", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (time) => {
      const id = newId("job", new Date(time));
      expect(id).toMatch(/^job_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      const value = valueOf(id);
      expect([value >> 80n, (value >> 76n) & 15n, (value >> 62n) & 3n]).toEqual([BigInt(time), 7n, 2n]);
    }),
  );
});

it("no two ids of an instant are the same", () => {
  const now = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => newId("req", now))).size).toBe(10_000);
});
