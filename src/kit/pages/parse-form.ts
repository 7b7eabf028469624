import type { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { schemaProblems } from "#lib/schema-words.ts";

/**
 * The request of a form, validated by the schema of the API. `AppError invalid` with the form's labels, given by their
 * paths.
 */
export function parseForm<Body>(
  schema: z.ZodType<Body>,
  value: unknown,
  labels: Readonly<Record<string, string>>,
): Body {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: "", message: "is not valid" }] = schemaProblems(parsed.error.issues);
  const label = Object.entries(labels).find(([known]) => path === known || path.startsWith(`${known}.`))?.[1];
  throw new AppError("invalid", `${label ?? path}: ${message}.`);
}
