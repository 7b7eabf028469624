/** The interface of this server with the caller's key. Throws `AppError` for what is refused. */
export interface OwnInterface {
  project: string;
  /** The body as it was sent. `path` begins with `/v`. */
  ask(call: OwnCall): Promise<string>;
  /** JSON of the site's search; null where the project has no site to search. */
  search(query: URLSearchParams): Promise<string | null>;
  /** A page of the project's site as text; null where it has none at this path. */
  read(path: string): Promise<string | null>;
  signal: AbortSignal;
}

export interface OwnCall {
  method: "GET" | "POST";
  path: string;
  body?: object;
  headers?: Record<string, string>;
}
