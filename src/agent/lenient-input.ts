import type { JSONSchema7 } from "#models/message.ts";

/** A call's input in the shape that its tool requires, with notes on the corrections, for the model. */
export interface LenientInput {
  input: unknown;
  notes: string[];
}

/** What other programs call the arguments of their tools for files. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["query", "text"],
  ["file", "path"],
  ["file_path", "path"],
  ["filename", "path"],
  ["path", "glob"],
  ["directory", "glob"],
  ["old_string", "old"],
  ["old_str", "old"],
  ["new_string", "new"],
  ["new_str", "new"],
  ["text", "content"],
]);

/**
 * Corrects common mistakes of models in an input: `null` for an omitted argument, `"50"` for a number, a string for a
 * list of strings, JSON in a string, other names of arguments, unknown arguments. Changes only the form, never a value:
 * ambiguous input stays unchanged, and the schema refuses it. So does an unknown argument without `ignoresUnknown`: for a
 * tool that changes files it may be a restriction, and ignoring it would change more than intended.
 */
export function readLeniently(
  input: unknown,
  schema: JSONSchema7,
  { ignoresUnknown }: { ignoresUnknown: boolean },
): LenientInput {
  const notes: string[] = [];
  return { input: read(input, schema, { path: "", notes, ignoresUnknown }), notes };
}

interface Place {
  /** Dotted path, for the notes. */
  path: string;
  notes: string[];
  ignoresUnknown: boolean;
}

type Schema = JSONSchema7 | boolean | undefined;

function read(value: unknown, schema: Schema, place: Place): unknown {
  if (typeof schema !== "object") return value;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    const fitting = branches.find((each) => fits(value, each));
    if (fitting !== undefined) return read(value, fitting, place);
    const [only, ...others] = branches.filter((each) => typeof each === "object" && each.type !== "null");
    return others.length === 0 ? read(value, only, place) : value;
  }
  switch (schema.type) {
    case "object":
      return readObject(value, schema, place);
    case "array":
      return readArray(value, schema, place);
    case "integer":
    case "number":
      return typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "string":
      return typeof value === "number" ? String(value) : value;
    default:
      return value;
  }
}

function readObject(value: unknown, schema: JSONSchema7, place: Place): unknown {
  const given = typeof value === "string" ? parsed(value) : value;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return value;
  const { properties = {}, required = [], additionalProperties } = schema;
  const entries: [string, unknown][] = [];
  const taken = new Set(Object.keys(given));
  for (const [written, each] of Object.entries(given)) {
    const path = place.path === "" ? written : `${place.path}.${written}`;
    const isUnknown = additionalProperties === false && !Object.hasOwn(properties, written);
    const other = isUnknown ? OTHER_NAMES.get(written) : undefined;
    const isRenamed = other !== undefined && Object.hasOwn(properties, other) && !taken.has(other);
    const name = isRenamed ? other : written;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isRenamed) {
      taken.add(name);
      place.notes.push(`The argument "${path}" was read as "${name}".`);
    }
    if (isUnknown && !isRenamed && (place.ignoresUnknown || restrictsNothing(written, each))) {
      place.notes.push(`There is no argument "${path}": it was ignored.`);
    } else if (each === null && known !== undefined && !required.includes(name) && !fits(null, known)) {
      continue; // omitted
    } else entries.push([name, read(each, known, { ...place, path })]);
  }
  return Object.fromEntries(entries);
}

function restrictsNothing(name: string, value: unknown): boolean {
  return value === null || (name === "all" && (value === true || value === "true"));
}

function readArray(value: unknown, schema: JSONSchema7, place: Place): unknown {
  const given = typeof value === "string" ? (parsed(value) ?? value) : value;
  const list = Array.isArray(given) ? given : given === null || given === undefined ? null : [given];
  if (list === null || typeof schema.items !== "object" || Array.isArray(schema.items)) return list ?? value;
  const { items } = schema;
  return list.map((each, index) => read(each, items, { ...place, path: `${place.path}[${index}]` }));
}

/** The list or object in a JSON text; undefined for any other text. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fits(value: unknown, schema: Schema): boolean {
  if (typeof schema !== "object") return schema !== false;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.some((each) => fits(value, each));
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value as never);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.includes(undefined) || types.includes(type as never) || (type === "number" && types.includes("integer"));
}
