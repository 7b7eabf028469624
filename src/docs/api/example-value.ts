import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { MAX_SCHEMA_DEPTH, MAX_SCHEMAS_SHOWN } from "./bounds.ts";
import { mergeAllOf } from "./merge-all-of.ts";
import { follow } from "./references.ts";
import { fieldNames, hasInside, typesOf } from "./schema-types.ts";
import { numberOf } from "./written-number.ts";

/** An example of a parameter, a body or a message. */
export interface ExampleView {
  /** Its summary or name; null without both. */
  title: string | null;
  description: string | null;
  /** Undefined for a value at an address, and for one that the page leaves out. */
  value: Json | undefined;
  /** The address of the value. */
  href: string | null;
  /** Docent made it from a schema without examples. */
  isGenerated: boolean;
}

const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-01-15T09:30:00Z",
  date: "2026-01-15",
  time: "09:30:00Z",
  duration: "P1D",
  email: "ada@example.com",
  "idn-email": "ada@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com",
  url: "https://example.com",
  "uri-reference": "/path",
  uuid: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
  byte: "aGVsbG8=",
  binary: "<binary>",
  password: "<password>",
};

/**
 * A value that a schema allows: the author's example if it has one, otherwise a generated value. It ends where the page's
 * list of fields does, which says so.
 */
export function exampleOf(root: JsonObject, written: Json | undefined, use: "request" | "response"): Json | undefined {
  let left = MAX_SCHEMAS_SHOWN;

  function value(schemaAsWritten: Json | undefined, above: readonly JsonObject[]): Json | undefined {
    const followed = follow(root, schemaAsWritten);
    if (followed === null || left <= 0) return undefined;
    left -= 1;
    const { schema, more } = mergeAllOf(root, followed.object);
    const given = givenExample(schema);
    if (given !== undefined) return given;
    if (above.includes(followed.target) || (above.length >= MAX_SCHEMA_DEPTH && hasInside(schema))) return undefined;
    const path = [...above, followed.target];
    const types = typesOf(schema);
    const type = types.find((each) => each !== "null");
    const choices = [schema, ...more].flatMap((each) => [listIn(each["oneOf"]), listIn(each["anyOf"])]);
    if (choices.some((each) => each.length > 0) && (type === undefined || type === "object"))
      return combined(schema, choices, path);
    if (type === undefined && types.length > 0) return null;
    if (type === "object") return object(schema, path);
    if (type === "array") {
      const tuple = [schema["prefixItems"], schema["items"]].find((each) => Array.isArray(each));
      if (tuple !== undefined) return listIn(tuple).map((each) => value(each, path) ?? null);
      const item = value(schema["items"], path);
      return item === undefined ? [] : [item];
    }
    return simple(schema, type);
  }

  /** The fields of a schema with those of the first variant of each choice; without any, the value of a variant. */
  function combined(schema: JsonObject, choices: readonly (readonly Json[])[], path: readonly JsonObject[]): Json {
    const own = fieldNames(schema).length > 0 ? [object(schema, path)] : [];
    const chosen = choices.flatMap((options) => {
      for (const option of options) {
        const found = value(option, path);
        if (found !== undefined && found !== null) return [found];
      }
      return [];
    });
    const objects = [...own, ...chosen].filter(isJsonObject);
    return objects.length > 0 ? (Object.assign({}, ...objects) as JsonObject) : (chosen[0] ?? null);
  }

  function object(schema: JsonObject, path: readonly JsonObject[]): Json {
    const result: Record<string, Json> = {};
    const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    for (const [name, property] of Object.entries(properties)) {
      const followed = follow(root, property);
      const { schema: merged } = mergeAllOf(root, followed?.object ?? {});
      if (merged[use === "request" ? "readOnly" : "writeOnly"] === true) continue;
      const each = value(property, path);
      if (each !== undefined) result[name] = each;
    }
    if (Object.keys(properties).length === 0 && isJsonObject(schema["additionalProperties"])) {
      const each = value(schema["additionalProperties"], path);
      if (each !== undefined) result["key"] = each;
    }
    return result;
  }

  return value(written, []);
}

function givenExample(schema: JsonObject): Json | undefined {
  const examples = schema["examples"];
  const choices = schema["enum"];
  return (
    schema["example"] ??
    (Array.isArray(examples) ? (examples[0] as Json) : undefined) ??
    schema["const"] ??
    schema["default"] ??
    (Array.isArray(choices) ? (choices.find((choice) => choice !== null) as Json | undefined) : undefined)
  );
}

function simple(schema: JsonObject, type: string | undefined): Json | undefined {
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") {
    const least = schema["minimum"] ?? schema["exclusiveMinimum"];
    return least !== undefined && (numberOf(least) ?? 0) > 1 ? least : type === "integer" ? 1 : 1.5;
  }
  if (type === "string") {
    const format = typeof schema["format"] === "string" ? schema["format"] : "";
    return Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : "<string>";
  }
  return type === undefined ? "<any>" : null;
}
