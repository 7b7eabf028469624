/** What was erased of an address, as the interface shows it. */
export interface ShownErasure {
  address: string;
  visitors: number;
  views: number;
  days: number;
  feedback: number;
  damagedFiles: number | null;
  notReached: readonly string[];
}

/** What can be done about what is counted of a project, in both places. Throws `AppError`. */
export interface UpkeepActions extends AsyncDisposable {
  /** What the person calls the project. */
  name: string;
  /** `address`: a plain one. */
  erase(asked: { address: string; userAgents: readonly string[]; cookies: readonly string[] }): Promise<ShownErasure>;
  snippet(): Promise<{ snippet: string; allowedOrigins: readonly string[] }>;
}
