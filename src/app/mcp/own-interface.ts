/** Calls this server's API with the caller's key. Throws `AppError` for error responses. */
export interface OwnInterface {
  project: string;
  /** The unparsed response body. `path` begins with `/v`. */
  ask(call: OwnCall): Promise<string>;
  /** JSON of the site's search; null if the project has no site. */
  search(query: URLSearchParams): Promise<string | null>;
  /** A page of the project's site as text; null if there is none at this path. */
  read(path: string): Promise<string | null>;
  signal: AbortSignal;
}

export interface OwnCall {
  method: "GET" | "POST";
  path: string;
  body?: object;
  headers?: Record<string, string>;
}
