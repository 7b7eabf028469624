import { createSecretKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createVisitorNumbers, eventNumber, visitorNumber } from "./visitor-key.ts";

const key = createSecretKey(Buffer.alloc(32, 1));
const DAY = 20_777;
const reader = {
  mode: "stable" as const,
  secret: { epoch: 1, secret: key },
  address: "198.51.100.7",
  product: "Firefox on Linux",
  cookie: null,
  isPrivate: false,
  day: DAY,
};
type Reader = Parameters<typeof visitorNumber>[0];

/** Whether two requests are the same visitor: computed directly, and from the cache in either order. */
function isSame(first: Reader, second: Reader): boolean {
  const answer = visitorNumber(first) === visitorNumber(second);
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const numberOf = createVisitorNumbers();
    const numbers = [...order, ...order].map((each) => numberOf(1, each));
    expect(numbers).toEqual([...order, ...order].map(visitorNumber));
  }
  return answer;
}

describe("a visitor", () => {
  test.each<[string, Partial<Reader>]>([
    ["on another day", { day: DAY + 1 }],
    ["from another address of the same IPv6 /64", { address: "2001:db8::2" }],
    ["with a cookie where none counts", { cookie: "abc" }],
  ])("is the same %s", (_, other) => {
    const first = other.address === undefined ? reader : { ...reader, address: "2001:db8::1" };
    expect(isSame(first, { ...first, ...other })).toBe(true);
  });

  test.each<[string, Partial<Reader>]>([
    ["another address", { address: "198.51.100.8" }],
    ["another IPv6 /64", { address: "2001:db8:0:1::1" }],
    ["another program", { product: "Firefox on Windows" }],
    ["another epoch of the secret", { secret: { epoch: 2, secret: key } }],
    ["another secret of another epoch", { secret: { epoch: 2, secret: createSecretKey(Buffer.alloc(32, 2)) } }],
  ])("differs with %s", (_, other) => {
    expect(isSame(reader, { ...reader, ...other })).toBe(false);
  });

  test("that asks for privacy is the same all day and a new one the next, in every mode", () => {
    for (const mode of ["stable", "daily", "cookie"] as const) {
      const asking = { ...reader, mode, isPrivate: true, cookie: "abc" };
      expect(isSame(asking, { ...asking, cookie: "xyz" })).toBe(true);
      expect(isSame(asking, { ...asking, day: DAY + 1 })).toBe(false);
    }
  });

  test.each(["stable", "cookie"] as const)("that asks for privacy differs from one that does not: %s", (mode) => {
    const asking = { ...reader, mode, isPrivate: true, cookie: "abc" };
    expect(isSame(asking, { ...asking, isPrivate: false })).toBe(false);
  });

  test("is a new one each day in daily mode", () => {
    const daily = { ...reader, mode: "daily" as const };
    expect(isSame(daily, { ...daily, day: DAY + 1 })).toBe(false);
    expect(isSame(daily, { ...daily })).toBe(true);
  });

  test("is identified by the cookie only in cookie mode, and without one by address and program", () => {
    const known = { ...reader, mode: "cookie" as const, cookie: "abc" };
    expect(isSame(known, { ...known, address: "203.0.113.9", product: "Safari on iOS", day: DAY + 9 })).toBe(true);
    expect(isSame(known, { ...known, cookie: "xyz" })).toBe(false);
    // A cookie cannot imitate another reader's address.
    expect(isSame(known, { ...known, cookie: null })).toBe(false);
    expect(isSame({ ...known, cookie: null }, reader)).toBe(true);
  });

  test("of one project has another number in every other project", () => {
    const numberOf = createVisitorNumbers();
    const other = { ...reader, secret: { epoch: 1, secret: createSecretKey(Buffer.alloc(32, 9)) } };
    expect([numberOf(1, reader), numberOf(2, other)]).toEqual([visitorNumber(reader), visitorNumber(other)]);
    expect(numberOf(2, other)).not.toBe(numberOf(1, reader));
  });
});

test("an event's number is always the same, unique, and never zero, which means no event", () => {
  const numbers = ["a", "b", "a"].map(eventNumber);
  expect(numbers[0]).toBe(numbers[2]);
  expect(numbers[0]).not.toBe(numbers[1]);
  for (const number of numbers) expect(number > 0 && Number.isSafeInteger(number)).toBe(true);
});
