import type { z } from "@hono/zod-openapi";
import { ErrorBody } from "./schemas.ts";

/** What an error answer means, by its status. */
export const ERROR_DESCRIPTIONS = {
  400: "The input is not valid; `details` says where.",
  401: "No valid API key.",
  404: "No such thing, or not one that this key may see.",
  409: "Not possible in the present state.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  422: "The Idempotency-Key was used with another body.",
  429: "Too many calls; `Retry-After` says when to go on.",
} as const;

/** The answers of a route for the OpenAPI document: one good one and the errors that it can give. */
export function answers<Schema extends z.ZodType, Good extends 200 | 201 | 202>(
  good: Good,
  schema: Schema,
  description: string,
  errors: readonly (keyof typeof ERROR_DESCRIPTIONS)[],
) {
  return {
    [good]: { description, content: { "application/json": { schema } } },
    ...errorAnswers(errors),
  } satisfies Record<string, unknown> as Record<
    Good,
    { description: string; content: { "application/json": { schema: Schema } } }
  >;
}

/** The error answers alone, for a route whose good answer is not JSON. */
export function errorAnswers(errors: readonly (keyof typeof ERROR_DESCRIPTIONS)[]) {
  const content = { "application/json": { schema: ErrorBody } };
  return Object.fromEntries(errors.map((status) => [status, { description: ERROR_DESCRIPTIONS[status], content }]));
}
