import { createLineIndex } from "#lib/line-index.ts";
import {
  findNodeAtLocation,
  parse,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
  visit,
} from "jsonc-parser";
import { posix } from "node:path";
import { withoutByteOrderMark, decodeText } from "./text-encoding.ts";
import { holdsCredentials } from "./credential-files.ts";
import type { Place, ProblemList } from "./problems.ts";
import { spelledAsIn } from "./routes.ts";
import type { Snapshot } from "./snapshot.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject | WrittenNumber;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A number that a double would print differently: `10.00`, `9223372036854775807`. `JSON.stringify` prints it as written. */
export class WrittenNumber {
  readonly value: number;
  readonly source: string;

  constructor(value: number, source: string) {
    this.value = value;
    this.source = source;
  }

  toString(): string {
    return this.source;
  }

  toJSON(): unknown {
    const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
    return IS_JSON_NUMBER.test(this.source) ? rawJSON(this.source) : this.value;
  }
}
const IS_JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

type Pointer = readonly (string | number)[];

/** A JSON file in which `$ref`s to other files of the repository are resolved. */
export interface JsonDocument {
  /** Null when the file is missing or is not JSON; the problem list says which. */
  value: Json;
  /** File and line of a value inside `value`: an object or array, then the keys to follow from it. */
  locate(container: object, ...keys: (string | number)[]): Place;
  /** Paths of the files that it consists of. */
  files: readonly string[];
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Total of all files of a configuration: they are parsed on the serving thread. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 200;
const MAX_VALUES = 500_000;
const MAX_DEPTH = 60;

interface SourceFile {
  path: string;
  text: string;
  value: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);
}

/** The values of a list; none for any other value. */
export const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

/**
 * Reads a configuration file; comments and trailing commas are allowed. Never throws because of a file's content: a broken
 * file, a `$ref` that is missing, circular, outside the repository or to a file that holds credentials, and sizes over the
 * limits are problems, and the part concerned is null.
 */
export async function readJsonDocument(snapshot: Snapshot, path: string, problems: ProblemList): Promise<JsonDocument> {
  const files = await readFiles(snapshot, path, problems);
  const origins = new WeakMap<object, { file: SourceFile; pointer: Pointer }>();
  const root = files.get(path);
  const value = root === undefined ? null : expandReferences(root, { files, origins, problems });
  const trees = new Map<string, Node | undefined>();
  return {
    value,
    files: [...files.values()].map((file) => file.path),
    locate(container, ...keys) {
      const origin = origins.get(container);
      if (origin === undefined) return { path, line: null };
      const line = lineOf(origin.file, [...origin.pointer, ...keys], trees);
      return { path: origin.file.path, line };
    },
  };
}

async function readFiles(snapshot: Snapshot, first: string, problems: ProblemList) {
  const sizes = new Map((await snapshot.files()).map((file) => [file.path, file.sizeBytes]));
  const files = new Map<string, SourceFile>();
  const open = [first];
  let left = MAX_TOTAL_BYTES;
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const path = spelledAsIn(sizes, name);
    if (files.has(name) || !sizes.has(path) || holdsCredentials(path)) continue;
    if (files.size >= MAX_FILES) {
      problems.error({ path, line: null }, `More than ${MAX_FILES} files are put together with $ref.`);
      break;
    }
    if ((sizes.get(path) ?? 0) > MAX_FILE_BYTES) {
      problems.error({ path, line: null }, "The file is larger than 8 MB.");
      continue;
    }
    left -= sizes.get(path) ?? 0;
    if (left < 0) {
      problems.error({ path, line: null }, "The files that are put together with $ref are larger than 16 MB in all.");
      break;
    }
    const bytes = await snapshot.read(path);
    if (bytes === null) continue;
    const text = withoutByteOrderMark(decodeText(bytes).text);
    const value = parseJson(path, text, problems);
    if (value === undefined) continue;
    warnOfRepeatedNames(path, text, problems);
    files.set(name, { path, text, value });
    open.push(...referencesIn(value, path));
  }
  return files;
}

function parseJson(path: string, text: string, problems: ProblemList): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not strict JSON: perhaps only comments or trailing commas; otherwise the second parser reports the line.
  }
  try {
    const errors: ParseError[] = [];
    const value = parse(text, errors, { allowTrailingComma: true }) as Json | undefined;
    const error = errors[0];
    if (error === undefined && value !== undefined) return value;
    const line = error === undefined ? 1 : createLineIndex(text)(error.offset);
    const reason = error === undefined ? "empty file" : describe(printParseErrorCode(error.error));
    problems.error({ path, line }, `The file is not valid JSON: ${reason}.`);
  } catch {
    problems.error({ path, line: null }, "The file is not valid JSON: nested too deeply.");
  }
  return undefined;
}

