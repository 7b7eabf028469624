import { posix } from "node:path";
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { isJsonObject, WrittenNumber, type Json, type JsonObject } from "#docs/json-document.ts";
import type { Problem } from "#docs/problems.ts";
import { apiAddress } from "#docs/api/api-addresses.ts";
import { MAX_DOCUMENT_CHARACTERS, MAX_DOCUMENT_FILES } from "#docs/api/bounds.ts";
import { channelProblems } from "#docs/api/channels/channel-problems.ts";
import { createDocumentLines, type DocumentLines } from "#docs/api/document-lines.ts";
import { textOf } from "#docs/api/document-text.ts";
import { parseFile } from "#docs/api/parse-file.ts";
import { limitProblems } from "#docs/api/limit-problems.ts";
import { FILES_KEY, partNamed } from "#docs/api/references.ts";
import { withStringsAsWritten } from "#docs/api/written-number.ts";

const MAX_PROBLEMS = 100;

export interface ReadDocument {
  /** OpenAPI 3 or AsyncAPI; null when the file is neither. Every `$ref` of it that can be followed is one into itself. */
  root: JsonObject | null;
  /** Files that were read or looked for: the document changes when one of them does. */
  files: string[];
  problems: Problem[];
}

/**
 * Reads an API's description from the files of a site and puts it together: `$ref`s to other files lead into one
 * document, Swagger 2.0 becomes OpenAPI 3.0. `path` may be an address, of which `read` has a copy; a `$ref` leads to none.
 * `read` answers null where there is no file.
 */
export async function readApiDocument(
  path: string,
  read: (path: string) => Promise<string | null>,
): Promise<ReadDocument> {
  const problems: Problem[] = [];
  let more = 0;
  const complain = (at: { path: string; line: number | null }, message: string) => {
    if (problems.length >= MAX_PROBLEMS) more += 1;
    else problems.push({ severity: "warning", code: "api_description", ...at, message });
  };
  const files = new Map<string, Json | null>();
  const open = [path];
  /** By where they lead. */
  const references = new Map<string, WrittenReference>();
  const lines = new Map<string, DocumentLines>();
  let left = MAX_DOCUMENT_CHARACTERS;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (files.has(next)) continue;
    files.set(next, null);
    if (files.size > MAX_DOCUMENT_FILES) {
      complain({ path, line: null }, `Of more than ${MAX_DOCUMENT_FILES} files the others are not read.`);
      break;
    }
    const text = await read(next);
    if (text === null) {
      complain({ path: next, line: null }, "There is no such file, or it is larger than Docent reads.");
      continue;
    }
    left -= text.length;
    if (left < 0) {
      complain({ path: next, line: null }, "The files of the API are larger than 16 MB in all; this one is left out.");
      continue;
    }
    const parsed = parseFile(text);
    if (!parsed.ok) {
      complain({ path: next, line: parsed.line }, parsed.message);
      continue;
    }
    const from = next;
    const places = createDocumentLines(text);
    lines.set(from, places);
    const value = withReferences(parsed.value, (reference, isData) => {
      const target = referenceTarget(reference, { from, root: path });
      if ("problem" in target) {
        if (problems.length < MAX_PROBLEMS) complain({ path: from, line: places.ofValue(reference) }, target.problem);
        return reference;
      }
      if (target.file !== null) open.push(target.file);
      if (!isData && !references.has(target.reference)) references.set(target.reference, { from, reference, target });
      return target.reference;
    });
    files.set(next, value);
  }
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
  // Before the upgrade of Swagger, which moves the parts.
  const broken = [...references.values()].filter(({ target }) => partNamed(written, target.reference) === undefined);
  const root = version === "swagger" ? upgraded(main) : main;
  const whole: JsonObject = { ...root, [FILES_KEY]: others as JsonObject };
  const told = new Set<string>();
  for (const { message, way, reference } of version === "asyncapi" ? channelProblems(whole) : []) {
    complain({ path, line: lines.get(path)?.ofName(way) ?? null }, message);
    if (reference !== null) told.add(reference);
  }
  for (const { message, way } of limitProblems(whole))
    complain({ path, line: lines.get(path)?.ofName(way) ?? null }, message);
  for (const { from, reference, target } of broken) {
    const isKnown = told.has(target.reference) || (target.file !== null && !Object.hasOwn(others, target.file));
    if (isKnown || problems.length >= MAX_PROBLEMS) continue;
    const line = lines.get(from)?.ofValue(reference) ?? null;
    complain({ path: from, line }, `$ref ${reference.slice(0, 200)} leads nowhere.`);
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

/** Marks numbers as written while the library copies objects field by field, which they would not survive. */
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

/** Where a `$ref` leads: the file, null when it is the main one, and the place in the whole document. */
interface Target {
  file: string | null;
  reference: string;
}

interface WrittenReference {
  from: string;
  reference: string;
  target: Target;
}

function referenceTarget(
  reference: string,
  { from, root }: { from: string; root: string },
): Target | { problem: string } {
  const [place = "", pointer = ""] = reference.split(/#(.*)/s, 2);
  const address = apiAddress(root);
  if (address !== null) {
    if (place === "" || apiAddress(URL.parse(place, address)?.href ?? "") === address) {
      return { file: null, reference: `#${pointer}` };
    }
    return { problem: `$ref ${reference.slice(0, 200)} is not followed: of an address only its one document is read.` };
  }
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(place)) {
    return { problem: `$ref ${reference.slice(0, 200)} is not followed: only files of the site are read.` };
  }
  const file =
    place === "" ? from : posix.normalize(posix.join(place.startsWith("/") ? "" : posix.dirname(from), place));
  const inside = file.replace(/^\/+/, "");
  if (inside === ".." || inside.startsWith("../")) {
    return { problem: `$ref ${reference.slice(0, 200)} leads out of the site.` };
  }
  if (inside === root) return { file: null, reference: `#${pointer}` };
  const token = inside.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
  return { file: inside, reference: `#/${FILES_KEY}/${token}${pointer}` };
}

/** What stands below these may be data, whose `$ref` means something to others. */
const DATA_NAMES = new Set(["const", "default", "enum", "example", "examples"]);

function withReferences(value: Json, change: (reference: string, isData: boolean) => string, isData = false): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withReferences(item, change, isData));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [name, child] of Object.entries(value)) {
    copy[name] =
      name === "$ref" && typeof child === "string"
        ? change(child, isData)
        : withReferences(child, change, isData || DATA_NAMES.has(name));
  }
  return copy;
}
