import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { codeText, descriptionOf, textOf } from "./document-text.ts";
import type { ValueStyle } from "#lib/parameter-values.ts";
import { type ExampleView, exampleOf } from "./example-value.ts";
import { bodyExamples, examplesOfSchema, givenExamples } from "./examples.ts";
import { follow, partsIn } from "./references.ts";
import { encodingConstraints } from "./schema-constraints.ts";
import type { SchemaReader, SchemaTree } from "./schema-tree.ts";
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
  links: readonly LinkView[];
}

/** A call that a response makes possible. */
interface LinkView {
  name: string;
  /** The id of the operation, or a reference to it. */
  target: string | null;
  description: string | null;
  /** What the call takes from the response. */
  values: readonly { name: string; value: string }[];
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
      const name = textOf(parameter?.["name"], CHARACTERS.name);
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
        type: type.slice(0, CHARACTERS.name),
        schema: withEncoding(root, reader.tree(media["schema"]), media["encoding"]),
        examples: bodyExamples(root, media, { reader, use }),
      };
    });
}

/** The schema of a form, with how each field is sent. */
function withEncoding(root: JsonObject, schema: SchemaTree | null, written: Json | undefined): SchemaTree | null {
  if (schema === null || !isJsonObject(written)) return schema;
  const fields = schema.fields.map((field) => {
    const more = Object.hasOwn(written, field.name) ? encodingConstraints(root, written[field.name]) : [];
    return { ...field, schema: { ...field.schema, constraints: [...field.schema.constraints, ...more] } };
  });
  return { ...schema, fields };
}

function responsesOf(root: JsonObject, written: Json | undefined, reader: SchemaReader): ResponseView[] {
  return partsIn(root, written)
    .slice(0, SHOWN.responses)
    .map(([status, value]) => {
      const response = follow(root, value)?.object ?? {};
      const headers = isJsonObject(response["headers"]) ? Object.entries(response["headers"]) : [];
      return {
        status: status.slice(0, CHARACTERS.name),
        description: descriptionOf(response),
        headers: headers.slice(0, SHOWN.headers).flatMap(([name, header]) => {
          const object = follow(root, header)?.object;
          return object === undefined
            ? []
            : [viewParameter(root, object, { name: name.slice(0, CHARACTERS.name), place: "header", reader })];
        }),
        contents: contentsOf(root, response["content"], { reader, use: "response" }),
        links: linksOf(root, response["links"]),
      };
    });
}

function linksOf(root: JsonObject, written: Json | undefined): LinkView[] {
  return partsIn(root, written)
    .slice(0, SHOWN.links)
    .map(([name, each]) => {
      const link = follow(root, each)?.object ?? {};
      const values = partsIn(root, link["parameters"]);
      if (link["requestBody"] !== undefined) values.push(["requestBody", link["requestBody"]]);
      return {
        name: name.slice(0, CHARACTERS.name),
        target: textOf(link["operationId"], CHARACTERS.name) ?? textOf(link["operationRef"], CHARACTERS.url),
        description: descriptionOf(link),
        values: values.map(([parameter, value]) => ({ name: parameter, value: codeText(value) })),
      };
    });
}

export const PLACE_TITLES: Record<ParameterPlace, string> = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
  cookie: "Cookies",
};

/** An example as code. */
export function exampleCode(value: Json): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return text.length > CHARACTERS.example ? `${text.slice(0, CHARACTERS.example)}\n…` : text;
}
