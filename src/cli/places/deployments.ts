/** A deployment as the interface shows it; more fields than these, which are printed. */
export interface ShownDeployment {
  number: number;
  commit: string;
  noticedAt: string;
  liveAt: string | null;
  live: boolean;
  state: string;
  author: string;
  subject: string;
}

export interface ShownPin {
  commit: string;
  at: string;
  by: string | null;
}

/** What can be asked of a site's deployments, beside a data directory and at a server alike. Throws `AppError`. */
export interface DeploymentActions extends AsyncDisposable {
  /** What the person calls the project. */
  name: string;
  /** Newest first. `isMissing`: the pinned commit is known to be gone from the repository. */
  list(limit: number): Promise<{ deployments: ShownDeployment[]; pin: ShownPin | null; isMissing: boolean }>;
  pin(commit: string): Promise<ShownPin>;
  unpin(): Promise<void>;
}
