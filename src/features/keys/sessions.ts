import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { KeyScope } from "#kit/levels.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { isAllowedFrom, parseAllowed } from "./allowed-addresses.ts";
import { type Holder, type KeyHolder, personHolder, type Principal } from "./holder.ts";
import type { LastUse } from "./last-use.ts";

/**
 * A signed-in browser. One that a key signed in may do what the key may, for as long as the key lives; one of a person what
 * their roles allow, for as long as they have them.
 */
export type Session = Holder & {
  /** Echoed by every form: a page elsewhere cannot know it. */
  csrfToken: string;
  /** Made from the cookie, and not telling it: what a form at another site brings back is compared with it. */
  fingerprint: string;
  /** Names the session where it is stored. */
  hash: string;
};

/** A person's session as they see it in their list. */
export interface ListedSession {
  hash: string;
  address: string;
  browser: string;
  createdAt: Date;
  lastSeenAt: Date;
}

const LIFETIME_MS = 12 * 3_600_000;
const PERSON_LIFETIME_MS = 30 * DAY_MS;
/** How far clocks of several processes may be apart. */
const SKEW_MS = 3_600_000;
/** Of one key or person; who signs in once more ends the oldest. */
const MAX_SESSIONS = 50;
const MAX_BROWSER_LENGTH = 300;

/** Whom a session begins for. */
export type SignedIn = KeyHolder | { personId: PersonId; address: string; browser: string };

export interface Sessions {
  /** Begins a session for who was checked; the value is that of a `Set-Cookie` header. */
  create(signedIn: SignedIn): Promise<string>;
  /**
   * The living session of a `Cookie` header: not signed out, not expired, its key neither revoked nor expired, and good
   * from the address; or its person still there.
   */
  read(cookieHeader: string | null, address: string): Promise<Session | null>;
  /** Ends the session of a `Cookie` header, if there is one, for whoever holds its cookie; answers with a `Set-Cookie` value. */
  end(cookieHeader: string | null): Promise<string>;
}

interface Deps {
  database: Database;
  clock: Clock;
  lastUse: Pick<LastUse, "sessionSeen">;
  /** Whether people come by https. By the public address: behind a proxy that ends TLS our own connection is plain. */
  isSecure(): boolean;
}

/**
 * Sessions are rows: the cookie holds 256 random bits, the row their SHA-256. So nobody signs in with a copy of the
 * database, and a session ends in every process as soon as its row goes or its key ends.
 */
export function createSessions({ database, clock, lastUse, isSecure }: Deps): Sessions {
  // On https the prefix keeps other hosts of the domain from setting the cookie, sites of projects among them.
  const cookieName = () => (isSecure() ? "__Host-docent_session" : "docent_session");
  const setCookie = (value: string, maxAgeSeconds: number) =>
    `${cookieName()}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure() ? "; Secure" : ""}`;
  const tokenOf = (cookieHeader: string | null) => {
    const name = `${cookieName()}=`;
    const pair = (cookieHeader ?? "").split(";").find((one) => one.trimStart().startsWith(name));
    const token = pair?.trim().slice(name.length) ?? "";
    return TOKEN.test(token) ? token : null;
  };

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
        await endOld(transaction, isPerson ? ["person_id", signedIn.personId] : ["key_id", signedIn.keyId], now);
      });
      return setCookie(token, lifetimeMs / 1000);
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
      // By a clock that was ahead: it would live for as long as that was.
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
      return setCookie("", 0);
    },
  };
}

const TOKEN = /^[\w-]{43}$/;

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
/** Follow from what the browser alone has, and do not say it. */
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

/** Sessions of a person that are not over, the one seen last first. */
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

/** Ends one session of a person, or with null all but `keep`. */
export async function endSessions(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  which: { hash: string } | { keep: string },
): Promise<void> {
  const [comparison, hash] = "hash" in which ? (["=", which.hash] as const) : (["!=", which.keep] as const);
  await kysely.deleteFrom("session").where("person_id", "=", id).where("hash", comparison, hash).execute();
}

/** Whether a person signed in from an address, or its household, before, and has not signed out since. */
export async function isKnownAddress(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  { address, householdOf }: { address: string; householdOf(address: string): string },
): Promise<boolean> {
  const rows = await kysely.selectFrom("session").select("address").where("person_id", "=", id).execute();
  return rows.some((row) => row.address !== null && householdOf(row.address) === householdOf(address));
}

/** Deletes every session that has expired, and those of a key or person beyond the newest. */
async function endOld(
  transaction: DatabaseTransaction,
  [column, id]: ["key_id", string] | ["person_id", PersonId],
  now: number,
): Promise<void> {
  await transaction.deleteFrom("session").where("expires_at", "<=", now).execute();
  const kept = transaction
    .selectFrom("session")
    .select("hash")
    .where(column, "=", id)
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .limit(MAX_SESSIONS);
  await transaction.deleteFrom("session").where(column, "=", id).where("hash", "not in", kept).execute();
}
