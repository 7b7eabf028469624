import type { JsonObject } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { descriptionOf, textOf } from "./document-text.ts";
import { callPartsOf, type CallParts } from "./operation-parts.ts";
import { HTTP_METHODS } from "./operations.ts";
import { follow, partsIn } from "./references.ts";
import type { SchemaReader } from "./schema-tree.ts";

/** A request that an API sends to an address that its caller named. */
export interface CallbackView extends CallParts {
  name: string;
  /** Where the request goes: `{$request.body#/url}`. */
  expression: string;
  method: string;
  title: string | null;
  description: string | null;
  isDeprecated: boolean;
}

/** The callbacks of an operation in their order, without callbacks of the callbacks. */
export function callbacksOf(
  root: JsonObject,
  operation: JsonObject,
  readers: { request: SchemaReader; response: SchemaReader },
): CallbackView[] {
  const found: CallbackView[] = [];
  for (const [name, written] of partsIn(root, operation["callbacks"])) {
    for (const [expression, path] of partsIn(root, written)) {
      const item = follow(root, path)?.object ?? {};
      for (const method of HTTP_METHODS) {
        const call = follow(root, item[method])?.object;
        if (call === undefined || found.length >= SHOWN.callbacks) continue;
        found.push({
          name: name.slice(0, CHARACTERS.name),
          expression: expression.slice(0, CHARACTERS.url),
          method: method.toUpperCase(),
          title: textOf(call["summary"], CHARACTERS.summary) ?? textOf(item["summary"], CHARACTERS.summary),
          description: descriptionOf(call, item),
          isDeprecated: call["deprecated"] === true,
          ...callPartsOf(root, { operation: call, item }, readers),
        });
      }
    }
  }
  return found;
}
