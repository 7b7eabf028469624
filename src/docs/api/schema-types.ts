import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";
import { CHARACTERS } from "./bounds.ts";
import { textOf } from "./document-text.ts";

/** The types that a schema allows, with `null` where 3.0 says `nullable`. */
export function typesOf(schema: JsonObject): string[] {
  const written = schema["type"];
  const types = (Array.isArray(written) ? (written as readonly Json[]) : [written]).filter(
    (type): type is string => typeof type === "string",
  );
  if (types.length === 0) {
    const isObject = isJsonObject(schema["additionalProperties"]) || Array.isArray(schema["required"]);
    if (fieldNames(schema).length > 0 || isObject) types.push("object");
    else if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) types.push("array");
    else if (Array.isArray(schema["enum"]) || schema["const"] !== undefined) types.push(...valueTypes(schema));
  }
  if (schema["nullable"] === true && !types.includes("null")) types.push("null");
  return types;
}

function valueTypes(schema: JsonObject): string[] {
  const values = Array.isArray(schema["enum"]) ? (schema["enum"] as readonly Json[]) : [schema["const"] ?? null];
  return [...new Set(values.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)))];
}

/** `string<date> | null` */
export function typeLabel(schema: JsonObject, types: readonly string[]): string {
  const format = textOf(schema["format"], CHARACTERS.name);
  const names = types.map((type) => {
    const isEnum = Array.isArray(schema["enum"]) && type !== "null";
    if (isEnum) return `enum<${type}>`;
    return format !== null && /^(?:string|number|integer)$/.test(type) ? `${type}<${format}>` : type;
  });
  return names.length === 0 ? "any" : names.join(" | ");
}

/** The names of an object's own fields. */
export function fieldNames(schema: JsonObject): string[] {
  return isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
}

/** Whether a schema has further schemas inside, which a page shows. */
export function hasInside(schema: JsonObject): boolean {
  const names = ["properties", "items", "prefixItems", "oneOf", "anyOf", "patternProperties"];
  return (
    names.some((name) => schema[name] !== undefined) ||
    isJsonObject(schema["additionalProperties"]) ||
    schema["type"] === "array"
  );
}
