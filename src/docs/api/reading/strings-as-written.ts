import { type FieldKind, fieldKind } from "#docs/api/field-kinds.ts";
import { mergeAllOf } from "#docs/api/merge-all-of.ts";
import { follow } from "#docs/api/references.ts";
import { scalarText } from "#docs/api/written-number.ts";
import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";

/** How deep examples are compared with their schemas. */
const MAX_DEPTH = 12;

/**
 * Returns a document in which examples, defaults and allowed values are strings where their schema has `type: string`: a
 * YAML parser reads `1.10` and `00501` as numbers, but their author means text.
 */
export function withStringsAsWritten(root: JsonObject): JsonObject {
  const known = new WeakMap<JsonObject, JsonObject>();
  const mergedOf = (schema: JsonObject): JsonObject => {
    const merged = known.get(schema) ?? mergeAllOf(root, follow(root, schema)?.object ?? {}).schema;
    known.set(schema, merged);
    return merged;
  };

  function fit(schema: Json | undefined, value: Json, depth: number): Json {
    if (value === null || depth > MAX_DEPTH || !isJsonObject(schema)) return value;
    const merged = mergedOf(schema);
    if (isString(merged)) return scalarText(value) ?? value;
    if (Array.isArray(value)) {
      const items = value as readonly Json[];
      return merged["items"] === undefined ? items : items.map((item) => fit(merged["items"], item, depth + 1));
    }
    if (!isJsonObject(value)) return value;
    const properties = isJsonObject(merged["properties"]) ? merged["properties"] : {};
    const others = isJsonObject(merged["additionalProperties"]) ? merged["additionalProperties"] : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => {
        const own = Object.hasOwn(properties, name) ? properties[name] : others;
        return [name, own === undefined ? child : fit(own, child, depth + 1)];
      }),
    );
  }

  /** `schema` belongs to a parameter, a header or a content; without one the object is itself a schema. */
  function fitExamples(object: Record<string, Json>, schema: Json): void {
    for (const name of object["schema"] === undefined ? ["example", "default", "const"] : ["example"]) {
      const value = object[name];
      if (value !== undefined) object[name] = fit(schema, value, 0);
    }
    for (const name of ["enum", "examples"]) {
      const values = object[name];
      if (Array.isArray(values)) object[name] = (values as readonly Json[]).map((value) => fit(schema, value, 0));
    }
    const { payload, headers } = object;
    if (Array.isArray(object["examples"]) && (payload !== undefined || headers !== undefined)) {
      const ofMessage = { payload: isJsonObject(payload) ? (payload["schema"] ?? payload) : undefined, headers };
      object["examples"] = (object["examples"] as readonly Json[]).map((each) => fitFields(each, ofMessage));
    }
    const named = object["examples"];
    if (isJsonObject(named) && object["schema"] !== undefined) {
      object["examples"] = Object.fromEntries(
        Object.entries(named).map(([name, each]) => {
          const hasValue = isJsonObject(each) && each["value"] !== undefined;
          return [name, hasValue ? { ...each, value: fit(schema, each["value"] ?? null, 0) } : each];
        }),
      );
    }
  }

  const fitFields = (example: Json, schemas: Record<string, Json | undefined>): Json =>
    isJsonObject(example)
      ? Object.fromEntries(Object.entries(example).map(([name, value]) => [name, fit(schemas[name], value, 0)]))
      : example;

  function visit(value: Json, at: { name: string; kind: FieldKind; isText?: boolean }): Json {
    if (at.kind === "data") return value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => visit(item, at));
    if (!isJsonObject(value)) return value;
    const copy: Record<string, Json> = {};
    // Values of server variables and of a channel's parameters are strings without a schema.
    const isText = at.kind === "map" && (at.name === "variables" || at.name === "parameters");
    for (const [name, child] of Object.entries(value))
      copy[name] = visit(child, { name, kind: fieldKind(name, child, at), isText });
    if (at.kind === "part" && EXAMPLES.some((name) => copy[name] !== undefined))
      fitExamples(copy, copy["schema"] ?? (at.isText && copy["type"] === undefined ? TEXT : copy));
    return copy;
  }

  return visit(root, { name: "", kind: "part" }) as JsonObject;
}

const TEXT = { type: "string" };
const EXAMPLES = ["example", "examples", "default", "const", "enum"];

function isString(schema: JsonObject): boolean {
  const type = schema["type"];
  return Array.isArray(type)
    ? type.includes("string") && type.every((each) => each === "string" || each === "null")
    : type === "string";
}
