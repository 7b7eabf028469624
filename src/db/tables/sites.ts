import type { ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant, JsonText } from "./projects.ts";

/** A detected commit of a site's branch; limited per project. */
export interface DeploymentTable {
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  /** Sequential per project: if two nodes detect the same commit, one gets the number. */
  number: Immutable<number>;
  commit_id: Immutable<string>;
  branch: Immutable<string>;
  subject: Immutable<string>;
  author: Immutable<string>;
  authored_at: Immutable<Instant>;
  /** When the push arrived here; null if it was not observed. */
  pushed_at: Immutable<Instant | null>;
  noticed_at: Immutable<Instant>;
  /** When a node last claimed it. */
  claimed_at: Instant;
  live_at: Instant | null;
  state: "loading" | "ready" | "failed" | "skipped";
  trouble: string | null;
  pages: number | null;
  errors: number | null;
  warnings: number | null;
  report: JsonText | null;
  reported_at: Instant | null;
}

/** An update of a site requested over HTTP; limited per project. */
export interface SiteUpdateTable {
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  kind: Immutable<"update" | "preview">;
  branch: Immutable<string>;
  status: "queued" | "in_progress" | "success" | "failure";
  outcome: JsonText;
  created_at: Immutable<Instant>;
  ended_at: Instant | null;
}

/** An API description at a URL that a project's docs reference; limited per project. */
export interface ApiAddressTable {
  project_id: Immutable<ProjectId>;
  address: Immutable<string>;
  /** Whether the live site references it. */
  is_live: Flag;
  wanted_at: Instant;
  /** Time of the next request; null: once a new version references it. */
  next_at: Instant | null;
  /** End of the lease of the node that requests it. */
  claimed_until: Instant | null;
  tried_at: Instant | null;
  /** When the host last confirmed that the copy is current. */
  read_at: Instant | null;
  /** Consecutive failures. */
  failures: number;
  /** Problem of the last attempt, for its author. */
  trouble: string | null;
  etag: string | null;
  last_modified: string | null;
  /** SHA-256 of the copy. */
  version: string | null;
  size_bytes: number | null;
  /** The last good copy, compressed with gzip. */
  content: Uint8Array | null;
}

/** A used token of a signed-in person's way to a private site. */
export interface SpentEntryTable {
  name: Immutable<string>;
  project_id: Immutable<ProjectId>;
  expires_at: Immutable<Instant>;
}

export interface SiteTables {
  spent_entry: SpentEntryTable;
  api_address: ApiAddressTable;
  deployment: DeploymentTable;
  site_update: SiteUpdateTable;
}
