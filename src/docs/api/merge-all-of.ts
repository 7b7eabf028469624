import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";
import { follow } from "./references.ts";

const MAX_PARTS = 200;

/**
 * A schema with the parts of its `allOf` in one: fields and required names of all, of everything else the first that says
 * it, the schema itself before its parts. `parents` are the schemas that were taken in.
 */
export function mergeAllOf(
  root: JsonObject,
  schema: JsonObject,
): { schema: JsonObject; parents: readonly JsonObject[] } {
  if (!Array.isArray(schema["allOf"])) return { schema, parents: [] };
  const parts: JsonObject[] = [];
  const parents = new Set<JsonObject>();
  const visit = (value: Json, isTop: boolean): void => {
    const followed = isTop ? { object: schema, target: schema } : follow(root, value);
    if (followed === null || parts.length >= MAX_PARTS || parents.has(followed.target)) return;
    if (!isTop) parents.add(followed.target);
    const { allOf, ...own } = followed.object;
    parts.push(own);
    if (Array.isArray(allOf)) for (const part of allOf as readonly Json[]) visit(part, false);
  };
  visit(schema, true);
  const merged: Record<string, Json> = {};
  const properties: Record<string, Json> = {};
  const required = new Set<Json>();
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) if (!Object.hasOwn(merged, name)) merged[name] = value;
    if (Array.isArray(part["required"])) for (const name of part["required"] as readonly Json[]) required.add(name);
  }
  // Fields in the order of the document: what is built upon comes before what is added.
  for (const part of [...parts.slice(1), ...parts.slice(0, 1)]) {
    if (isJsonObject(part["properties"])) Object.assign(properties, part["properties"]);
  }
  if (Object.keys(properties).length > 0) merged["properties"] = properties;
  if (required.size > 0) merged["required"] = [...required];
  return { schema: merged, parents: [...parents] };
}
