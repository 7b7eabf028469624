import { isMap, isScalar, parseDocument, stringify } from "yaml";
import { readFrontMatter } from "#content/front-matter.ts";
import { AppError } from "#lib/app-error.ts";
import { applyEdits, type TextEdit } from "./page-edits.ts";

/** A value as one line of YAML. */
export function yamlScalar(value: string | number | boolean): string {
  return stringify(value, { lineWidth: 0, defaultStringType: "PLAIN" }).trimEnd().includes("\n")
    ? JSON.stringify(value)
    : stringify(value, { lineWidth: 0 }).trimEnd();
}

/**
 * Sets values of a page's front matter, adding the block when there is none; a value of null removes its key. Other
 * lines, comments and their order stay. Throws `AppError invalid` when the front matter cannot be read.
 */
export function setFrontMatter(
  source: string,
  values: Readonly<Record<string, string | number | boolean | null>>,
): string {
  const { range, problem } = readFrontMatter(source);
  if (problem !== null) throw new AppError("invalid", `${problem} Correct it first.`);
  const newline = source.includes("\r\n") ? "\r\n" : "\n";
  const wanted = Object.entries(values);
  if (range === null) {
    const lines = wanted.flatMap(([key, value]) =>
      value === null ? [] : [`${yamlScalar(key)}: ${yamlScalar(value)}`],
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
  for (const [key, value] of wanted) {
    const pair = pairs.find((each) => isScalar(each.key) && each.key.value === key);
    if (pair === undefined) {
      if (value !== null) added += `${yamlScalar(key)}: ${yamlScalar(value)}${newline}`;
      continue;
    }
    const keyStart = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
    const node = pair.value as { range?: [number, number, number] | null } | null;
    const valueStart = node?.range?.[0] ?? yaml.indexOf(":", keyStart) + 1;
    const valueEnd = node?.range?.[1] ?? valueStart;
    if (value === null) {
      const lineEnd = yaml.indexOf("\n", Math.max(keyStart, valueEnd - 1));
      edits.push({
        start: range.start + keyStart,
        end: range.start + (lineEnd === -1 ? yaml.length : lineEnd + 1),
        text: "",
      });
    } else {
      const isBlock = /[|>]/.test(yaml[valueStart] ?? "");
      const space = /\s/.test(yaml[valueStart - 1] ?? "") ? "" : " ";
      const text = space + yamlScalar(value) + (isBlock ? newline : "");
      edits.push({ start: range.start + valueStart, end: range.start + valueEnd, text });
    }
  }
  if (added !== "") {
    const needsNewline = yaml !== "" && !yaml.endsWith("\n");
    edits.push({ start: range.end, end: range.end, text: (needsNewline ? newline : "") + added });
  }
  const result = applyEdits(source, edits);
  const check = readFrontMatter(result);
  const isSet = wanted.every(([key, value]) => (check.attributes[key] ?? null) === value);
  if (check.problem !== null || !isSet) {
    throw new AppError("invalid", "The front matter is written in a way that cannot be edited safely.");
  }
  return result;
}
