import {
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  load,
  mapTag,
  NOT_RESOLVED,
  YAMLException,
} from "js-yaml";
import { isScalar, parseDocument, visit } from "yaml";
import { ApiLimit, MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_VALUES } from "#docs/api/bounds.ts";
import { withoutByteOrderMark } from "#docs/text-encoding.ts";
import { WrittenNumber, type Json } from "#docs/json-document.ts";
import { parseJsonNumbers } from "#docs/api/written-number.ts";

const MAX_LENIENT_CHARACTERS = 2_000_000;

export type ParsedFile = { ok: true; value: Json } | { ok: false; message: string; line: number | null };

/** Parses JSON or YAML: plain values only, no tags of a programming language, and aliases expanded within bounds. */
export function parseFile(text: string): ParsedFile {
  const source = withoutByteOrderMark(text);
  try {
    return { ok: true, value: plainValue(readText(source)) };
  } catch (error) {
    if (error instanceof YAMLException) {
      const lenient = readLeniently(source);
      if (lenient !== null) return lenient;
      const line = error.mark === undefined ? null : error.mark.line + 1;
      return { ok: false, message: `The file is not valid YAML: ${error.reason}.`, line };
    }
    if (error instanceof ApiLimit) return { ok: false, message: error.message, line: null };
    if (error instanceof RangeError) return { ok: false, message: "The file is nested too deeply.", line: null };
    throw error;
  }
}

function readText(source: string): unknown {
  if (/^\s*[{[]/.test(source)) {
    try {
      return parseJsonNumbers(source);
    } catch {
      // Flow style YAML begins like JSON; if it is neither, the second parser reports the line.
    }
  }
  return load(source, { schema: AS_WRITTEN });
}

// YAML's number tags, which keep a number as written where a double would be printed differently.
const [writtenInt, writtenFloat] = [intCoreTag, floatCoreTag].map((tag) =>
  defineScalarTag<number | WrittenNumber>(tag.tagName, {
    implicit: true,
    implicitFirstChars: tag.implicitFirstChars,
    identify: () => false,
    resolve: (source, isExplicit, tagName) => {
      const value: unknown = tag.resolve(source, isExplicit, tagName);
      return typeof value === "number" ? asWritten(value, source) : NOT_RESOLVED;
    },
  }),
);
const nameOf = (key: unknown) => (key instanceof WrittenNumber ? key.source : key);
const namedAsWritten = defineMappingTag<Record<string, unknown>>(mapTag.tagName, {
  ...mapTag,
  addPair: (object, key, value) => mapTag.addPair(object, nameOf(key), value),
  has: (object, key) => mapTag.has(object, nameOf(key)),
});
const AS_WRITTEN = CORE_SCHEMA.withTags(writtenInt!, writtenFloat!, namedAsWritten);

function asWritten(value: number, source: string): number | WrittenNumber {
  return String(value) === source || !Number.isFinite(value) ? value : new WrittenNumber(value, source);
}

/**
 * Reads files that YAML's rules reject but other hosts accept: a bracket that is not indented, a duplicate name. This parser
 * is some ten times as slow, so it runs only when the first one fails.
 */
function readLeniently(source: string): ParsedFile | null {
  if (source.length > MAX_LENIENT_CHARACTERS) return null;
  const document = parseDocument(source, { uniqueKeys: false, logLevel: "silent" });
  if (document.errors.length > 0) return null;
  visit(document, {
    Scalar: (key, node) => {
      if (key !== "key" && isScalar(node) && typeof node.value === "number" && node.source !== undefined)
        node.value = asWritten(node.value, node.source);
    },
  });
  return { ok: true, value: plainValue(document.toJS({ maxAliasCount: 1_000 })) };
}

/** Copies a value without types that JSON lacks and without names that JavaScript treats specially. */
function plainValue(parsed: unknown): Json {
  let left = MAX_DOCUMENT_VALUES;
  const copy = (value: unknown, depth: number): Json => {
    left -= 1;
    if (left < 0) throw new ApiLimit(`The file holds more than ${MAX_DOCUMENT_VALUES.toLocaleString("en")} values.`);
    if (depth > MAX_DOCUMENT_DEPTH) throw new ApiLimit(`The file is nested more than ${MAX_DOCUMENT_DEPTH} deep.`);
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (value instanceof WrittenNumber) return value;
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
    if (typeof value !== "object" || value === null) return null;
    const object: Record<string, Json> = {};
    for (const [name, child] of Object.entries(value)) {
      if (name !== "__proto__") object[name] = copy(child, depth + 1);
    }
    return object;
  };
  return copy(parsed, 0);
}
