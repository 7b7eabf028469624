import type { OpenAPIHono } from "@hono/zod-openapi";
import type { KeyScope } from "./key-scopes.ts";
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

/** What every key may read. A GET that neither this nor `OF_OWNERS` names is for owners, and the server does not start with it. */
const OF_READERS = [
  /^\/v[12]\/agent\/[^/]+\/(?:jobs|job\/[^/]+)$/,
  /^\/v2\/agent\/[^/]+\/job\/[^/]+\/(?:events|stream|diff)$/,
  /^\/v2\/agent\/[^/]+\/automations(?:\/[^/]+(?:\/runs)?)?$/,
  /^\/v1\/analytics\/[^/]+\/(?:visitors|views|searches|series|agents|surfaces|referrers|missing|not-counted|feedback|feedback\/by-page)$/,
  /^\/v2\/project\/[^/]+\/(?:models|deployments(?:\/[^/]+)?|api-addresses|analytics-snippet|pin|sources(?:\/[^/]+)?)$/,
  /^\/v1\/project\/update-status\/[^/]+$/,
];
/** What is asked by POST and changes nothing. */
const READS = /^\/discovery\/v1\/(?:search|page)\/[^/]+$/;

/** The scope that a call needs, by its address or by its path in the document. What is not named here needs the highest. */
export function neededScope(method: string, path: string): KeyScope {
  if (OF_OWNERS.test(path)) return "admin";
  // Its tools call the interface, which asks for what each of them needs.
  if (path === "/mcp") return "read";
  if (method === "GET" || method === "HEAD") return OF_READERS.some((known) => known.test(path)) ? "read" : "admin";
  if (method !== "POST") return "admin";
  if (READS.test(path)) return "read";
  return OF_AGENTS.some((known) => known.test(path)) ? "agent" : "admin";
}

/** Refuses routes that read and whose scope nobody named: a key that may only read is not to have them by oversight. */
export function requireNamedReads(routes: Pick<OpenAPIHono<HttpEnv>, "routes">): void {
  const isNamed = (path: string) => OF_OWNERS.test(path) || OF_READERS.some((known) => known.test(path));
  const unnamed = routes.routes.flatMap(({ method, path }) => (method === "GET" && !isNamed(path) ? [path] : []));
  if (unnamed.length > 0) throw new Error(`src/kit/http/needed-scope.ts names no scope for GET ${unnamed.join(", ")}`);
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
      const key = isOfInstance(path) ? "key of the instance" : "key";
      Object.assign(operation, { "x-required-scope": scope, ...(isOfInstance(path) && { "x-key-of": "instance" }) });
      if (scope === "read") continue;
      operation.description = `${operation.description ?? ""} Needs a ${key} with the scope \`${scope}\`.`.trim();
    }
  }
}
