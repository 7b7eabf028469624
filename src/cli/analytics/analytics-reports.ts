import type { Item } from "#client/client.ts";
import { ONE_PROJECT, onProject } from "#cli/command/action.ts";
import { table, writeLine } from "#cli/command/io.ts";
import { wholeNumber } from "#cli/command/command.ts";

const day = { type: "string" } as const;
const RANGE = { from: day, to: day, limit: { type: "string" } } as const;

/** Query of a report; `most`: maximum number of rows in a response. */
function queryOf({ from, to, limit = "50" }: { from?: string; to?: string; limit?: string }, most = 250) {
  return {
    ...(from !== undefined && { dateFrom: from }),
    ...(to !== undefined && { dateTo: to }),
    limit: wholeNumber("--limit", limit, 1, most),
  };
}

/** `docent analytics visitors`. */
export const printVisitors = onProject(ONE_PROJECT, RANGE, ({ values }) => {
  const query = queryOf(values);
  return async ({ call }) => {
    const report = await call("getVisitors", { query });
    return { json: report, text: pagesText(report.totals, report.visitors) };
  };
});

/** `docent analytics views`. */
export const printViews = onProject(ONE_PROJECT, RANGE, ({ values }) => {
  const query = queryOf(values);
  return async ({ call }) => {
    const report = await call("getViews", { query });
    return { json: report, text: pagesText(report.totals, report.views) };
  };
});

/** `docent analytics searches`. */
export const printSearches = onProject(ONE_PROJECT, RANGE, ({ values }) => {
  const query = queryOf(values, 100);
  return async ({ call }) => {
    const report = await call("getSearches", { query });
    const rows = report.searches.map(({ searchQuery, hits }) => [searchQuery, String(hits)]);
    return { json: report, text: table(["QUERY", "SEARCHES"], [["(all)", String(report.totalSearches)], ...rows]) };
  };
});

/** `docent analytics snippet`. */
export const printSnippet = onProject(ONE_PROJECT, {}, ({ io }) => async ({ call, name }) => {
  const { snippet, allowedOrigins } = await call("getAnalyticsSnippet");
  if (allowedOrigins.length === 0) {
    const setting = `docent projects set ${name} analytics '{"allowedOrigins": ["https://docs.example.com"]}'`;
    writeLine(io.stderr, `No origin may send views yet. Name those that carry the script:\n  ${setting}`);
  }
  return { json: { snippet, allowedOrigins }, text: snippet };
});

type Counts = Omit<Item<"getVisitors">, "path">;

const pagesText = (totals: Counts, pages: readonly (Counts & { path: string })[]): string =>
  table(
    ["PAGE", "HUMAN", "AI", "TOTAL"],
    [{ path: "(whole site)", ...totals }, ...pages].map(({ path, human, ai, total }) => [
      path,
      String(human),
      String(ai),
      String(total),
    ]),
  );
