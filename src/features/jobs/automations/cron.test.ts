import { expect, test } from "vitest";
import { AppError } from "#lib/app-error.ts";
import { checkSchedule, nextSlot } from "./cron.ts";

function slots(...[cron, timeZone, after, count]: [string, string, string, number]): string[] {
  const found: string[] = [];
  for (let at = new Date(after); found.length < count;) {
    const next = nextSlot({ cron, timeZone }, at);
    if (!next) break;
    found.push(next.toISOString().slice(0, 16));
    at = next;
  }
  return found;
}

test("a fixed time that the clock jumps over runs once, right after the jump", () => {
  expect(slots("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3)).toEqual([
    "2026-03-28T01:30",
    "2026-03-29T01:00", // 03:00 in Berlin: there is no 02:30
    "2026-03-30T00:30",
  ]);
  expect(slots("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2)).toEqual([
    "2026-10-03T15:30",
    "2026-10-04T15:15",
  ]);
});

test("a fixed time that the clock shows twice runs once", () => {
  expect(slots("30 2 * * *", "Europe/Berlin", "2026-10-24T00:00:00Z", 3)).toEqual([
    "2026-10-24T00:30",
    "2026-10-25T00:30",
    "2026-10-26T01:30",
  ]);
  expect(slots("30 1,2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 3)).toEqual([
    "2026-10-24T23:30",
    "2026-10-25T00:30",
    "2026-10-26T00:30",
  ]);
  expect(slots("30 2 * * *", "Europe/Berlin", "2026-10-25T00:45:00Z", 1)).toEqual(["2026-10-26T01:30"]);
});

test("an hourly schedule follows real time through both clock changes", () => {
  expect(slots("0 * * * *", "Europe/Berlin", "2026-10-24T23:10:00Z", 4)).toEqual([
    "2026-10-25T00:00",
    "2026-10-25T01:00",
    "2026-10-25T02:00",
    "2026-10-25T03:00",
  ]);
  expect(slots("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:10:00Z", 4)).toEqual([
    "2026-03-29T00:30",
    "2026-03-29T01:00",
    "2026-03-29T01:30",
    "2026-03-29T02:00",
  ]);
});

test("a day of the month and a day of the week match either, and February 29 matches in leap years only", () => {
  expect(slots("0 0 13 * 5", "UTC", "2026-11-20T00:00:00Z", 4)).toEqual([
    "2026-11-27T00:00",
    "2026-12-04T00:00",
    "2026-12-11T00:00",
    "2026-12-13T00:00",
  ]);
  expect(slots("0 0 29 2 *", "UTC", "2026-11-20T00:00:00Z", 2)).toEqual(["2028-02-29T00:00", "2032-02-29T00:00"]);
  expect(slots("0 9 * * MON", "UTC", "2026-11-20T00:00:00Z", 1)).toEqual(["2026-11-23T09:00"]);
  expect(slots("0 0 * * 7", "UTC", "2026-11-20T00:00:00Z", 1)).toEqual(["2026-11-22T00:00"]);
});

test("a slot is after the instant, never at it", () => {
  expect(slots("0 6 * * *", "UTC", "2026-11-20T06:00:00Z", 1)).toEqual(["2026-11-21T06:00"]);
  expect(slots("0 6 * * *", "UTC", "2026-11-20T05:59:59.999Z", 1)).toEqual(["2026-11-20T06:00"]);
});

test.each([
  ["60 * * * *", "UTC"],
  ["* * * * * *", "UTC"],
  ["* * * *", "UTC"],
  ["@daily", "UTC"],
  ["@reboot", "UTC"],
  ["", "UTC"],
  ["x x x x x", "UTC"],
  ["*/0 * * * *", "UTC"],
  ["5-1 * * * *", "UTC"],
  ["0 0 30 2 *", "UTC"],
  ["0 0 1 1 *", "Nowhere/City"],
  ["0 0 1 1 *", "+02:00"],
  ["0 0 1 1 *", ""],
  [`${"1,".repeat(60)}1 * * * *`, "UTC"],
])("the schedule %j in time zone %j is refused", (cron, timeZone) => {
  const check = () => checkSchedule({ cron, timeZone }, new Date("2026-11-20T00:00:00Z"));
  expect(check).toThrow(AppError);
  expect(check).toThrow(expect.objectContaining({ code: "invalid" }));
});

test("UTC and names of the time zone database are time zones", () => {
  for (const timeZone of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"]) {
    expect(() => checkSchedule({ cron: "0 6 * * 1-5", timeZone }, new Date())).not.toThrow();
  }
});
