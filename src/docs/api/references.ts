import { posix } from "node:path";
import { decodeLoose } from "#docs/hrefs.ts";
import { CHARACTERS } from "./bounds.ts";
import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";

/** The field that holds the other files of a bundled document. */
export const FILES_KEY = "x-docent-files";

/** The part of a document that a `$ref` names; undefined when it does not exist. */
export function partNamed(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  let value: Json | undefined = root;
  for (const token of pointerTokens(reference.slice(1))) {
    if (Array.isArray(value)) value = /^\d{1,7}$/.test(token) ? (value as readonly Json[])[Number(token)] : undefined;
    else if (isJsonObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else return undefined;
  }
  return value;
}

function pointerTokens(pointer: string): string[] {
  if (!pointer.startsWith("/")) return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => decodeLoose(token).replaceAll("~1", "/").replaceAll("~0", "~"));
}

const MAX_HOPS = 20;

export interface Followed {
  object: JsonObject;
  /** The last part of the reference that led here: `Pet` of `#/components/schemas/Pet`. */
  name: string | null;
  /** The object itself, shared by everything that refers to it. */
  target: JsonObject;
}

/** Only maps of schemas, channels or messages have this many fields, never a single part of a description. */
const MAX_MERGED_FIELDS = 200;
const sizes = new WeakMap<JsonObject, boolean>();

/** Cached per object, because it is needed for each reference to it. */
function isLarge(object: JsonObject): boolean {
  let known = sizes.get(object);
  if (known === undefined) sizes.set(object, (known = Object.keys(object).length > MAX_MERGED_FIELDS));
  return known;
}

/**
 * Resolves the `$ref` of an object. Fields next to the `$ref` override those of the target, except on a large map: copying
 * that for each of many references would take a minute for half a megabyte. Null when the target does not exist.
 */
export function follow(root: JsonObject, value: Json | undefined): Followed | null {
  if (!isJsonObject(value)) return null;
  let object = value;
  let name: string | null = null;
  const beside: JsonObject[] = [];
  for (let hops = 0; typeof object["$ref"] === "string"; hops += 1) {
    const reference = object["$ref"];
    const next = partNamed(root, reference);
    if (!isJsonObject(next) || hops >= MAX_HOPS) return null;
    const { $ref: _, ...siblings } = object;
    if (Object.keys(siblings).length > 0) beside.unshift(siblings);
    name = pointerTokens(reference.slice(1)).at(-1) ?? null;
    object = next;
  }
  const merged = beside.length === 0 || isLarge(object) ? object : (Object.assign({}, object, ...beside) as JsonObject);
  return { object: merged, name: name === null ? null : schemaName(name), target: object };
}

/** The parts of a map by their names, without those of extensions. */
export const partsIn = (root: JsonObject, map: Json | undefined): [string, Json][] =>
  Object.entries(follow(root, map)?.object ?? {}).filter(([name]) => !name.startsWith("x-"));

/** `schemas/Pet.yaml` is known as `Pet`. */
function schemaName(token: string): string {
  return posix
    .basename(token)
    .replace(/\.(?:json|ya?ml)$/i, "")
    .slice(0, CHARACTERS.name);
}
