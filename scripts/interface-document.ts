import { readFileSync } from "node:fs";
import path from "node:path";

/** A JSON Schema as the interface's document has it. */
export interface Schema {
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
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}
interface Answer {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  operationId: string;
  deprecated?: boolean;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
}
interface Document {
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
  components: { schemas: Record<string, Schema> } & Record<string, Record<string, unknown>>;
}

/** An operation that the clients call. */
export interface ClientOperation {
  id: string;
  method: string;
  address: string;
  summary: string;
  description: string;
  /** Parameters of the path, `projectId` among them. */
  path: Parameter[];
  query: Parameter[];
  hasIfMatch: boolean;
  body: { schema: Schema; required: boolean } | null;
  /** Null where a good answer has no body. */
  answers: (Schema | null)[];
  /** Where the answer is a page: the field with what is listed, and what that is. */
  list: { field: string; item: Schema } | null;
  /** Media types of further forms of the answer. */
  texts: string[];
}

const METHODS = ["get", "put", "post", "patch", "delete"];
const STREAM = "text/event-stream";

/** Schemas by name, and all operations but those that answer with a stream, which the clients' own code reads. */
export function readClientInterface(root: string): { schemas: [string, Schema][]; operations: ClientOperation[] } {
  const document = JSON.parse(readFileSync(path.join(root, "docs/openapi.json"), "utf8")) as Document;
  const resolve = <T extends { $ref?: string }>(value: T): T => {
    const [, , group = "", name = ""] = value.$ref?.split("/") ?? [];
    return value.$ref === undefined ? value : resolve(document.components[group]?.[name] as T);
  };
  const operations = Object.entries(document.paths).flatMap(([address, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      // What is deprecated still answers older clients; a new one has no use for it.
      if (!operation || operation.deprecated === true) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
      return [readOperation({ ...operation, parameters }, { address, method, resolve })];
    }),
  );
  const schemas = Object.entries(document.components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { schemas, operations: operations.filter(({ texts }) => !texts.includes(STREAM)) };
}

function readOperation(
  operation: Operation & { parameters: Parameter[] },
  at: { address: string; method: string; resolve: <T extends { $ref?: string }>(value: T) => T },
): ClientOperation {
  const good = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, answer]) => at.resolve(answer));
  const types = good.flatMap(({ content = {} }) => Object.keys(content));
  const answers = good.map(({ content }) => content?.["application/json"]?.schema ?? null);
  const whole = answers.length === 1 && answers[0] ? at.resolve(answers[0]) : {};
  const isPaged = good.some(({ headers = {} }) => "Link" in headers);
  const lists = Object.entries(whole.properties ?? {}).filter(([, { type, items }]) => type === "array" && items);
  const body = operation.requestBody?.content["application/json"]?.schema;
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  return {
    id: operation.operationId,
    method: at.method.toUpperCase(),
    address: at.address,
    summary: operation.summary,
    description: operation.description ?? "",
    path: of("path"),
    query: of("query"),
    hasIfMatch: of("header").some(({ name }) => name.toLowerCase() === "if-match"),
    body: body ? { schema: body, required: operation.requestBody?.required ?? false } : null,
    answers,
    list: isPaged && lists.length === 1 ? { field: lists[0]![0], item: lists[0]![1].items! } : null,
    texts: [...new Set(types.filter((type) => type !== "application/json"))],
  };
}

/** The variants of a schema that allows several; null for one that does not. */
export const variantsOf = (schema: Schema): Schema[] | null => schema.anyOf ?? schema.oneOf ?? null;

/** The types that a schema names; none where anything goes. */
export const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();
