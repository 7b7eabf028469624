import type { ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant, JsonText } from "./projects.ts";

/** A commit of a site's branch that was noticed; bounded per project. */
export interface DeploymentTable {
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  /** Counts up in a project: of two nodes that notice the same commit, one gets the number. */
  number: Immutable<number>;
  commit_id: Immutable<string>;
  branch: Immutable<string>;
  subject: Immutable<string>;
  author: Immutable<string>;
  authored_at: Immutable<Instant>;
  /** When the push arrived here; null when nobody saw it come. */
  pushed_at: Immutable<Instant | null>;
  noticed_at: Immutable<Instant>;
  /** When a node last took it on. */
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

/** What a caller asked of a site over HTTP; bounded per project. */
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

/** The description of an API at an address that a project's docs name; bounded per project. */
export interface ApiAddressTable {
  project_id: Immutable<ProjectId>;
  address: Immutable<string>;
  /** The site that readers see names it. */
  is_live: Flag;
  wanted_at: Instant;
  /** When it is asked again; null: when a version names it that is new. */
  next_at: Instant | null;
  /** A node asks it, and has until then. */
  claimed_until: Instant | null;
  tried_at: Instant | null;
  /** When the host last said that the copy is the newest. */
  read_at: Instant | null;
  /** In a row. */
  failures: number;
  /** What its author should know of the last try. */
  trouble: string | null;
  etag: string | null;
  last_modified: string | null;
  /** SHA-256 of the copy. */
  version: string | null;
  size_bytes: number | null;
  /** The last good copy, by gzip. */
  content: Uint8Array | null;
}

export interface SiteTables {
  api_address: ApiAddressTable;
  deployment: DeploymentTable;
  site_update: SiteUpdateTable;
}
