import type { OpenAPIHono } from "@hono/zod-openapi";
import type { KeyScope } from "#accounts/key-scopes.ts";
import type { HttpEnv } from "./context.ts";

/** Calls of programs that create work and follow it; a part of a path in braces is a part in an address, too. */
const OF_AGENTS = [
  /^\/v2\/agent\/[^/]+\/job$/,
  /^\/v2\/agent\/[^/]+\/job\/[^/]+\/(?:message|cancel|archive|unarchive)$/,
  /^\/v2\/agent\/[^/]+\/automations?\/[^/]+\/run$/,
  /^\/v1\/workflow\/[^/]+\/[^/]+\/trigger$/,
  /^\/v1\/analytics\/[^/]+\/views$/,
  /^\/v1\/project\/(?:update|preview)\/[^/]+$/,
  /^\/v2\/project\/[^/]+\/api-addresses\/read$/,
];
/**
 * What is not for everybody who may read: who else has access, addresses of webhooks, which can be secrets themselves, what
 * a project is set to, which projects there are, and what the server logged.
 */
const OF_OWNERS =
  /^(?:\/v2\/(?:projects|instance\/(?:keys|logs))|\/v2\/project\/[^/]+\/(?:keys|connection)|\/v2\/agent\/[^/]+\/webhooks)(?:\/[^]+)?$|^\/v2\/project\/[^/]+$/;
/** What belongs to no project. */
const OF_INSTANCE = /^\/v2\/(?:projects|instance(?:\/[^]+)?)$/;

/** Whether a call, by its address or its path in the document, takes keys of the instance alone. */
export const isOfInstance = (path: string): boolean => OF_INSTANCE.test(path);

/** What is asked by POST and changes nothing. */
const READS = /^\/discovery\/v1\/(?:search|page)\/[^/]+$/;

/** The scope that a call needs, by its address or by its path in the document. What is not named here needs the highest. */
export function neededScope(method: string, path: string): KeyScope {
  if (OF_OWNERS.test(path)) return "admin";
  // Its tools call the interface, which asks for what each of them needs.
  if (path === "/mcp") return "read";
  if (method === "GET" || method === "HEAD" || (method === "POST" && READS.test(path))) return "read";
  return method === "POST" && OF_AGENTS.some((known) => known.test(path)) ? "agent" : "admin";
}

const METHODS = ["get", "put", "post", "patch", "delete"] as const;
type Paths = ReturnType<OpenAPIHono<HttpEnv>["getOpenAPI31Document"]>["paths"];

/** Says of every operation in the document which scope its key needs, and where that has to be a key of the instance. */
export function documentScopes(paths: Paths): void {
  for (const [path, item] of Object.entries(paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const scope = neededScope(method.toUpperCase(), path);
      Object.assign(operation, { "x-required-scope": scope, ...(isOfInstance(path) && { "x-key-of": "instance" }) });
      if (scope === "read") continue;
      operation.description = `${operation.description ?? ""} Needs a key with the scope \`${scope}\`.`.trim();
    }
  }
}
