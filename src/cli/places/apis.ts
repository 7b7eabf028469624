/** The hosts that are asked for descriptions of APIs, and what is kept of each address, as the interface shows it. */
export interface ShownApis {
  hosts: readonly string[];
  proxy: boolean;
  addresses: readonly {
    address: string;
    live: boolean;
    readAt: string | null;
    sizeBytes: number | null;
    trouble: string | null;
    nextAt: string | null;
  }[];
}

/** What can be done with the descriptions of APIs at addresses of a project, in both places. Throws `AppError`. */
export interface ApiActions extends AsyncDisposable {
  /** False where nobody asks: no server runs on the data directory. */
  isServing: boolean;
  read(): Promise<ShownApis>;
  /** What is not named stays. */
  change(wanted: { hosts?: readonly string[]; proxy?: boolean }): Promise<ShownApis>;
  /** Has the addresses asked again; how many there are. */
  askAgain(): Promise<number>;
}
