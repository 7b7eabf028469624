import type { FileChange } from "#git/repo-store.ts";
import { table } from "#cli/command/io.ts";
import { cutText } from "#lib/cut-text.ts";
import type { VisitorCounts, VisitorsPage } from "#client/answers.ts";
import type { DemoVisit } from "./demo-visits.ts";

const MAX_PAIRS = 6;
const MAX_LINE = 110;

interface ChangedLine {
  path: string;
  before: string | null;
  after: string;
}

/** Selects a few changed lines of a unified diff that show the work: links first, then one line per file. */
export function diffExcerpt(patch: string, isColoured: boolean): string {
  const lines = changedLines(patch);
  const isAboutLink = ({ before, after }: ChangedLine) => before !== null && linkOf(before) !== linkOf(after);
  const firstOfFile = lines.filter((line, index) => lines[index - 1]?.path !== line.path);
  const chosen = [...lines.filter(isAboutLink).slice(0, MAX_PAIRS / 2), ...firstOfFile];
  const shown = [...new Set(chosen)].slice(0, MAX_PAIRS);
  const paint = (colour: number, text: string) => (isColoured ? `\u001b[${colour}m${text}\u001b[0m` : text);
  const text = shown.flatMap(({ path, before, after }) => [
    path,
    ...(before === null ? [] : [paint(31, `- ${cutText(before.trim(), MAX_LINE)}`)]),
    paint(32, `+ ${cutText(after.trim(), MAX_LINE)}`),
  ]);
  if (lines.length > shown.length) text.push(`… and ${lines.length - shown.length} more lines`);
  return text.join("\n");
}

const differsInView = (before: string, after: string) =>
  before.trim().slice(0, MAX_LINE - 20) !== after.trim().slice(0, MAX_LINE - 20);

const linkOf = (line: string) => /\]\(([^)]*)\)|href="([^"]*)"/.exec(line)?.[0] ?? null;

/** The added lines of a patch that contain words, each with the line that it replaces. */
function changedLines(patch: string): ChangedLine[] {
  const found: ChangedLine[] = [];
  let path = "";
  let removed: string[] = [];
  for (const line of patch.split("\n")) {
    if (line.startsWith("+++ ")) path = line.replace(/^\+\+\+ (?:b\/)?/, "");
    else if (line.startsWith("--- ")) removed = [];
    else if (line.startsWith("-")) removed.push(line.slice(1));
    else if (line.startsWith("+")) found.push({ path, before: removed.shift() ?? null, after: line.slice(1) });
    else removed = [];
  }
  return found.filter(({ before, after }) => /\p{L}/u.test(after) && differsInView(before ?? "", after));
}

export function changesLine(changes: readonly FileChange[]): string {
  const sum = (pick: (change: FileChange) => number | null) =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  return `${changes.length} files changed, +${sum((change) => change.additions)} −${sum((change) => change.deletions)}`;
}

export function visitorsTable(answer: VisitorsPage): string {
  const cells = (name: string, counts: VisitorCounts) => [
    name,
    String(counts.human),
    String(counts.ai),
    String(counts.total),
  ];
  return table(
    ["PAGE", "HUMAN", "AI", "TOTAL"],
    [cells("(whole site)", answer.totals), ...answer.visitors.map((page) => cells(page.path, page))],
  );
}

export function visitsTable(visits: readonly DemoVisit[]): string {
  return table(
    ["WHO", "PAGE", "COUNTS AS", "BECAUSE"],
    visits.map((visit) => [visit.who, visit.path, visit.counts, visit.because]),
  );
}
