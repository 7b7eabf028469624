import { parseDocument } from "yaml";
import { errorText } from "#lib/app-error.ts";
import { trimOf } from "#lib/trim.ts";
import { hideVariables, type Variables } from "./variables.ts";
import { keepNumbersAsWritten } from "./yaml-numbers.ts";

export interface FrontMatter {
  /** The YAML mapping as plain JSON-like values, with own keys only; empty when the page has no front matter. */
  attributes: Record<string, unknown>;
  /** Offset (UTF-16) at which the page's body starts: after the closing fence and its line end. */
  bodyStart: number;
  /** Range of the YAML between the fences, without the fences; null when the page has no front matter. */
  range: { start: number; end: number } | null;
  /** What is wrong with the block, for the author; `attributes` then holds what could be read line by line. */
  problem: string | null;
  /** Line of the problem in the page's file, from 1; null where it is unknown. */
  problemLine: number | null;
}

/** `yes` and `"true"` are strings in YAML 1.2: what people want hidden stays hidden. */
export const isYes = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === "string" && /^(?:true|yes|y|on|1)$/i.test(value));

export const isNo = (value: unknown): boolean =>
  value === false || value === 0 || (typeof value === "string" && /^(?:false|no|n|off|0)$/i.test(value));

const MAX_CHARACTERS = 16 * 1024;
const MAX_NESTING = 50;
const MAX_ALIASES = 50;

/**
 * The YAML block between `---` fences at the very start of a page. It is parsed strictly, without tags, and bounded in
 * size, nesting and aliases, so it is safe to call on hostile pages in the server's own process. `variables` replace
 * `{{name}}` in texts.
 */
export function readFrontMatter(source: string, variables: Variables = {}): FrontMatter {
  const range = findRange(source);
  if (range === null) {
    const bodyStart = source.startsWith("\uFEFF") ? 1 : 0;
    const problem = problemOfOther(source);
    return { attributes: ownKeys({}), bodyStart, range: null, problem, problemLine: problem === null ? null : 1 };
  }
  const { text, fill } = hideVariables(source.slice(range.start, range.end), variables);
  const read = readYaml(text);
  const attributes = ownKeys(filled(read.attributes, fill) as Record<string, unknown>);
  return { bodyStart: range.bodyStart, range: { start: range.start, end: range.end }, ...read, attributes };
}

/** The page after its front matter; null when it has none. Parses no YAML. */
export function bodyBelowFrontMatter(source: string): string | null {
  const range = findRange(source);
  return range === null ? null : source.slice(range.bodyStart);
}

function findRange(source: string): { start: number; end: number; bodyStart: number } | null {
  const open = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)/.exec(source);
  if (open === null) return null;
  const close = /^---[ \t]*(?:\r\n|\n|\r|$(?![^]))/gm;
  close.lastIndex = open[0].length;
  const end = close.exec(source);
  return end === null ? null : { start: open[0].length, end: end.index, bodyStart: end.index + end[0].length };
}

// A line of dashes may also begin a page, above a sentence such as `Note: …` or `Please note: …`, unlike `title: …`.
const KEY_LINE = String.raw`["']?[a-z][\w.:-]{0,100}["']?[ \t]{0,10}:(?:\s|$)`;
const UNCLOSED = new RegExp(String.raw`^\uFEFF?---[ \t]*\r?\n(?:[ \t]{0,100}(?:#[^\n]*)?\r?\n){0,100}${KEY_LINE}`);
const LATE = new RegExp(String.raw`^\uFEFF?\s+(?=---[ \t]*\r?\n${KEY_LINE})`);

/** The problem of a block at the top of a page that its author meant as front matter, and that is shown as text. */
function problemOfOther(source: string): string | null {
  if (/^\uFEFF?\+\+\+[ \t]*\r?\n/.test(source)) return "The front matter is TOML, which is not read here.";
  if (UNCLOSED.test(source)) return "The front matter has no end: a line `---` is missing.";
  const above = LATE.exec(source)?.[0];
  return above?.includes("\n") && findRange(source.slice(above.length)) !== null
    ? "The front matter is shown as text: it has to begin on the first line."
    : null;
}

const NO_PROBLEM = { problem: null, problemLine: null };

function readYaml(text: string): Pick<FrontMatter, "attributes" | "problem" | "problemLine"> {
  const shape = shapeProblem(text);
  if (shape !== null) return { attributes: readLines(text.slice(0, MAX_CHARACTERS)), problem: shape, problemLine: 1 };
  try {
    const document = parseDocument(text, {
      schema: "core",
      logLevel: "silent",
      prettyErrors: false,
      uniqueKeys: false,
    });
    const error = document.errors[0];
    if (error) {
      const problemLine = lineAt(text, error.pos[0]);
      return { attributes: readLines(text), problem: notValid(`${error.message} (line ${problemLine})`), problemLine };
    }
    keepNumbersAsWritten(document);
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (value === null || value === undefined) return { attributes: ownKeys({}), ...NO_PROBLEM };
    if (typeof value !== "object" || Array.isArray(value)) {
      return {
        attributes: ownKeys({}),
        problem: "The front matter is not a mapping of names to values.",
        problemLine: 1,
      };
    }
    return { attributes: ownKeys(value as Record<string, unknown>), ...NO_PROBLEM };
  } catch (error) {
    // Too many aliases, an alias without its anchor, or a stack overflow: all are problems of the page.
    return { attributes: readLines(text), problem: notValid(errorText(error)), problemLine: 1 };
  }
}

/** Copies values so that a key such as `constructor` exists only when the page has it. */
function ownKeys(values: Record<string, unknown>): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, values);
}

function filled(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [fill(name), filled(child, fill)]));
}

function shapeProblem(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return "The front matter is larger than 16 KiB.";
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
  }
  // The parser also needs a stack frame per level of block nesting: by indentation, or by "- - -" and "? ? ?" on one line.
  if (deepest > MAX_NESTING || /^[ \t]*(?:[-?][ \t]+){50}/m.test(text) || /^[ ]{400}[ ]*[^ \r\n]/m.test(text)) {
    return "The front matter is nested too deeply.";
  }
  return null;
}

/** What `title: Use: this` and similar lines most probably meant: plain top-level `name: text` lines. */
function readLines(text: string): Record<string, unknown> {
  const attributes = ownKeys({});
  for (const match of text.matchAll(/^([A-Za-z][\w-]{0,60}):[ \t]([^\r\n]*)/gm)) {
    const [, name = "", written = ""] = match;
    const value = trimOf(written, " \t");
    if (value === "" || value.length > 2_000) continue;
    const quoted = /^(["'])(.*)\1$/.exec(value);
    if (/^[[{|>&*!]/.test(value)) continue;
    attributes[name] = quoted?.[2] ?? (value === "true" ? true : value === "false" ? false : value);
  }
  return attributes;
}

function notValid(reason: string): string {
  return `The front matter is not valid YAML: ${reason.slice(0, 200)}`;
}

// The opening fence is line 1 of the page.
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length + 1;
}
