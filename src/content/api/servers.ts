import { isJsonObject, type Json, type JsonObject } from "#content/json-document.ts";
import { textOf } from "./document-text.ts";
import { follow } from "./references.ts";

export interface ApiServer {
  /** With the defaults of its variables put in, without a slash at its end. */
  url: string;
  description: string | null;
}

const MAX_SERVERS = 10;

/** The servers of the first of these that names some: the operation, its path, the document. */
export function serversOf(root: JsonObject, places: readonly JsonObject[]): ApiServer[] {
  const written = places.map((place) => place["servers"]).find((list) => Array.isArray(list) && list.length > 0);
  if (!Array.isArray(written)) return [];
  return (written as readonly Json[]).slice(0, MAX_SERVERS).flatMap((entry) => {
    const server = follow(root, entry)?.object;
    const url = textOf(server?.["url"], 1_000);
    if (server === undefined || url === null) return [];
    const filled = fillVariables(root, url, server["variables"]);
    return [{ url: filled.replace(/\/{1,20}$/, ""), description: textOf(server["description"], 200) }];
  });
}

/** An address with the defaults of its variables put in. */
export function fillVariables(root: JsonObject, url: string, written: Json | undefined): string {
  const variables = isJsonObject(written) ? written : {};
  return url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? follow(root, variables[name])?.object : undefined;
    return textOf(variable?.["default"], 200) ?? whole;
  });
}
