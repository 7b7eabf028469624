/**
 * Numbers of an API description, as their author wrote them. A double has 53 bits and no trailing zeros: int64 limits,
 * snowflake ids and prices such as `10.00` would be shown as other numbers.
 */
import { WrittenNumber, type Json } from "#docs/json-document.ts";

/** The second stage of ECMA-262's "JSON.parse source text access", which TypeScript's library does not declare yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseJson = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** `JSON.parse`, with a `WrittenNumber` for each number that a double would print differently. About 40 ms per megabyte. */
export function parseJsonNumbers(text: string): unknown {
  return parseJson(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source
      ? new WrittenNumber(value, source)
      : value,
  );
}

/** Undefined for anything but a number. */
export function numberOf(value: Json | undefined): number | undefined {
  if (value instanceof WrittenNumber) return value.value;
  return typeof value === "number" ? value : undefined;
}

/** A string, number or boolean as its author wrote it; undefined for anything else. */
export function scalarText(value: Json | undefined): string | undefined {
  if (value instanceof WrittenNumber) return value.source;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  return undefined;
}
