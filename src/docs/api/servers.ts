import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { SHOWN } from "./bounds.ts";
import { textOf } from "./document-text.ts";
import { follow } from "./references.ts";

export interface ApiServer {
  /** The address with the defaults of its variables filled in, without a trailing slash. */
  url: string;
  description: string | null;
  /** The address for each value of its variables; the first is `url`. */
  choices: readonly string[];
}

const MAX_CHOICES = 60;

/** The servers of the first place that names any: the operation, its path, the document. */
export function serversOf(root: JsonObject, places: readonly JsonObject[]): ApiServer[] {
  const written = places.map((place) => listIn(place["servers"])).find((list) => list.length > 0) ?? [];
  return written.slice(0, SHOWN.servers).flatMap((entry) => {
    const server = follow(root, entry)?.object;
    const url = textOf(server?.["url"], 1_000);
    if (server === undefined || url === null) return [];
    const choices = choicesOf(root, url, server["variables"]).map((each) => each.replace(/\/{1,20}$/, ""));
    return [{ url: choices[0] ?? "", description: textOf(server["description"], 200), choices }];
  });
}

/** One address for each combination of the variables' values, the one with the defaults first. */
function choicesOf(root: JsonObject, url: string, written: Json | undefined): string[] {
  const variables = isJsonObject(written) ? Object.entries(written) : [];
  let choices = [url];
  for (const [name, value] of variables) {
    const variable = follow(root, value)?.object;
    const main = textOf(variable?.["default"], 200);
    const allowed = listIn(variable?.["enum"]);
    const values = [main, ...allowed.map((each) => textOf(each, 200))].filter((each) => each !== null);
    if (!url.includes(`{${name}}`) || values.length === 0) continue;
    choices = [...new Set(values)]
      .flatMap((each) => choices.map((choice) => choice.replaceAll(`{${name}}`, () => each)))
      .slice(0, MAX_CHOICES);
  }
  return choices;
}

/** Fills the defaults of its variables into an address. */
export function fillServerVariables(root: JsonObject, url: string, written: Json | undefined): string {
  const variables = isJsonObject(written) ? written : {};
  return url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? follow(root, variables[name])?.object : undefined;
    return textOf(variable?.["default"], 200) ?? whole;
  });
}
