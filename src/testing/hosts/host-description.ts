import { readFileSync } from "node:fs";
import { Ajv2019, type ValidateFunction } from "ajv/dist/2019.js";

/** A JSON Schema, as far as the excerpts use it. */
export type Schema = { [keyword: string]: unknown };

/** One operation of a host's API. */
export interface DescribedOperation {
  method: string;
  /** `/repos/{owner}/{repo}/pulls`; the parameters in `wide` may contain slashes. */
  path: string;
  wide: string[];
  query: Record<string, Schema>;
  requiredQuery: string[];
  /** Null: it has no body. */
  body: Schema | null;
  isBodyRequired: boolean;
  /** By status, `2XX` where the source names none. Null: a response without a body. */
  answers: Record<string, Schema | null>;
}

/** The part of a host's own API description that is used here. Schemas are named by `#/schemas/NAME`. */
export interface HostDescription {
  source: { package: string; version: string; license: string };
  operations: DescribedOperation[];
  schemas: Record<string, Schema>;
}

/** Finds violations of a description in requests and responses; null when there are none. */
export interface DescriptionCheck {
  request(request: { method: string; url: URL; body: string }): string | null;
  answer(request: { method: string; url: URL }, answer: { status: number; body: string }): string | null;
}

interface Matched {
  operation: DescribedOperation;
  checkQuery: ValidateFunction;
  checkBody: ValidateFunction | null;
  checkAnswer: (status: number) => ValidateFunction | null;
}

type DescriptionName = "github" | "gitea" | "forgejo";

const checks = new Map<string, DescriptionCheck>();

/**
 * Checks requests to and responses of a host below `prefix` (`/api/v3`) against the description of this name. All
 * servers of a process share it: compiling its schemas takes longer than most tests.
 */
export function descriptionCheck(name: DescriptionName, prefix: string): DescriptionCheck {
  const key = `${name} ${prefix}`;
  const check = checks.get(key) ?? createDescriptionCheck(name, prefix);
  checks.set(key, check);
  return check;
}

function createDescriptionCheck(name: DescriptionName, prefix: string): DescriptionCheck {
  const file = new URL(`descriptions/${name}.json`, import.meta.url);
  const description = JSON.parse(readFileSync(file, "utf8")) as HostDescription;
  const { source } = description;
  const schemas = Object.fromEntries(
    Object.entries(description.schemas).map(([named, schema]) => [named, closedTogether(schema, description)]),
  );
  const id = `${source.package} ${source.version}`;
  const ajv = new Ajv2019({ strict: false, coerceTypes: false, validateFormats: false });
  ajv.addSchema({ $id: "host", schemas });
  const asked = new Ajv2019({ strict: false, coerceTypes: "array", validateFormats: false });
  const compiled = new Map<Schema, ValidateFunction>();
  function compile(schema: Schema): ValidateFunction {
    const done = compiled.get(schema);
    if (done) return done;
    const whole = JSON.stringify(closedTogether(schema, description));
    const named = JSON.parse(whole.replaceAll('"#/', '"host#/')) as Schema;
    compiled.set(schema, ajv.compile(named));
    return compiled.get(schema)!;
  }
  const known = description.operations.map((operation) => ({
    operation,
    pattern: patternOf(operation),
    // In the order of a router: fewer parameters first.
    openness: operation.path.split("{").length + operation.wide.length,
  }));
  const sorted = known.toSorted((a, b) => a.openness - b.openness);
  const matched = new Map<DescribedOperation, Matched>();

  function find(method: string, url: URL): Matched | null {
    const path = url.pathname.slice(prefix.length).replace(/(?<=.)\/$/, "");
    const operation = sorted.find((one) => one.operation.method === method && one.pattern.test(path))?.operation;
    if (!operation) return null;
    let found = matched.get(operation);
    if (!found) {
      const { query: properties, requiredQuery: required, body, answers } = operation;
      found = {
        operation,
        checkQuery: asked.compile({ type: "object", properties, required, additionalProperties: false }),
        checkBody: body && compile(body),
        checkAnswer: (status) => {
          const schema = answers[status] ?? (status < 300 ? answers["2XX"] : null);
          return schema ? compile(schema) : null;
        },
      };
      matched.set(operation, found);
    }
    return found;
  }
  const isOurs = (url: URL) => url.pathname.startsWith(`${prefix}/`);

  return {
    request({ method, url, body }) {
      if (!isOurs(url)) return null;
      const asked = `${method} ${url.pathname}${url.search}`;
      const found = find(method, url);
      if (!found) return `${asked}: ${id} has no such request (scripts/host-descriptions.ts says which are kept)`;
      if (!found.checkQuery(Object.fromEntries(url.searchParams))) return `${asked}: ${wordsOf(found.checkQuery)}`;
      const { operation, checkBody } = found;
      if (body === "") return operation.isBodyRequired ? `${asked}: it needs a body` : null;
      if (!checkBody) return `${asked}: it takes no body`;
      return checkBody(parsed(body)) ? null : `${asked}: ${wordsOf(checkBody)}`;
    },

    answer({ method, url }, { status, body }) {
      const check = isOurs(url) && status < 300 ? find(method, url)?.checkAnswer(status) : null;
      // Descriptions generated from Swagger 2 do not say which fields may be null.
      if (!check || check(parsed(body, { isNullKept: name === "github" }))) return null;
      return `answer ${status} to ${method} ${url.pathname}: ${wordsOf(check)}`;
    },
  };
}

/** Closes the parts of an `allOf` together: each alone would reject the properties of the others. */
function closedTogether(schema: Schema, { schemas }: Pick<HostDescription, "schemas">): Schema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    const found = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visit(part)])) as Schema;
    const parts = found["allOf"] as Schema[] | undefined;
    if (!Array.isArray(parts)) return found;
    const whole = parts.map(({ $ref, ...own }) =>
      typeof $ref === "string" ? { ...schemas[$ref.slice("#/schemas/".length)], ...own } : own,
    );
    const isClosed = whole.some((part) => part["unevaluatedProperties"] === false);
    const open = whole.map(({ unevaluatedProperties: _, ...part }) => part);
    return { ...found, allOf: open, ...(isClosed && { unevaluatedProperties: false }) };
  };
  return visit(schema) as Schema;
}

function patternOf({ path, wide }: DescribedOperation): RegExp {
  const parts = path.split(/(\{\w+\})/).map((part) => {
    if (!part.startsWith("{")) return part.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
    const name = part.slice(1, -1);
    if (wide.includes(name)) return ".+";
    return /(?:^|_)(?:id|number|index)$/.test(name) ? "\\d+" : "[^/]+";
  });
  return new RegExp(`^${parts.join("")}$`);
}

function parsed(body: string, { isNullKept = true } = {}): unknown {
  try {
    return JSON.parse(body, (_key, value: unknown) => (value === null && !isNullKept ? undefined : value)) as unknown;
  } catch {
    return body;
  }
}

const wordsOf = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .slice(0, 4)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`.trim())
    .join("; ");
