import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, MAX_OPERATIONS, SHOWN } from "#docs/api/bounds.ts";
import { type FieldKind, fieldKind } from "#docs/api/field-kinds.ts";
import { HTTP_METHODS } from "#docs/api/operations.ts";
import { AS_WRITTEN } from "#docs/api/schema-constraints.ts";
import { FILES_KEY, follow, partsIn } from "#docs/api/references.ts";
import { schemesIn } from "#docs/api/security.ts";
import { scalarText } from "#docs/api/written-number.ts";
import { didYouMean } from "#lib/nearest.ts";

export interface LimitProblem {
  message: string;
  /** Names of the fields from the root to the place. */
  way: readonly string[];
  /** The file of the place; null for the description's first file. */
  file: string | null;
}

/** The lists and maps that each limit is about. Those without a name are counted by functions of their own. */
const LISTS: Record<keyof typeof SHOWN, readonly string[]> = {
  parameters: ["parameters"],
  responses: ["responses"],
  headers: ["headers"],
  contents: ["content"],
  examples: ["examples"],
  servers: ["servers"],
  serverChoices: [],
  callbacks: ["callbacks"],
  choices: ["enum"],
  variants: ["oneOf", "anyOf", "mapping"],
  parts: ["allOf"],
  security: ["security"],
  scopes: [],
  links: ["links"],
  samples: ["x-codeSamples", "x-code-samples"],
  messages: ["messages"],
  actions: [], // `channelProblems`
  bindings: ["bindings"],
  traits: ["traits"],
};
/** The texts that each limit is about. */
const TEXTS: Record<keyof typeof CHARACTERS, readonly string[]> = {
  description: ["description"],
  summary: ["summary", "title"],
  name: [
    ..."name operationId bearerFormat label lang contentType style format identifier email version".split(" "),
    "contentMediaType",
  ],
  url: [
    ..."url tokenUrl authorizationUrl deviceAuthorizationUrl refreshUrl openIdConnectUrl oauth2MetadataUrl".split(" "),
    ..."termsOfService externalValue operationRef address host pathname location".split(" "),
  ],
  source: ["source"],
  example: ["example", "value"],
  rule: ["pattern", ...AS_WRITTEN],
  value: ["default", "const"],
};
const mostOf = <Limit extends string>(limits: Record<Limit, number>, fields: Record<Limit, readonly string[]>) =>
  new Map((Object.keys(fields) as Limit[]).flatMap((limit) => fields[limit].map((name) => [name, limits[limit]])));
const MOST_ENTRIES = mostOf(SHOWN, LISTS);
const MOST_CHARACTERS = mostOf(CHARACTERS, TEXTS);

/** A page shows these as they are written, with everything below. */
const WHOLE = new Set<string>(AS_WRITTEN);
/** Maps whose names a page shows. */
const NAMED = new Set("headers examples callbacks links content responses messages channels operations".split(" "));

