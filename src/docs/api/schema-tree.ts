import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { MAX_EXAMPLES_CHARACTERS, MAX_SCHEMA_DEPTH, MAX_SCHEMAS_SHOWN, CHARACTERS, SHOWN } from "./bounds.ts";
import { mergeAllOf } from "./merge-all-of.ts";
import { follow } from "./references.ts";
import { codeText, descriptionOf, textOf } from "./document-text.ts";
import type { ExampleView } from "./example-value.ts";
import { docsLinkOf, type DocsLink } from "./external-docs.ts";
import { type Constraint, constraintsOf } from "./schema-constraints.ts";
import { fieldNames, hasInside, typeLabel, typesOf } from "./schema-types.ts";

/** A schema as a page shows it. */
export interface SchemaTree {
  /** `string`, `Pet[]`, `integer | null`; never empty. */
  type: string;
  /** The schema's name in the document. */
  name: string | null;
  /** Its own title, which may differ from its name. */
  title: string | null;
  description: string | null;
  docs: DocsLink | null;
  /** Allowed values, as text; empty where all are allowed. */
  choices: readonly string[];
  constraints: readonly Constraint[];
  /** Fields of an object, or of the objects of a list. */
  fields: readonly ApiField[];
  variants: readonly { kind: VariantKind; options: readonly SchemaTree[] }[];
  isDeprecated: boolean;
  access: "read-only" | "write-only" | null;
  /** The schema is part of itself and already expanded further up. */
  isRecursive: boolean;
  /** The limits of a page were reached here. */
  isCut: boolean;
}

type VariantKind = "one of" | "any of";

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
  leftOut(): LeftOutOfPage;
}

/** Of what an operation or a channel has more than its page shows. */
export interface LeftOutOfPage {
  fields: boolean;
  /** Of schemas in schemas. */
  levels: boolean;
  examples: boolean;
}

