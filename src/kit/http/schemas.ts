import { z } from "@hono/zod-openapi";
import { ERROR_CODES } from "#lib/app-error.ts";
import { lineRules, type TextRule } from "./text-rules.ts";

/** A schema that refuses a text that breaks a rule, with the rule's message. */
export function ruled(schema: z.ZodString, rules: readonly TextRule[]): z.ZodString {
  return rules.reduce((text, { holds, message }) => text.refine(holds, message), schema);
}

/** One line of text, trimmed. */
export const Line = (max: number) =>
  ruled(z.string().trim(), lineRules(max)).openapi({ minLength: 1, maxLength: max, pattern: "^[^\\r\\n]+$" });

/** Only git knows exactly which names are valid; this covers most of it. */
export const BranchName = (max: number) =>
  Line(max).openapi({ pattern: "^[^\\s~^:?*\\[\\\\]+$", description: "Name of a branch.", example: "main" });

export const QualifiedModel = Line(200).openapi({
  description: "Provider-qualified name of the model.",
  pattern: "^[^\\r\\n/]+/[^\\r\\n]+$",
  example: "docent/builtin-rules",
});

export const amount = z.number().int().min(0);

export const timestamp = z.string().openapi({ format: "date-time", example: "2026-11-20T12:34:56.789Z" });

/** An opaque identifier of ours in a response. */
export const id = (of: string, example: string) =>
  z.string().openapi({ description: `Opaque identifier of ${of}.`, example });

const pathParameter = (name: string, of: string, example: string) =>
  z.string().openapi({ param: { name, in: "path" }, description: `Identifier of ${of}.`, minLength: 1, example });

export const PROJECT_ID_EXAMPLE = "prj_01m83zm717e389j4ffzvxajn4k";

export const ProjectParams = z.object({
  projectId: pathParameter("projectId", "the project, as shown on its API keys page", PROJECT_ID_EXAMPLE),
});

/** Parameters of a thing with an `id` of its own below a project. */
export const paramsOf = (of: string, example: string) => ProjectParams.extend({ id: pathParameter("id", of, example) });

/** A further identifier in a path. */
export const furtherParameter = pathParameter;

export const ErrorBody = z
  .object({
    error: z.string().openapi({ description: "Human-readable error message." }),
    code: z.enum(ERROR_CODES).openapi({ description: "Machine-readable error code. Use this field in program logic." }),
    details: z
      .array(
        z.object({
          path: z
            .string()
            .openapi({ description: "Dotted path of the field, parameter or header. Empty for the whole input." }),
          message: z.string().openapi({ description: "Description of the problem." }),
        }),
      )
      .max(50)
      .optional()
      .openapi({ description: "Problems with invalid input, one entry for each." }),
    requestId: z.string().openapi({
      description: "Identifier of the request, as in `X-Request-Id`. Empty if the request could not be read.",
    }),
  })
  .openapi("Error");

/**
 * For named schemas: `nullable` would make the name itself nullable everywhere (@asteasolutions/zod-to-openapi 9.1).
 */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()]);
