import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import { derivedId, newId, type ProjectId } from "#lib/ids.ts";
import type { LastUse } from "./last-use.ts";
import { generateApiKey, hashApiKey, isWellFormedApiKey } from "./api-key.ts";
import type { KeyScope } from "./key-scopes.ts";
import { countCall } from "./rate-limit.ts";

interface Deps {
  database: Database;
  clock: Clock;
}

/** An API key as it may be shown: everything but the key. */
export interface ApiKey {
  id: string;
  name: string;
  hint: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  scope: KeyScope;
}

export const KEY_LIFETIMES_DAYS = [7, 30, 60, 90] as const;
const MAX_NAME_LENGTH = 100;

/**
 * Makes a key for a project. `key` is shown here and never again. `once` names the request: the same request again makes
 * nothing and is a `conflict`. `AppError invalid`, `rate_limited`.
 */
export async function createApiKey(
  { database, clock, keysPerHour }: Deps & { keysPerHour: number },
  options: {
    projectId: ProjectId;
    name: string;
    expiresInDays: number | null;
    /** Everything where it is not said. */
    scope?: KeyScope;
    once?: string;
    /** In place of a random one. */
    key?: string;
    /** A part of the transaction that makes the key, before it, with the id that the key gets. */
    alongside?(transaction: DatabaseTransaction, keyId: string): Promise<void>;
  },
): Promise<ApiKey & { key: string }> {
  const name = options.name.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH) {
    throw new AppError("invalid", `A key needs a name of 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  const days = options.expiresInDays;
  if (days !== null && !KEY_LIFETIMES_DAYS.some((allowed) => allowed === days)) {
    throw new AppError("invalid", "A key lives 7, 30, 60 or 90 days, or never expires.");
  }
  const now = clock.now();
  const { scope = "admin" } = options;
  const key = options.key ?? generateApiKey();
  const row = {
    // A named request gives its key an id made from what it asks for. If that id is taken, the request was carried out.
    id: derivedId(options.once ?? newId("key", now), JSON.stringify([options.projectId, name, days, scope])),
    project_id: options.projectId,
    name,
    hash: hashApiKey(key),
    hint: key.slice(-4),
    created_at: now.getTime(),
    last_used_at: null,
    expires_at: days === null ? null : now.getTime() + days * DAY_MS,
    revoked_at: null,
    scope,
  };
  await database.transaction(async (transaction) => {
    await options.alongside?.(transaction, row.id);
    await countCall(transaction, { projectId: options.projectId, bucket: "keys", limit: keysPerHour, now });
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("api_key")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw new AppError("conflict", "This key was made already.");
  });
  return { ...fromRow(row), key };
}

export async function listApiKeys({ database }: Pick<Deps, "database">, projectId: ProjectId): Promise<ApiKey[]> {
  const rows = await database.kysely
    .selectFrom("api_key")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute();
  return rows.map(fromRow);
}

/** Ends a key at once, and the sessions that were begun with it. Revoking twice changes nothing. `AppError not_found`. */
export async function revokeApiKey({ database, clock }: Deps, keyId: string): Promise<ApiKey> {
  const revokedAt = clock.now().getTime();
  const row = await database.transaction(async (transaction) => {
    await transaction.deleteFrom("session").where("key_id", "=", keyId).execute();
    return transaction
      .updateTable("api_key")
      .set((expression) => ({ revoked_at: expression.fn.coalesce("revoked_at", expression.val(revokedAt)) }))
      .where("id", "=", keyId)
      .returningAll()
      .executeTakeFirst();
  });
  if (!row) throw new AppError("not_found", `There is no API key ${keyId}.`);
  return fromRow(row);
}

/** Whose key it is, and which. */
export interface KeyHolder {
  projectId: ProjectId;
  keyId: string;
}

export interface Principal extends KeyHolder {
  scope: KeyScope;
}

/**
 * Whose key this is; null when it is malformed, unknown, expired or revoked. The look-up is by hash, so its time says
 * nothing about how much of a guess was right. It reads the store each time, so a revoked key is revoked on every node,
 * and writes nothing.
 */
export async function authenticate(
  { database, clock, lastUse }: Deps & { lastUse: Pick<LastUse, "keyUsed"> },
  key: string,
): Promise<Principal | null> {
  if (!isWellFormedApiKey(key)) return null;
  const row = await database.kysely
    .selectFrom("api_key")
    .select(["id", "project_id", "expires_at", "revoked_at", "scope"])
    .where("hash", "=", hashApiKey(key))
    .executeTakeFirst();
  const now = clock.now();
  if (!row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now.getTime())) return null;
  lastUse.keyUsed(row.id, now);
  return { projectId: row.project_id, keyId: row.id, scope: row.scope };
}

/** Whether a key may still be used; a session made with it ends when it does. */
export async function isKeyAlive({ database, clock }: Deps, keyId: string): Promise<boolean> {
  const row = await database.kysely
    .selectFrom("api_key")
    .select(["expires_at", "revoked_at"])
    .where("id", "=", keyId)
    .executeTakeFirst();
  return !!row && row.revoked_at === null && (row.expires_at === null || row.expires_at > clock.now().getTime());
}

interface Row {
  id: string;
  name: string;
  hint: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  scope: KeyScope;
}

function fromRow(row: Row): ApiKey {
  const date = (instant: number | null) => (instant === null ? null : new Date(instant));
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    createdAt: new Date(row.created_at),
    lastUsedAt: date(row.last_used_at),
    expiresAt: date(row.expires_at),
    revokedAt: date(row.revoked_at),
    scope: row.scope,
  };
}
