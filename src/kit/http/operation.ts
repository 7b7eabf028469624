import { createRoute, type OpenAPIHono, type RouteConfig, type z } from "@hono/zod-openapi";
import { matchedRoutes } from "hono/route";
import type { HttpContext, HttpEnv } from "./context.ts";
import { type AnswerHeader, headersOf } from "./document/answer-headers.ts";
import { errorAnswers, type ErrorStatus } from "./document/error-answers.ts";
import { type Attached, attachingBody, jsonBody, limitedTo, optionalJsonBody } from "./json-body.ts";
import type { KeyScope } from "#kit/levels.ts";

/** Dates as in 2026-11-24. */
export interface Deprecation {
  since: string;
  /** The first day on which it may be removed. */
  until: string;
  /** The path to call instead. */
  use: string;
}

/** What the API checks and documents for an operation. */
export interface OperationFacts {
  /** Its name; null when the route is not an operation. */
  id: string | null;
  /** The lowest scope that a key needs, and the level that a person needs. */
  scope: KeyScope;
  /** Accepts only keys of the instance: it belongs to no project. */
  isOfInstance: boolean;
  /** Its handler calls `ifMatch`. */
  isConditional: boolean;
  deprecated: Deprecation | null;
}

type Method = "get" | "put" | "post" | "patch" | "delete";
/** The success status, its body if there is one, and a description. */
type GoodAnswer = readonly [200 | 201 | 202, z.ZodType, string] | readonly [204, string];

interface Declaration<Path extends string, M extends Method> {
  id: string;
  method: M;
  path: Path;
  tags: string[];
  summary: string;
  description: string;
  scope: KeyScope;
  isOfInstance?: boolean;
  isConditional?: boolean;
  deprecated?: Deprecation;
  /** Errors in addition to those of every operation. */
  errors?: readonly ErrorStatus[];
  /** Headers of the success response. */
  headers?: readonly AnswerHeader[];
  /** The columns of the CSV form, where `Accept: text/csv` is supported. */
  csv?: string;
}

type Part<Name extends string, Schema> = Schema extends z.ZodType ? Record<Name, Schema> : unknown;
type Body<Schema> = Schema extends z.ZodType
  ? { body: { content: { "application/json": { schema: Schema } } } }
  : unknown;
type Answers<Good> = Good extends readonly [infer Status extends number, infer Schema extends z.ZodType, string]
  ? Record<Status, { description: string; content: { "application/json": { schema: Schema } } }>
  : Good extends readonly [204, string]
    ? { 204: { description: string } }
    : Good;

// A symbol, so that JSON.stringify leaves it out of the document.
const FACTS = Symbol("facts of an operation");
const METHODS = ["get", "put", "post", "patch", "delete"] as const;

/**
 * Declares an operation of the API: its request, who may call it and its responses. The route, its part of the OpenAPI
 * document and the scope check all follow from this. `answer` is the success response, or the document's `responses`
 * when there are several forms.
 */
export function operation<
  const Path extends string,
  const M extends Method,
  const Good extends GoodAnswer | Record<number, unknown>,
  Params = undefined,
  Query = undefined,
  Headers = undefined,
  Json = undefined,
