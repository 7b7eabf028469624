import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { textOf } from "./document-text.ts";
import { follow } from "./references.ts";
import { numberOf } from "./written-number.ts";

export interface MergedSchema {
  schema: JsonObject;
  /** Facts that apply too, but that `schema` has no room for: a second `pattern`, a second `oneOf`. */
  more: readonly JsonObject[];
  /** The schemas that were merged. */
  parents: readonly JsonObject[];
}

/**
 * Merges the parts of a schema's `allOf`. All parts apply: a field in several parts gets the facts of each, and the tighter
 * of two limits wins. For annotations, such as a title or a default, the first one wins; the schema's own come before those
 * of its parts. Its own description replaces theirs.
 */
export function mergeAllOf(root: JsonObject, written: JsonObject): MergedSchema {
  if (!Array.isArray(written["allOf"])) return { schema: written, more: [], parents: [] };
  const { parts, parents } = partsOf(root, written);
  const [own = {}, ...others] = parts.map(withNumericBounds);
  const schema: Record<string, Json> = { ...own };
  const more = others.map((part) => add(schema, part)).filter((rest) => Object.keys(rest).length > 0);
  const description = own["description"] ?? joinedDescription(others);
  if (description !== null) schema["description"] = description;
  // Fields in the order of the document: base schemas before the fields that are added.
  const properties: Record<string, Json> = {};
  for (const part of [...others, own]) addFields(properties, part["properties"]);
  if (Object.keys(properties).length > 0) schema["properties"] = properties;
  return { schema, more, parents };
}

function partsOf(root: JsonObject, schema: JsonObject): { parts: JsonObject[]; parents: JsonObject[] } {
  const parts: JsonObject[] = [];
  const parents = new Set<JsonObject>();
  const visit = (value: Json, isTop: boolean): void => {
    const followed = isTop ? { object: schema, target: schema } : follow(root, value);
    if (followed === null || parts.length > SHOWN.parts || parents.has(followed.target)) return;
    if (!isTop) parents.add(followed.target);
    const { allOf, ...own } = followed.object;
    parts.push(own);
    for (const part of listIn(allOf)) visit(part, false);
  };
  visit(schema, true);
  return { parts, parents: [...parents] };
}

/** In 3.0 `exclusiveMinimum` is a flag, which means nothing beside the bound of another part. */
function withNumericBounds(part: JsonObject): JsonObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = part;
  const bounds = {
    minimum: exclusiveMinimum === true ? undefined : minimum,
    maximum: exclusiveMaximum === true ? undefined : maximum,
    exclusiveMinimum: exclusiveMinimum === true ? minimum : exclusiveMinimum,
    exclusiveMaximum: exclusiveMaximum === true ? maximum : exclusiveMaximum,
  };
  const written = Object.entries(bounds).filter(([, bound]) => bound !== undefined && bound !== false);
  return { ...rest, ...(Object.fromEntries(written) as JsonObject) };
}

type Merge = (one: Json, other: Json) => Json;

const higher: Merge = (one, other) => ((numberOf(other) ?? -Infinity) > (numberOf(one) ?? -Infinity) ? other : one);
const lower: Merge = (one, other) => ((numberOf(other) ?? Infinity) < (numberOf(one) ?? Infinity) ? other : one);
const either: Merge = (one, other) => one === true || other === true;

const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
const FLAGS = ["readOnly", "writeOnly", "deprecated", "uniqueItems"];

const MERGES = new Map<string, Merge>([
  ...LOWER_BOUNDS.map((name) => [name, higher] as const),
  ...UPPER_BOUNDS.map((name) => [name, lower] as const),
  ...FLAGS.map((name) => [name, either] as const),
  ["type", commonTypes],
  ["enum", common],
  ["required", (one, other) => [...new Set([...listIn(one), ...listIn(other)])]],
  ["items", bothSchemas],
  ["additionalProperties", bothSchemas],
  ["patternProperties", (one, other) => addFields({ ...(isJsonObject(other) ? other : {}) }, one)],
]);

/** Rules that cannot be merged into one. */
const KEPT_APART = new Set([
  ..."oneOf anyOf not pattern multipleOf contains propertyNames dependentRequired dependentSchemas".split(" "),
  ..."unevaluatedProperties unevaluatedItems contentMediaType contentEncoding contentSchema".split(" "),
]);
const CONDITION = ["if", "then", "else"];

/** Adds a part to a schema. Returns what applies too and has no room in it. */
function add(schema: Record<string, Json>, part: JsonObject): JsonObject {
  const rest: Record<string, Json> = {};
  const hasCondition = CONDITION.some((name) => schema[name] !== undefined);
  for (const [name, value] of Object.entries(part)) {
    const known = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (CONDITION.includes(name) && hasCondition) rest[name] = value;
    else if (known === undefined) schema[name] = value;
    else if (KEPT_APART.has(name)) rest[name] = value;
    else schema[name] = MERGES.get(name)?.(known, value) ?? known;
  }
  return rest;
}

/** The values that both lists have; the first list if they contradict each other. */
function common(one: Json, other: Json): Json {
  const others = new Set(listIn(other).map((each) => JSON.stringify(each)));
  const shared = listIn(one).filter((each) => others.has(JSON.stringify(each)));
  return shared.length > 0 ? shared : one;
}

function commonTypes(one: Json, other: Json): Json {
  const typesIn = (written: Json) => (Array.isArray(written) ? listIn(written) : [written]);
  const [types, others] = [typesIn(one), typesIn(other)];
  const isIn = (type: Json, list: readonly Json[]) =>
    list.includes(type) || (type === "integer" && list.includes("number"));
  const shared = [
    ...types.filter((type) => isIn(type, others)),
    ...others.filter((type) => !types.includes(type) && isIn(type, types)),
  ];
  return shared.length > 1 ? shared : (shared[0] ?? one);
}

function bothSchemas(specific: Json, general: Json): Json {
  if (specific === false || general === false) return false;
  if (!isJsonObject(general)) return specific;
  if (!isJsonObject(specific)) return specific === true ? general : specific;
  const isSame = specific === general || (specific["$ref"] !== undefined && specific["$ref"] === general["$ref"]);
  return isSame ? specific : { allOf: [specific, general] };
}

function addFields(fields: Record<string, Json>, more: Json | undefined): Record<string, Json> {
  for (const [name, schema] of isJsonObject(more) ? Object.entries(more) : []) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    fields[name] = known === undefined ? schema : bothSchemas(schema, known);
  }
  return fields;
}

function joinedDescription(parts: readonly JsonObject[]): string | null {
  const texts = parts.map((part) => textOf(part["description"], CHARACTERS.description));
  const different = [...new Set(texts.filter((text) => text !== null))];
  return different.length === 0 ? null : different.join("\n\n");
}
