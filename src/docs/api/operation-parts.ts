import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { SHOWN } from "./bounds.ts";
import { codeSpan, descriptionOf, plainText, textOf } from "./document-text.ts";
import type { ValueStyle } from "#lib/parameter-values.ts";
import { exampleOf } from "./example-value.ts";
import { bodyExamples, examplesOfSchema, givenExamples, type ExampleView } from "./examples.ts";
import { follow, partsIn } from "./references.ts";
import type { SchemaReader, SchemaTree } from "./schema-tree.ts";
import type { SecurityChoice } from "./security.ts";
import { scalarText } from "./written-number.ts";

export const PARAMETER_PLACES = ["path", "query", "header", "cookie"] as const;
export type ParameterPlace = (typeof PARAMETER_PLACES)[number];

export interface ParameterView {
  place: ParameterPlace;
  name: string;
  isRequired: boolean;
  isDeprecated: boolean;
  description: string | null;
  schema: SchemaTree;
  /** For sample requests; undefined when it may be omitted. */
  example: Json | undefined;
  examples: readonly ExampleView[];
  sent: ValueStyle;
}

export interface ContentView {
  /** `application/json`. */
  type: string;
  schema: SchemaTree | null;
  examples: readonly ExampleView[];
}

export interface ResponseView {
  /** `200`, `4XX` or `default`. */
  status: string;
  description: string | null;
  headers: readonly ParameterView[];
  contents: readonly ContentView[];
}

export interface BodyView {
  description: string | null;
  isRequired: boolean;
  contents: readonly ContentView[];
}

/** What a request of an API sends and gets, of an operation or of a callback. */
export interface CallParts {
  parameters: readonly ParameterView[];
  body: BodyView | null;
  responses: readonly ResponseView[];
}

export function callPartsOf(
  root: JsonObject,
  { operation, item }: { operation: JsonObject; item: JsonObject },
  { request, response }: { request: SchemaReader; response: SchemaReader },
): CallParts {
  return {
    parameters: parametersOf(root, { operation, item, reader: request }),
    body: bodyOf(root, operation["requestBody"], request),
    responses: responsesOf(root, operation["responses"], response),
  };
}

function parametersOf(
  root: JsonObject,
  { operation, item, reader }: { operation: JsonObject; item: JsonObject; reader: SchemaReader },
): ParameterView[] {
  const byPlace = new Map<string, ParameterView>();
  for (const list of [item["parameters"], operation["parameters"]]) {
    for (const written of listIn(list).slice(0, SHOWN.parameters)) {
      const parameter = follow(root, written)?.object;
      const name = textOf(parameter?.["name"], 200);
      const place = PARAMETER_PLACES.find((each) => each === parameter?.["in"]);
      if (parameter === undefined || name === null || place === undefined || parameter["x-hidden"] === true) continue;
      byPlace.set(`${place} ${name}`, viewParameter(root, parameter, { name, place, reader }));
    }
  }
  return [...byPlace.values()];
}

function viewParameter(
  root: JsonObject,
  parameter: JsonObject,
  { name, place, reader }: { name: string; place: ParameterPlace; reader: SchemaReader },
): ParameterView {
  const content = isJsonObject(parameter["content"]) ? Object.values(parameter["content"])[0] : undefined;
  const media = follow(root, content)?.object ?? {};
  const schema = parameter["schema"] ?? media["schema"];
  const isRequired = place === "path" || parameter["required"] === true;
  // The schema shows its plain examples itself.
  const ofSchema = examplesOfSchema(root, schema).filter((value) => scalarText(value) === undefined);
  const examples = givenExamples(root, { ...media, ...parameter }, { reader, ofSchema });
  const given = parameter["example"] ?? examples.find(({ value }) => value !== undefined)?.value;
  return {
    place,
    name,
    isRequired,
    isDeprecated: parameter["deprecated"] === true,
    description: descriptionOf(parameter),
    schema: reader.tree(schema ?? { type: "string" }) ?? reader.tree({})!,
    example: given ?? (isRequired ? exampleOf(root, schema, "request") : undefined),
    examples,
    sent: valueStyle(parameter, place),
  };
}

function valueStyle(parameter: JsonObject, place: ParameterPlace): ValueStyle {
  const written = textOf(parameter["style"], 40);
  const style = written ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const explode = parameter["explode"] === undefined ? style === "form" : parameter["explode"] === true;
  return { style, explode, isJson: isJsonObject(parameter["content"]) };
}

function bodyOf(root: JsonObject, written: Json | undefined, reader: SchemaReader): BodyView | null {
  const body = follow(root, written)?.object;
  if (body === undefined) return null;
  return {
    description: descriptionOf(body),
    isRequired: body["required"] === true,
    contents: contentsOf(root, body["content"], { reader, use: "request" }),
  };
}

function contentsOf(
  root: JsonObject,
  written: Json | undefined,
  { reader, use }: { reader: SchemaReader; use: "request" | "response" },
): ContentView[] {
  if (!isJsonObject(written)) return [];
  return Object.entries(written)
    .slice(0, SHOWN.contents)
    .map(([type, value]) => {
      const media = follow(root, value)?.object ?? {};
      return {
        type: type.slice(0, 120),
        schema: reader.tree(media["schema"]),
        examples: bodyExamples(root, media, { reader, use }),
      };
    });
}

function responsesOf(root: JsonObject, written: Json | undefined, reader: SchemaReader): ResponseView[] {
  return partsIn(root, written)
    .slice(0, SHOWN.responses)
    .map(([status, value]) => {
      const response = follow(root, value)?.object ?? {};
      const headers = isJsonObject(response["headers"]) ? Object.entries(response["headers"]) : [];
      return {
        status: status.slice(0, 20),
        description: descriptionOf(response),
        headers: headers.slice(0, 50).flatMap(([name, header]) => {
          const object = follow(root, header)?.object;
          return object === undefined
            ? []
            : [viewParameter(root, object, { name: name.slice(0, 200), place: "header", reader })];
        }),
        contents: contentsOf(root, response["content"], { reader, use: "response" }),
      };
    });
}

export const PLACE_TITLES: Record<ParameterPlace, string> = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
  cookie: "Cookies",
};

const MAX_EXAMPLE_CHARACTERS = 60_000;

/** An example as code. */
export function exampleCode(value: Json): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return text.length > MAX_EXAMPLE_CHARACTERS ? `${text.slice(0, MAX_EXAMPLE_CHARACTERS)}\n…` : text;
}

/** The credentials that a caller needs, as lines of a page for agents. */
export const securityLines = (security: readonly SecurityChoice[], title = "## Authorization"): string[] =>
  security.length === 0 ? [] : [title, "", ...security.map((choice) => `- ${securityText(choice)}`), ""];

function securityText(choice: SecurityChoice): string {
  if (choice.length === 0) return "None is needed.";
  return choice
    .map(({ kind, name, carrier, scopes }) => {
      const where = carrier === null ? "" : ` in the ${carrier.place} ${codeSpan(carrier.name)}`;
      const rights = scopes.length === 0 ? "" : `, with ${scopes.map(codeSpan).join(", ")}`;
      return `${plainText(kind)} (${codeSpan(name)})${where}${rights}`;
    })
    .join(" and ");
}
