import type { ProjectId } from "#lib/ids.ts";
import type { Immutable, Instant } from "./projects.ts";

/** The secret that turns addresses into visitor keys; destroyed with its project. */
export interface VisitorSecretTable {
  project_id: Immutable<ProjectId>;
  epoch: Immutable<number>;
  secret: Immutable<string>;
  created_at: Immutable<Instant>;
}

export interface AnalyticsTables {
  visitor_secret: VisitorSecretTable;
}
