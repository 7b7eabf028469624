import { readFileSync } from "node:fs";
import path from "node:path";

/** A JSON Schema as the interface's document has it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  description?: string;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export const OPERATIONS_FILE = "clients/typescript/src/operations.ts";
export const PYTHON_OPERATIONS_FILE = "clients/python/docent_client/operations.py";
const METHODS = ["get", "put", "post", "patch", "delete"];

/**
 * The types of every operation of `docs/openapi.json`, for the client: bodies, parameters, answers, and how each is called.
 * Operations that answer with something else than JSON alone (the event stream) are left to the client's own code.
 */
export function clientOperations(root: string): string {
  const { document, called } = readOperations(root);
  const schemas = Object.entries(document.components.schemas)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `  ${name}: ${typeOf(schema)};`);
  return [
    "// Written by `npm run fix` from docs/openapi.json: change the routes instead.",
    "",
    "/** Bodies by their names in the document. */",
    "export interface Schemas {",
    ...schemas,
    "}",
    "",
    "/** What each operation takes and answers with, by its `operationId`. `path` is without the project. */",
    "export interface Operations {",
    ...called.map(
      (operation) => `  /** ${operation.summary}. */\n  ${operation.operationId}: ${signature(operation)};`,
    ),
    "}",
    "",
    "/** Method and path of each operation. */",
    "export const OPERATIONS = {",
    ...called.map(({ operationId, method, address }) => `  ${operationId}: ["${method.toUpperCase()}", "${address}"],`),
    "} as const satisfies Record<keyof Operations, readonly [string, string]>;",
    "",
  ].join("\n");
}

/** Method and path of each operation, for the Python client. */
export function pythonOperations(root: string): string {
  const rows = readOperations(root).called.map(
    ({ operationId, method, address }) => `    "${operationId}": ("${method.toUpperCase()}", "${address}"),`,
  );
  return [
    '"""Written by `npm run fix` from docs/openapi.json: change the routes instead."""',
    "",
    "OPERATIONS = {",
    ...rows,
    "}",
    "",
  ].join("\n");
}

function readOperations(root: string) {
  const document = JSON.parse(readFileSync(path.join(root, "docs/openapi.json"), "utf8")) as Document;
  const operations = Object.entries(document.paths).flatMap(([address, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ address, method, ...item[method] }] : [])),
  );
  return { document, called: operations.filter((operation) => answerOf(operation) !== null) };
}

function signature(operation: Operation): string {
  const of = (place: string) =>
    (operation.parameters ?? []).filter((parameter) => parameter.in === place && parameter.name !== "projectId");
  const fields = (place: string) =>
    of(place).map(({ name, required, schema }) => `${name}${required ? "" : "?"}: ${typeOf(schema)}`);
  const body = operation.requestBody?.content["application/json"]?.schema;
  const parts = [
    `path: { ${fields("path").join("; ")} }`,
    `query: { ${fields("query").join("; ")} }`,
    `body: ${body ? `${typeOf(body)}${operation.requestBody?.required ? "" : " | undefined"}` : "undefined"}`,
    `answer: ${answerOf(operation)}`,
  ];
  return `{ ${parts.join("; ")} }`;
}

/** Type of the good answer; null where it is not JSON. */
function answerOf({ responses }: Operation): string | null {
  const good = Object.entries(responses).find(([status]) => status.startsWith("2"));
  if (!good) return null;
  const { content } = good[1];
  if (content === undefined) return "null";
  const schema = content["application/json"]?.schema;
  return schema ? typeOf(schema) : null;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `Schemas["${schema.$ref.split("/").at(-1)}"]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(" & ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map(typeOf))].join(" | ");
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => typeNamed(type, schema)).join(" | ");
}

function typeNamed(type: string, schema: Schema): string {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${schema.items ? typeOf(schema.items) : "unknown"})[]`;
    case "object":
      return objectType(schema);
    default:
      return type; // string, boolean, null
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? "" : "?"}: ${typeOf(property)}`;
  });
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  return additionalProperties === false ? "Record<string, never>" : `Record<string, ${values}>`;
}
