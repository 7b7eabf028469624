import { z } from "zod";
import { AppError, type ErrorCode } from "#lib/app-error.ts";
import { schemaProblems } from "#lib/schema-words.ts";
import type { McpTool, TellProgress } from "./mcp-server.ts";

const definitions = new WeakMap<z.ZodObject, object>();

/** `isBare`: without descriptions, which only the input schema needs: models read no other. */
function schemaOf(shape: z.ZodObject, isBare = false): object {
  let known = definitions.get(shape);
  if (known === undefined) {
    const { $schema: _, ...schema } = z.toJSONSchema(shape, {
      io: "input",
      ...(isBare && {
        override({ jsonSchema }) {
          delete jsonSchema.description;
          delete jsonSchema.examples;
        },
      }),
    });
    definitions.set(shape, (known = schema));
  }
  return known;
}

/** A tool in the form that clients list. */
export function toolDefinition({ name, title, description, input, output, changes }: McpTool): object {
  const inputSchema = schemaOf(input);
  const annotations = {
    title,
    readOnlyHint: changes === undefined,
    destructiveHint: changes === "for good",
    idempotentHint: changes === undefined,
    openWorldHint: false,
  };
  return {
    name,
    title,
    description,
    inputSchema,
    ...(output && { outputSchema: schemaOf(output, true) }),
    annotations,
  };
}

const TO_MEND: ReadonlySet<string> = new Set<ErrorCode>([
  ...(["invalid", "not_found", "too_large", "unavailable", "rate_limited"] as const),
  ...(["conflict", "forbidden", "idempotency_mismatch"] as const),
]);

/** A model's mistake becomes a result, so that the model reads it. */
export async function toolOutcome(tool: McpTool, given: object, tell: TellProgress): Promise<object> {
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) {
    const problems = schemaProblems(parsed.error.issues).slice(0, 5);
    return mistake(problems.map(({ path, message }) => `${path === "" ? "The input" : path} ${message}.`).join(" "));
  }
  try {
    const said = await tool.call(parsed.data, tell);
    const text = typeof said === "string" ? said : said.text;
    const structured: unknown = typeof said !== "string" ? said.structured : tool.output && JSON.parse(said);
    return {
      content: [{ type: "text", text }],
      ...(structured !== undefined && { structuredContent: structured }),
      isError: false,
    };
  } catch (error) {
    if (error instanceof AppError && TO_MEND.has(error.code)) return mistake(error.message);
    throw error;
  }
}

const mistake = (text: string): object => ({ content: [{ type: "text", text }], isError: true });
