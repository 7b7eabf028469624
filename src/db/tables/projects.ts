import type { ColumnType, Generated } from "kysely";
import type { PersonId, ProjectId } from "#lib/ids.ts";

/** Milliseconds since 1970 UTC. Instants are numbers in every table: both engines store them alike. */
export type Instant = number;
/** A JSON document as text. Parsed where it is read, in the domain that owns the table. */
export type JsonText = string;
/** 0 or 1: SQLite has no booleans. */
export type Flag = 0 | 1;
export type Immutable<T> = ColumnType<T, T, never>;

export interface ProjectTable {
  id: Immutable<ProjectId>;
  /** Host label of the site: `{slug}.localhost`. */
  slug: string;
  name: string;
  /** Where the repository was imported from; null for one created empty. Never contains credentials. */
  source_url: string | null;
  code_host: "embedded" | "github" | "gitlab" | "gitea" | "forgejo";
  branch: string;
  settings: JsonText;
  /** Commit that the site stays at; null while it follows its branch. */
  pinned_commit: string | null;
  pinned_at: Instant | null;
  pinned_by: string | null;
  /** While it takes no jobs, automations or pushes; null otherwise. */
  archived_at: Instant | null;
  created_at: Immutable<Instant>;
}

/** An address that a project had before. */
export interface FormerSlugTable {
  slug: Immutable<string>;
  project_id: Immutable<ProjectId>;
  left_at: Immutable<Instant>;
}

export interface ApiKeyTable {
  id: Immutable<string>;
  /** Null: a key of the instance, for every project, or of a person. */
  project_id: Immutable<ProjectId | null>;
  /** A personal access token of this person, good for the projects that they have a role in. */
  person_id: Immutable<PersonId | null>;
  name: string;
  /** SHA-256 of the whole key, hexadecimal. */
  hash: Immutable<string>;
  /** The last four characters, to recognise a key in a list. */
  hint: Immutable<string>;
  created_at: Immutable<Instant>;
  last_used_at: Instant | null;
  expires_at: Immutable<Instant | null>;
  revoked_at: Instant | null;
  scope: Generated<"read" | "agent" | "admin">;
  /** Ranges of addresses that it works from, as a JSON array; null: from everywhere. */
  allowed_addresses: Immutable<JsonText | null>;
}

/** Calls counted in fixed windows; one row per project and kind of call. */
export interface RateLimitTable {
  project_id: Immutable<ProjectId>;
  bucket: Immutable<string>;
  /** Minutes since 1970 of the last call. */
  minute: number;
  /** All calls that were let through, counted from 10^11, so that it always has 12 digits. */
  calls: number;
  /** `calls` as it was when each of the last 60 minutes and `minute` began, the oldest first: 61 times 12 digits. */
  calls_before: string;
}

/** A domain of a project's own, in the form that `normaliseDomain` gives it. */
export interface SiteDomainTable {
  domain: Immutable<string>;
  project_id: Immutable<ProjectId>;
  is_main: Flag;
  created_at: Immutable<Instant>;
}

/** Who may read a project's site; without a row everybody may. */
export interface SiteAccessTable {
  project_id: Immutable<ProjectId>;
  mode: string;
  password_hash: string | null;
  /** Grows with every change: what let somebody in before lets nobody in any more. */
  version: number;
  changed_at: Instant;
}

/** What an instance knows of itself: its id, and something sealed with its key. Nothing here is secret. */
export interface InstanceValueTable {
  name: Immutable<string>;
  value: string;
}

export interface ProjectTables {
  instance_value: InstanceValueTable;
  project: ProjectTable;
  former_slug: FormerSlugTable;
  api_key: ApiKeyTable;
  rate_limit: RateLimitTable;
  site_domain: SiteDomainTable;
  site_access: SiteAccessTable;
}