/** Reads the schemas of one operation. All of them together show a bounded number of fields. */
export function createSchemaReader(root: JsonObject, use: "request" | "response"): SchemaReader {
  let left = MAX_SCHEMAS_SHOWN;
  let isTooDeep = false;
  let charactersLeft = MAX_EXAMPLES_CHARACTERS;

  function tree(written: Json | undefined, above: readonly JsonObject[]): SchemaTree {
    if (written === true || written === undefined) return { ...EMPTY, type: "any" };
    if (written === false) return { ...EMPTY, type: "nothing" };
    const followed = follow(root, written);
    if (followed === null) return { ...EMPTY, type: "any" };
    left -= 1;
    const { target, name: referenceName } = followed;
    const { schema, more, parents } = mergeAllOf(root, followed.object);
    const title = textOf(followed.object["title"], CHARACTERS.name);
    const name = referenceName ?? textOf(schema["title"], CHARACTERS.name);
    const types = typesOf(schema);
    const base: SchemaTree = {
      ...EMPTY,
      name,
      title,
      type: typeLabel(schema, types),
      description: descriptionOf(schema),
      docs: docsLinkOf(root, schema["externalDocs"]),
      choices: choicesOf(schema),
      constraints: [schema, ...more].flatMap((each) => constraintsOf(each, { isInside: above.length > 0 })),
      isDeprecated: schema["deprecated"] === true,
      access: schema["readOnly"] === true ? "read-only" : schema["writeOnly"] === true ? "write-only" : null,
    };
    if (above.includes(target) || parents.some((parent) => above.includes(parent)))
      return { ...base, isRecursive: true };
    const path = [...above, target, ...parents];
    const isLeaf = !hasInside(schema);
    if (isLeaf) return base;
    const isDeep = above.length >= MAX_SCHEMA_DEPTH;
    isTooDeep ||= isDeep;
    if (isDeep || left <= 0) return { ...base, isCut: true };
    const groups = [schema, ...more].flatMap(variantsOf);
    return groups.length === 0
      ? inside(base, { schema, types, path })
      : withVariants(base, groups, { schema, types, path });
  }

  function withVariants(base: SchemaTree, groups: readonly WrittenVariants[], at: InsideSchema): SchemaTree {
    const { schema, types, path } = at;
    const isNull = (option: Json) => isNullSchema(root, option);
    const canBeNull = types.includes("null") || groups.some(({ options }) => options.some(isNull));
    const variants = groups.map(({ kind, options }) => {
      return { kind, options: options.filter((option) => !isNull(option)).map((option) => tree(option, path)) };
    });
    const isList = types.includes("array") || schema["items"] !== undefined || tupleOf(schema) !== null;
    const options = variants.flatMap((each) => each.options);
    const [only] = options;
    if (options.length === 1 && only !== undefined && fieldNames(schema).length === 0 && !isList) {
      return {
        ...only,
        type: canBeNull && !only.type.endsWith("| null") ? `${only.type} | null` : only.type,
        title: base.title ?? only.title,
        description: base.description ?? only.description,
        docs: base.docs ?? only.docs,
        choices: base.choices.length > 0 ? base.choices : only.choices,
        constraints: [...base.constraints, ...only.constraints],
        isDeprecated: base.isDeprecated || only.isDeprecated,
        access: base.access ?? only.access,
      };
    }
    const shape = inside(base, at);
    const labels = variants.map((each) => unionLabel(each.options, canBeNull));
    const label = isList ? undefined : labels.find((each) => !/^any(?: \| null)?$/.test(each));
    return { ...shape, type: label ?? shape.type, variants: [...shape.variants, ...variants] };
  }

  function inside(base: SchemaTree, { schema, types, path }: InsideSchema): SchemaTree {
    const isNullable = types.includes("null");
    const first = tupleOf(schema);
    if (first !== null) {
      const fields = first.map((each, index) => ({ name: `[${index}]`, isRequired: false, schema: tree(each, path) }));
      const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
      if (isJsonObject(rest)) fields.push({ name: "[…]", isRequired: false, schema: tree(rest, path) });
      const labels = fields.map(({ name, schema: { type } }) => (name === "[…]" ? `...${grouped(type)}[]` : type));
      return { ...base, type: `[${labels.join(", ")}]${isNullable ? " | null" : ""}`, fields };
    }
    const { items } = schema;
    if (types.includes("array") || items !== undefined) {
      const item = tree(items, path);
      const isShown = ({ label }: Constraint) =>
        label !== "default" && (label !== "example" || !base.constraints.some((each) => each.label === "example"));
      const descriptions = new Set([base.description, item.description].filter((each) => each !== null));
      return {
        ...base,
        type: `${grouped(item.type)}[]${isNullable ? " | null" : ""}`,
        name: base.name ?? item.name,
        title: base.title ?? item.title,
        choices: base.choices.length > 0 ? base.choices : item.choices,
        constraints: [...base.constraints, ...item.constraints.filter(isShown)],
        description: descriptions.size === 0 ? null : [...descriptions].join("\n\n"),
        docs: base.docs ?? item.docs,
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
    leftOut: () => ({ fields: left <= 0, levels: isTooDeep, examples: charactersLeft < 0 }),
  };
}

interface InsideSchema {
  schema: JsonObject;
  types: readonly string[];
  path: readonly JsonObject[];
}

interface WrittenVariants {
  kind: VariantKind;
  options: readonly Json[];
}

const EMPTY: SchemaTree = {
  type: "any",
  name: null,
  title: null,
  description: null,
  docs: null,
  choices: [],
  constraints: [],
  fields: [],
  variants: [],
  isDeprecated: false,
  access: null,
  isRecursive: false,
  isCut: false,
};

/** The schemas of the first items of a list, where each has its own. Before 2020-12 `items` holds them. */
function tupleOf(schema: JsonObject): readonly Json[] | null {
  const written = [schema["prefixItems"], schema["items"]].find((each) => Array.isArray(each) && each.length > 0);
  return written === undefined ? null : listIn(written);
}

const grouped = (type: string) => (type.includes(" | ") ? `(${type})` : type);

function choicesOf(schema: JsonObject): string[] {
  if (schema["const"] !== undefined) return [codeText(schema["const"])];
  return listIn(schema["enum"])
    .slice(0, SHOWN.choices)
    .map((each) => codeText(each));
}

function unionLabel(options: readonly SchemaTree[], canBeNull: boolean): string {
  const types = [...new Set(options.map((option) => option.type.replace(/ \| null$/, "")))];
  if (canBeNull) types.push("null");
  return types.slice(0, 6).join(" | ") + (types.length > 6 ? " | …" : "");
}

function variantsOf(schema: JsonObject): WrittenVariants[] {
  const groups = [
    { kind: "one of", options: listIn(schema["oneOf"]) },
    { kind: "any of", options: listIn(schema["anyOf"]) },
  ] as const;
  return groups
    .filter(({ options }) => options.length > 0)
    .map(({ kind, options }) => ({ kind, options: options.slice(0, SHOWN.variants) }));
}

function isNullSchema(root: JsonObject, option: Json): boolean {
  const schema = follow(root, option)?.object;
  return schema?.["type"] === "null" || schema?.["const"] === null;
}

/** The name and the title of a schema, as far as its type and what readers already `know` do not say them. */
export function namesOf({ type, name, title }: SchemaTree, known = ""): string[] {
  const plain = (text: string) => text.replaceAll(/[\s_-]/g, "").toLowerCase();
  const names = [...new Set([name, title].filter((each) => each !== null))];
  return names.filter((each) => !type.includes(each) && plain(each) !== plain(known));
}

export function anyLeftOut(one: SchemaReader, other: SchemaReader): LeftOutOfPage {
  const [first, second] = [one.leftOut(), other.leftOut()];
  return {
    fields: first.fields || second.fields,
    levels: first.levels || second.levels,
    examples: first.examples || second.examples,
  };
}
