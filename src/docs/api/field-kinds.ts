import { isJsonObject, type Json } from "#docs/json-document.ts";

/**
 * What a field of a description holds: a `part`, whose fields the specification names; a `map`, whose names the author
 * chose; or `data`, in which no name and no `$ref` has a meaning.
 */
export type FieldKind = "part" | "map" | "data";

const MAPS = new Set(
  [
    "properties patternProperties dependentSchemas $defs definitions responses headers content examples parameters",
    "links callbacks encoding variables servers channels operations messages mapping scopes availableScopes paths",
    "webhooks security securityDefinitions",
  ].flatMap((names) => names.split(" ")),
);
const DATA = new Set(["const", "default", "enum", "example", "value", "dataValue", "serializedValue"]);

/** The kind of the field `name` with a `value`; `parent` is the field that holds it. The items of a list have the kind of the list. */
export function fieldKind(name: string, value: Json, parent: { name: string; kind: FieldKind }): FieldKind {
  if (parent.kind === "data") return "data";
  // Swagger 2.0 has one example for each media type.
  if (parent.kind === "map") return parent.name === "examples" && name.includes("/") ? "data" : "part";
  if (DATA.has(name)) return "data";
  if (parent.name === "components") return "map";
  if (Array.isArray(value)) return name === "examples" ? "data" : name === "security" ? "map" : "part";
  return MAPS.has(name) && isJsonObject(value) ? "map" : "part";
}
