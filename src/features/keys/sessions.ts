import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { KeyScope } from "#kit/levels.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { isAllowedFrom, parseAllowed } from "./allowed-addresses.ts";
import { hostCookie } from "./host-cookie.ts";
import { type Holder, type KeyHolder, personHolder, type Principal } from "./holder.ts";
import type { LastUse } from "./last-use.ts";

/**
 * A signed-in browser. A key session has the permissions of its key, as long as the key is valid; a person's session
 * has those of their current roles.
 */
export type Session = Holder & {
  /** CSRF token, required by every form of a signed-in page: a page on another site cannot know it. */
  csrfToken: string;
  /** Derived from the cookie without revealing it. Binds a redirect to another site and back to this session. */
  fingerprint: string;
  /** Hash of the cookie, which is the key of the stored session. */
  hash: string;
};

/** A session in a person's own list. */
export interface ListedSession {
  hash: string;
  address: string;
  browser: string;
  createdAt: Date;
  lastSeenAt: Date;
}

const LIFETIME_MS = 12 * 3_600_000;
const PERSON_LIFETIME_MS = 30 * DAY_MS;
/** Tolerated clock skew between processes. */
const SKEW_MS = 3_600_000;
/** Per key or person; another sign-in ends the oldest session. */
const MAX_SESSIONS = 50;
const MAX_BROWSER_LENGTH = 300;

/** The owner of a new session. */
export type SignedIn = KeyHolder | { personId: PersonId; address: string; browser: string };

export interface Sessions {
  /** Creates a session for an authenticated caller; returns a `Set-Cookie` value. */
  create(signedIn: SignedIn): Promise<string>;
  /**
   * The valid session of a `Cookie` header. Null after sign-out or expiry, if its key is revoked, expired or not
   * allowed from the address, or if its person was deleted.
   */
  read(cookieHeader: string | null, address: string): Promise<Session | null>;
  /** Ends the session of a `Cookie` header, if there is one; returns a `Set-Cookie` value. */
  end(cookieHeader: string | null): Promise<string>;
}

interface Deps {
  database: Database;
  clock: Clock;
  lastUse: Pick<LastUse, "sessionSeen">;
  isSecure(): boolean;
}

/**
 * Sessions are rows: the cookie holds 256 random bits, the row their SHA-256. Therefore a copy of the database is of no
 * use for signing in, and a session ends in every process as soon as its row is deleted or its key becomes invalid.
 */
export function createSessions({ database, clock, lastUse, isSecure }: Deps): Sessions {
  const cookie = hostCookie("docent_session", isSecure);
  const tokenOf = (cookieHeader: string | null) => TOKEN.exec(cookie.read(cookieHeader))?.[0] ?? null;

  return {
    async create(signedIn) {
      const token = randomBytes(32).toString("base64url");
      const now = clock.now().getTime();
      const isPerson = "personId" in signedIn;
      const lifetimeMs = isPerson ? PERSON_LIFETIME_MS : LIFETIME_MS;
      const row = {
        hash: hashOf(token),
        project_id: isPerson ? null : signedIn.projectId,
        key_id: isPerson ? null : signedIn.keyId,
        person_id: isPerson ? signedIn.personId : null,
        address: isPerson ? signedIn.address : null,
        browser: isPerson ? signedIn.browser.slice(0, MAX_BROWSER_LENGTH) : null,
        created_at: now,
        last_seen_at: now,
        expires_at: now + lifetimeMs,
      };
      await database.transaction(async (transaction) => {
        await transaction.insertInto("session").values(row).execute();
        await deleteOldSessions(transaction, isPerson ? ["person_id", signedIn.personId] : ["key_id", signedIn.keyId]);
      });
      return cookie.set(token, lifetimeMs / 1000);
    },

    async read(cookieHeader, address) {
      const token = tokenOf(cookieHeader);
      if (token === null) return null;
      const hash = hashOf(token);
      const row = await database.kysely
        .selectFrom("session")
        .leftJoin("api_key", "api_key.id", "session.key_id")
        .select([
          "session.project_id",
          "session.key_id",
          "session.person_id",
          "session.expires_at",
          "api_key.scope",
          "api_key.expires_at as key_expires_at",
          "api_key.revoked_at",
          "api_key.allowed_addresses",
        ])
        .where("session.hash", "=", hash)
        .executeTakeFirst();
      const now = clock.now().getTime();
      if (!row || row.expires_at <= now) return null;
      // Created with a clock that was ahead; it would be valid for too long.
      const longestMs = row.person_id === null ? LIFETIME_MS : PERSON_LIFETIME_MS;
      if (row.expires_at > now + longestMs + SKEW_MS) return null;
      const holder =
        row.person_id === null ? keyOf(row, { now, address }) : await personHolder(database, row.person_id);
      if (holder === null) return null;
      lastUse.sessionSeen(hash, clock.now());
      return { ...holder, ...derivedFrom(token), hash };
    },

    async end(cookieHeader) {
      const token = tokenOf(cookieHeader);
      if (token !== null) await database.kysely.deleteFrom("session").where("hash", "=", hashOf(token)).execute();
      return cookie.set("", 0);
    },
  };
}

