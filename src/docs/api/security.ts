import { type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { descriptionOf, textOf } from "./document-text.ts";
import { follow, partsIn } from "./references.ts";

/** How a caller proves who it is. */
export interface SecurityScheme {
  name: string;
  /** What readers call it: `Bearer token`, `API key`. */
  kind: string;
  description: string | null;
  /** Where a request carries it; null unless it is a header, query parameter or cookie. */
  carrier: { place: "header" | "query" | "cookie"; name: string; prefix: string } | null;
  scopes: readonly { name: string; description: string | null }[];
  /** Where tokens come from, as the description names it: `clientCredentials tokenUrl`. */
  addresses: readonly { name: string; href: string }[];
  /** The form of a token: `JWT`. */
  format: string | null;
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

/** OpenAPI and AsyncAPI 2 list names of schemes with scopes, AsyncAPI 3 the schemes themselves. */
export function securityOf(root: JsonObject, written: Json | undefined): SecurityChoice[] {
  const schemes = schemesIn(root);
  return listIn(written)
    .slice(0, SHOWN.security)
    .map((each): SecurityChoice => {
      const found = follow(root, each);
      const { type, scopes } = found?.object ?? {};
      if (typeof type === "string")
        return [schemeOf(root, { name: found?.name ?? type, scheme: found?.object, scopes })];
      return Object.entries(found?.object ?? {})
        .slice(0, SHOWN.security)
        .map(([name, ofName]) => {
          const known = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
          return schemeOf(root, { name, scheme: follow(root, known)?.object, scopes: ofName });
        });
    });
}

/** The schemes of a document by their names. */
export const schemesIn = (root: JsonObject): JsonObject =>
  follow(root, follow(root, root["components"])?.object["securitySchemes"])?.object ?? {};

interface WrittenScheme {
  name: string;
  scheme: JsonObject | undefined;
  /** The scopes that are needed. */
  scopes: Json | undefined;
}

function schemeOf(root: JsonObject, { name, scheme = {}, scopes }: WrittenScheme): SecurityScheme {
  const flows = partsIn(root, scheme["flows"]).map(([flow, each]) => ({
    flow,
    object: follow(root, each)?.object ?? {},
  }));
  const known = flows.flatMap(({ object }) => partsIn(root, object["scopes"] ?? object["availableScopes"]));
  const descriptions = new Map(known);
  const needed = listIn(scopes).slice(0, SHOWN.scopes);
  const common = {
    name: name.slice(0, CHARACTERS.name),
    description: descriptionOf(scheme),
    scopes: needed.flatMap((scope) => {
      const text = textOf(scope, CHARACTERS.name);
      return text === null ? [] : [{ name: text, description: textOf(descriptions.get(text), CHARACTERS.description) }];
    }),
    addresses: [
      ...flows.flatMap(({ flow, object }) =>
        addressesIn(object).map((each) => ({ ...each, name: `${flow} ${each.name}` })),
      ),
      ...addressesIn(scheme),
    ],
    format: textOf(scheme["bearerFormat"], CHARACTERS.name),
  };
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
      return {
        ...common,
        kind: "API key",
        carrier: { place, name: textOf(scheme["name"], CHARACTERS.name) ?? name, prefix: "" },
      };
    }
    case "oauth2":
      return { ...common, kind: "OAuth 2.0", carrier: authorization("Bearer ") };
    case "openIdConnect":
      return { ...common, kind: "OpenID Connect", carrier: authorization("Bearer ") };
    default:
      return { ...common, kind: OTHER_KINDS.get(textOf(scheme["type"], 40) ?? "") ?? "Authentication", carrier: null };
  }
}

const ADDRESSES = [
  "authorizationUrl",
  "deviceAuthorizationUrl",
  "tokenUrl",
  "refreshUrl",
  "openIdConnectUrl",
  "oauth2MetadataUrl",
];

function addressesIn(object: JsonObject): SecurityScheme["addresses"] {
  return ADDRESSES.flatMap((name) => {
    const href = textOf(object[name], CHARACTERS.url);
    return href === null ? [] : [{ name, href }];
  });
}
