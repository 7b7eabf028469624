import { csvText } from "#features/visitors/csv.ts";

/** Columns of each report as CSV, in their order; new ones come last. */
export const REPORT_COLUMNS = {
  series: ["day", "humanVisitors", "aiVisitors", "visitors", "humanViews", "aiViews", "views"],
  agents: ["name", "operator", "category", "human", "ai", "other", "verified", "spoofed", "lastSeen", "unverified"],
  surfaces: ["surface", "human", "ai"],
  referrers: ["referrer", "human", "ai"],
  missing: ["path", "ai", "other", "lastSeen"],
  notCounted: ["reason", "views", "explanation"],
} as const;

type ReportRow = Record<string, string | number | null>;

/** Any report's rows as CSV, their fields as columns. */
export function reportCsv(columns: readonly string[], rows: readonly object[]): string {
  return csvText(
    columns,
    (rows as readonly ReportRow[]).map((row) => columns.map((column) => row[column] ?? null)),
  );
}