const TOKEN = /^[\w-]{43}$/;

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
/** Derived from the cookie, which only the browser has, and do not reveal it. */
function derivedFrom(token: string): Pick<Session, "csrfToken" | "fingerprint"> {
  const derived = (use: string) => createHmac("sha256", token).update(use).digest("base64url");
  return { csrfToken: derived("form"), fingerprint: derived("state") };
}

interface KeyRow {
  project_id: ProjectId | null;
  key_id: string | null;
  scope: KeyScope | null;
  key_expires_at: number | null;
  revoked_at: number | null;
  allowed_addresses: string | null;
}

function keyOf(row: KeyRow, { now, address }: { now: number; address: string }): Principal | null {
  const { project_id: projectId, key_id: keyId, scope } = row;
  if (keyId === null || scope === null || row.revoked_at !== null) return null;
  if (row.key_expires_at !== null && row.key_expires_at <= now) return null;
  return isAllowedFrom(parseAllowed(row.allowed_addresses), address) ? { projectId, keyId, scope } : null;
}

/** Valid sessions of a person, the most recently used first. */
export async function listSessions(
  { database, clock }: { database: Pick<Database, "kysely">; clock: Clock },
  id: PersonId,
): Promise<ListedSession[]> {
  const rows = await database.kysely
    .selectFrom("session")
    .select(["hash", "address", "browser", "created_at", "last_seen_at"])
    .where("person_id", "=", id)
    .where("expires_at", ">", clock.now().getTime())
    .orderBy("last_seen_at", "desc")
    .orderBy("hash")
    .execute();
  return rows.map((row) => ({
    hash: row.hash,
    address: row.address ?? "",
    browser: row.browser ?? "",
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
  }));
}

/** Ends one session of a person, or, with null, all except `keep`. */
export async function endSessions(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  which: { hash: string } | { keep: string },
): Promise<void> {
  const [comparison, hash] = "hash" in which ? (["=", which.hash] as const) : (["!=", which.keep] as const);
  await kysely.deleteFrom("session").where("person_id", "=", id).where("hash", comparison, hash).execute();
}

/** Whether a person has signed in from an address, or its household, and not signed out since. */
export async function isKnownAddress(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  { address, householdOf }: { address: string; householdOf(address: string): string },
): Promise<boolean> {
  const rows = await kysely.selectFrom("session").select("address").where("person_id", "=", id).execute();
  return rows.some((row) => row.address !== null && householdOf(row.address) === householdOf(address));
}

/** Deletes expired sessions. `now` is a trusted time: sessions that a wrong clock calls expired are valid again once it is right. */
export async function deleteExpiredSessions({ kysely }: Pick<Database, "kysely">, now: Date): Promise<void> {
  await kysely.deleteFrom("session").where("expires_at", "<=", now.getTime()).execute();
}

/** Deletes sessions beyond the limit per key or person. */
async function deleteOldSessions(
  transaction: DatabaseTransaction,
  [column, id]: ["key_id", string] | ["person_id", PersonId],
): Promise<void> {
  const kept = transaction
    .selectFrom("session")
    .select("hash")
    .where(column, "=", id)
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .limit(MAX_SESSIONS);
  await transaction.deleteFrom("session").where(column, "=", id).where("hash", "not in", kept).execute();
}
