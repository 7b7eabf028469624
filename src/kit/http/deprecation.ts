import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "./context.ts";
import { headersOf } from "./document/answer-headers.ts";
import { eachOperation, operationAt, type Operations } from "./operation.ts";

/** Marks each response of a deprecated operation, with the date of the deprecation and of the removal. */
export function deprecationHeaders(operations: () => Operations): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const deprecated = operationAt(c, operations())?.deprecated ?? null;
    if (deprecated === null) return;
    c.res.headers.set("Deprecation", `@${Date.parse(deprecated.since) / 1000}`); // RFC 9745
    c.res.headers.set("Sunset", new Date(deprecated.until).toUTCString()); // RFC 8594
  };
}

/** Writes the same into the document. */
export function documentDeprecation(paths: Parameters<typeof eachOperation>[0]): void {
  eachOperation(paths, (operation, { deprecated }) => {
    if (deprecated === null) return;
    const { use, until } = deprecated;
    operation.deprecated = true;
    operation.description = `Use \`${use}\` instead. This operation remains available until at least ${until}.`;
    const answers = operation.responses as Record<string, { headers?: Record<string, { $ref: string }> }>;
    for (const answer of Object.values(answers)) {
      if (answer.headers) answer.headers = { ...answer.headers, ...headersOf(["Deprecation", "Sunset"]) };
    }
  });
}