/** Of two properties with one name JSON keeps the last, which is rarely what the author of the first expects. */
function warnOfRepeatedNames(path: string, text: string, problems: ProblemList): void {
  const open: Set<string>[] = [];
  const warn = (name: string, line: number) =>
    problems.warning(
      { path, line: line + 1 },
      `"${name.slice(0, 100)}" is set twice in one object. The last one counts.`,
    );
  try {
    visit(text, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(name, _offset, _length, line) {
        const names = open.at(-1)!;
        if (names.has(name)) warn(name, line);
        names.add(name);
      },
    });
  } catch {
    // Nested too deeply for this parser, and read all the same.
  }
}

function describe(code: string): string {
  return code.replaceAll(/(?<!^)([A-Z])/g, " $1").toLowerCase();
}

/** Path of the file that a `$ref` in `from` names; null when it is outside the repository. */
export function referencedPath(reference: string, from: string): string | null {
  const base = reference.startsWith("/") ? "" : posix.dirname(from);
  const path = posix.normalize(posix.join(base, reference.replace(/^\/+/, "").replace(/#.*/s, "")));
  return path === ".." || path.startsWith("../") || path === "." ? null : path;
}

function referencesIn(value: Json, from: string): string[] {
  const found = new Set<string>();
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const child of next) open.push(child as Json);
    else if (isJsonObject(next)) {
      const path = typeof next["$ref"] === "string" ? referencedPath(next["$ref"], from) : null;
      if (path !== null) found.add(path);
      for (const child of Object.values(next)) open.push(child);
    }
  }
  return [...found];
}

interface Expansion {
  files: ReadonlyMap<string, SourceFile>;
  origins: WeakMap<object, { file: SourceFile; pointer: Pointer }>;
  problems: ProblemList;
}

function expandReferences(root: SourceFile, { files, origins, problems }: Expansion): Json {
  let left = MAX_VALUES;
  let depthReported = false;

  function follow(object: JsonObject, reference: string, chain: readonly SourceFile[]): Json {
    const here = chain[0] ?? root;
    const path = referencedPath(reference, here.path);
    const file = path === null ? undefined : files.get(path);
    const at = () => ({
      path: here.path,
      line: createLineIndex(here.text)(here.text.indexOf(JSON.stringify(reference))),
    });
    if (path === null) {
      problems.error(at, `$ref ${reference} leads out of the repository.`);
    } else if (holdsCredentials(path)) {
      problems.error(at, `$ref ${reference} names a file of a kind that holds credentials: it is not read.`);
    } else if (file === undefined) {
      problems.error(at, `$ref ${reference}: there is no such JSON file.`);
    } else if (chain.includes(file)) {
      problems.error(at, `$ref ${reference} leads back to itself.`);
    } else {
      const target = expand(file.value, [], [file, ...chain]);
      const { $ref: _, ...siblings } = object;
      if (!isJsonObject(target) || Object.keys(siblings).length === 0) return target;
      const merged = { ...target, ...siblings };
      const origin = origins.get(target);
      if (origin) origins.set(merged, origin);
      return merged;
    }
    return null;
  }

  function expand(value: Json, pointer: Pointer, chain: readonly SourceFile[]): Json {
    if (typeof value !== "object" || value === null) return value;
    left -= 1;
    const file = chain[0] ?? root;
    if (left <= 0 || pointer.length > MAX_DEPTH || chain.length > MAX_DEPTH) {
      if (!depthReported)
        problems.error({ path: file.path, line: null }, "The file is too large or nested too deeply.");
      depthReported = true;
      return null;
    }
    let copy: Json;
    if (Array.isArray(value)) {
      copy = value.map((child: Json, index) => expand(child, [...pointer, index], chain));
    } else {
      const object = value as JsonObject;
      if (typeof object["$ref"] === "string") return follow(object, object["$ref"], chain);
      copy = Object.fromEntries(
        Object.entries(object).map(([name, child]) => [name, expand(child, [...pointer, name], chain)]),
      );
    }
    origins.set(copy as object, { file, pointer });
    return copy;
  }

  return expand(root.value, [], [root]);
}

function lineOf(file: SourceFile, pointer: Pointer, trees: Map<string, Node | undefined>): number | null {
  try {
    if (!trees.has(file.path)) {
      trees.set(file.path, parseTree(file.text, [], { allowTrailingComma: true }));
    }
    const tree = trees.get(file.path);
    const node = tree && findNodeAtLocation(tree, [...pointer]);
    return node === undefined ? null : createLineIndex(file.text)(node.offset);
  } catch {
    return null; // nested deeper than the stack: the problem has no line
  }
}
