import { parseDates } from "#features/visitors/range.ts";
import { viewsEndpoint, visitorsEndpoint } from "#features/visitors/reports/endpoints.ts";
import { reportSearches } from "#features/visitors/searches/search-report.ts";
import { requireProject } from "#features/projects/projects.ts";
import { openInstance } from "./open-instance.ts";
import type { ReportActions, ReportRange, Reports } from "./places/reports.ts";

/** Counts of a project in the store of a data directory: of the views that its server has counted. */
export async function reportsInDirectory(
  options: { data?: string | undefined },
  named: string,
): Promise<ReportActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const { id: projectId } = await requireProject(instance, named);
  const readers: { [Name in keyof Reports]: (query: ReportRange) => Promise<Reports[Name]> } = {
    visitors: (query) => visitorsEndpoint(instance, projectId, toParameters(query)),
    views: (query) => viewsEndpoint(instance, projectId, toParameters(query)),
    async searches(query) {
      const { limit } = query;
      const { from, to } = parseDates(toParameters(query));
      const found = await reportSearches(instance, { projectId, from, to, limit, offset: 0 });
      const searches = found.searches.map(({ results: _, ...row }) => row);
      return { searches, totalSearches: found.totalSearches, nextCursor: null };
    },
  };
  const owned = stack.move();
  return {
    read: (name, query) => readers[name](query),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function toParameters(query: ReportRange): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
}
