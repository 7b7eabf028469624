import { isJsonObject, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { callbacksOf, type CallbackView } from "./callbacks.ts";
import { descriptionOf, textOf } from "./document-text.ts";
import { docsLinkOf, type DocsLink } from "./external-docs.ts";
import { callPartsOf, type CallParts } from "./operation-parts.ts";
import { findOperation, tagsOfPage } from "./operations.ts";
import { anyLeftOut, createSchemaReader, type LeftOutOfPage } from "./schema-tree.ts";
import { securityOf, type SecurityChoice } from "./security.ts";
import { serversOf, type ApiServer } from "./servers.ts";

/** One operation as its page shows it, with every reference followed. */
export interface OperationView extends CallParts {
  title: string | null;
  description: string | null;
  /** What the description says of the path, unless that is the operation's own description. */
  pathDescription: string | null;
  isDeprecated: boolean;
  tags: readonly string[];
  isWebhook: boolean;
  /** The method of requests; for a webhook, the method that it is sent with. */
  method: string;
  path: string;
  servers: readonly ApiServer[];
  security: readonly SecurityChoice[];
  /** Requests that the API sends to the caller later. */
  callbacks: readonly CallbackView[];
  externalDocs: DocsLink | null;
  /** Code samples from the author, which replace those generated from the request. */
  givenSamples: readonly { title: string; language: string; code: string }[];
  leftOut: LeftOutOfPage;
}

/** Reads one operation; null when the document has no operation with this method and path. */
export function viewOperation(root: JsonObject, wanted: { method: string; path: string }): OperationView | null {
  const found = findOperation(root, wanted);
  if (found === null) return null;
  const { operation, item, method } = found;
  const request = createSchemaReader(root, "request");
  const response = createSchemaReader(root, "response");
  const description = descriptionOf(operation, item);
  const ofPath = [textOf(item["summary"], CHARACTERS.summary), descriptionOf(item)].filter(
    (text) => text !== null && text !== description,
  );
  const view = {
    title: textOf(operation["summary"], CHARACTERS.summary),
    description,
    pathDescription: ofPath.length === 0 ? null : ofPath.join("\n\n"),
    isDeprecated: operation["deprecated"] === true,
    tags: tagsOfPage(root, operation["tags"]),
    isWebhook: wanted.method === "WEBHOOK",
    method,
    path: wanted.path,
    servers: wanted.method === "WEBHOOK" ? [] : serversOf(root, [operation, item, root]),
    security: securityOf(root, operation["security"] ?? root["security"]),
    ...callPartsOf(root, { operation, item }, { request, response }),
    callbacks: callbacksOf(root, operation, { request, response }),
    externalDocs: docsLinkOf(root, operation["externalDocs"]),
    givenSamples: givenSamplesOf(operation),
  };
  return { ...view, leftOut: anyLeftOut(request, response) };
}

/** Whether the address at the top of the page does not say everything about the servers. */
export const hasMoreServers = ({ servers }: OperationView): boolean =>
  servers.length > 1 || servers.some(({ description, variables }) => description !== null || variables.length > 0);

function givenSamplesOf(operation: JsonObject): OperationView["givenSamples"] {
  const written = listIn(operation["x-codeSamples"] ?? operation["x-code-samples"]);
  return written.slice(0, SHOWN.samples).flatMap((sample) => {
    if (!isJsonObject(sample)) return [];
    const code = textOf(sample["source"], CHARACTERS.source);
    const language = textOf(sample["lang"], CHARACTERS.name);
    if (code === null || language === null) return [];
    return [{ title: textOf(sample["label"], CHARACTERS.name) ?? language, language: language.toLowerCase(), code }];
  });
}
