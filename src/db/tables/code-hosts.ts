import type { Generated } from "kysely";
import type { JobId, ProjectId, SourceId } from "#lib/ids.ts";
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
  /** Sealed; purpose `code host {project_id}`. Null where an app's installation is used. */
  sealed_token: string | null;
  /** The app whose installation is used in place of a token; null where there is one. */
  app_id: string | null;
  /** Set together with `app_id`: the host's own id of the installation. */
  installation_id: string | null;
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
  /** Comments that were changed before it have been read; the host's clock. Null before the first look at them. */
  comments_seen_at: Generated<Instant | null>;
  /** Address of the webhook that was made there, or refused to this token; null: to be tried. */
  webhook_tried: Generated<string | null>;
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
  synced_at: Instant | null;
  tried_at: Instant | null;
  trouble: string | null;
  created_at: Immutable<Instant>;
}

type ConnectedKind = Exclude<ProjectTable["code_host"], "embedded">;

/** A comment on a pull request of a host elsewhere that asks the agent for something. Its row makes it count once. */
export interface HostCommentTable {
  project_id: Immutable<ProjectId>;
  /** The host's own, with the kind of comment before it: `issue:17`. */
  id: Immutable<string>;
  number: Immutable<number>;
  branch: Immutable<string>;
  /** Where an answer goes; null: below the pull request. */
  thread: Immutable<string | null>;
  url: Immutable<string>;
  author_id: Immutable<string>;
  author_login: Immutable<string>;
  /** What it asks for. */
  prompt: Immutable<string>;
  /** The file and line that it stands at: `index.md, line 3`. */
  about: Immutable<string | null>;
  /** By the host's clock. */
  changed_at: Immutable<Instant>;
  /** Found, then accepted or refused and after that answered; or ignored. */
  state: "found" | "accepted" | "refused" | "answered" | "ignored";
  /** Since the last one that went well. */
  tries: number;
  /** When it is next worked on; also the end of the time that one process has for it. */
  due_at: Instant;
  job_id: JobId | null;
  /** The message that it became. */
  message_seq: number | null;
  /** The comment that answers it. */
  answer_id: string | null;
  /** Why it was refused, ignored or never answered. */
  note: string | null;
  created_at: Immutable<Instant>;
}

/** What does not work at a host though its repository is followed. */
export interface ConnectionRemarkTable {
  project_id: Immutable<ProjectId>;
  about: Immutable<"comments" | "answers" | "previews" | "webhook" | "name">;
  /** In words for the project's people. */
  text: string;
}

/** An app that GitHub made for this server. */
export interface GithubAppTable {
  id: Immutable<string>;
  /** Of the host: `https://github.com`. */
  origin: Immutable<string>;
  /** GitHub's own id of it. */
  number: Immutable<string>;
  /** Its name in addresses there. */
  slug: Immutable<string>;
  name: Immutable<string>;
  /** Account that it belongs to there. */
  owner: Immutable<string>;
  /** Sealed; purpose `github app {id}`. */
  sealed_private_key: Immutable<string>;
  /** Sealed; purpose `github app webhook {id}`. Null when GitHub sends it no webhooks. */
  sealed_webhook_secret: Immutable<string | null>;
  created_at: Immutable<Instant>;
}

/** A preview's address that is shown at a host, or was refused there. */
export interface PreviewPostTable {
  project_id: Immutable<ProjectId>;
  number: Immutable<number>;
  /** The commit whose status it is; `comment` for a comment. */
  target: Immutable<string>;
  tried_at: Instant;
  is_posted: Flag;
}

export interface CodeHostTables {
  github_app: GithubAppTable;
  preview_post: PreviewPostTable;
  connection: ConnectionTable;
  connection_remark: ConnectionRemarkTable;
  host_comment: HostCommentTable;
  source: SourceTable;
  pull_request: PullRequestTable;
}
