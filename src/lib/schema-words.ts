import { z } from "zod";
import type { ErrorDetail } from "./app-error.ts";
import { cutText } from "./cut-text.ts";

const MAX_ECHO = 60;
const MAX_PROBLEMS = 50;

/**
 * The problems that a schema found, at most 50: each with the dotted path of its field and a predicate ("must be …").
 */
export function schemaProblems(issues: readonly z.core.$ZodIssue[]): ErrorDetail[] {
  return issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({ path: path.join("."), message }));
}

/**
 * Makes every schema of the process use our messages instead of the library's: clients may rely on them. A schema's own
 * message takes precedence. Idempotent; called where schemas validate outside input.
 */
export function useOwnSchemaWords(): void {
  z.config({ localeError: (issue) => wordsFor(issue) });
}

const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  tuple: "a list",
  null: "null",
};

const FORMATS: Record<string, string> = {
  url: "must be a URL",
  email: "must be an e-mail address",
  datetime: "must be a date and time in ISO 8601, such as 2026-11-20T12:34:56Z",
  date: "must be a date, such as 2026-11-20",
  ipv4: "must be an IP address",
  ipv6: "must be an IP address",
  uuid: "must be a UUID",
};

function wordsFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return `must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${quoted(issue.values[0])}`
        : `must be one of ${issue.values.map(quoted).join(", ")}`;
    case "too_big":
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case "invalid_format":
      return FORMATS[issue.format] ?? "is not of the expected form";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has ${issue.keys.length === 1 ? "a field that is" : "fields that are"} not known: ${listed(issue.keys)}`;
    case "invalid_union":
      return "has none of the forms that are allowed here";
    case "invalid_key":
    case "invalid_element":
      return "has an entry that is not valid";
    default:
      return "is not valid";
  }
}

const COUNTED: Record<string, string> = { string: "characters", array: "entries", set: "entries", map: "entries" };

function tooBig(origin: string, maximum: number, inclusive: boolean): string {
  if (COUNTED[origin]) return `may have at most ${maximum} ${COUNTED[origin]}`;
  return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
}

function tooSmall(origin: string, minimum: number, inclusive: boolean): string {
  if (COUNTED[origin]) {
    return minimum === 1 ? "must not be empty" : `must have at least ${minimum} ${COUNTED[origin]}`;
  }
  return inclusive ? `must be at least ${minimum}` : `must be greater than ${minimum}`;
}

const quoted = (value: unknown) => (typeof value === "string" ? `"${value}"` : String(value));

/** Names that a caller sent, truncated to fit a sentence. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${cutText(name.replaceAll(/\p{C}/gu, "?"), MAX_ECHO)}"`);
  return shown.join(", ") + (names.length > shown.length ? ", …" : "");
}
