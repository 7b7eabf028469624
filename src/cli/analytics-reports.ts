import { readArguments } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openReports } from "./open-places.ts";
import type { PageRow, Reports } from "./places/reports.ts";
import { around } from "./progress.ts";

/** Rows that one answer of the interface has at most. */
const MOST: Record<keyof Reports, number> = { visitors: 250, views: 250, searches: 100 };

/** `docent analytics visitors|views|searches PROJECT`. */
export async function printReport(name: keyof Reports, args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { from: { type: "string" }, to: { type: "string" }, limit: { type: "string" } },
    { min: 1, max: 1, names: "one PROJECT" },
  );
  const limit = wholeNumber("--limit", values.limit ?? "50", 1, MOST[name]);
  await using place = await openReports(values, positionals[0]!, around(io));
  const report = await place.read(name, {
    ...(values.from !== undefined && { dateFrom: values.from }),
    ...(values.to !== undefined && { dateTo: values.to }),
    limit,
  });
  if (values.json) return writeLine(io.stdout, JSON.stringify(report));
  writeLine(io.stdout, text(report));
}

function text(report: Reports[keyof Reports]): string {
  if ("searches" in report) {
    const rows = report.searches.map(({ searchQuery, hits }) => [searchQuery, String(hits)]);
    return table(["QUERY", "SEARCHES"], [["(all)", String(report.totalSearches)], ...rows]);
  }
  const rows = "visitors" in report ? report.visitors : report.views;
  const cells = ({ path, human, ai, total }: PageRow) => [path, String(human), String(ai), String(total)];
  return table(["PAGE", "HUMAN", "AI", "TOTAL"], [{ path: "(whole site)", ...report.totals }, ...rows].map(cells));
}
