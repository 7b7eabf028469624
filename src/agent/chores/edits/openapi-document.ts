import { parseDocument } from "yaml";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";

/** One operation of an interface description, as far as a reference page shows it. */
export interface ApiOperation {
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  fields: ApiField[];
  responses: { status: string; description: string }[];
}

export interface ApiField {
  place: "path" | "query" | "header" | "body";
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];
const MAX_CHARACTERS = 4_000_000;
const MAX_OPERATIONS = 2_000;
const MAX_ALIASES = 1_000;

const text = z.string().catch("");
const Schema = z.looseObject({
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  description: text,
  enum: z.array(z.unknown()).optional().catch(undefined),
  required: z.array(z.string()).catch([]),
  properties: z.record(z.string(), z.unknown()).catch({}),
  items: z.unknown().optional(),
});
const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean().catch(false),
  description: text,
  schema: z.unknown().optional(),
});
const Operation = z.looseObject({
  tags: z.array(z.string()).catch([]),
  summary: text,
  operationId: text,
  description: text,
  deprecated: z.boolean().catch(false),
  parameters: z.array(z.unknown()).catch([]),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()).catch({}),
});
const Document = z.looseObject({
  openapi: z.string().regex(/^3\./),
  paths: z.record(z.string(), z.record(z.string(), z.unknown()).catch({})),
});

/**
 * The operations of an OpenAPI 3 description in JSON or YAML, in its order. References inside the file are followed.
 * Throws `AppError invalid` for anything else; wrong parts of a description are passed over.
 */
export function readOpenapi(path: string, source: string): ApiOperation[] {
  if (source.length > MAX_CHARACTERS) throw new AppError("invalid", `${path} is too large to make pages of.`);
  const root = readData(path, source);
  const parsed = Document.safeParse(root);
  if (!parsed.success) throw new AppError("invalid", `${path} is no OpenAPI 3 description.`);
  const operations: ApiOperation[] = [];
  for (const [route, item] of Object.entries(parsed.data.paths)) {
    const shared = Array.isArray(item["parameters"]) ? (item["parameters"] as unknown[]) : [];
    for (const method of METHODS) {
      const operation = Operation.safeParse(item[method]);
      if (!operation.success || operations.length >= MAX_OPERATIONS) continue;
      operations.push(readOperation(root, { route, method, shared, operation: operation.data }));
    }
  }
  return operations;
}

function readData(path: string, source: string): unknown {
  try {
    if (/\.json$/i.test(path)) return JSON.parse(source) as unknown;
    const document = parseDocument(source, { logLevel: "silent", prettyErrors: false, uniqueKeys: false });
    const [error] = document.errors;
    if (error) throw new Error(error.message);
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "it is nested too deeply";
    throw new AppError("invalid", `${path} cannot be read: ${reason}`);
  }
}

function readOperation(
  root: unknown,
  {
    route,
    method,
    shared,
    operation,
  }: { route: string; method: string; shared: readonly unknown[]; operation: z.infer<typeof Operation> },
): ApiOperation {
  const parameters = [...shared, ...operation.parameters].flatMap((each): ApiField[] => {
    const parameter = Parameter.safeParse(follow(root, each));
    if (!parameter.success) return [];
    const { name, in: place, required, description, schema } = parameter.data;
    return [
      {
        place,
        name,
        type: typeOf(root, schema),
        isRequired: required || place === "path",
        description: oneLine(description),
      },
    ];
  });
  const byKey = new Map(parameters.map((field) => [`${field.place} ${field.name}`, field]));
  return {
    method: method.toUpperCase(),
    path: route,
    tag: operation.tags[0] ?? "",
    summary: oneLine(operation.summary || operation.operationId) || `${method.toUpperCase()} ${route}`,
    description: operation.description.trim(),
    isDeprecated: operation.deprecated,
    fields: [...byKey.values(), ...bodyFields(root, operation.requestBody)],
    responses: Object.entries(operation.responses).map(([status, response]) => {
      const description =
        z.looseObject({ description: text }).safeParse(follow(root, response)).data?.description ?? "";
      return { status, description: oneLine(description) };
    }),
  };
}

const Body = z.looseObject({
  content: z.record(z.string(), z.looseObject({ schema: z.unknown().optional() })).catch({}),
});

function bodyFields(root: unknown, body: unknown): ApiField[] {
  const content = Body.safeParse(follow(root, body)).data?.content ?? {};
  const media = content["application/json"] ?? Object.values(content)[0];
  const schema = Schema.safeParse(follow(root, media?.schema));
  if (!schema.success) return [];
  return Object.entries(schema.data.properties).map(([name, each]) => {
    const property = Schema.safeParse(follow(root, each)).data;
    return {
      place: "body",
      name,
      type: typeOf(root, each),
      isRequired: schema.data.required.includes(name),
      description: oneLine(property?.description ?? ""),
    };
  });
}

function typeOf(root: unknown, schema: unknown, depth = 0): string {
  const parsed = Schema.safeParse(follow(root, schema));
  if (!parsed.success || depth > 3) return "any";
  const { type, enum: values, items } = parsed.data;
  const name = Array.isArray(type) ? type.join(" or ") : type;
  if (values && values.length > 0 && values.length <= 8)
    return values.map((value) => JSON.stringify(value)).join(" or ");
  if (name === "array") return `${typeOf(root, items, depth + 1)}[]`;
  return name ?? (Object.keys(parsed.data.properties).length > 0 ? "object" : "any");
}

/** A value with its `$ref`s inside the file followed, up to ten in a row. */
function follow(root: unknown, value: unknown): unknown {
  let at = value;
  for (let hop = 0; hop < 10; hop += 1) {
    const reference = z.looseObject({ $ref: z.string() }).safeParse(at);
    if (!reference.success) return at;
    if (!reference.data.$ref.startsWith("#/")) return undefined;
    at = root;
    for (const part of reference.data.$ref.slice(2).split("/")) {
      const key = decodePart(part);
      at =
        typeof at === "object" && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined;
    }
  }
  return undefined;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, " ").trim();
}
