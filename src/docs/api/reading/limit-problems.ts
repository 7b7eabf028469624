import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";
import { SHOWN } from "#docs/api/bounds.ts";
import { FILES_KEY } from "#docs/api/references.ts";

export interface LimitProblem {
  message: string;
  /** Names of the fields from the root to the place. */
  way: readonly string[];
}

/** How many entries of a list or map with this name a page shows. */
const LIMITS: ReadonlyMap<string, number> = new Map([
  ["parameters", SHOWN.parameters],
  ["responses", SHOWN.responses],
  ["content", SHOWN.contents],
  ["examples", SHOWN.examples],
  ["servers", SHOWN.servers],
  ["callbacks", SHOWN.callbacks],
  ["enum", SHOWN.choices],
  ["oneOf", SHOWN.variants],
  ["anyOf", SHOWN.variants],
  ["security", SHOWN.security],
  ["x-codeSamples", SHOWN.samples],
  ["x-code-samples", SHOWN.samples],
  ["messages", SHOWN.messages],
]);
/** Texts that a page truncates. */
const TEXTS: ReadonlyMap<string, number> = new Map([
  ["description", SHOWN.description],
  ["summary", SHOWN.summary],
]);
/** Fields that hold data, or maps of parts that are counted where they are used. */
const IGNORED_FIELDS = new Set([
  "example",
  "default",
  "const",
  "enum",
  "value",
  "components",
  "definitions",
  FILES_KEY,
]);

/** Reports the lists, maps and texts of a document that a page truncates. */
export function limitProblems(root: JsonObject): LimitProblem[] {
  const problems: LimitProblem[] = [];

  function count(name: string, value: Json, way: readonly string[]): void {
    const [most, characters] = [LIMITS.get(name), TEXTS.get(name)];
    const place = way.map((each) => each.slice(0, 60)).join(" > ");
    if (characters !== undefined && typeof value === "string" && value.length > characters) {
      const message = `Of the ${value.length} characters of ${place} the first ${characters} are shown.`;
      problems.push({ message, way });
    }
    if (most === undefined || typeof value !== "object" || value === null) return;
    const length = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (length > most)
      problems.push({ message: `Of the ${length} entries of ${place} the first ${most} are shown.`, way });
  }

  function visit(value: Json, way: readonly string[]): void {
    if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).entries()) visit(item, [...way, String(index)]);
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [name, child] of Object.entries(value)) {
      const below = [...way, name];
      // A field of a schema may have any of these names.
      if (way.at(-1) !== "properties") count(name, child, below);
      if (!IGNORED_FIELDS.has(name) || way.at(-1) === "properties") visit(child, below);
    }
  }

  visit(root, []);
  const components = root["components"];
  if (isJsonObject(components))
    for (const [name, parts] of Object.entries(components)) visit(parts, ["components", name]);
  return problems;
}
