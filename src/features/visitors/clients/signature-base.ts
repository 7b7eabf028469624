import * as fields from "structured-headers";
import type { PlainRequest } from "#lib/network/plain-http.ts";

/** The parts of a request that a signature can cover. */
export interface SignedMessage {
  method: string;
  /** As the client sees it: the scheme of readers, not the one behind a proxy. */
  url: URL;
  headers: PlainRequest["headers"];
}

/** `base` is what was signed; `unsupported` says that only somebody with more knowledge could tell. */
export type SignatureBase = { base: string } | "unsupported" | "wrong";

const MAX_COMPONENTS = 16;

/** RFC 9421, 2.5: the text that a signature over `input` is made of. */
export function signatureBase(message: SignedMessage, input: FieldList): SignatureBase {
  const [components] = input;
  if (components.length > MAX_COMPONENTS) return "unsupported";
  const lines = new Map<string, string>();
  for (const component of components) {
    const name = component[0];
    if (typeof name !== "string" || name !== name.toLowerCase()) return "wrong";
    const value = componentValue(message, name, component[1]);
    if (typeof value !== "object") return value;
    const identifier = fieldText(component);
    if (lines.has(identifier)) return "wrong"; // 2.5: each component once
    lines.set(identifier, value.text);
  }
  const text = [...lines].map(([identifier, value]) => `${identifier}: ${value}\n`).join("");
  return { base: `${text}"@signature-params": ${fieldText(input)}` };
}

type ComponentValue = { text: string } | "unsupported" | "wrong";

function componentValue(
  { method, url, headers }: SignedMessage,
  name: string,
  parameters: FieldParameters,
): ComponentValue {
  if (name.startsWith("@")) {
    const derived: Record<string, string> = {
      "@method": method,
      "@authority": url.host,
      "@scheme": url.protocol.slice(0, -1),
      "@target-uri": `${url.origin}${url.pathname}${url.search}`,
      "@request-target": url.pathname + url.search,
      "@path": url.pathname,
      "@query": url.search === "" ? "?" : url.search,
    };
    const text = Object.hasOwn(derived, name) ? derived[name] : undefined;
    return text === undefined || parameters.size > 0 ? "unsupported" : { text };
  }
  const field = /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? headers.get(name) : null;
  if (field === null) return "wrong";
  if (parameters.size === 0) return { text: field.trim() };
  const key = parameters.get("key");
  if (typeof key !== "string" || parameters.size > 1) return "unsupported";
  const member = parseFieldDictionary(field).get(key);
  if (member === undefined) return "wrong";
  return { text: fieldText(member) };
}

// RFC 8941. The package's own types name a type of browsers that is not known here, which makes all of them `any`.
type FieldValue = string | number | boolean | object;
type FieldParameters = Map<string, FieldValue>;
type FieldItem = [value: FieldValue, parameters: FieldParameters];
export type FieldList = [items: FieldItem[], parameters: FieldParameters];

/** Throws for what is no dictionary. */
export function parseFieldDictionary(text: string): Map<string, FieldItem | FieldList> {
  return fields.parseDictionary(text) as Map<string, FieldItem | FieldList>;
}

/** Throws for what is no item. */
export function parseFieldItem(text: string): FieldItem {
  return fields.parseItem(text) as FieldItem;
}

export function isFieldList(member: FieldItem | FieldList): member is FieldList {
  return Array.isArray(member[0]);
}

/** In the one form that signatures are made of. */
function fieldText(member: FieldItem | FieldList): string {
  return isFieldList(member)
    ? fields.serializeInnerList(member as fields.InnerList)
    : fields.serializeItem(member as fields.Item);
}
