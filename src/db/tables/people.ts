import type { Generated } from "kysely";
import type { JobId, PersonId, ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant } from "./projects.ts";

/** An account. */
export interface PersonTable {
  id: Immutable<PersonId>;
  /** In lower case; what the person signs in with. */
  email: string;
  name: string;
  /** Null: no password was set, so nobody signs in with one. */
  password_hash: string | null;
  /** May do everything on the instance. */
  is_owner: Flag;
  /** Wants a mail when a job ends that they sent the last message of. */
  mails_jobs: Generated<Flag>;
  /** Kinds of notices that the person gets by mail, with a space between. */
  notices: Generated<string>;
  /** When they chose: what was before is not told. */
  notices_since: Generated<Instant>;
  /** All of a day in one mail. */
  daily_mail: Generated<Flag>;
  created_at: Immutable<Instant>;
}

/** That a person signs in with a code of an authenticator app after the password. */
export interface PersonTwoFactorTable {
  person_id: Immutable<PersonId>;
  /** Sealed; purpose `two-factor secret {person_id}`. */
  secret: Immutable<string>;
  /** The step of 30 seconds, since 1970, whose code was used last: no code counts twice. */
  last_step: number;
  created_at: Immutable<Instant>;
}

/** A code for who lost the app; deleted when it is used. */
export interface RecoveryCodeTable {
  person_id: Immutable<PersonId>;
  /** SHA-256 of the code without its hyphens, hexadecimal. */
  hash: Immutable<string>;
}

/** What signs a person in without a password. */
export interface PasskeyTable {
  /** The credential's id, in base64url. */
  id: Immutable<string>;
  person_id: Immutable<PersonId>;
  name: string;
  /** COSE key, in base64url. */
  public_key: Immutable<string>;
  counter: number;
  /** When the challenge was issued that it answered last: an answer counts once. */
  challenged_at: Instant;
  last_used_at: Instant | null;
  created_at: Immutable<Instant>;
}

/** Something that a person is told by mail, each once: kept for 30 days. */
export interface NoticeTable {
  person_id: Immutable<PersonId>;
  kind: Immutable<string>;
  subject: Immutable<string>;
  project_id: Immutable<ProjectId | null>;
  headline: Immutable<string>;
  url: Immutable<string>;
  created_at: Immutable<Instant>;
  /** When its mail was queued. */
  sent_at: Instant | null;
}

/** A mail that is to be sent. */
export interface MailTable {
  id: Immutable<string>;
  recipient: Immutable<string>;
  /** Subject and text, sealed: they may hold a link that opens an account. Null for the news of a job. */
  content: Immutable<string | null>;
  job_id: Immutable<JobId | null>;
  attempt: number;
  /** While a process sends it: when another one may. */
  next_attempt_at: Instant;
  created_at: Immutable<Instant>;
}

/** The role of a person in a project. */
export interface ProjectMemberTable {
  project_id: Immutable<ProjectId>;
  person_id: Immutable<PersonId>;
  role: "viewer" | "editor" | "admin";
  /** Given by a group of the identity provider, and taken away with it. */
  by_group: Generated<Flag>;
  created_at: Immutable<Instant>;
}

/** A person as an identity provider knows them. */
export interface PersonIdentityTable {
  issuer: Immutable<string>;
  subject: Immutable<string>;
  person_id: Immutable<PersonId>;
}

/** An invitation that nobody has accepted yet: accepting or withdrawing it deletes the row. */
export interface InvitationTable {
  id: Immutable<string>;
  /** SHA-256 of the link's token, hexadecimal. */
  hash: string;
  email: Immutable<string>;
  is_owner: Immutable<Flag>;
  /** The project that the person joins with `role`; null for the instance alone. */
  project_id: Immutable<ProjectId | null>;
  role: Immutable<"viewer" | "editor" | "admin" | null>;
  /** Name of who invited. */
  invited_by: Immutable<string>;
  created_at: Immutable<Instant>;
  expires_at: Immutable<Instant>;
}

/** A signed-in browser, of a key or of a person. */
export interface SessionTable {
  /** SHA-256 of the cookie's value, hexadecimal. */
  hash: Immutable<string>;
  /** Null: signed in with a key of the instance, or by a person. */
  project_id: Immutable<ProjectId | null>;
  key_id: Immutable<string | null>;
  person_id: Immutable<PersonId | null>;
  /** Where the sign-in came from. */
  address: Immutable<string | null>;
  /** What the browser called itself. */
  browser: Immutable<string | null>;
  created_at: Immutable<Instant>;
  last_seen_at: Instant;
  expires_at: Immutable<Instant>;
}

/** Something that somebody did. Rows are only added, and deleted by age. */
export interface AuditEventTable {
  id: Immutable<string>;
  at: Immutable<Instant>;
  /** Null: on the instance. What was done in a project goes with it. */
  project_id: Immutable<ProjectId | null>;
  actor_kind: Immutable<"person" | "key" | "operator">;
  actor_id: Immutable<string>;
  /** As it was then. */
  actor_name: Immutable<string>;
  /** Name of the operation: `mergeAgentJob`. */
  action: Immutable<string>;
  /** The name of what it was about; null where none was noted. */
  subject: Immutable<string | null>;
  /** What it was done to, as the path below the project. */
  target: Immutable<string>;
  address: Immutable<string>;
}

export interface PeopleTables {
  person: PersonTable;
  project_member: ProjectMemberTable;
  person_identity: PersonIdentityTable;
  invitation: InvitationTable;
  session: SessionTable;
  audit_event: AuditEventTable;
  mail: MailTable;
  notice: NoticeTable;
  person_two_factor: PersonTwoFactorTable;
  recovery_code: RecoveryCodeTable;
  passkey: PasskeyTable;
}
