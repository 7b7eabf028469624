import { parse as parseJsonc, printParseErrorCode, type ParseError } from "jsonc-parser";
import { parseDocument } from "yaml";
import { bodyBelowFrontMatter, readFrontMatter } from "#docs/front-matter.ts";
import { markdownFormat, type MarkdownParser } from "#docs/parser.ts";
import { createLineIndex } from "#lib/line-index.ts";

// Larger ones are OpenAPI descriptions, whose reader has its own checks; this parser takes a second for 2 MB.
const MAX_YAML_CHARACTERS = 500_000;

/** The syntax error of a file, as a sentence; null when there is none, or when the kind of file is not checked. */
export async function syntaxProblem(parser: MarkdownParser, path: string, text: string): Promise<string | null> {
  const format = markdownFormat(path);
  if (format !== null) {
    const outcome = await parser.parse(text, format);
    if (!outcome.ok) return `${outcome.message}${outcome.line === null ? "" : ` (line ${outcome.line})`}`;
    return readFrontMatter(text).problem;
  }
  try {
    if (/\.json$/i.test(path)) return jsonProblem(text);
    if (/\.ya?ml$/i.test(path)) return yamlProblem(text);
  } catch {
    return "nested too deeply"; // both parsers recurse
  }
  return null;
}

function jsonProblem(text: string): string | null {
  const errors: ParseError[] = [];
  parseJsonc(text, errors, { allowTrailingComma: true });
  const error = errors[0];
  return error
    ? `not valid JSON: ${printParseErrorCode(error.error)} (line ${createLineIndex(text)(error.offset)})`
    : null;
}

function yamlProblem(text: string): string | null {
  if (text.length > MAX_YAML_CHARACTERS) return null;
  const error = parseDocument(text, { logLevel: "silent", prettyErrors: false }).errors[0];
  return error ? `not valid YAML: ${error.message.slice(0, 200)} (line ${createLineIndex(text)(error.pos[0])})` : null;
}

/** Like `syntaxProblem`, but only for errors that the change added: a page that was broken before may stay so. */
export async function newSyntaxProblem(
  parser: MarkdownParser,
  change: { path: string; before: string | null; after: string },
): Promise<string | null> {
  if (change.before !== null && markdownFormat(change.path) !== null && hasSameBody(change.before, change.after)) {
    const problem = readFrontMatter(change.after).problem;
    return problem === null || readFrontMatter(change.before).problem !== null ? null : problem;
  }
  const problem = await syntaxProblem(parser, change.path, change.after);
  if (problem === null || change.before === null) return problem;
  return (await syntaxProblem(parser, change.path, change.before)) === null ? problem : null;
}

/** Whether two pages differ only in their front matter, so that their bodies need no second check (0.3 ms per page). */
function hasSameBody(before: string, after: string): boolean {
  const body = before.startsWith("---") && after.startsWith("---") ? bodyBelowFrontMatter(before) : null;
  return body !== null && body === bodyBelowFrontMatter(after);
}
