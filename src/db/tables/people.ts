import type { Generated } from "kysely";
import type { JobId, PersonId, ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant } from "./projects.ts";

/** An account. */
export interface PersonTable {
  id: Immutable<PersonId>;
  /** In lower case; the sign-in name. */
  email: string;
  name: string;
  /** Null if no password is set; password sign-in is then impossible. */
  password_hash: string | null;
  /** May do everything on the instance. */
  is_owner: Flag;
  /** Whether to send mail when a job ends whose last message this person sent. */
  mails_jobs: Generated<Flag>;
  /** Kinds of notices to send by mail, separated by spaces. */
  notices: Generated<string>;
  /** When the person chose them; earlier events are not sent. */
  notices_since: Generated<Instant>;
  /** Where notices go instead of mail: the address of an incoming webhook of a chat. Sealed; purpose `chat address {id}`. */
  chat_url: string | null;
  /** Why the chat did not accept the last message; null if it did. */
  chat_trouble: string | null;
  chat_trouble_at: Instant | null;
  /** Whether to send one mail per day. */
  daily_mail: Generated<Flag>;
  created_at: Immutable<Instant>;
}

/** A person's authenticator app as a second factor. */
export interface PersonTwoFactorTable {
  person_id: Immutable<PersonId>;
  /** Sealed; purpose `two-factor secret {person_id}`. */
  secret: Immutable<string>;
  /** The 30-second step since 1970 of the last used code: each code is valid once. */
  last_step: number;
  created_at: Immutable<Instant>;
}

/** A code for signing in without the app; deleted after use. */
export interface RecoveryCodeTable {
  person_id: Immutable<PersonId>;
  /** SHA-256 of the code without its hyphens, hexadecimal. */
  hash: Immutable<string>;
}

/** A WebAuthn credential for signing in without a password. */
export interface PasskeyTable {
  /** The credential's id, in base64url. */
  id: Immutable<string>;
  person_id: Immutable<PersonId>;
  name: string;
  /** COSE key, in base64url. */
  public_key: Immutable<string>;
  counter: number;
  /** When the challenge that it last answered was issued: each challenge is valid once. */
  challenged_at: Instant;
  last_used_at: Instant | null;
  created_at: Immutable<Instant>;
}

/** A mail notice to a person, sent once; kept for 30 days. */
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

/** A queued mail. */
export interface MailTable {
  id: Immutable<string>;
  recipient: Immutable<string>;
  /** Subject and text, sealed because a link in them may give access to an account. Null for a mail about a job. */
  content: Immutable<string | null>;
  job_id: Immutable<JobId | null>;
  attempt: number;
  /** Time of the next attempt; while a process sends the mail, the end of its lease. */
  next_attempt_at: Instant;
  created_at: Immutable<Instant>;
}

/** The role of a person in a project. */
export interface ProjectMemberTable {
  project_id: Immutable<ProjectId>;
  person_id: Immutable<PersonId>;
  role: "reader" | "viewer" | "editor" | "admin";
  /** Whether the role comes from a group of the identity provider, and is removed with it. */
  by_group: Generated<Flag>;
  created_at: Immutable<Instant>;
}

/** A person's account at an identity provider. */
export interface PersonIdentityTable {
  issuer: Immutable<string>;
  subject: Immutable<string>;
  person_id: Immutable<PersonId>;
}

/** A pending invitation; accepting or withdrawing it deletes the row. */
export interface InvitationTable {
  id: Immutable<string>;
  /** SHA-256 of the link's token, hexadecimal. */
  hash: string;
  email: Immutable<string>;
  is_owner: Immutable<Flag>;
  /** The project that the person joins with `role`; null for the instance only. */
  project_id: Immutable<ProjectId | null>;
  role: Immutable<"reader" | "viewer" | "editor" | "admin" | null>;
  /** Name of the inviter. */
  invited_by: Immutable<string>;
  created_at: Immutable<Instant>;
  expires_at: Immutable<Instant>;
}

/** A signed-in browser, of a key or of a person. */
export interface SessionTable {
  /** SHA-256 of the cookie's value, hexadecimal. */
  hash: Immutable<string>;
  /** Null for a session of an instance key or a person. */
  project_id: Immutable<ProjectId | null>;
  key_id: Immutable<string | null>;
  person_id: Immutable<PersonId | null>;
  /** Client address at sign-in. */
  address: Immutable<string | null>;
  /** User agent. */
  browser: Immutable<string | null>;
  created_at: Immutable<Instant>;
  last_seen_at: Instant;
  expires_at: Immutable<Instant>;
}

/** An entry of the audit log. Rows are append-only, and deleted by age. */
export interface AuditEventTable {
  id: Immutable<string>;
  at: Immutable<Instant>;
  /** Null for the instance. Entries of a project are deleted with it. */
  project_id: Immutable<ProjectId | null>;
  actor_kind: Immutable<"person" | "key" | "operator">;
  actor_id: Immutable<string>;
  /** The actor's name at that time. */
  actor_name: Immutable<string>;
  /** Name of the operation: `mergeAgentJob`. */
  action: Immutable<string>;
  /** Name of the subject; null if none was recorded. */
  subject: Immutable<string | null>;
  /** The affected resource, as a path below the project. */
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
