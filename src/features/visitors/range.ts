import { AppError, type ErrorDetail } from "#lib/app-error.ts";
import { type Day, dayOf } from "./day.ts";

/** Days from `from` (inclusive) to `to` (exclusive); null = no bound on that side. */
export interface DayRange {
  from: Day | null;
  to: Day | null;
}

export interface PagedRange extends DayRange {
  limit: number;
  offset: number;
}

/** How many rows a page of a report has. */
export const PAGE_ROWS = { least: 1, most: 250, usual: 50 };

const DATE_FORMS = "must be a date: YYYY-MM-DD, or an ISO 8601 date-time such as 2026-05-10T23:30:00Z";
// In a query string an unescaped "+" arrives as a space.
export const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:[Zz]|([+\- ])(\d\d):?(\d\d)?)?)?$/;

/** The UTC day of a date or a date-time (without an offset: UTC); null when it is not one or does not exist. */
export function parseDay(text: string): Day | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [year, month, date, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const offsetHours = Number(match[8] ?? 0);
  const offsetMinutes = Number(match[9] ?? 0);
  if (hour! > 23 || minute! > 59 || second! > 59 || offsetHours > 23 || offsetMinutes > 59) return null;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year!, month! - 1, date!); // Date.UTC would read year 26 as 1926
  if (midnight.getUTCMonth() !== month! - 1 || midnight.getUTCDate() !== date!) return null;
  const sign = match[7] === "-" ? -1 : 1;
  const local = midnight.getTime() + (hour! * 60 + minute!) * 60_000;
  return dayOf(local - sign * (offsetHours * 60 + offsetMinutes) * 60_000);
}

/**
 * Parses `dateFrom`, `dateTo`, `limit` (1 to 250, 50 by default) and `offset` of a report. Unknown parameters are
 * ignored. Throws `AppError invalid` naming every parameter that is repeated, empty or out of bounds.
 */
export function parsePagedRange(query: URLSearchParams): PagedRange {
  const details: ErrorDetail[] = [];
  const range = readRange(query, details);
  const limit = readNumber(query, details, {
    name: "limit",
    fallback: PAGE_ROWS.usual,
    minimum: PAGE_ROWS.least,
    maximum: PAGE_ROWS.most,
  });
  const offset = readNumber(query, details, {
    name: "offset",
    fallback: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  });
  if (details.length > 0) throw invalidQuery(details);
  return { ...range, limit, offset };
}

/** `dateFrom` and `dateTo` only, for lists that page in another way. Throws like `parsePagedRange`. */
export function parseDates(query: URLSearchParams): DayRange {
  const details: ErrorDetail[] = [];
  const range = readRange(query, details);
  if (details.length > 0) throw invalidQuery(details);
  return range;
}

function readRange(query: URLSearchParams, details: ErrorDetail[]): DayRange {
  const from = readDay(query, details, "dateFrom");
  const to = readDay(query, details, "dateTo");
  if (from !== null && to !== null && from > to) {
    details.push({ path: "dateFrom", message: "must not be after dateTo" });
  }
  return { from, to };
}

function readDay(query: URLSearchParams, details: ErrorDetail[], name: string): Day | null {
  const text = readOne(query, details, name);
  if (text === null) return null;
  const day = parseDay(text);
  if (day === null) details.push({ path: name, message: DATE_FORMS });
  return day;
}

interface NumberRule {
  name: string;
  fallback: number;
  minimum: number;
  maximum: number;
}

function readNumber(query: URLSearchParams, details: ErrorDetail[], rule: NumberRule): number {
  const text = readOne(query, details, rule.name);
  if (text === null) return rule.fallback;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= rule.minimum && value <= rule.maximum) return value;
  const upper = rule.maximum === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${rule.maximum}`;
  details.push({ path: rule.name, message: `must be a whole number of at least ${rule.minimum}${upper}` });
  return rule.fallback;
}

function readOne(query: URLSearchParams, details: ErrorDetail[], name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) details.push({ path: name, message: "must be given only once" });
  else if (values[0] === "") details.push({ path: name, message: "must not be empty" });
  else return values[0] ?? null;
  return null;
}

function invalidQuery(details: ErrorDetail[]): AppError {
  const first = details[0]!;
  return new AppError("invalid", `The query is not valid: ${first.path} ${first.message}.`, { details });
}
