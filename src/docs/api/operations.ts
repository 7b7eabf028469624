import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, MAX_OPERATIONS } from "./bounds.ts";
import { plainSummary, textOf } from "./document-text.ts";
import { follow, partsIn } from "./references.ts";

/** Replaces a method: the page is about the API as a whole and lists its operations. */
export const OVERVIEW = "OVERVIEW";

/** In the order in which the operations of a path are listed. */
export const HTTP_METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;

/** Every operation of a document in its order, webhooks last. */
export function operationsOf(root: JsonObject): ListedOperation[] {
  const found: ListedOperation[] = [];
  for (const [path, item] of partsIn(root, root["paths"])) {
    const object = follow(root, item)?.object;
    for (const method of HTTP_METHODS) {
      const operation = object?.[method];
      if (isJsonObject(operation) && found.length < MAX_OPERATIONS) {
        found.push(summarise(root, { operation, method: method.toUpperCase(), path }));
      }
    }
  }
  for (const [path] of partsIn(root, root["webhooks"])) {
    const operation = findOperation(root, { method: "WEBHOOK", path })?.operation;
    if (operation !== undefined && found.length < MAX_OPERATIONS) {
      found.push(summarise(root, { operation, method: "WEBHOOK", path }));
    }
  }
  return found;
}

/** The operation of a method and path as the document has it, with the fields of the path; null when it does not exist. */
export function findOperation(
  root: JsonObject,
  { method, path }: { method: string; path: string },
): { operation: JsonObject; item: JsonObject; method: string } | null {
  const isWebhook = method === "WEBHOOK";
  const all = isWebhook ? root["webhooks"] : root["paths"];
  const written = isJsonObject(all) && Object.hasOwn(all, path) ? all[path] : undefined;
  const item = follow(root, written)?.object;
  if (item === undefined) return null;
  if (isWebhook) {
    const used = HTTP_METHODS.find((each) => isJsonObject(item[each])) ?? "post";
    const operation = item[used];
    return isJsonObject(operation) ? { operation, item, method: used.toUpperCase() } : null;
  }
  const operation = item[method.toLowerCase()];
  return isJsonObject(operation) ? { operation, item, method } : null;
}

function summarise(
  root: JsonObject,
  { operation, method, path }: { operation: JsonObject; method: string; path: string },
): ListedOperation {
  const metadata = follow(root, follow(root, operation["x-mint"])?.object["metadata"])?.object ?? {};
  const [tag = null] = tagNames(root, operation["tags"]);
  const summary = textOf(operation["summary"], CHARACTERS.summary);
  return {
    method,
    path,
    slug: slugOf({ method, path, summary, tag }),
    title:
      textOf(metadata["title"], CHARACTERS.summary) ??
      summary ??
      (method === "WEBHOOK" ? null : textOf(operation["operationId"], CHARACTERS.name)),
    description: plainSummary(textOf(metadata["description"], 1_000) ?? textOf(operation["description"], 1_000)),
    tag,
    ...listingOf(root, operation),
  };
}

/** The names of tags: OpenAPI lists names, AsyncAPI objects. */
export const tagNames = (root: JsonObject, tags: Json | undefined): string[] =>
  listIn(tags).flatMap((tag) => textOf(follow(root, tag)?.object["name"] ?? tag, CHARACTERS.name) ?? []);

/** Where an operation or a channel has several tags, its page names them: lists show it below the first. */
export function tagsOfPage(root: JsonObject, tags: Json | undefined): string[] {
  const names = [...new Set(tagNames(root, tags))];
  return names.length > 1 ? names : [];
}

/** How the author wants an operation or a channel to be listed. */
export function listingOf(
  root: JsonObject,
  object: JsonObject,
): Pick<ListedOperation, "isDeprecated" | "isHidden" | "isExcluded" | "href"> {
  return {
    isDeprecated: object["deprecated"] === true,
    isHidden: object["x-hidden"] === true,
    isExcluded: object["x-excluded"] === true || object["x-internal"] === true,
    href: textOf(follow(root, object["x-mint"])?.object["href"], CHARACTERS.url),
  };
}

interface Named {
  method: string;
  path: string;
  summary: string | null;
  tag: string | null;
}

// The names that other hosts give to generated pages, so that links to them keep working.
function slugOf({ method, path, summary, tag }: Named): string {
  const own = method === "WEBHOOK" ? slugPart(path) : `${method.toLowerCase()}-${slugPart(path)}`;
  return [tag === null ? "" : slugPart(tag), summary === null ? own : slugPart(summary)]
    .filter((part) => part !== "")
    .join("/");
}

/** An operation as lists show it. */
export interface ListedOperation {
  /** `GET`, `POST` …, `WEBHOOK`; for a channel `WSS`, `PUB`, `SUB`. */
  method: string;
  /** The path, or the name of the webhook or channel. */
  path: string;
  title: string | null;
  /** Folder and name of its page unless its author chooses another address: `users/get-a-user`. */
  slug: string;
  description: string | null;
  tag: string | null;
  isDeprecated: boolean;
  /** It has a page, but is left out of the navigation. */
  isHidden: boolean;
  /** It has no page. */
  isExcluded: boolean;
  /** The address of its page, as its author wrote it. */
  href: string | null;
}

/** A text as part of an address, in the form that other hosts use, so that links to them keep working. */
export function slugPart(text: string): string {
  return text
    .slice(0, 200)
    .replaceAll(" ", "-")
    .replaceAll(/\{[^{}]*\}/g, "-")
    .replace(/^-/, "")
    .replace(/-$/, "")
    .replaceAll(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .toLowerCase();
}
