import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { isAllowedFrom, parseAllowed } from "./allowed-addresses.ts";
import type { KeyHolder } from "./api-keys.ts";
import type { LastUse } from "./last-use.ts";

/** A person's signed-in browser: it may do what the API key that signed it in may do, for as long as that key lives. */
export interface Session extends KeyHolder {
  /** Echoed by every form: a page elsewhere cannot know it. */
  csrfToken: string;
}

const LIFETIME_MS = 12 * 3_600_000;
/** How far clocks of several processes may be apart. */
const SKEW_MS = 3_600_000;
/** Of one key; who signs in once more ends the oldest. */
const MAX_PER_KEY = 50;

export interface Sessions {
  /** Begins a session with a key that was checked; the value is that of a `Set-Cookie` header. */
  create(principal: KeyHolder): Promise<string>;
  /**
   * The living session of a `Cookie` header: not signed out, not expired, its key neither revoked nor expired, and good
   * from the address.
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
    async create({ projectId, keyId }) {
      const token = randomBytes(32).toString("base64url");
      const now = clock.now().getTime();
      const row = {
        hash: hashOf(token),
        project_id: projectId,
        key_id: keyId,
        created_at: now,
        last_seen_at: now,
        expires_at: now + LIFETIME_MS,
      };
      await database.transaction(async (transaction) => {
        await transaction.insertInto("session").values(row).execute();
        await endOld(transaction, keyId, now);
      });
      return setCookie(token, LIFETIME_MS / 1000);
    },

    async read(cookieHeader, address) {
      const token = tokenOf(cookieHeader);
      if (token === null) return null;
      const hash = hashOf(token);
      const row = await database.kysely
        .selectFrom("session")
        .innerJoin("api_key", "api_key.id", "session.key_id")
        .select([
          "session.project_id",
          "session.key_id",
          "session.expires_at",
          "api_key.expires_at as key_expires_at",
          "api_key.revoked_at",
          "api_key.allowed_addresses",
        ])
        .where("session.hash", "=", hash)
        .executeTakeFirst();
      const now = clock.now();
      const hasEnded = (at: number | null) => at !== null && at <= now.getTime();
      // By a clock that was ahead: it would live for as long as that was.
      if (row && row.expires_at > now.getTime() + LIFETIME_MS + SKEW_MS) return null;
      if (!row || row.revoked_at !== null || hasEnded(row.expires_at) || hasEnded(row.key_expires_at)) return null;
      if (!isAllowedFrom(parseAllowed(row.allowed_addresses), address)) return null;
      lastUse.sessionSeen(hash, now);
      return { projectId: row.project_id, keyId: row.key_id, csrfToken: csrfTokenOf(token) };
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
/** Follows from what the browser alone has, and does not say it. */
const csrfTokenOf = (token: string) => createHmac("sha256", token).update("form").digest("base64url");

/** Deletes every session that has expired, and those of a key beyond the newest. */
async function endOld(transaction: DatabaseTransaction, keyId: string, now: number): Promise<void> {
  await transaction.deleteFrom("session").where("expires_at", "<=", now).execute();
  const kept = transaction
    .selectFrom("session")
    .select("hash")
    .where("key_id", "=", keyId)
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .limit(MAX_PER_KEY);
  await transaction.deleteFrom("session").where("key_id", "=", keyId).where("hash", "not in", kept).execute();
}
