import { OpenAPIHono } from "@hono/zod-openapi";
import { useOwnSchemaWords } from "#lib/schema-words.ts";
import type { HttpEnv } from "./context.ts";
import { invalidInput } from "./json-body.ts";

const PARTS: Record<string, string> = { json: "body", query: "query", param: "path", header: "header" };

/** A router whose routes describe themselves for the OpenAPI document and validate requests by their schemas. */
export function createRouter(): OpenAPIHono<HttpEnv> {
  useOwnSchemaWords();
  return new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error.issues, PARTS[result.target] ?? "input");
    },
  });
}
