import { type ClientOperation, readClientInterface, type Schema, typesOf, variantsOf } from "./interface-document.ts";

export const TYPESCRIPT_OPERATIONS = "clients/typescript/src/operations.ts";

/** The types of every body and operation of `docs/openapi.json`, and how each operation is called, for the TypeScript client. */
export function typescriptOperations(root: string): string {
  const { schemas, operations } = readClientInterface(root);
  return [
    "// Written by `npm run fix` from docs/openapi.json: change the routes instead.",
    "",
    "/** Bodies by their names in the document. */",
    "export interface Schemas {",
    ...schemas.map(([name, schema]) => `${comment(schema.description, 1)}  ${name}: ${typeOf(schema, 1)};`),
    "}",
    "",
    "/** What each operation takes and answers with, by its `operationId`. */",
    "export interface Operations {",
    ...operations.map(operationType),
    "}",
    "",
    "/** Method and path of each operation, and the field of its answer that is listed page by page. */",
    "export const OPERATIONS = {",
    ...operations.map(({ id, method, address, list }) => {
      const field = list ? `, "${list.field}"` : "";
      return `  ${id}: ["${method}", "${address}"${field}],`;
    }),
    "} as const satisfies Record<keyof Operations, readonly [method: string, path: string, list?: string]>;",
    "",
  ].join("\n");
}

function operationType({
  id,
  summary,
  description,
  path,
  query,
  body,
  answers,
  list,
  texts,
  hasIfMatch,
}: ClientOperation) {
  const parameters = (all: ClientOperation["path"]): Schema => ({
    type: "object",
    properties: Object.fromEntries(
      all.map(({ name, schema, description: text = "" }) => [name, { description: text, ...schema }]),
    ),
    // The client knows its project.
    required: all.filter(({ name, required }) => required && name !== "projectId").map(({ name }) => name),
    additionalProperties: true,
  });
  const isEmpty = (all: unknown[]) => all.length === 0;
  const answer = [...new Set(answers.map((schema) => (schema ? typeOf(schema, 2) : "null")))].join(" | ");
  const none = "Record<never, never>";
  return [
    `${comment(`${summary}. ${description}`, 1)}  ${id}: {`,
    `    path: ${isEmpty(path) ? none : typeOf(parameters(path), 2)};`,
    `    query: ${isEmpty(query) ? none : typeOf(parameters(query), 2)};`,
    `    body: ${body ? `${typeOf(body.schema, 2)}${body.required ? "" : " | undefined"}` : "undefined"};`,
    `    headers: ${hasIfMatch ? '{ "If-Match"?: string }' : none};`,
    `    answer: ${answer};`,
    `    item: ${list ? typeOf(list.item, 2) : "never"};`,
    `    text: ${isEmpty(texts) ? "never" : texts.map((type) => `"${type}"`).join(" | ")};`,
    "  };",
  ].join("\n");
}

function comment(text: string | undefined, depth: number): string {
  const said = text?.replaceAll("*/", "*\\/").trim();
  return said ? `${"  ".repeat(depth)}/** ${said} */\n` : "";
}

function typeOf(schema: Schema, depth: number): string {
  if (schema.$ref !== undefined) return `Schemas["${schema.$ref.split("/").at(-1)}"]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part, depth)})`).join(" & ");
  const variants = variantsOf(schema);
  if (variants) return [...new Set(variants.map((one) => typeOf(one, depth)))].join(" | ");
  const types = typesOf(schema);
  return types.length === 0 ? "unknown" : types.map((type) => typeNamed(type, schema, depth)).join(" | ");
}

function typeNamed(type: string, schema: Schema, depth: number): string {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "array": {
      const item = schema.items ? typeOf(schema.items, depth) : "unknown";
      return item.includes(" ") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return objectType(schema, depth);
    default:
      return type; // string, boolean, null
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, depth: number): string {
  const inside = "  ".repeat(depth + 1);
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(property, depth + 1);
    return `${comment(property.description, depth + 1)}${inside}${key}${required.includes(name) ? "" : "?"}: ${type};`;
  });
  if (fields.length > 0) return `{\n${fields.join("\n")}\n${"  ".repeat(depth)}}`;
  const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, depth) : "unknown";
  return additionalProperties === false ? "Record<string, never>" : `Record<string, ${values}>`;
}
