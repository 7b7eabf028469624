import type { ProjectId } from "#lib/ids.ts";
import type { Immutable, Instant, JsonText } from "./projects.ts";

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

export interface SiteTables {
  deployment: DeploymentTable;
  site_update: SiteUpdateTable;
}