>(
  declared: Declaration<Path, M> & {
    params?: Params;
    query?: Query;
    requestHeaders?: Headers;
    body?: Json;
    /** The body may be left out, which means the empty object. */
    isBodyOptional?: boolean;
    attached?: Attached;
    answer: Good;
  },
) {
  const { id, method, path, tags, summary, description, params, query, requestHeaders, body } = declared;
  const { isBodyOptional = false, attached = null, errors = [], answer } = declared;
  const readBody = attached ? attachingBody(attached) : isBodyOptional ? optionalJsonBody : jsonBody;
  const facts: OperationFacts = {
    id,
    scope: declared.scope,
    isOfInstance: declared.isOfInstance ?? false,
    isConditional: declared.isConditional ?? false,
    deprecated: declared.deprecated ?? null,
  };
  const schema = body as z.ZodType | undefined;
  const route = {
    method,
    path,
    operationId: id,
    tags,
    summary,
    description,
    ...(schema && { middleware: [limitedTo(attached), readBody] }),
    request: {
      ...(params !== undefined && { params }),
      ...(query !== undefined && { query }),
      ...(requestHeaders !== undefined && { headers: requestHeaders }),
      ...(schema && { body: { required: !isBodyOptional, content: { "application/json": { schema } } } }),
    },
    responses: isGoodAnswer(answer)
      ? { ...goodResponse(answer, declared), ...errorAnswers(schema ? [...errors, 413, 415] : errors) }
      : answer,
    [FACTS]: facts,
  };
  // The route built above, in the types from which validators and handlers infer theirs.
  type Route = {
    method: M;
    path: Path;
    request: Part<"params", Params> & Part<"query", Query> & Part<"headers", Headers> & Body<Json>;
    responses: Answers<Good>;
  };
  return createRoute(route as unknown as RouteConfig) as unknown as Route & { getRoutingPath(): string };
}

const isGoodAnswer = (answer: GoodAnswer | Record<number, unknown>): answer is GoodAnswer => Array.isArray(answer);

function goodResponse(answer: GoodAnswer, { headers = [], csv }: Pick<Declaration<string, Method>, "headers" | "csv">) {
  if (answer[0] === 204) return { 204: { description: answer[1], headers: headersOf([]) } };
  const [status, schema, description] = answer;
  const text = { type: "string", description: `CSV (RFC 4180) with the columns ${csv}.` } as const;
  const content = { "application/json": { schema }, ...(csv !== undefined && { "text/csv": { schema: text } }) };
  return { [status]: { description, headers: headersOf(headers), content } };
}

/** Facts of operations, keyed by the route that Hono reports for a request: `GET /v2/agent/:id`. */
export type Operations = ReadonlyMap<string, OperationFacts>;

/** All operations of a router. */
export function operationsIn(routes: OpenAPIHono<HttpEnv>): Operations {
  return new Map(
    routes.openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== "route") return [];
      const { method, path } = definition.route;
      const name = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      return [[name, factsOf(definition.route)] as const];
    }),
  );
}

/**
 * The operation of a request; null where no route matches its method and address. Routes that are not operations are
 * for owners.
 */
export function operationAt(c: HttpContext, operations: Operations): OperationFacts | null {
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const route = matchedRoutes(c).find((each) => each.method === method);
  return route ? (operations.get(`${method} ${route.path}`) ?? UNDECLARED) : null;
}

const UNDECLARED: OperationFacts = {
  id: null,
  scope: "admin",
  isOfInstance: false,
  isConditional: false,
  deprecated: null,
};

const factsOf = (route: object): OperationFacts => (route as { [FACTS]?: OperationFacts })[FACTS] ?? UNDECLARED;

type Paths = NonNullable<ReturnType<OpenAPIHono<HttpEnv>["getOpenAPI31Document"]>["paths"]>;
type DocumentedOperation = NonNullable<Paths[string]["get"]>;

/** Calls `visit` with every operation of a document and its facts. */
export function eachOperation(
  paths: Paths | undefined,
  visit: (operation: DocumentedOperation, facts: OperationFacts, method: Method) => void,
): void {
  for (const item of Object.values(paths ?? {})) {
    for (const method of METHODS) {
      const each = item[method];
      if (each) visit(each, factsOf(each), method);
    }
  }
}

/** Documents for every operation which scope its key needs, and whether it has to be a key of the instance. */
export function documentScopes(paths: Paths | undefined): void {
  eachOperation(paths, (each, { scope, isOfInstance }) => {
    const key = isOfInstance ? "key of the instance" : "key";
    Object.assign(each, { "x-required-scope": scope, ...(isOfInstance && { "x-key-of": "instance" }) });
    if (scope === "read") return;
    each.description = `${each.description ?? ""} Requires a ${key} with the scope \`${scope}\`.`.trim();
  });
}
