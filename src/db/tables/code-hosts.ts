import type { ProjectId, SourceId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant, ProjectTable } from "./projects.ts";

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

/** How a project's repository is reached where it is hosted elsewhere. */
export interface ConnectionTable {
  project_id: Immutable<ProjectId>;
  /** Address of the repository for people, without `.git`: `https://github.com/acme/docs`. */
  url: string;
  /** Base address of the host's REST interface. */
  api_url: string;
  /** The host's own id of the repository, which stays when it is renamed or moved. */
  remote_id: string;
  /** Sealed; purpose `code host {project_id}`. */
  sealed_token: string;
  /** Sealed; purpose `code host webhook {project_id}`. What webhooks of the host are signed with. */
  sealed_webhook_secret: string;
  /** When the branch was last seen to be current; null before the first time. */
  synced_at: Instant | null;
  /** When it was last tried. */
  tried_at: Instant | null;
  /** What is wrong, in words for the project's people; null when all is well. */
  trouble: string | null;
  /** What the host said of the last change of ours, while it took none since. */
  refusal: string | null;
  /** When the host last told us something. */
  webhook_at: Instant | null;
  created_at: Immutable<Instant>;
}

/** A further repository of a project, elsewhere, which the agent reads and nobody here writes. */
export interface SourceTable {
  id: Immutable<SourceId>;
  project_id: Immutable<ProjectId>;
  name: Immutable<string>;
  kind: Immutable<ConnectedKind>;
  /** Address for people, without `.git`. */
  url: Immutable<string>;
  branch: Immutable<string>;
  /** Sealed; purpose `source {id}`. Null for one that everybody may read. */
  sealed_token: string | null;
  /** Sealed; purpose `source webhook {id}`. */
  sealed_webhook_secret: Immutable<string>;
  synced_at: Instant | null;
  tried_at: Instant | null;
  trouble: string | null;
  webhook_at: Instant | null;
  created_at: Immutable<Instant>;
}

type ConnectedKind = Exclude<ProjectTable["code_host"], "embedded">;

export interface CodeHostTables {
  connection: ConnectionTable;
  source: SourceTable;
  pull_request: PullRequestTable;
}
