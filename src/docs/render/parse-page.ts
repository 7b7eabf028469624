import type { Root } from "mdast";
import type { MarkdownFormat, ParseOutcome } from "#docs/parser.ts";
import { PageLimit } from "#docs/markup/budget.ts";
import type { PageParser } from "./fast-parser.ts";
import { repairOnce } from "./repair.ts";
import type { Warn } from "./warnings.ts";

const MAX_REPAIRS = 300;
const MAX_TOLD = 20;
const REPAIR_TIME_MS = 700;

export interface ParsedPage {
  root: Root;
  degraded: "none" | "repaired" | "plain";
}

/**
 * Parses a page whatever its syntax: an error in MDX is escaped and the page parsed again, and in the last resort the
 * page is read as plain Markdown. Throws `PageLimit` for what no parser may see.
 */
export function parsePage(
  source: string,
  format: MarkdownFormat,
  { parser, warn, now }: { parser: PageParser; warn: Warn; now: () => number },
): ParsedPage {
  const first = parser.parse(source, format);
  if (first.ok) return { root: first.root, degraded: "none" };
  if (first.line === null || format === "md") throw new PageLimit(first.message);

  const repairs: { line: number; what: string; isShown: boolean }[] = [];
  const deadline = now() + REPAIR_TIME_MS;
  let current = source;
  let outcome: ParseOutcome & { column?: number | null } = first;
  while (!outcome.ok && repairs.length < MAX_REPAIRS && now() < deadline) {
    const repaired = repairOnce(current, outcome);
    if (repaired === null) break;
    repairs.push(repaired);
    current = repaired.source;
    outcome = parser.parse(current, format);
  }
  warn(first.line, `MDX syntax error: ${first.message}.`, "syntax");
  if (outcome.ok) {
    // What is shown as text, readers see as the author wrote it: tags, braces and all.
    for (const { line, what, isShown } of repairs.slice(0, MAX_TOLD))
      warn(line, `Repaired for display: ${what}.`, isShown ? "not_rendered" : "syntax");
    if (repairs.length > MAX_TOLD)
      warn(null, `Repaired for display: ${repairs.length - MAX_TOLD} further places.`, "not_rendered");
    return { root: outcome.root, degraded: "repaired" };
  }
  const plain = parser.parse(source, "md");
  if (!plain.ok) throw new PageLimit(plain.message);
  warn(null, "The page is shown as plain Markdown because of its syntax errors.", "not_rendered");
  return { root: plain.root, degraded: "plain" };
}
