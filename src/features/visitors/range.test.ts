import { describe, expect, test } from "vitest";
import { AppError } from "#lib/app-error.ts";
import { csvText } from "#lib/csv.ts";
import { dayText } from "./day.ts";
import { parseDay, parsePagedRange } from "./range.ts";

const parse = (query: string) => parsePagedRange(new URLSearchParams(query));
const refusal = (query: string): string[] => {
  try {
    parse(query);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid")
      return (error.details ?? []).map((detail) => detail.path);
    throw error;
  }
  return [];
};

describe("a date", () => {
  test.each([
    ["2026-05-10", "2026-05-10"],
    ["2026-05-10T23:59:59.999Z", "2026-05-10"],
    ["2026-05-10T23:30:00-02:00", "2026-05-11"],
    ["2026-05-10T00:30+05:30", "2026-05-09"],
    ["2026-05-10T00:30:00 02:00", "2026-05-09"], // an unescaped "+"
    ["2026-05-10T23:30", "2026-05-10"],
    ["2026-05-10t12:00:00z", "2026-05-10"],
    ["2026-05-10T12:00:00,5+0200", "2026-05-10"],
    ["2024-02-29", "2024-02-29"],
    ["0099-01-01", "0099-01-01"],
  ])("%s is the UTC day %s", (text, day) => {
    expect(dayText(parseDay(text) ?? Number.NaN)).toBe(day);
  });

  test.each([
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "20260510",
    "10.05.2026",
    "2026-05-10T24:00:00Z",
    "2026-05-10T12:60:00Z",
    "2026-05-10T12",
    "2026-05-10T12:00:00+25:00",
    "today",
    "1763600000",
    " 2026-05-10",
    "2026-05-10\n",
    "٢٠٢٦-٠٥-١٠",
  ])("rejects %j", (text) => {
    expect(parseDay(text)).toBeNull();
  });
});

describe("a query", () => {
  test("has defaults, and ignores unknown parameters", () => {
    expect(parse("foo=1&foo=2&bar=")).toEqual({ from: null, to: null, limit: 50, offset: 0 });
    expect(parse("limit=250&offset=1000000")).toMatchObject({ limit: 250, offset: 1_000_000 });
  });

  test.each([
    ["limit=0", ["limit"]],
    ["limit=251", ["limit"]],
    ["limit=-1", ["limit"]],
    ["limit=1.5", ["limit"]],
    ["limit=1e2", ["limit"]],
    ["limit=0x10", ["limit"]],
    ["limit=", ["limit"]],
    ["limit=10&limit=10", ["limit"]],
    ["offset=-1", ["offset"]],
    ["offset=abc", ["offset"]],
    ["offset=99999999999999999999", ["offset"]],
    ["dateFrom=", ["dateFrom"]],
    ["dateFrom=2026-01-01&dateFrom=2026-01-01", ["dateFrom"]],
    ["dateTo=2026-02-30", ["dateTo"]],
    ["dateFrom=2026-01-02&dateTo=2026-01-01", ["dateFrom"]],
    ["dateFrom=x&dateTo=y&limit=0&offset=-1", ["dateFrom", "dateTo", "limit", "offset"]],
  ])("refuses %s, naming the problem", (query, paths) => {
    expect(refusal(query)).toEqual(paths);
  });

  test("accepts equal bounds", () => {
    expect(refusal("dateFrom=2026-01-01&dateTo=2026-01-01T10:00:00Z")).toEqual([]);
  });
});

test("CSV quotes where necessary and disarms formulas", () => {
  expect(
    csvText(
      ["path", "n"],
      [
        ["/a", 1],
        ['/"q",x', 2],
        ["=1+1", 3],
        ["@x", -4],
        ["-1", 5],
        ["/line\nbreak", 6],
      ],
    ),
  ).toBe('path,n\r\n/a,1\r\n"/""q"",x",2\r\n\'=1+1,3\r\n\'@x,-4\r\n\'-1,5\r\n"/line\nbreak",6\r\n');
});
