import { isMap, isScalar, isSeq, parseDocument, stringify } from "yaml";
import { readFrontMatter } from "#docs/front-matter.ts";
import { AppError } from "#lib/app-error.ts";
import { editText, type TextEdit } from "./page-edits.ts";
import { headingWordsEnd } from "./markdown-text.ts";
import type { Workspace } from "./workspace.ts";

/** Formats a value as one line of YAML. */
export function yamlScalar(value: string | number | boolean): string {
  return stringify(value, { lineWidth: 0, defaultStringType: "PLAIN" }).trimEnd().includes("\n")
    ? JSON.stringify(value)
    : stringify(value, { lineWidth: 0 }).trimEnd();
}

/** Possible values in front matter. A list of words is written on one line. */
export type FrontMatterValue = string | number | boolean | null | readonly string[];

function yamlValue(value: Exclude<FrontMatterValue, null>): string {
  return typeof value === "object" ? `[${value.map(flowScalar).join(", ")}]` : yamlScalar(value);
}

function flowScalar(word: string): string {
  return /^[\p{L}][\p{L}\p{N} _-]*$/u.test(word) && yamlScalar(word) === word ? word : JSON.stringify(word);
}

/**
 * Adds words to a list in the front matter, in the style in which it is written: a block, brackets, or comma-separated words.
 * Existing words stay unchanged. Throws `AppError invalid` when the value is not a list.
 */
export function addToFrontMatterList(source: string, key: string, words: readonly string[]): string {
  const { range, attributes } = readFrontMatter(source);
  const old = attributes[key] ?? null;
  const known = Array.isArray(old)
    ? old.map(String)
    : typeof old === "string"
      ? old.split(",").map((word) => word.trim())
      : [];
  const added = [...new Set(words)].filter((word) => !known.some((each) => each.toLowerCase() === word.toLowerCase()));
  if (added.length === 0) return source;
  if (typeof old === "string" && old.trim() !== "" && !old.includes("\n"))
    return setFrontMatter(source, { [key]: [old.trimEnd(), ...added].join(", ") });
  const isEmpty = old === null || (typeof old === "string" && old.trim() === "");
  if (!isEmpty && !Array.isArray(old)) throw new AppError("invalid", `The value of ${key} is no list of words.`);
  const list = range === null || isEmpty ? null : nodeOf(source.slice(range.start, range.end), key);
  const last = isSeq(list) ? (list.items.at(-1) as { range?: [number, number, number] } | undefined) : undefined;
  if (range === null || last?.range === undefined)
    return setFrontMatter(source, { [key]: [...(isEmpty ? [] : known), ...added] });
  const yaml = source.slice(range.start, range.end);
  const lastEnd = yaml.slice(0, last.range[1]).trimEnd().length;
  const newline = newlineOf(source);
  const isFlow = isSeq(list) && list.flow === true;
  const lineStart = yaml.lastIndexOf("\n", last.range[0] - 1) + 1;
  const dash = /^\s*-\s+/.exec(yaml.slice(lineStart))?.[0] ?? "- ";
  const at = isFlow ? lastEnd : lastEnd + (/^[^\r\n]*/.exec(yaml.slice(lastEnd))?.[0].length ?? 0);
  const text = added.map((word) => (isFlow ? `, ${flowScalar(word)}` : newline + dash + yamlScalar(word))).join("");
  const result = editText(source, [{ start: range.start + at, end: range.start + at, text }]);
  return checked(source, result, { [key]: [...known, ...added] });
}

function nodeOf(yaml: string, key: string): unknown {
  const { contents } = parseDocument(yaml, { logLevel: "silent", prettyErrors: false });
  return isMap(contents)
    ? contents.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value
    : undefined;
}

/** Checks that only the named values changed: values that share an anchor change together. */
function checked(before: string, result: string, values: Readonly<Record<string, FrontMatterValue>>): string {
  const { attributes, problem } = readFrontMatter(result);
  const old = readFrontMatter(before).attributes;
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  const isSet = Object.entries(values).every(([key, value]) => isSame(attributes[key], value));
  const others = Object.keys({ ...old, ...attributes }).filter((key) => !Object.hasOwn(values, key));
  if (problem === null && isSet && others.every((key) => isSame(old[key], attributes[key]))) return result;
  throw new AppError("invalid", UNSAFE);
}

/** Front matter uses the line ending of its first line, or else that of the page. */
function newlineOf(source: string): string {
  const first = /^\uFEFF?---[ \t]*(\r?\n)/.exec(source)?.[1];
  return first ?? (source.includes("\r\n") ? "\r\n" : "\n");
}

