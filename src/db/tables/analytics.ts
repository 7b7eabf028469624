import type { ProjectId } from "#lib/ids.ts";
import type { Immutable, Instant } from "./projects.ts";

/** The secret that derives visitor keys from addresses; destroyed with its project. */
export interface VisitorSecretTable {
  project_id: Immutable<ProjectId>;
  epoch: Immutable<number>;
  /** Sealed with the instance's key; empty once destroyed. */
  sealed: string;
  created_at: Immutable<Instant>;
  /** When it will be destroyed, by the trusted time; null in a row written by an earlier version. */
  expires_at: Instant | null;
}

/** A day as the number of days since 1970-01-01 UTC; 0 stands for "never" where a previous day is meant. */
export type DayNumber = number;
/** `analytics_project.number`. */
export type ProjectNumber = number;

export interface AnalyticsProjectTable {
  project_id: Immutable<ProjectId>;
  number: Immutable<ProjectNumber>;
  /** `project` in the rows of the visitor index (presence, counts, packs); changes with each rebuild. */
  index_number: ProjectNumber;
  /** The index that a rebuild is creating; folds write to both meanwhile. */
  next_index: ProjectNumber | null;
  /** Version of the classification rules of the counts. */
  rules_version: number;
  /** Older data was deleted; 0: none was. Decreases if the retention is extended. */
  kept_from: DayNumber;
  /** The highest label number ever assigned; numbers are not reused. */
  last_label: number;
  /** Increases when labels are deleted. */
  label_version: number;
  /** First day of the views in the index; less than `kept_from` while a rebuild is pending. */
  index_from: DayNumber;
  /** The same for the cleanup of unreferenced labels. */
  labels_from: DayNumber;
  /** Data before this day is to be deleted a week after `marked_at`, by the trusted time; null without a mark. */
  expires_before: DayNumber | null;
  marked_at: Instant | null;
  /** Version of the address lists that doubtful views were last checked against; null before the first check. */
  judged_by: string | null;
}

/** Every assigned number. If no project uses a number any more, its rows are deleted, then the number. */
export interface AnalyticsNumberTable {
  number: Immutable<ProjectNumber>;
}

/** Texts that views refer to by number: page paths, clients, referring hosts, missing paths. */
export interface AnalyticsLabelTable {
  project: Immutable<ProjectNumber>;
  /** Numbered from 1 per project across all kinds; not reused after deletion. */
  id: Immutable<number>;
  kind: Immutable<number>;
  text: string;
}

/** The facts: views of one project and day in columns, see `features/visitors/facts.ts`. A larger `seq` is newer. */
export interface ViewSegmentTable {
  project: Immutable<ProjectNumber>;
  day: Immutable<DayNumber>;
  seq: Immutable<number>;
  views: number;
  content: Uint8Array;
}

/** The days on which a visitor was seen on a page (0 = anywhere on the site), see `features/visitors/presence.ts`. */
export interface VisitorPresenceTable {
  project: Immutable<ProjectNumber>;
  visitor: Immutable<number>;
  page: Immutable<number>;
  /** The last day and its classes: `day * 4 + mask`. */
  last: number;
  /** Earlier days, ascending, three bytes each; null if there are none. */
  earlier: Uint8Array | null;
}

/**
 * Number of visitors of a page (0 = the site) on a day whose preceding visit was on `previous` (0 = never). Rows are
 * deltas to `visitor_pack` and may be negative.
 */
export interface VisitorCountTable {
  project: Immutable<ProjectNumber>;
  day: Immutable<DayNumber>;
  page: Immutable<number>;
  previous: Immutable<DayNumber>;
  human: number;
  ai: number;
  total: number;
}

/** Counts of one day or calendar month in columns, see `analytics/pack.ts`. A changed pack has a new version. */
export interface VisitorPackTable {
  project: Immutable<ProjectNumber>;
  span: number;
  day: Immutable<DayNumber>;
  version: number;
  content: Uint8Array;
}

/** Views by day and by one facet (page, client, surface, referrer, missing path, reason not counted). */
export interface ViewTallyTable {
  project: Immutable<ProjectNumber>;
  facet: Immutable<number>;
  day: Immutable<DayNumber>;
  item: Immutable<number>;
  human: number;
  ai: number;
  /** Views in neither category. */
  other: number;
}

/** Position up to which a journal has been folded; written in the fold's transaction. */
export interface JournalPositionTable {
  journal: Immutable<string>;
  segment: number;
  position: number;
  /** For an imported log: digest of all lines up to the position. */
  digest: string | null;
}

/** Searches by query and day. "" stands for all queries that are only counted. */
export interface SearchCountTable {
  project_id: Immutable<ProjectId>;
  day: Immutable<DayNumber>;
  query: Immutable<string>;
  searches: number;
  /** Searches that led to a page. */
  clicks: number;
  /** Number of results of the last search. */
  results: number;
  last_at: Instant;
}

/** Pages that searches led to. */
export interface SearchClickTable {
  project_id: Immutable<ProjectId>;
  day: Immutable<DayNumber>;
  query: Immutable<string>;
  page: Immutable<string>;
  clicks: number;
}

/** Feedback of readers and agents on a page. */
export interface FeedbackTable {
  /** `fbk_…` */
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  day: DayNumber;
  page: Immutable<string>;
  author: Immutable<"reader" | "agent">;
  /** 1 or 0; null if an agent did not vote. */
  helpful: number | null;
  comment: string | null;
  status: "pending" | "in_progress" | "resolved" | "dismissed";
  /** 53 bits that identify a reader on this page only, see `features/visitors/feedback/feedback-book.ts`. */
  voter: Immutable<number>;
  /** Time of the last comment or vote. */
  created_at: Instant;
}

export interface AnalyticsTables {
  feedback: FeedbackTable;
  search_count: SearchCountTable;
  search_click: SearchClickTable;
  visitor_secret: VisitorSecretTable;
  analytics_project: AnalyticsProjectTable;
  analytics_number: AnalyticsNumberTable;
  analytics_label: AnalyticsLabelTable;
  view_segment: ViewSegmentTable;
  visitor_presence: VisitorPresenceTable;
  visitor_count: VisitorCountTable;
  visitor_pack: VisitorPackTable;
  view_tally: ViewTallyTable;
  journal_position: JournalPositionTable;
}
