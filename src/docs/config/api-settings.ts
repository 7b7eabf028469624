import { readApiSource, type ApiSource } from "./written-navigation.ts";
import { isJsonObject, type Json, type JsonDocument, type JsonObject } from "#docs/json-document.ts";

/** What a docs.json says about its API pages, under `api`. */
export interface ApiSettings {
  /** Described in these files unless a page or its place in the navigation names another. */
  source: ApiSource | null;
  /** Languages of code samples, by name; empty for those that are shown unasked. */
  languages: readonly string[];
  /** Whether readers can send requests from the page. */
  hasPlayground: boolean;
  /** Of pages that give method and path by themselves (`api:`). */
  server: string | null;
  auth: { method: "bearer" | "basic" | "key" | "none"; name: string | null };
}

const AUTH_METHODS = ["bearer", "basic", "key", "none"] as const;

/** Reads `api` leniently: what is absent or wrong has its default. */
export function readApiSettings(root: JsonObject, document: JsonDocument): ApiSettings {
  const api = objectAt(root, "api");
  const mdx = objectAt(api, "mdx");
  const auth = objectAt(mdx, "auth");
  const servers = Array.isArray(mdx["server"]) ? (mdx["server"] as readonly Json[]) : [mdx["server"] ?? api["baseUrl"]];
  const server = servers.find((each) => typeof each === "string" && /^https?:\/\//i.test(each));
  const languages = objectAt(api, "examples")["languages"];
  const method = AUTH_METHODS.find((each) => each === auth["method"]) ?? "none";
  return {
    source: readApiSource(api["openapi"] ?? root["openapi"] ?? api["asyncapi"] ?? root["asyncapi"], () =>
      document.locate(api, "openapi"),
    ),
    languages: Array.isArray(languages)
      ? (languages as readonly Json[]).filter((each) => typeof each === "string").slice(0, 30)
      : [],
    hasPlayground: objectAt(api, "playground")["display"] !== "none",
    server: typeof server === "string" ? server.slice(0, 500) : null,
    auth: { method, name: typeof auth["name"] === "string" ? auth["name"].slice(0, 100) : null },
  };
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}