const UNSAFE = "The front matter is written in a way that cannot be edited safely.";

/**
 * Sets values of a page's front matter, adding the block if it is missing; null removes a key. Other lines, comments and
 * their order stay. Throws `AppError invalid` when the front matter cannot be parsed.
 */
export function setFrontMatter(source: string, values: Readonly<Record<string, FrontMatterValue>>): string {
  const { range, problem } = readFrontMatter(source);
  if (problem !== null) throw new AppError("invalid", `${problem} Correct it first.`);
  const newline = newlineOf(source);
  const requested = Object.entries(values);
  if (range === null) {
    const lines = requested.flatMap(([key, value]) =>
      value === null ? [] : [`${yamlScalar(key)}: ${yamlValue(value)}`],
    );
    if (lines.length === 0) return source;
    const mark = source.startsWith("\uFEFF") ? "\uFEFF" : "";
    const body = source.slice(mark.length);
    return `${mark}---${newline}${lines.join(newline)}${newline}---${newline}${/^\s*\n|^$/.test(body) ? "" : newline}${body}`;
  }
  const yaml = source.slice(range.start, range.end);
  const contents = parseDocument(yaml, { logLevel: "silent", prettyErrors: false }).contents;
  const pairs = isMap(contents) ? contents.items : [];
  const edits: TextEdit[] = [];
  let added = "";
  for (const [key, value] of requested) {
    const pair = pairs.find((each) => isScalar(each.key) && each.key.value === key);
    if (pair === undefined) {
      if (value !== null) added += `${yamlScalar(key)}: ${yamlValue(value)}${newline}`;
      continue;
    }
    const keyStart = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
    const keyEnd = isScalar(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
    const colon = yaml.indexOf(":", keyEnd);
    const node = pair.value as { range?: [number, number, number] | null } | null;
    const isEmpty = node?.range == null || node.range[0] === node.range[1];
    const valueStart = isEmpty ? colon + 1 : (node.range?.[0] ?? 0);
    const valueEnd = isEmpty ? colon + 1 : (node.range?.[1] ?? 0);
    // `? key`, `{key: value}` and `key: !!tag value` contain more than a key and a value.
    const isPlain = keyStart === 0 || yaml[keyStart - 1] === "\n";
    if ((value === null && !isPlain) || yaml.slice(colon, valueStart).includes("!"))
      throw new AppError("invalid", UNSAFE);
    if (value === null) {
      const lineEnd = yaml.indexOf("\n", Math.max(keyStart, valueEnd - 1));
      edits.push({
        start: range.start + keyStart,
        end: range.start + (lineEnd === -1 ? yaml.length : lineEnd + 1),
        text: "",
      });
    } else if (isSeq(pair.value) && pair.value.flow !== true) {
      const start = colon + 1;
      const end = Math.max(start, yaml.slice(0, valueEnd).trimEnd().length);
      edits.push({ start: range.start + start, end: range.start + end, text: ` ${yamlValue(value)}` });
    } else {
      const isBlock = /[|>]/.test(yaml[valueStart] ?? "");
      const space = /\s/.test(yaml[valueStart - 1] ?? "") ? "" : " ";
      const text = space + yamlValue(value) + (isBlock ? newline : "");
      edits.push({ start: range.start + valueStart, end: range.start + valueEnd, text });
    }
  }
  if (added !== "") {
    const needsNewline = yaml !== "" && !yaml.endsWith("\n");
    edits.push({ start: range.end, end: range.end, text: (needsNewline ? newline : "") + added });
  }
  return checked(source, editText(source, edits), values);
}

/** Changes a page's title in place: in the front matter, else in its first heading; otherwise adds it to the front matter. */
export async function setPageTitle(workspace: Workspace, path: string, title: string): Promise<void> {
  const text = await workspace.text(path);
  if (text === null) throw new AppError("not_found", `There is no page ${path}.`);
  const { attributes } = readFrontMatter(text);
  const root = await workspace.parse({ path, text });
  const heading = root?.children.find((node) => node.type === "heading" && node.depth === 1);
  const first = heading?.type === "heading" ? heading.children[0]?.position?.start.offset : undefined;
  const last = heading?.type === "heading" ? headingWordsEnd(text, heading) : null;
  if ("title" in attributes || first === undefined || last === null) {
    await workspace.write(path, setFrontMatter(text, { title }));
  } else await workspace.write(path, editText(text, [{ start: first, end: last, text: title }]));
}
