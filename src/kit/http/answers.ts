import type { z } from "@hono/zod-openapi";
import { type AnswerHeader, headersOf } from "./document/answer-headers.ts";
import { errorAnswers, type ErrorStatus } from "./document/error-answers.ts";

interface Further {
  /** Errors beside those that every operation can give. */
  errors?: readonly ErrorStatus[];
  headers?: readonly AnswerHeader[];
  /** What the CSV form has in its first line, where `Accept: text/csv` gives one. */
  csv?: string;
}

/** The answers of a route for the OpenAPI document: one good one and the errors that it can give. */
export function answers<Schema extends z.ZodType, Good extends 200 | 201 | 202>(
  good: Good,
  schema: Schema,
  description: string,
  { errors = [], headers = [], csv }: Further = {},
) {
  const text = { type: "string", description: `CSV (RFC 4180) with the columns ${csv}.` } as const;
  return {
    [good]: {
      description,
      headers: headersOf(headers),
      content: { "application/json": { schema }, ...(csv !== undefined && { "text/csv": { schema: text } }) },
    },
    ...errorAnswers(errors),
    // The route's own types are of the JSON form; `csvAnswer` gives the other one.
  } satisfies Record<string, unknown> as Record<
    Good,
    { description: string; content: { "application/json": { schema: Schema } } }
  >;
}

/** The answers of a route whose good one has no body. */
export function emptyAnswers(description: string, errors: readonly ErrorStatus[] = []) {
  const good = { 204: { description, headers: headersOf([]) }, ...errorAnswers(errors) };
  return good satisfies Record<string, unknown> as { 204: { description: string } };
}
