import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "#docs/api/bounds.ts";
import { descriptionOf, textOf } from "#docs/api/document-text.ts";
import { aboutOf } from "#docs/api/external-docs.ts";
import { exampleOf } from "#docs/api/example-value.ts";
import { exampleCode } from "#docs/api/operation-parts.ts";
import { follow, partsIn } from "#docs/api/references.ts";
import type { SchemaReader, SchemaTree } from "#docs/api/schema-tree.ts";

export interface MessageView {
  name: string;
  title: string | null;
  description: string | null;
  contentType: string | null;
  isDeprecated: boolean;
  headers: SchemaTree | null;
  payload: SchemaTree | null;
  /** A payload in a schema language other than JSON Schema, as written. */
  foreign: { format: string; code: string } | null;
  bindings: readonly BindingView[];
  correlation: { location: string; description: string | null } | null;
  examples: readonly { title: string | null; code: string }[];
}

/** Settings of one protocol: `ws`, `kafka`. */
export interface BindingView {
  protocol: string;
  code: string;
}

/** Reads messages that are written as a list, as a map by name, as a single message, or as `oneOf`. */
export function messagesOf(root: JsonObject, written: Json | undefined, reader: SchemaReader): MessageView[] {
  const named = messagesByName(root, written).slice(0, SHOWN.messages);
  return named.flatMap(([name, each], index) => {
    const found = follow(root, each);
    if (found === null) return [];
    const message = withTraits(root, found.object);
    const known =
      textOf(message["name"], CHARACTERS.name) ?? name ?? found.name ?? textOf(message["title"], CHARACTERS.summary);
    return [messageOf(root, message, { name: known ?? `message ${index + 1}`, reader })];
  });
}

function messagesByName(root: JsonObject, written: Json | undefined): [string | null, Json][] {
  if (Array.isArray(written)) return listIn(written).map((each) => [null, each]);
  const object = follow(root, written)?.object ?? {};
  if (Array.isArray(object["oneOf"])) return listIn(object["oneOf"]).map((each) => [null, each]);
  const isOne = ["payload", "name", "headers", "contentType", "title", "summary", "examples", "traits"].some((key) =>
    key === "name" || key === "title" || key === "summary" || key === "contentType"
      ? typeof object[key] === "string"
      : key === "traits" || key === "examples"
        ? Array.isArray(object[key])
        : object[key] !== undefined && !isMessage(root, object[key]),
  );
  if (isOne) return [[null, written as Json]];
  return partsIn(root, object);
}

/** A map of messages may contain one with the name `payload`. */
function isMessage(root: JsonObject, value: Json | undefined): boolean {
  return follow(root, value)?.object["payload"] !== undefined;
}

function messageOf(
  root: JsonObject,
  message: JsonObject,
  { name, reader }: { name: string; reader: SchemaReader },
): MessageView {
  const payload = schemaIn(root, message["payload"], message["schemaFormat"]);
  const headers = schemaIn(root, message["headers"], undefined);
  const title = textOf(message["title"], CHARACTERS.summary) ?? textOf(message["summary"], CHARACTERS.summary);
  const correlation = follow(root, message["correlationId"])?.object;
  const location = textOf(correlation?.["location"], CHARACTERS.url);
  return {
    name: name.slice(0, CHARACTERS.name),
    title,
    description: aboutOf(root, message, title),
    bindings: bindingsOf(root, message["bindings"]),
    correlation: location === null ? null : { location, description: descriptionOf(correlation) },
    contentType: textOf(message["contentType"], CHARACTERS.name) ?? textOf(root["defaultContentType"], CHARACTERS.name),
    isDeprecated: message["deprecated"] === true,
    headers: headers.foreign === null ? reader.tree(headers.schema) : null,
    payload: payload.foreign === null ? reader.tree(payload.schema) : null,
    foreign: payload.foreign,
    examples: messageExamples(root, message, { schema: payload.schema, reader }),
  };
}

/** Since 3.0 a schema may name its format itself; in 2.x the message names it. */
function schemaIn(
  root: JsonObject,
  written: Json | undefined,
  messageFormat: Json | undefined,
): { schema: Json | undefined; foreign: MessageView["foreign"] } {
  const object = isJsonObject(written) ? written : undefined;
  const isPaired = object?.["schemaFormat"] !== undefined && object["schema"] !== undefined;
  const schema = isPaired ? object["schema"] : written;
  const format = textOf(isPaired ? object["schemaFormat"] : messageFormat, CHARACTERS.name) ?? "";
  if (schema === undefined || format === "" || /asyncapi|openapi|schema\+(?:json|yaml)/i.test(format)) {
    return { schema, foreign: null };
  }
  const inside = follow(root, schema)?.object ?? schema;
  return { schema: undefined, foreign: { format, code: exampleCode(inside) } };
}

function messageExamples(
  root: JsonObject,
  message: JsonObject,
  { schema, reader }: { schema: Json | undefined; reader: SchemaReader },
): MessageView["examples"] {
  const given = listIn(message["examples"])
    .slice(0, SHOWN.examples)
    .flatMap((each) => {
      const example = follow(root, each)?.object ?? {};
      const title = textOf(example["summary"], CHARACTERS.summary) ?? textOf(example["name"], CHARACTERS.name);
      const parts = [
        [title, example["payload"]],
        [example["payload"] === undefined ? title : `${title ?? "Example"} (headers)`, example["headers"]],
      ] as const;
      return parts.flatMap(([name, written]) => {
        const value = reader.example(written);
        return value === undefined ? [] : [{ title: name, code: exampleCode(value) }];
      });
    });
  if (given.length > 0) return given;
  const made = exampleOf(root, schema, "response");
  return made === undefined ? [] : [{ title: null, code: exampleCode(made) }];
}

/** Fields of an operation or a message take precedence over those of its traits. */
export function withTraits(root: JsonObject, object: JsonObject): JsonObject {
  const found = listIn(object["traits"])
    .slice(0, SHOWN.traits)
    .map((trait) => follow(root, trait)?.object ?? {});
  return Object.assign({}, ...found, object) as JsonObject;
}

export function bindingsOf(root: JsonObject, written: Json | undefined): BindingView[] {
  return Object.entries(follow(root, written)?.object ?? {})
    .filter(([, value]) => isJsonObject(value) && Object.keys(value).length > 0)
    .slice(0, SHOWN.bindings)
    .map(([protocol, value]) => ({ protocol: protocol.slice(0, CHARACTERS.name), code: exampleCode(value) }));
}
