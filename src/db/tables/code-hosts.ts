import type { ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant } from "./projects.ts";

/** Pull requests of the embedded code host. */
export interface PullRequestTable {
  project_id: Immutable<ProjectId>;
  number: Immutable<number>;
  head: Immutable<string>;
  head_sha: string;
  base: string;
  title: string;
  body: string;
  state: "open" | "merged" | "closed";
  draft: Flag;
  /** Commit on the base branch made by the merge. */
  merged_sha: string | null;
  /** Base commit that the diff of a merged or closed pull request is shown against. */
  merge_base: string | null;
  created_at: Immutable<Instant>;
  updated_at: Instant;
  closed_at: Instant | null;
}

export interface CodeHostTables {
  pull_request: PullRequestTable;
}
