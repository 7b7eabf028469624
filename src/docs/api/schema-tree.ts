import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { MAX_EXAMPLES_CHARACTERS, MAX_SCHEMA_DEPTH, MAX_SCHEMAS_SHOWN, SHOWN } from "./bounds.ts";
import { mergeAllOf, follow } from "./references.ts";
import { codeText, descriptionOf, textOf } from "./document-text.ts";
import type { ExampleView } from "./examples.ts";
import { numberOf, scalarText } from "./written-number.ts";

/** A schema as a page shows it. */
export interface SchemaTree {
  /** `string`, `Pet[]`, `integer | null`; never empty. */
  type: string;
  /** The schema's name in the document. */
  name: string | null;
  description: string | null;
  /** Allowed values, as text; empty where all are allowed. */
  choices: readonly string[];
  constraints: readonly Constraint[];
  /** Fields of an object, or of the objects of a list. */
  fields: readonly ApiField[];
  variants: { kind: "one of" | "any of"; options: readonly SchemaTree[] } | null;
  isDeprecated: boolean;
  access: "read-only" | "write-only" | null;
  /** The schema is part of itself and already expanded further up. */
  isRecursive: boolean;
  /** The limits of a page were reached here. */
  isCut: boolean;
}

/** A field of an object, a parameter or a header. */
export interface ApiField {
  name: string;
  isRequired: boolean;
  schema: SchemaTree;
  /** Of the field itself; its schema says both otherwise. */
  description?: string | null;
  isDeprecated?: boolean;
  /** Of a parameter or header itself, besides those of its schema. */
  examples?: readonly ExampleView[];
}

export interface SchemaReader {
  tree(schema: Json | undefined): SchemaTree | null;
  /** The value of an example; undefined past the limit of a page. */
  example(value: Json | undefined): Json | undefined;
  /** Whether the operation has more fields of schemas, or longer examples, than the page shows. */
  hasLeftOut(): { fields: boolean; examples: boolean };
}

/** Reads the schemas of one operation. All of them together show a bounded number of fields. */
export function createSchemaReader(root: JsonObject, use: "request" | "response"): SchemaReader {
  let left = MAX_SCHEMAS_SHOWN;
  let charactersLeft = MAX_EXAMPLES_CHARACTERS;

  function tree(written: Json | undefined, above: readonly JsonObject[]): SchemaTree {
    if (written === true || written === undefined) return { ...EMPTY, type: "any" };
    if (written === false) return { ...EMPTY, type: "nothing" };
    const followed = follow(root, written);
    if (followed === null) return { ...EMPTY, type: "any" };
    left -= 1;
    const { target, name: referenceName } = followed;
    const { schema, parents } = mergeAllOf(root, followed.object);
    const name = referenceName ?? textOf(schema["title"], 120);
    const types = typesOf(schema);
    const base: SchemaTree = {
      ...EMPTY,
      name,
      type: typeLabel(schema, types),
      description: descriptionOf(schema),
      choices: choicesOf(schema),
      constraints: constraintsOf(schema, { isInside: above.length > 0 }),
      isDeprecated: schema["deprecated"] === true,
      access: schema["readOnly"] === true ? "read-only" : schema["writeOnly"] === true ? "write-only" : null,
    };
    if (above.includes(target) || parents.some((parent) => above.includes(parent)))
      return { ...base, isRecursive: true };
    const path = [...above, target, ...parents];
    const isLeaf = !hasInside(schema);
    if (isLeaf) return base;
    if (above.length >= MAX_SCHEMA_DEPTH || left <= 0) return { ...base, isCut: true };
    return inside(base, { schema, types, path });
  }

  function inside(
    base: SchemaTree,
    { schema, types, path }: { schema: JsonObject; types: readonly string[]; path: readonly JsonObject[] },
  ): SchemaTree {
    const variants = variantsOf(schema);
    const isNullable = types.includes("null");
    if (variants !== null) {
      const real = variants.options.filter((option) => !isNullSchema(root, option));
      const canBeNull = isNullable || real.length < variants.options.length;
      const options = real.map((option) => tree(option, path));
      const [only] = options;
      if (options.length === 1 && only !== undefined && fieldNames(schema).length === 0) {
        return {
          ...only,
          type: canBeNull && !only.type.endsWith("| null") ? `${only.type} | null` : only.type,
          description: base.description ?? only.description,
          constraints: [...base.constraints, ...only.constraints],
          isDeprecated: base.isDeprecated || only.isDeprecated,
        };
      }
      const type = unionLabel(options, canBeNull);
      return { ...base, type, fields: fieldsOf(schema, path), variants: { kind: variants.kind, options } };
    }
    const items =
      schema["items"] ?? (Array.isArray(schema["prefixItems"]) ? (schema["prefixItems"][0] as Json) : undefined);
    if (types.includes("array") || items !== undefined) {
      const item = tree(items, path);
      const itemType = item.type.includes(" | ") ? `(${item.type})` : item.type;
      return {
        ...base,
        type: `${itemType}[]${isNullable ? " | null" : ""}`,
        name: base.name ?? item.name,
        choices: item.choices,
        constraints: [
          ...base.constraints,
          ...item.constraints.filter(({ label }) => label !== "default" && label !== "example"),
        ],
        description: base.description ?? item.description,
        // When a list has fields but no items, its author meant the fields of the items.
        fields: items === undefined ? fieldsOf(schema, path) : item.fields,
        variants: item.variants,
        isRecursive: item.isRecursive,
        isCut: item.isCut,
      };
    }
    return { ...base, fields: fieldsOf(schema, path) };
  }

  function fieldsOf(schema: JsonObject, path: readonly JsonObject[]): ApiField[] {
    const required = new Set(listIn(schema["required"]));
    const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    const fields: ApiField[] = [];
    for (const [name, property] of Object.entries(properties)) {
      if (left <= 0) break;
      const schemaOf = tree(property, path);
      const isHidden = schemaOf.access === (use === "request" ? "read-only" : "write-only");
      if (!isHidden) fields.push({ name, isRequired: required.has(name), schema: schemaOf });
    }
    const others = isJsonObject(schema["patternProperties"]) ? Object.entries(schema["patternProperties"]) : [];
    for (const [pattern, property] of others) {
      fields.push({ name: `/${pattern}/`, isRequired: false, schema: tree(property, path) });
    }
    const additional = schema["additionalProperties"];
    if (isJsonObject(additional) && left > 0) {
      fields.push({ name: "{any name}", isRequired: false, schema: tree(additional, path) });
    }
    return fields;
  }

  return {
    tree: (schema) => (schema === undefined ? null : tree(schema, [])),
    example(value) {
      if (value === undefined) return undefined;
      charactersLeft -= JSON.stringify(value).length;
      return charactersLeft < 0 ? undefined : value;
    },
    hasLeftOut: () => ({ fields: left <= 0, examples: charactersLeft < 0 }),
  };
}

