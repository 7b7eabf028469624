export interface ReportRange {
  dateFrom?: string;
  dateTo?: string;
  /** Rows, 1 to 250. */
  limit: number;
}

export interface PageRow {
  path: string;
  human: number;
  ai: number;
  total: number;
}

/** The answers of the interface, by the report's name. */
export interface Reports {
  visitors: { totals: Omit<PageRow, "path">; visitors: PageRow[]; hasMore: boolean };
  views: { totals: Omit<PageRow, "path">; views: PageRow[]; hasMore: boolean };
  searches: { searches: { searchQuery: string; hits: number }[]; totalSearches: number };
}

/** Counts of a project, beside a data directory and at a server alike. Throws `AppError`. */
export interface ReportActions extends AsyncDisposable {
  read<Name extends keyof Reports>(name: Name, query: ReportRange): Promise<Reports[Name]>;
}
