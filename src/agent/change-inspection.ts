import { parse as parseJson } from "jsonc-parser";
import type { Root } from "mdast";
import { markdownFormat, type MarkdownFormat, type MarkdownParser } from "#content/parser.ts";
import type { Finding } from "./finding.ts";
import { linkedHosts, stringsIn } from "./linked-hosts.ts";
import { inspectLines, inspectMarkup, type UnsafeMarkup } from "./unsafe-markup.ts";

/** One changed file as text; the empty text when it is not there. */
export interface ChangedText {
  path: string;
  before: string;
  after: string;
}

/**
 * What a change brings into the pages that was in none of its files before: markup that could run something, pages
 * that cannot be parsed, hosts that are linked to. What only moved from one file to another is not new.
 */
export async function inspectChange(
  parser: MarkdownParser,
  texts: readonly ChangedText[],
): Promise<{ findings: Finding[]; newHosts: string[] }> {
  const findings: Finding[] = [];
  const known = { markup: new Set<string>(), hosts: new Set<string>() };
  const brought: { path: string; found: UnsafeMarkup }[] = [];
  const hosts = new Set<string>();
  for (const { path, before, after } of texts) {
    const old = await inspect(parser, path, before);
    const now = await inspect(parser, path, after);
    for (const found of old.unsafe) known.markup.add(found.key);
    for (const host of old.hosts) known.hosts.add(host);
    for (const found of now.unsafe) brought.push({ path, found });
    for (const host of now.hosts) hosts.add(host);
    // A page that nobody could parse before may stay so.
    if (now.failure && (before === "" || !old.failure)) findings.push({ check: "pages", path, ...now.failure });
  }
  for (const { path, found } of brought) {
    if (known.markup.has(found.key)) continue;
    const excerpt = found.text.replace(/\s+/g, " ").trim().slice(0, 160);
    findings.push({ check: "markup", path, line: found.line, message: `${found.reason}: ${excerpt}` });
  }
  return { findings, newHosts: [...hosts].filter((host) => !known.hosts.has(host)).sort() };
}

interface Inspected {
  unsafe: UnsafeMarkup[];
  hosts: ReadonlySet<string>;
  failure: { line: number | null; message: string } | null;
}

async function inspect(parser: MarkdownParser, path: string, source: string): Promise<Inspected> {
  const format = markdownFormat(path);
  if (format === null || source === "") {
    return { unsafe: [], hosts: linkedHosts(source, path.endsWith(".json") ? jsonStrings(source) : []), failure: null };
  }
  const parsed = await parse(parser, source, format);
  if (typeof parsed === "object" && "root" in parsed) {
    const { unsafe, urls } = inspectMarkup(parsed.root, source);
    return { unsafe, hosts: linkedHosts(source, urls), failure: null };
  }
  const message = `The page can no longer be parsed: ${parsed.message}`;
  return { unsafe: inspectLines(source), hosts: linkedHosts(source), failure: { line: parsed.line, message } };
}

async function parse(
  parser: MarkdownParser,
  source: string,
  format: MarkdownFormat,
): Promise<{ root: Root } | { line: number | null; message: string }> {
  const outcome = await parser.parse(source, format);
  return outcome.ok ? { root: outcome.root } : { line: outcome.line, message: outcome.message };
}

function jsonStrings(source: string): string[] {
  try {
    return stringsIn(parseJson(source));
  } catch {
    return []; // nested deeper than the stack: the pattern over the text has to do
  }
}
