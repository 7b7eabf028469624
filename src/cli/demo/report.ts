import type { FileChange } from "#git/repo-store.ts";
import { table } from "#cli/io.ts";
import type { VisitorsAnswer } from "./api.ts";
import type { Counts, Visit } from "./visits.ts";

const MAX_DIFF_LINES = 40;

/** The first lines of a unified diff, coloured for a terminal. */
export function diffExcerpt(patch: string, isColoured: boolean): string {
  const lines = patch.split("\n").filter((line) => !/^(index |similarity |diff --git )/.test(line));
  const shown = lines.slice(0, MAX_DIFF_LINES).map((line) => {
    if (!isColoured) return line;
    if (line.startsWith("+") && !line.startsWith("+++")) return `\u001b[32m${line}\u001b[0m`;
    if (line.startsWith("-") && !line.startsWith("---")) return `\u001b[31m${line}\u001b[0m`;
    return line.startsWith("@@") ? `\u001b[36m${line}\u001b[0m` : line;
  });
  if (lines.length > MAX_DIFF_LINES) shown.push(`… and ${lines.length - MAX_DIFF_LINES} more lines`);
  return shown.join("\n");
}

export function changesLine(changes: readonly FileChange[]): string {
  const sum = (pick: (change: FileChange) => number | null) =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  return `${changes.length} files changed, +${sum((change) => change.additions)} −${sum((change) => change.deletions)}`;
}

export function visitorsTable(answer: VisitorsAnswer): string {
  const cells = (name: string, counts: Counts) => [name, String(counts.human), String(counts.ai), String(counts.total)];
  return table(
    ["PAGE", "HUMAN", "AI", "TOTAL"],
    [cells("(whole site)", answer.totals), ...answer.visitors.map((page) => cells(page.path, page))],
  );
}

export function visitsTable(visits: readonly Visit[]): string {
  return table(
    ["WHO", "PAGE", "COUNTS AS", "BECAUSE"],
    visits.map((visit) => [visit.who, visit.path, visit.counts, visit.because]),
  );
}
