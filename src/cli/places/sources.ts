/** A source as commands print it. */
export interface PrintedSource {
  id: string;
  name: string;
  /** What its host runs. */
  kind: string;
  url: string;
  branch: string;
  syncedAt: string | null;
  trouble: string | null;
}

export interface AskedSource {
  name: string;
  url: string;
  token: string | null;
  host: string | null;
  branch: string | null;
}

/** A source as the interface shows it, with the name that commands have always had for what its host runs. */
export const printedSource = ({ host, ...rest }: Omit<PrintedSource, "kind"> & { host: string }): PrintedSource => ({
  id: rest.id,
  name: rest.name,
  kind: host,
  url: rest.url,
  branch: rest.branch,
  syncedAt: rest.syncedAt,
  trouble: rest.trouble,
});

/** What can be done with a project's sources, beside a data directory and at a server alike. Throws `AppError`. */
export interface SourceActions extends AsyncDisposable {
  /** Done when its mirror is there. */
  add(asked: AskedSource): Promise<PrintedSource>;
  /** By name. */
  list(): Promise<PrintedSource[]>;
  replaceToken(name: string, token: string): Promise<PrintedSource>;
  remove(name: string): Promise<PrintedSource>;
}
