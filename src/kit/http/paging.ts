import { z } from "@hono/zod-openapi";
import { AppError } from "#lib/app-error.ts";
import type { HttpContext } from "./context.ts";

/** A whole number in the query, within bounds; a repeated or malformed one is refused. */
export function numberParameter(
  name: string,
  { min, max, fallback, description }: { min: number; max: number; fallback: number; description: string },
) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string(rule)
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .default(fallback)
    .openapi({
      param: { name, in: "query" },
      type: "integer",
      minimum: min,
      maximum: max,
      default: fallback,
      description,
    });
}

export const MAX_ROWS = 100;

export const LimitParameter = numberParameter("limit", {
  min: 1,
  max: MAX_ROWS,
  fallback: 20,
  description: "Number of results per page.",
});

export const CursorParameter = z
  .string("must be a cursor that a page gave")
  .min(1, "must be a cursor that a page gave")
  .optional()
  .openapi({ param: { name: "cursor", in: "query" }, description: "`nextCursor` of the previous page." });

export const PageQuery = z.object({ limit: LimitParameter, cursor: CursorParameter });

/** For lists that had no pages at first: a short one still comes in one page. */
export const FullPageQuery = PageQuery.extend({
  limit: numberParameter("limit", {
    min: 1,
    max: MAX_ROWS,
    fallback: MAX_ROWS,
    description: "Number of results per page.",
  }),
});

/** The number in a cursor, for lists with numbered entries; undefined without one. `AppError invalid`. */
export function numberInCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,10}$/.test(cursor)) return Number(cursor);
  throw wrongCursor();
}

export const wrongCursor = (): AppError =>
  new AppError("invalid", "`cursor` is not one that a page of this list gave.", {
    details: [{ path: "cursor", message: "must be a cursor that a page gave" }],
  });

export const NextCursor = z
  .string()
  .nullable()
  .openapi({ description: "Cursor of the next page. `null` on the last page." });

/** Documents a header without validation: the validator knows headers by their lower-case names. */
export const documentedHeader = (name: string, rules: { description: string; pattern?: string }) =>
  z.object({ [name]: z.string().optional().openapi(rules) });

/**
 * `Link: <?…>; rel="next"` (RFC 8288): the same query with these parameters changed. Relative, so that it works behind
 * a proxy.
 */
export function linkNext(c: HttpContext, change: Record<string, string | number>): void {
  const { searchParams } = new URL(c.req.url);
  for (const [name, value] of Object.entries(change)) searchParams.set(name, String(value));
  c.header("Link", `<?${searchParams.toString()}>; rel="next"`);
}

/** The same for a list with cursors; no link on its last page. */
export function linkNextCursor(c: HttpContext, nextCursor: string | null): void {
  if (nextCursor !== null) linkNext(c, { cursor: nextCursor });
}
