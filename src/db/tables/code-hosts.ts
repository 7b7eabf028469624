import type { Generated } from "kysely";
import type { JobId, PersonId, ProjectId, SourceId } from "#lib/ids.ts";
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
  /** Commit that the merge created on the base branch. */
  merged_sha: string | null;
  /** Name of the person who merged it here; null for a merge with an API key or by a push. */
  merged_by: string | null;
  /** Name of the author of its newest commit when it was opened; null for one from before 28 November 2026. */
  proposed_by: Immutable<string | null>;
  /** Base commit for the diff of a merged or closed pull request. */
  merge_base: string | null;
  created_at: Immutable<Instant>;
  updated_at: Instant;
  closed_at: Instant | null;
}

/** Connection to a project's repository on a code host. */
export interface ConnectionTable {
  project_id: Immutable<ProjectId>;
  /** URL of the repository's page, without `.git`: `https://github.com/acme/docs`. */
  url: string;
  /** Base URL of the host's REST API. */
  api_url: string;
  /** The host's own id of the repository, which survives renames and transfers. */
  remote_id: string;
  /** Sealed; purpose `code host {project_id}`. Null if an app's installation is used. */
  sealed_token: string | null;
  /** The app whose installation is used instead of a token; null with a token. */
  app_id: string | null;
  /** Set together with `app_id`: the host's own id of the installation. */
  installation_id: string | null;
  /** Sealed; purpose `code host webhook {project_id}`. Signs the host's webhooks. */
  sealed_webhook_secret: string;
  /** When the branch was last known to be current; null before the first synchronization. */
  synced_at: Instant | null;
  /** Time of the last synchronization attempt. */
  tried_at: Instant | null;
  /** The current problem, for the project's members; null if there is none. */
  trouble: string | null;
  /** Why the host refused our last change; null once it accepts one. */
  refusal: string | null;
  /** When the last webhook arrived. */
  webhook_at: Instant | null;
  /** Comments changed before this time have been read; the host's clock. Null before the first poll. */
  comments_seen_at: Generated<Instant | null>;
  /** URL of the webhook that was created, or that the host refused for this token; null: not tried yet. */
  webhook_tried: Generated<string | null>;
  created_at: Immutable<Instant>;
}

/** A further repository of a project on a code host, which the agent only reads. */
export interface SourceTable {
  id: Immutable<SourceId>;
  project_id: Immutable<ProjectId>;
  name: Immutable<string>;
  kind: Immutable<ConnectedKind>;
  /** URL of the repository's page, without `.git`. */
  url: Immutable<string>;
  branch: Immutable<string>;
  /** Sealed; purpose `source {id}`. Null for a public repository. */
  sealed_token: string | null;
  synced_at: Instant | null;
  tried_at: Instant | null;
  trouble: string | null;
  created_at: Immutable<Instant>;
}

type ConnectedKind = Exclude<ProjectTable["code_host"], "embedded">;

/** A comment on a code host's pull request that addresses the agent. Its row prevents duplicates. */
export interface HostCommentTable {
  project_id: Immutable<ProjectId>;
  /** The host's own id, prefixed with the kind of comment: `issue:17`. */
  id: Immutable<string>;
  number: Immutable<number>;
  branch: Immutable<string>;
  /** Thread for the reply; null: the pull request's main conversation. */
  thread: Immutable<string | null>;
  url: Immutable<string>;
  author_id: Immutable<string>;
  author_login: Immutable<string>;
  /** The instruction to the agent. */
  prompt: Immutable<string>;
  /** The file and line of the comment: `index.md, line 3`. */
  about: Immutable<string | null>;
  /** By the host's clock. */
  changed_at: Immutable<Instant>;
  /** Found, then accepted or refused, then answered; or ignored. */
  state: "found" | "accepted" | "refused" | "answered" | "ignored";
  /** Attempts since the last success. */
  tries: number;
  /** When it is processed next; also the end of a process's lease. */
  due_at: Instant;
  job_id: JobId | null;
  /** The job message created from it. */
  message_seq: number | null;
  /** The id of the reply. */
  answer_id: string | null;
  /** Why it was refused, ignored or not answered. */
  note: string | null;
  created_at: Immutable<Instant>;
}

/** A feature that does not work at a host although its repository is synchronized. */
export interface ConnectionRemarkTable {
  project_id: Immutable<ProjectId>;
  about: Immutable<"comments" | "answers" | "previews" | "webhook" | "name">;
  /** For the project's members. */
  text: string;
}

/** A GitHub app registered for this server. */
export interface GithubAppTable {
  id: Immutable<string>;
  /** Origin of the host: `https://github.com`. */
  origin: Immutable<string>;
  /** GitHub's own id of the app. */
  number: Immutable<string>;
  /** The app's name in GitHub URLs. */
  slug: Immutable<string>;
  name: Immutable<string>;
  /** The GitHub account that owns the app. */
  owner: Immutable<string>;
  /** Sealed; purpose `github app {id}`. */
  sealed_private_key: Immutable<string>;
  /** Sealed; purpose `github app webhook {id}`. Null if GitHub sends the app no webhooks. */
  sealed_webhook_secret: Immutable<string | null>;
  created_at: Immutable<Instant>;
}

/** A preview link that was posted to a code host, or that the host refused. */
export interface PreviewPostTable {
  project_id: Immutable<ProjectId>;
  number: Immutable<number>;
  /** The commit of a status; `comment` for a comment. */
  target: Immutable<string>;
  tried_at: Instant;
  is_posted: Flag;
}

/** A thread of comments on a line of a pull request's change. */
export interface PullRequestThreadTable {
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  number: Immutable<number>;
  path: Immutable<string>;
  /** `old` is a line that the pull request removes. */
  side: Immutable<"old" | "new">;
  line: Immutable<number>;
  /** The commit in which the line has this number. */
  commit_sha: Immutable<string>;
  /** The line as it was commented on, truncated. */
  line_text: Immutable<string>;
  /** Name of the person. Null while it is open. */
  resolved_by: string | null;
  resolved_at: Instant | null;
}

/** A comment or review by a person on a pull request of the embedded host. */
export interface PullRequestCommentTable {
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  number: Immutable<number>;
  /** Null for a comment on the pull request as a whole. */
  thread_id: Immutable<string | null>;
  verdict: Immutable<"comment" | "approve" | "changes">;
  /** Markdown; may be empty in an approval. */
  body: string;
  /** The head of the pull request that the author saw. */
  commit_sha: Immutable<string>;
  /** Null when the account was deleted. */
  person_id: PersonId | null;
  /** The person's name at that time. */
  author: Immutable<string>;
  /** The job and message that a mention of the agent created. */
  job_id: JobId | null;
  message_seq: Immutable<number | null>;
  /** Why a mention was not sent to the agent. */
  note: Immutable<string | null>;
  created_at: Immutable<Instant>;
  edited_at: Instant | null;
}

export interface CodeHostTables {
  pull_request_thread: PullRequestThreadTable;
  pull_request_comment: PullRequestCommentTable;
  github_app: GithubAppTable;
  preview_post: PreviewPostTable;
  connection: ConnectionTable;
  connection_remark: ConnectionRemarkTable;
  host_comment: HostCommentTable;
  source: SourceTable;
  pull_request: PullRequestTable;
}
