import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { isJsonObject, WrittenNumber, type Json, type JsonObject } from "#docs/json-document.ts";
import type { Problem } from "#docs/problems.ts";
import { channelProblems, channelsOf, isAsyncApi } from "#docs/api/channels/channel-list.ts";
import { textOf, plainSummary } from "#docs/api/document-text.ts";
import { limitProblems } from "./limit-problems.ts";
import { FILES_KEY, partNamed } from "#docs/api/references.ts";
import { withStringsAsWritten } from "./strings-as-written.ts";
import { type Complain, readFiles } from "./read-files.ts";
import type { ApiReading } from "#docs/api/api-documents.ts";
import { operationsOf } from "#docs/api/operations.ts";
import { viewOverview } from "./overview-view.ts";

const MAX_PROBLEMS = 100;

export interface ReadDocument {
  /** OpenAPI 3 or AsyncAPI; null when the file is neither. Every `$ref` that can be resolved points into this document. */
  root: JsonObject | null;
  /** Files that were read or looked for: the document changes when one of them does. */
  files: string[];
  problems: Problem[];
}

/**
 * Reads an API description from the files of a site and bundles it: `$ref`s to other files point into the one document, and
 * Swagger 2.0 is converted to OpenAPI 3.0. `path` may be an address if `read` has a copy of it; a `$ref` to an address is
 * not followed. `read` returns null for a file that does not exist.
 */
export async function readApiDocument(
  path: string,
  read: (path: string) => Promise<string | null>,
): Promise<ReadDocument> {
  const problems: Problem[] = [];
  let more = 0;
  const complain: Complain = (at, message) => {
    if (problems.length >= MAX_PROBLEMS) more += 1;
    else {
      const place = typeof at === "function" ? at() : at;
      problems.push({ severity: "warning", code: "api_description", ...place, message });
    }
  };
  const { files, references, lines } = await readFiles(path, read, complain);
  const main = files.get(path) ?? null;
  const names = [...files.keys()];
  if (!isJsonObject(main)) {
    if (main !== null) complain({ path, line: 1 }, "The file must hold an OpenAPI or AsyncAPI document.");
    return { root: null, files: names, problems };
  }
  const version = versionOf(main);
  if (version === null) {
    complain(
      { path, line: 1 },
      'The file describes no API: it has none of "openapi: 3.x", "swagger: 2.0", "asyncapi: 2.x" or "asyncapi: 3.x".',
    );
    return { root: null, files: names, problems };
  }
  files.delete(path);
  const others = Object.fromEntries([...files].filter(([, value]) => value !== null));
  const written: JsonObject = { ...main, [FILES_KEY]: others as JsonObject };
  // Runs before the conversion of Swagger, which moves parts.
  const broken = [...references.values()].filter(({ target }) => partNamed(written, target.reference) === undefined);
  const root = version === "swagger" ? upgraded(main) : main;
  const whole: JsonObject = { ...root, [FILES_KEY]: others as JsonObject };
  const placeOf =
    (way: readonly string[], file = path) =>
    () => ({ path: file, line: lines.get(file)?.ofName(way) ?? null });
  const reported = new Set<string>();
  for (const { message, way, reference } of version === "asyncapi" ? channelProblems(whole) : []) {
    complain(placeOf(way), message);
    if (reference !== null) reported.add(reference);
  }
  for (const { message, way, file } of limitProblems(whole)) complain(placeOf(way, file ?? path), message);
  for (const { from, reference, target } of broken) {
    const isKnown = reported.has(target.reference) || (target.file !== null && !Object.hasOwn(others, target.file));
    if (isKnown) continue;
    const at = () => ({ path: from, line: lines.get(from)?.ofValue(reference) ?? null });
    complain(at, `$ref ${reference.slice(0, 200)} points to nothing.`);
  }
  if (more > 0)
    problems.push({
      severity: "warning",
      code: "more",
      path,
      line: null,
      message: `The description has ${more} further problems.`,
    });
  return { root: withStringsAsWritten(whole), files: names, problems };
}

/** Marks written numbers while the library copies objects field by field, which would lose them. */
const NUMBER_MARK = "\u0000number ";

/** Swagger 2.0 as OpenAPI 3.0. */
function upgraded(document: JsonObject): JsonObject {
  let hasMarks = false;
  const marked = mapScalars(document, (scalar) => {
    if (!(scalar instanceof WrittenNumber)) return scalar;
    hasMarks = true;
    return `${NUMBER_MARK}${scalar.source}`;
  });
  const root = upgradeFromTwoToThree(marked as never) as JsonObject;
  if (!hasMarks) return root;
  return mapScalars(root, (scalar) => {
    if (typeof scalar !== "string" || !scalar.startsWith(NUMBER_MARK)) return scalar;
    const source = scalar.slice(NUMBER_MARK.length);
    return new WrittenNumber(Number(source), source);
  }) as JsonObject;
}

function mapScalars(value: Json, change: (scalar: Json) => Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapScalars(item, change));
  if (!isJsonObject(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mapScalars(child, change)]));
}

function versionOf(document: JsonObject): "swagger" | "openapi" | "asyncapi" | null {
  const versions = (name: string) => textOf(document[name], 20) ?? "";
  if (/^2(?:\.0)?$/.test(versions("swagger"))) return "swagger";
  if (versions("openapi").startsWith("3.")) return "openapi";
  return /^[23]\./.test(versions("asyncapi")) ? "asyncapi" : null;
}

/** Reads the description of an API, in the render process. */
export async function readApi(path: string, read: (path: string) => Promise<string | null>): Promise<ApiReading> {
  const { root, files, problems } = await readApiDocument(path, read);
  if (root === null) return { document: null, operations: [], title: null, summary: null, files, problems };
  const { title, description } = viewOverview(root);
  const document = JSON.stringify(root);
  const operations = isAsyncApi(root) ? channelsOf(root) : operationsOf(root);
  return { document, operations, title, summary: plainSummary(description), files, problems };
}
