import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";
import { MAX_DESCRIPTION_CHARACTERS, SHOWN } from "./bounds.ts";
import { textOf } from "./document-text.ts";
import { follow } from "./references.ts";

/** How a caller proves who it is. */
export interface SecurityScheme {
  name: string;
  /** What readers call it: `Bearer token`, `API key`. */
  kind: string;
  description: string | null;
  /** Where a request carries it; null unless it is a header, query parameter or cookie. */
  carrier: { place: "header" | "query" | "cookie"; name: string; prefix: string } | null;
  scopes: readonly string[];
}

/** Schemes that are needed together. A caller uses one of several choices; an empty one means that no credentials are needed. */
export type SecurityChoice = readonly SecurityScheme[];

const OTHER_KINDS = new Map([
  ["mutualTLS", "Mutual TLS"],
  ["userPassword", "User and password"],
  ["X509", "X.509"],
  ["symmetricEncryption", "Symmetric encryption"],
  ["asymmetricEncryption", "Asymmetric encryption"],
  ["plain", "SASL/PLAIN"],
  ["scramSha256", "SASL/SCRAM-SHA-256"],
  ["scramSha512", "SASL/SCRAM-SHA-512"],
  ["gssapi", "SASL/GSSAPI"],
]);

export function securityOf(root: JsonObject, operation: JsonObject): SecurityChoice[] {
  const written = operation["security"] ?? root["security"];
  if (!Array.isArray(written)) return [];
  const schemes = isJsonObject(root["components"]) ? root["components"]["securitySchemes"] : undefined;
  return (written as readonly Json[]).slice(0, SHOWN.security).map((choice) =>
    Object.entries(isJsonObject(choice) ? choice : {})
      .slice(0, SHOWN.security)
      .map(([name, scopes]) => {
        const known = isJsonObject(schemes) && Object.hasOwn(schemes, name) ? schemes[name] : undefined;
        const list = Array.isArray(scopes) ? (scopes as readonly Json[]) : [];
        return schemeOf(
          name,
          follow(root, known)?.object ?? {},
          list.flatMap((scope) => textOf(scope, 200) ?? []).slice(0, 100),
        );
      }),
  );
}

/** One scheme of OpenAPI or AsyncAPI. */
export function schemeOf(name: string, scheme: JsonObject, scopes: readonly string[]): SecurityScheme {
  const description = textOf(scheme["description"], MAX_DESCRIPTION_CHARACTERS);
  const common = { name: name.slice(0, 100), description, scopes };
  const authorization = (prefix: string) => ({ place: "header" as const, name: "Authorization", prefix });
  switch (scheme["type"]) {
    case "http": {
      const way = (textOf(scheme["scheme"], 40) ?? "").toLowerCase();
      if (way === "bearer") return { ...common, kind: "Bearer token", carrier: authorization("Bearer ") };
      if (way === "basic") return { ...common, kind: "Basic authentication", carrier: authorization("Basic ") };
      return { ...common, kind: `HTTP ${way}`.trim(), carrier: authorization(way === "" ? "" : `${way} `) };
    }
    case "httpApiKey":
    case "apiKey": {
      // AsyncAPI only: part of how a connection is opened, not of a request.
      if (scheme["in"] === "user" || scheme["in"] === "password") return { ...common, kind: "API key", carrier: null };
      const place = (["header", "query", "cookie"] as const).find((each) => each === scheme["in"]) ?? "header";
      return { ...common, kind: "API key", carrier: { place, name: textOf(scheme["name"], 100) ?? name, prefix: "" } };
    }
    case "oauth2":
      return { ...common, kind: "OAuth 2.0", carrier: authorization("Bearer ") };
    case "openIdConnect":
      return { ...common, kind: "OpenID Connect", carrier: authorization("Bearer ") };
    default:
      return { ...common, kind: OTHER_KINDS.get(textOf(scheme["type"], 40) ?? "") ?? "Authentication", carrier: null };
  }
}
