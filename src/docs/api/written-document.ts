import type { ApiSettings } from "#docs/config/docs-config.ts";
import type { PageOperation } from "#docs/tree/pages.ts";

/** A description of what a page's own `api: GET https://api.example.com/users` says, and the operation's path in it. */
export function writtenDocument(
  { method, path: written }: PageOperation,
  { server, auth }: ApiSettings,
): { document: string; path: string } {
  const [, origin = null, rest = ""] = /^(https?:\/\/[^/?#]{1,300})?(.*)$/is.exec(written) ?? [];
  const path = rest === "" ? "/" : rest;
  const url = origin ?? server;
  const scheme =
    auth.method === "key"
      ? { type: "apiKey", in: "header", name: auth.name ?? "X-API-Key" }
      : { type: "http", scheme: auth.method };
  const parameters = [...path.matchAll(/\{([^{}/]{1,100})\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    "x-hidden": true, // the page's own fields say what it is
  }));
  const document = {
    openapi: "3.1.0",
    paths: { [path]: { [method.toLowerCase()]: { parameters } } },
    ...(url === null ? {} : { servers: [{ url }] }),
    ...(auth.method === "none" ? {} : { security: [{ [auth.name ?? "auth"]: [] }] }),
    components: { securitySchemes: { [auth.name ?? "auth"]: scheme } },
  };
  return { document: JSON.stringify(document), path };
}
