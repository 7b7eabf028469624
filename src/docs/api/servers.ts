import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { codeSpan, descriptionOf, plainText, textOf } from "./document-text.ts";
import { follow, partsIn } from "./references.ts";

export interface ApiServer {
  /** The address with the defaults of its variables filled in, without a trailing slash. */
  url: string;
  description: string | null;
  /** The address for each value of its variables; the first is `url`. */
  choices: readonly string[];
  variables: readonly ServerVariable[];
}

interface ServerVariable {
  name: string;
  /** The default, then the other values of its `enum`. */
  values: readonly string[];
  description: string | null;
}

/** The servers of the first place that names any: the operation, its path, the document. */
export function serversOf(root: JsonObject, places: readonly JsonObject[]): ApiServer[] {
  const written = places.map((place) => listIn(place["servers"])).find((list) => list.length > 0) ?? [];
  return written.slice(0, SHOWN.servers).flatMap((entry) => {
    const server = follow(root, entry)?.object;
    const url = textOf(server?.["url"], CHARACTERS.url);
    if (server === undefined || url === null) return [];
    const variables = variablesOf(root, server["variables"]).filter(({ name }) => url.includes(`{${name}}`));
    const choices = choicesOf(url, variables).map((each) => each.replace(/\/{1,20}$/, ""));
    return [{ url: choices[0] ?? "", description: descriptionOf(server), choices, variables }];
  });
}

/** The variables of a server with what they may be. */
export function variablesOf(root: JsonObject, written: Json | undefined): ServerVariable[] {
  return partsIn(root, written).map(([name, each]) => {
    const variable = follow(root, each)?.object;
    const values = [variable?.["default"], ...listIn(variable?.["enum"])].map((value) =>
      textOf(value, CHARACTERS.name),
    );
    return {
      name,
      values: [...new Set(values.filter((value) => value !== null))],
      description: descriptionOf(variable),
    };
  });
}

/** The servers of a page for agents, with their variables, as lines of a list. */
export function serverLines(servers: readonly Pick<ApiServer, "url" | "description" | "variables">[]): string[] {
  const more = (description: string | null) => (description === null ? "" : `: ${plainText(description)}`);
  return servers.flatMap(({ url, description, variables }) => [
    `- ${codeSpan(url)}${more(description)}`,
    ...variables.map(
      ({ name, values, description: text }) =>
        `  - ${codeSpan(name)} (${values.map(codeSpan).join(", ")})${more(text)}`,
    ),
  ]);
}

/** One address for each combination of the variables' values, the one with the defaults first. */
function choicesOf(url: string, variables: readonly ServerVariable[]): string[] {
  let choices = [url];
  for (const { name, values } of variables) {
    if (values.length === 0) continue;
    choices = values
      .flatMap((each) => choices.map((choice) => choice.replaceAll(`{${name}}`, () => each)))
      .slice(0, SHOWN.serverChoices);
  }
  return choices;
}

/** Fills the defaults of its variables into an address. */
export function fillServerVariables(root: JsonObject, url: string, written: Json | undefined): string {
  const variables = isJsonObject(written) ? written : {};
  return url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? follow(root, variables[name])?.object : undefined;
    return textOf(variable?.["default"], CHARACTERS.name) ?? whole;
  });
}
