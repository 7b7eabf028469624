import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { codeText, textOf } from "./document-text.ts";
import { follow } from "./references.ts";
import { fieldNames } from "./schema-types.ts";
import { numberOf, scalarText } from "./written-number.ts";

export type ConstraintLabel =
  | "default"
  | "greater than"
  | "minimum"
  | "less than"
  | "maximum"
  | "multiple of"
  | "characters"
  | "items"
  | "fields"
  | "pattern"
  | "media type"
  | "required"
  | "example"
  | FieldLabel;

/** Fields of a schema that a page shows as they are written. */
export const AS_WRITTEN = [
  "xml",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "contentEncoding",
  "contentSchema",
  "minContains",
  "maxContains",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const;

/** Facts that are known by the names of their fields in the description, in every language. */
export const FIELD_LABELS = [
  "uniqueItems",
  "additionalProperties",
  "discriminator",
  ...AS_WRITTEN,
  "style",
  "explode",
  "headers",
  "location",
] as const;
type FieldLabel = (typeof FIELD_LABELS)[number];

/** A constraint or property of a value, such as `default` `20`. */
export interface Constraint {
  label: ConstraintLabel;
  /** Shown as code. */
  value: string;
}

/** Default, bounds, pattern and similar constraints, in display order. */
export function constraintsOf(schema: JsonObject, { isInside }: { isInside: boolean }): Constraint[] {
  const found: Constraint[] = [];
  const add = (label: ConstraintLabel, value: Json | undefined, maxCharacters: number = CHARACTERS.value) => {
    if (value !== undefined && value !== null && value !== "")
      found.push({ label, value: codeText(value, maxCharacters) });
  };
  add("default", schema["default"]);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // In 3.0 these are flags next to the bound, in 3.1 they are bounds themselves.
  add(exclusiveMinimum === true ? "greater than" : "minimum", minimum);
  add(exclusiveMaximum === true ? "less than" : "maximum", maximum);
  if (numberOf(exclusiveMinimum) !== undefined) add("greater than", exclusiveMinimum);
  if (numberOf(exclusiveMaximum) !== undefined) add("less than", exclusiveMaximum);
  add("multiple of", schema["multipleOf"]);
  addRange("characters", schema["minLength"], schema["maxLength"]);
  addRange("items", schema["minItems"], schema["maxItems"]);
  addRange("fields", schema["minProperties"], schema["maxProperties"]);
  if (schema["uniqueItems"] === true) add("uniqueItems", true);
  add("pattern", textOf(schema["pattern"], Infinity), CHARACTERS.rule);
  add("media type", textOf(schema["contentMediaType"], CHARACTERS.name), CHARACTERS.name);
  if (schema["additionalProperties"] === false) add("additionalProperties", false);
  // Other required fields are marked in the list of fields.
  const required = listIn(schema["required"]).flatMap((name) => scalarText(name) ?? []);
  const fields = new Set(fieldNames(schema));
  add("required", required.filter((name) => !fields.has(name)).join(", "), Infinity);
  for (const name of AS_WRITTEN) add(name, schema[name], CHARACTERS.rule);
  found.push(...discriminatorOf(schema["discriminator"]));
  // A list or an object that is a whole body is shown among the examples of the body.
  for (const example of [schema["example"], ...listIn(schema["examples"]).slice(0, SHOWN.examples)])
    if (isInside || scalarText(example) !== undefined) add("example", example, CHARACTERS.example);
  return found;

  function addRange(label: ConstraintLabel, least: Json | undefined, most: Json | undefined): void {
    const [from, to] = [scalarText(least), scalarText(most)];
    const hasLeast = (numberOf(least) ?? 0) > 0;
    const hasMost = numberOf(most) !== undefined;
    if (hasLeast && hasMost) add(label, from === to ? from : `${from}–${to}`);
    else if (hasLeast) add(label, `≥ ${from}`);
    else if (hasMost) add(label, `≤ ${to}`);
  }
}

/** The field that tells variants apart, and which variant each of its values means. AsyncAPI names only the field. */
function discriminatorOf(written: Json | undefined): Constraint[] {
  const name = textOf(isJsonObject(written) ? written["propertyName"] : written, CHARACTERS.name);
  if (name === null) return [];
  const mapping = isJsonObject(written) && isJsonObject(written["mapping"]) ? Object.entries(written["mapping"]) : [];
  if (mapping.length === 0) return [{ label: "discriminator", value: name }];
  return mapping.slice(0, SHOWN.variants).map(([value, schema]) => {
    const target = textOf(schema, CHARACTERS.url) ?? "";
    return { label: "discriminator", value: `${name}: ${value} → ${target.slice(target.lastIndexOf("/") + 1)}` };
  });
}

/** How the fields of a form are sent, by their names. */
export function encodingConstraints(root: JsonObject, written: Json | undefined): Constraint[] {
  const encoding = follow(root, written)?.object ?? {};
  const headers = isJsonObject(encoding["headers"]) ? Object.keys(encoding["headers"]) : [];
  const names = headers.slice(0, SHOWN.headers).map((name) => name.slice(0, CHARACTERS.name));
  const facts: [ConstraintLabel, string | null][] = [
    ["media type", textOf(encoding["contentType"], CHARACTERS.name)],
    ["style", textOf(encoding["style"], CHARACTERS.name)],
    ["explode", scalarText(encoding["explode"]) ?? null],
    ["headers", names.join(", ")],
  ];
  return facts.flatMap(([label, value]) => (value === null || value === "" ? [] : [{ label, value }]));
}
