import type { DescribedOperation, HostDescription, Schema } from "#testing/hosts/host-description.ts";
import { isWide } from "./description.ts";

type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}
interface Media {
  content?: Record<string, { schema?: Json }>;
  required?: boolean;
}
type Operation = { parameters?: Json[]; requestBody?: Json; responses: Record<string, Json> };

const METHODS = ["get", "post", "put", "patch", "delete"];
/** What validates nothing. */
const WORDS = /^(?:description|examples?|title|deprecated|externalDocs|format|default|readOnly|writeOnly|x-.*)$/;
const MAX_DEPTH = 12;

/**
 * The operations of an OpenAPI 3.0 document whose path `isWanted`, with the schemas that they name. What is asked is kept
 * as it is and closed: a field that it does not have is refused. What is answered may lack any field and have no other.
 */
export function sliceOpenApi(
  document: Json,
  isWanted: (path: string) => boolean,
): Pick<HostDescription, "operations" | "schemas"> {
  const schemas: Record<string, Schema> = {};

  const resolve = <T extends Json>(value: Json): T => {
    const { $ref } = value;
    if (typeof $ref !== "string") return value as T;
    return $ref
      .slice(2)
      .split("/")
      .reduce<Json>((place, key) => place[key.replaceAll("~1", "/").replaceAll("~0", "~")] as Json, document) as T;
  };

  /** Of a request: with everything that it names inside it. */
  function asked(schema: Json, depth = 0): Schema {
    if (depth > MAX_DEPTH) return {};
    return closed(convert(resolve(schema), (part) => asked(part, depth + 1)));
  }

  /** Of an answer: named schemas stay names. */
  function answered(schema: Json): Schema {
    const { $ref } = schema;
    if (typeof $ref !== "string") {
      const { required: _, ...rest } = convert(schema, answered);
      return closed(rest);
    }
    const name = $ref.split("/").at(-1)!;
    if (!schemas[name]) {
      schemas[name] = {};
      schemas[name] = answered(resolve(schema));
    }
    return { $ref: `#/schemas/${name}` };
  }

  const describe = (path: string, method: string, operation: Operation, shared: Json[]): DescribedOperation => {
    const parameters = [...shared, ...(operation.parameters ?? [])].map((one) => resolve<Parameter & Json>(one));
    const query = parameters.filter((one) => one.in === "query");
    const body = operation.requestBody ? resolve<Media & Json>(operation.requestBody) : null;
    const bodySchema = body?.content?.["application/json"]?.schema;
    const answers = Object.entries(operation.responses).map(([status, one]) => {
      const schema = resolve<Media & Json>(one).content?.["application/json"]?.schema;
      return [status, schema ? answered(schema) : null] as const;
    });
    return {
      method: method.toUpperCase(),
      path,
      wide: parameters.filter((one) => one.in === "path" && isWide(one.name)).map(({ name }) => name),
      query: Object.fromEntries(query.map(({ name, schema }) => [name, asked(schema)])),
      requiredQuery: query.filter(({ required }) => required === true).map(({ name }) => name),
      body: bodySchema ? asked(bodySchema) : null,
      isBodyRequired: body?.required ?? false,
      answers: Object.fromEntries(answers),
    };
  };

  const paths = Object.entries(document["paths"] as Record<string, Json>).filter(([path]) => isWanted(path));
  const operations = paths.flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) =>
      describe(path, method, item[method] as Operation, (item["parameters"] as Json[] | undefined) ?? []),
    ),
  );
  return { operations, schemas };
}

/** From OpenAPI's dialect to JSON Schema: null is a type, and words are left out. */
function convert(schema: Json, part: (schema: Json) => Schema): Schema {
  const found: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (WORDS.test(keyword) || keyword === "nullable") continue;
    if (keyword === "properties") {
      const properties = Object.entries(value as Record<string, Json>);
      found[keyword] = Object.fromEntries(properties.map(([name, property]) => [name, part(property)]));
    } else if (Array.isArray(value) && /^(?:allOf|anyOf|oneOf)$/.test(keyword)) {
      found[keyword] = (value as Json[]).map(part);
    } else if (/^(?:items|additionalProperties|not)$/.test(keyword) && typeof value === "object") {
      found[keyword] = part(value as Json);
    } else found[keyword] = value;
  }
  return schema["nullable"] === true ? { anyOf: [found, { type: "null" }] } : found;
}

function closed(schema: Schema): Schema {
  const isOpen = schema["properties"] === undefined || "additionalProperties" in schema;
  return isOpen ? schema : { ...schema, unevaluatedProperties: false };
}
