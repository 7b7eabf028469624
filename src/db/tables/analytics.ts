import type { ProjectId } from "#lib/ids.ts";
import type { Immutable, Instant } from "./projects.ts";

/** The secret that turns addresses into visitor keys; destroyed with its project. */
export interface VisitorSecretTable {
  project_id: Immutable<ProjectId>;
  epoch: Immutable<number>;
  /** Sealed with the instance's key; empty once destroyed. */
  sealed: string;
  created_at: Immutable<Instant>;
  /** When it will be destroyed, by the trusted time; null in a row that an earlier version wrote. */
  expires_at: Instant | null;
}

/** A day as the number of days since 1970-01-01 UTC; 0 stands for "never" where a previous day is meant. */
export type DayNumber = number;
/** `analytics_project.number`. */
export type ProjectNumber = number;

export interface AnalyticsProjectTable {
  project_id: Immutable<ProjectId>;
  number: Immutable<ProjectNumber>;
  /** `project` in the rows of the visitor index (presence, counts, packs): another one after each rebuild. */
  index_number: ProjectNumber;
  /** The index that a rebuild is making; folds write to both meanwhile. */
  next_index: ProjectNumber | null;
  /** Version of the class rules that the counts were made with. */
  rules_version: number;
  /** What is older was deleted; 0 = nothing was. Goes down again when more is kept. */
  kept_from: DayNumber;
  /** The largest label number that was ever given out: none is used twice. */
  last_label: number;
  /** Goes up when labels are deleted. */
  label_version: number;
  /** First day of the views that the index was made from; less than `kept_from` while it still has to be made again. */
  index_from: DayNumber;
  /** The same of labels that nothing refers to any more. */
  labels_from: DayNumber;
  /** What is before this day is to be deleted a week after `marked_at`, of the trusted time; null for no mark. */
  expires_before: DayNumber | null;
  marked_at: Instant | null;
  /** Version of the lists of addresses that doubtful views were judged by last; null before the first time. */
  judged_by: string | null;
}

/** Every number handed out. One that no project refers to any more is garbage: its rows are deleted, then it. */
export interface AnalyticsNumberTable {
  number: Immutable<ProjectNumber>;
}

/** Texts that views refer to by number: page paths, clients, referring hosts, missing paths. */
export interface AnalyticsLabelTable {
  project: Immutable<ProjectNumber>;
  /** From 1 in a project, over all kinds; never used again once deleted. */
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

/** On which days a visitor was seen on a page (0 = anywhere on the site), see `features/visitors/presence.ts`. */
export interface VisitorPresenceTable {
  project: Immutable<ProjectNumber>;
  visitor: Immutable<number>;
  page: Immutable<number>;
  /** The last day and its classes: `day * 4 + mask`. */
  last: number;
  /** The days before it, ascending, three bytes each; null when it is the only one. */
  earlier: Uint8Array | null;
}

/**
 * Visitors of a page (0 = the site) on a day whose day before that one was `previous` (0 = never). Rows are changes
 * on top of `visitor_pack` and may be negative there.
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
  /** Views that count in neither. */
  other: number;
}

/** How far a journal has been folded; written in the transaction of the fold. */
export interface JournalPositionTable {
  journal: Immutable<string>;
  segment: number;
  position: number;
  /** Of an imported log: of all its lines up to there. */
  digest: string | null;
}

/** How often readers searched for something on a day. "" stands for all queries that are only counted. */
export interface SearchCountTable {
  project_id: Immutable<ProjectId>;
  day: Immutable<DayNumber>;
  query: Immutable<string>;
  searches: number;
  /** Searches that led to a page. */
  clicks: number;
  /** What the last of them found. */
  results: number;
  last_at: Instant;
}

/** Which pages they led to. */
export interface SearchClickTable {
  project_id: Immutable<ProjectId>;
  day: Immutable<DayNumber>;
  query: Immutable<string>;
  page: Immutable<string>;
  clicks: number;
}

/** What readers and agents said of a page. */
export interface FeedbackTable {
  /** `fbk_…` */
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  day: DayNumber;
  page: Immutable<string>;
  author: Immutable<"reader" | "agent">;
  /** 1 or 0; null where an agent did not say. */
  helpful: number | null;
  comment: string | null;
  status: "pending" | "in_progress" | "resolved" | "dismissed";
  /** 53 bits that know the same reader again on the same page, see `features/visitors/feedback/feedback-book.ts`. */
  voter: Immutable<number>;
  /** Of the last word or vote. */
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
