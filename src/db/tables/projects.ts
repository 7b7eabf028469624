import type { ColumnType, Generated } from "kysely";
import type { PersonId, ProjectId } from "#lib/ids.ts";

/** Milliseconds since 1970 UTC. Instants are numbers in every table, which both engines store the same way. */
export type Instant = number;
/** A JSON document as text, parsed by the feature that owns the table. */
export type JsonText = string;
/** 0 or 1: SQLite has no booleans. */
export type Flag = 0 | 1;
export type Immutable<T> = ColumnType<T, T, never>;

export interface ProjectTable {
  id: Immutable<ProjectId>;
  /** Host label of the site: `{slug}.localhost`. */
  slug: string;
  name: string;
  /** Import source of the repository; null for one created empty. Never contains credentials. */
  source_url: string | null;
  code_host: "embedded" | "github" | "gitlab" | "gitea" | "forgejo";
  branch: string;
  settings: JsonText;
  /** Commit that the site is pinned to; null while it follows its branch. */
  pinned_commit: string | null;
  pinned_at: Instant | null;
  pinned_by: string | null;
  /** Null unless archived; an archived project accepts no jobs, automations or pushes. */
  archived_at: Instant | null;
  /** When the list of first steps on the overview was dismissed. */
  steps_dismissed_at: ColumnType<Instant | null, never, Instant>;
  created_at: Immutable<Instant>;
}

/** A former slug of a project. */
export interface FormerSlugTable {
  slug: Immutable<string>;
  project_id: Immutable<ProjectId>;
  left_at: Immutable<Instant>;
}

export interface ApiKeyTable {
  id: Immutable<string>;
  /** Null for a key of the instance, valid for every project, or of a person. */
  project_id: Immutable<ProjectId | null>;
  /** Owner of a personal access token, which is valid for the projects in which the person has a role. */
  person_id: Immutable<PersonId | null>;
  name: string;
  /** SHA-256 of the whole key, hexadecimal. */
  hash: Immutable<string>;
  /** The last four characters, to recognize a key in a list. */
  hint: Immutable<string>;
  created_at: Immutable<Instant>;
  last_used_at: Instant | null;
  expires_at: Immutable<Instant | null>;
  revoked_at: Instant | null;
  scope: Generated<"read" | "agent" | "write" | "admin">;
  /** Address ranges that may use the key, as a JSON array; null: any address. */
  allowed_addresses: Immutable<JsonText | null>;
}

/** Calls counted per minute; one row per project and kind of call. */
export interface RateLimitTable {
  project_id: Immutable<ProjectId>;
  bucket: Immutable<string>;
  /** Minute of the last call, since 1970. */
  minute: number;
  /** Number of allowed calls plus 10^11, so that it always has 12 digits. */
  calls: number;
  /** `calls` at the start of each of the last 60 minutes and of `minute`, oldest first: 61 times 12 digits. */
  calls_before: string;
}

/** A custom domain of a project, as `normaliseDomain` returns it. */
export interface SiteDomainTable {
  domain: Immutable<string>;
  project_id: Immutable<ProjectId>;
  is_main: Flag;
  created_at: Immutable<Instant>;
}

/** Who may read a project's site; without a row it is public. */
export interface SiteAccessTable {
  project_id: Immutable<ProjectId>;
  mode: string;
  password_hash: string | null;
  /** Increases with every change, which invalidates all earlier grants. */
  version: number;
  changed_at: Instant;
}

/** Values of the instance: its id, and a text sealed with its key. Contains no secrets. */
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
