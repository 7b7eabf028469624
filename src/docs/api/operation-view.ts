import { isJsonObject, type JsonObject, listIn } from "#docs/json-document.ts";
import { SHOWN } from "./bounds.ts";
import { callbacksOf, type CallbackView } from "./callbacks.ts";
import { descriptionOf, textOf } from "./document-text.ts";
import { callPartsOf, type CallParts } from "./operation-parts.ts";
import { findOperation } from "./operations.ts";
import { follow } from "./references.ts";
import { createSchemaReader } from "./schema-tree.ts";
import { securityOf, type SecurityChoice } from "./security.ts";
import { serversOf, type ApiServer } from "./servers.ts";

/** One operation as its page shows it, with every reference followed. */
export interface OperationView extends CallParts {
  title: string | null;
  description: string | null;
  isDeprecated: boolean;
  isWebhook: boolean;
  /** The method of requests; for a webhook, the method that it is sent with. */
  method: string;
  path: string;
  servers: readonly ApiServer[];
  security: readonly SecurityChoice[];
  /** Requests that the API sends to the caller later. */
  callbacks: readonly CallbackView[];
  externalDocs: { href: string; text: string } | null;
  /** Code samples from the author, which replace those generated from the request. */
  givenSamples: readonly { title: string; language: string; code: string }[];
  /** Whether it has more fields of schemas, or longer examples, than a page shows. */
  hasLeftOut: { fields: boolean; examples: boolean };
}

/** Reads one operation; null when the document has no operation with this method and path. */
export function viewOperation(root: JsonObject, wanted: { method: string; path: string }): OperationView | null {
  const found = findOperation(root, wanted);
  if (found === null) return null;
  const { operation, item, method } = found;
  const request = createSchemaReader(root, "request");
  const response = createSchemaReader(root, "response");
  const docs = follow(root, operation["externalDocs"])?.object;
  const href = textOf(docs?.["url"], 2_000);
  const view = {
    title: textOf(operation["summary"], SHOWN.summary),
    description: descriptionOf(operation, item),
    isDeprecated: operation["deprecated"] === true,
    isWebhook: wanted.method === "WEBHOOK",
    method,
    path: wanted.path,
    servers: wanted.method === "WEBHOOK" ? [] : serversOf(root, [operation, item, root]),
    security: securityOf(root, operation["security"] ?? root["security"]),
    ...callPartsOf(root, { operation, item }, { request, response }),
    callbacks: callbacksOf(root, operation, { request, response }),
    externalDocs: href === null ? null : { href, text: textOf(docs?.["description"], 200) ?? href },
    givenSamples: givenSamplesOf(operation),
  };
  const [one, other] = [request.hasLeftOut(), response.hasLeftOut()];
  const hasLeftOut = { fields: one.fields || other.fields, examples: one.examples || other.examples };
  return { ...view, hasLeftOut };
}

function givenSamplesOf(operation: JsonObject): OperationView["givenSamples"] {
  const written = listIn(operation["x-codeSamples"] ?? operation["x-code-samples"]);
  return written.slice(0, SHOWN.samples).flatMap((sample) => {
    if (!isJsonObject(sample)) return [];
    const code = textOf(sample["source"], 50_000);
    const language = textOf(sample["lang"], 40);
    if (code === null || language === null) return [];
    return [{ title: textOf(sample["label"], 60) ?? language, language: language.toLowerCase(), code }];
  });
}