/** Reports the lists, maps and texts of a document that a page truncates, and schemes of `security` that it cannot explain. */
export function limitProblems(root: JsonObject): LimitProblem[] {
  const problems: LimitProblem[] = [];
  const schemes = schemesIn(root);
  const undefinedSchemes = new Set<string>();
  visit(root, [], null);
  const files = isJsonObject(root[FILES_KEY]) ? Object.entries(root[FILES_KEY]) : [];
  for (const [file, value] of files) visit(value, [], file);
  const operations = countOperations(root);
  if (operations > MAX_OPERATIONS)
    complain(["paths"], null, `${MAX_OPERATIONS} of ${operations} operations have pages`);
  return problems;

  function complain(way: readonly string[], file: string | null, shown: string): void {
    problems.push({ message: `Only the first ${shown}.`, way, file });
  }

  function count(value: Json, way: readonly string[], file: string | null): void {
    const name = way.at(-1) ?? "";
    const most = MOST_ENTRIES.get(name);
    const entries = Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
    // The maps of `components` and of a file of parts are counted where they are used.
    const isUsed = way.at(-2) !== "components" && (file === null || way.length > 1 || Array.isArray(value));
    if (most !== undefined && entries > most && isUsed)
      complain(way, file, `${most} of ${entries} entries of ${placeOf(way)} are shown`);
    const characters = MOST_CHARACTERS.get(name);
    if (characters !== undefined) measure(value, characters, { way, file });
    if (name === "enum") for (const choice of listIn(value)) measure(choice, CHARACTERS.value, { way, file });
    if (name === "examples") for (const each of listIn(value)) measure(each, CHARACTERS.example, { way, file });
    if (way.at(-3) === "links") measureLink(value, way, file);
    if (name === "variables") countChoices(value, way, file);
    if (name === "security") for (const choice of listIn(value)) readChoice(choice, way, file);
  }

  function measure(value: Json, most: number, { way, file }: { way: readonly string[]; file: string | null }): void {
    const isExample = most === CHARACTERS.example;
    const text = scalarText(value) ?? (isExample ? JSON.stringify(value, null, 2) : JSON.stringify(value));
    if (text.length > most) complain(way, file, `${most} of ${text.length} characters of ${placeOf(way)} are shown`);
  }

  function measureLink(value: Json, way: readonly string[], file: string | null): void {
    if (way.at(-1) === "requestBody") measure(value, CHARACTERS.value, { way, file });
    if (way.at(-1) !== "parameters") return;
    for (const [name, each] of partsIn(root, value)) measure(each, CHARACTERS.value, { way: [...way, name], file });
  }

  function countChoices(variables: Json, way: readonly string[], file: string | null): void {
    const values = partsIn(root, variables).map(([, variable]) => {
      const { default: main, enum: choices } = follow(root, variable)?.object ?? {};
      return new Set([...listIn(choices), ...(main === undefined ? [] : [main])].map(String)).size;
    });
    const all = values.reduce((product, size) => product * Math.max(1, size), 1);
    if (all > SHOWN.serverChoices)
      complain(way, file, `${SHOWN.serverChoices} of ${all} combinations of ${placeOf(way)} are offered`);
  }

  function readChoice(choice: Json, way: readonly string[], file: string | null): void {
    // AsyncAPI 3 lists the schemes themselves in place of their names.
    if (typeof follow(root, choice)?.object["type"] === "string") return;
    for (const [name, scopes] of partsIn(root, choice)) {
      const { length } = listIn(scopes);
      const place = placeOf([...way, name]);
      if (length > SHOWN.scopes) complain(way, file, `${SHOWN.scopes} of ${length} scopes of ${place} are shown`);
      if (Object.hasOwn(schemes, name) || undefinedSchemes.has(name)) continue;
      undefinedSchemes.add(name);
      const message = `The page does not say what "${name.slice(0, 200)}" is: securitySchemes has no scheme with this name.${didYouMean(name, Object.keys(schemes))}`;
      problems.push({ message, way, file });
    }
  }

  function visit(value: Json, way: readonly string[], file: string | null, kind: FieldKind = "part"): void {
    if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).entries())
        visit(item, [...way, String(index)], file, kind);
      return;
    }
    if (!isJsonObject(value) || kind === "data") return;
    const parent = { name: way.at(-1) ?? "", kind };
    for (const [name, child] of Object.entries(value)) {
      const below = [...way, name];
      // Pages show fields and headers by any name; elsewhere this is the prefix of extensions.
      if (name.startsWith("x-") && !MOST_ENTRIES.has(name) && !/^(?:properties|headers)$/.test(parent.name)) continue;
      if (kind === "part") count(child, below, file);
      else if (NAMED.has(parent.name)) measure(name, CHARACTERS.name, { way: below, file });
      if (kind !== "part" || !WHOLE.has(name)) visit(child, below, file, fieldKind(name, child, parent));
    }
  }
}

const placeOf = (way: readonly string[]) => way.map((each) => each.slice(0, 60)).join(" > ");

function countOperations(root: JsonObject): number {
  if (root["openapi"] === undefined) return partsIn(root, root["channels"]).length;
  const paths = partsIn(root, root["paths"]).map(([, item]) => follow(root, item)?.object ?? {});
  const ofPaths = paths.map((item) => HTTP_METHODS.filter((method) => isJsonObject(item[method])).length);
  return ofPaths.reduce((sum, each) => sum + each, partsIn(root, root["webhooks"]).length);
}
