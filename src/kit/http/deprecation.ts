import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "./context.ts";
import { headersOf } from "./document/answer-headers.ts";

interface Deprecated {
  method: "get" | "put" | "post" | "patch" | "delete";
  /** As in the document. */
  path: string;
  /** The day on which it was deprecated, and the first one on which it may be gone. */
  since: string;
  until: string;
  /** What to call in its place. */
  use: string;
}

/** Operations that go on working, and that nobody should begin to use. One line makes one so. */
export const DEPRECATED: readonly Deprecated[] = [
  { method: "post", path: "/v2/agent/{projectId}/automation/{id}/run", since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/automations/{id}/run" }, // oxfmt-ignore
  { method: "get", path: "/v1/agent/{projectId}/jobs", since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/jobs" }, // oxfmt-ignore
  { method: "get", path: "/v1/agent/{projectId}/job/{id}", since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/job/{id}" }, // oxfmt-ignore
];

const MATCHERS = DEPRECATED.map((each) => ({
  ...each,
  pattern: new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  headers: {
    Deprecation: `@${Date.parse(each.since) / 1000}`, // RFC 9745
    Sunset: new Date(each.until).toUTCString(), // RFC 8594
  },
}));

/** Says in each answer of a deprecated operation that it is, since when and until when. */
export const deprecationHeaders: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const method = c.req.method.toLowerCase();
  const found = MATCHERS.find((each) => each.method === method && each.pattern.test(c.req.path));
  for (const [name, value] of Object.entries(found?.headers ?? {})) c.res.headers.set(name, value);
};

type Paths = ReturnType<OpenAPIHono<HttpEnv>["getOpenAPI31Document"]>["paths"];

/** The same in the document. */
export function documentDeprecation(paths: Paths): void {
  for (const { method, path, use, until } of DEPRECATED) {
    const operation = paths?.[path]?.[method];
    if (!operation) continue;
    operation.deprecated = true;
    operation.description = `Use \`${use}\` in its place. This one is answered until ${until} at least.`;
    const answers = operation.responses as Record<string, { headers?: Record<string, { $ref: string }> }>;
    for (const answer of Object.values(answers)) {
      if (answer.headers) answer.headers = { ...answer.headers, ...headersOf(["Deprecation", "Sunset"]) };
    }
  }
}