const EMPTY: SchemaTree = {
  type: "any",
  name: null,
  description: null,
  choices: [],
  constraints: [],
  fields: [],
  variants: null,
  isDeprecated: false,
  access: null,
  isRecursive: false,
  isCut: false,
};

function choicesOf(schema: JsonObject): string[] {
  if (schema["const"] !== undefined) return [codeText(schema["const"])];
  return listIn(schema["enum"]).slice(0, SHOWN.choices).map(codeText);
}

/** The types that a schema allows, with `null` where 3.0 says `nullable`. */
export function typesOf(schema: JsonObject): string[] {
  const written = schema["type"];
  const types = (Array.isArray(written) ? (written as readonly Json[]) : [written]).filter(
    (type): type is string => typeof type === "string",
  );
  if (types.length === 0) {
    if (fieldNames(schema).length > 0 || isJsonObject(schema["additionalProperties"])) types.push("object");
    else if (schema["items"] !== undefined) types.push("array");
    else if (Array.isArray(schema["enum"]) || schema["const"] !== undefined) types.push(...valueTypes(schema));
  }
  if (schema["nullable"] === true && !types.includes("null")) types.push("null");
  return types;
}

function valueTypes(schema: JsonObject): string[] {
  const values = Array.isArray(schema["enum"]) ? (schema["enum"] as readonly Json[]) : [schema["const"] ?? null];
  return [...new Set(values.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)))];
}

function typeLabel(schema: JsonObject, types: readonly string[]): string {
  const format = textOf(schema["format"], 40);
  const names = types.map((type) => {
    const isEnum = Array.isArray(schema["enum"]) && type !== "null";
    if (isEnum) return `enum<${type}>`;
    return format !== null && /^(?:string|number|integer)$/.test(type) ? `${type}<${format}>` : type;
  });
  return names.length === 0 ? "any" : names.join(" | ");
}

function unionLabel(options: readonly SchemaTree[], canBeNull: boolean): string {
  const types = [...new Set(options.map((option) => option.type.replace(/ \| null$/, "")))];
  if (canBeNull) types.push("null");
  return types.slice(0, 6).join(" | ") + (types.length > 6 ? " | …" : "");
}

function variantsOf(schema: JsonObject): { kind: "one of" | "any of"; options: readonly Json[] } | null {
  for (const [key, kind] of [
    ["oneOf", "one of"],
    ["anyOf", "any of"],
  ] as const) {
    const options = listIn(schema[key]);
    if (options.length > 0) return { kind, options: options.slice(0, SHOWN.variants) };
  }
  return null;
}

function isNullSchema(root: JsonObject, option: Json): boolean {
  const schema = follow(root, option)?.object;
  return schema?.["type"] === "null" || schema?.["const"] === null;
}

function fieldNames(schema: JsonObject): string[] {
  return isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
}

function hasInside(schema: JsonObject): boolean {
  const names = ["properties", "items", "prefixItems", "oneOf", "anyOf", "patternProperties"];
  return (
    names.some((name) => schema[name] !== undefined) ||
    isJsonObject(schema["additionalProperties"]) ||
    schema["type"] === "array"
  );
}

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

/** A constraint or property of a value, such as `default` `20`. */
interface Constraint {
  label: ConstraintLabel;
  /** Shown as code. */
  value: string;
}

/** Default, bounds, pattern and similar constraints, in display order. */
function constraintsOf(schema: JsonObject, { isInside }: { isInside: boolean }): Constraint[] {
  const found: Constraint[] = [];
  const add = (label: ConstraintLabel, value: Json | undefined) => {
    if (value !== undefined && value !== null && value !== "") found.push({ label, value: codeText(value) });
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
  add("pattern", textOf(schema["pattern"], 300));
  add("media type", textOf(schema["contentMediaType"], 100));
  // A list or an object that is a whole body is shown among the examples of the body.
  for (const example of [schema["example"], ...listIn(schema["examples"]).slice(0, SHOWN.examples)])
    if (isInside || scalarText(example) !== undefined) add("example", example);
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
