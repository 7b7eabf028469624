import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { KeyScope } from "#kit/levels.ts";

/** A JSON Schema, as far as the document has one. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  example?: unknown;
  additionalProperties?: boolean | Schema;
}
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  explode?: boolean;
  schema: Schema;
}
interface Answer {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema }>;
}
interface WrittenOperation {
  operationId: string;
  "x-required-scope"?: KeyScope;
  "x-key-of"?: "instance";
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
}
export interface InterfaceDocument {
  paths: Record<string, Record<string, WrittenOperation>>;
  webhooks: Record<string, Record<string, WrittenOperation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    headers: Record<string, { required: boolean; schema: Schema }>;
  };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Null: it takes none. */
  body: Schema | null;
  isBodyRequired: boolean;
  /** The answers by their status. */
  responses: Record<string, Answer>;
  /** Of the key that it needs. */
  scope: KeyScope | undefined;
  isOfInstance: boolean;
}

export interface GivenAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Whether the body is only its beginning. */
  isCut?: boolean;
}

/** What every HTTP answer has or may have, of which no interface speaks. */
const OF_HTTP = new Set(["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"]);
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function createAjv(document: InterfaceDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat("date-time", (text) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)));
  ajv.addFormat("uri", (text) => URL.canParse(text));
  ajv.addFormat("uri-reference", (text) => URL.canParse(text, "http://localhost"));
  ajv.addSchema({ $id: "api", components: { schemas: document.components.schemas } });
  return ajv;
}

/** The operations of a document, and what is wrong with requests and answers by it. */
export function readInterface(document: InterfaceDocument) {
  const { components } = document;
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(components.schemas[schema.$ref.split("/").at(-1)!]!);
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses, ...own }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content["application/json"]?.schema ?? null,
      isBodyRequired: requestBody?.required ?? false,
      responses,
      scope: own["x-required-scope"],
      isOfInstance: own["x-key-of"] === "instance",
    })),
  );

  const asked = createAjv(document);
  const told = createAjv({
    ...document,
    components: { ...components, schemas: closeAll(components.schemas, resolve) },
  });
  const compiled = new Map<string, ValidateFunction>();
  function check(ajv: Ajv2020, schema: Schema, value: unknown): string | null {
    const text = (ajv === told ? JSON.stringify(close(schema, resolve)) : JSON.stringify(schema)).replaceAll(
      '"#/',
      '"api#/',
    );
    const key = `${ajv === told} ${text}`;
    let validate = compiled.get(key);
    if (!validate) compiled.set(key, (validate = ajv.compile(JSON.parse(text) as object)));
    if (validate(value)) return null;
    return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join("; "); // oxfmt-ignore
  }

  return {
    operations,
    resolve,
    /** Why the document refuses a value of a request; null when it takes it. */
    refusal: (schema: Schema, value: unknown) => check(asked, schema, value),
    /** What is wrong with a message to a webhook. */
    messageProblem: (type: string, body: unknown) =>
      check(told, document.webhooks[type]!["post"]!.requestBody!.content["application/json"]!.schema, body),
    /** What is wrong with an event of a stream. */
    eventProblem: (type: string, data: unknown) =>
      check(told, { $ref: `#/components/schemas/${type === "done" ? "AgentJob" : "AgentJobEvent"}` }, data),
    /** What the document does not say of an answer to an operation; empty when it says all of it. */
    answerProblems({ id }: Operation, { status, headers, body, isCut = false }: GivenAnswer): string[] {
      const written = operations.find((operation) => operation.id === id)!.responses[String(status)];
      if (!written) return [`the status ${status} is not in the document: ${body.slice(0, 200)}`];
      const answer = written.$ref === undefined ? written : components.responses[written.$ref.split("/").at(-1)!]!;
      return [...headerProblems(answer, headers), ...bodyProblems(answer, { headers, body, isCut })];
    },
  };

  function headerProblems({ headers: written = {} }: Answer, given: Record<string, string>): string[] {
    const names = new Map(Object.keys(written).map((name) => [name.toLowerCase(), name]));
    const unsaid = Object.keys(given).filter((name) => !names.has(name) && !OF_HTTP.has(name));
    const wrong = [...names].flatMap(([name, writtenName]) => {
      const { required, schema } = components.headers[writtenName]!;
      const text = given[name];
      if (text === undefined) return required ? [`has no header ${writtenName}`] : [];
      const value = schema.type === "integer" && /^\d+$/.test(text) ? Number(text) : text;
      const problem = check(told, schema, value);
      return problem === null ? [] : [`header ${writtenName}: ${text}: ${problem}`];
    });
    return [...unsaid.map((name) => `header ${name} is not in the document`), ...wrong];
  }

  function bodyProblems(
    { content = {} }: Answer,
    answer: Pick<GivenAnswer, "headers" | "body"> & { isCut: boolean },
  ): string[] {
    const type = answer.headers["content-type"]?.split(";")[0];
    if (Object.keys(content).length === 0) return answer.body === "" ? [] : ["has a body that is not in the document"];
    const form = type === undefined ? undefined : content[type];
    if (!form) return [`the type ${type} is not in the document`];
    if (type !== "application/json" || answer.isCut) return [];
    const problem = check(told, form.schema, JSON.parse(answer.body));
    return problem === null ? [] : [`${problem} in ${answer.body.slice(0, 300)}`];
  }
}

export type DescribedInterface = ReturnType<typeof readInterface>;

type Resolve = (schema: Schema) => Schema;

/** Schemas that take no field beside those that they name, so that one that is not in the document is found. */
function closeAll(schemas: Record<string, Schema>, resolve: Resolve): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, close(schema, resolve)]));
}

function close(schema: Schema, resolve: Resolve): Schema {
  const { allOf, ...rest } = schema;
  if (allOf) {
    const parts = allOf.map(resolve);
    const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, Schema>;
    return close(
      { ...rest, type: "object", properties, required: parts.flatMap((part) => part.required ?? []) },
      resolve,
    );
  }
  const inner = (part: Schema) => close(part, resolve);
  return {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, inner(part)])),
      additionalProperties: schema.additionalProperties ?? false,
    }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
  };
}
