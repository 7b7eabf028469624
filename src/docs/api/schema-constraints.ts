import type { Json, JsonObject } from "#docs/json-document.ts";
import { codeText, textOf } from "./document-text.ts";
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
  | "uniqueItems"
  | "pattern"
  | "media type"
  | "example";

/** What a schema demands of a value, or says of it: `default` `20`. */
export interface Constraint {
  label: ConstraintLabel;
  /** Shown as code. */
  value: string;
}

/** Default, bounds, pattern and the like, in the order in which they are shown. */
export function constraintsOf(schema: JsonObject): Constraint[] {
  const found: Constraint[] = [];
  const add = (label: ConstraintLabel, value: Json | undefined) => {
    if (value !== undefined && value !== null && value !== "") found.push({ label, value: codeText(value) });
  };
  add("default", schema["default"]);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // In 3.0 these are flags beside the bound, in 3.1 bounds themselves.
  add(exclusiveMinimum === true ? "greater than" : "minimum", minimum);
  add(exclusiveMaximum === true ? "less than" : "maximum", maximum);
  if (numberOf(exclusiveMinimum) !== undefined) add("greater than", exclusiveMinimum);
  if (numberOf(exclusiveMaximum) !== undefined) add("less than", exclusiveMaximum);
  add("multiple of", schema["multipleOf"]);
  addRange("characters", schema["minLength"], schema["maxLength"]);
  addRange("items", schema["minItems"], schema["maxItems"]);
  addRange("fields", schema["minProperties"], schema["maxProperties"]);
  if (schema["uniqueItems"] === true) add("uniqueItems", true);
  add("pattern", textOf(schema["pattern"], 300));
  add("media type", textOf(schema["contentMediaType"], 100));
  const examples = schema["examples"];
  const example = schema["example"] ?? (Array.isArray(examples) ? (examples[0] as Json) : undefined);
  if (scalarText(example) !== undefined) add("example", example);
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
