import type { Selectable } from "kysely";
import type { ApiKeyTable } from "#db/tables/projects.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import { derivedId, newId, type PersonId, type ProjectId } from "#lib/ids.ts";
import { refuseCredentials } from "#lib/secrets/refuse-credentials.ts";
import type { LastUse } from "./last-use.ts";
import { addressNotAllowed, isAllowedFrom, parseAllowed, readAllowedAddresses } from "./allowed-addresses.ts";
import { generateApiKey, hashApiKey, isWellFormedApiKey } from "./api-key.ts";
import type { KeyScope } from "#kit/levels.ts";
import { type Holder, isOfProject, personHolder } from "./holder.ts";
import { countCall } from "#kit/limits/rate-limit.ts";

interface Deps {
  database: Database;
  clock: Clock;
}

/** The public fields of an API key, without the key itself. */
export interface ApiKey {
  id: string;
  name: string;
  hint: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  scope: KeyScope;
  /** Addresses and ranges from which it works; null: any. */
  allow: string[] | null;
}

export const KEY_LIFETIMES_DAYS = [7, 30, 60, 90] as const;
const MAX_NAME_LENGTH = 100;
const HOUR_MS = 3_600_000;

/**
 * Creates a key for a project, or for all projects of the instance. `key` is returned only here. `once` identifies the
 * request: repeating it creates nothing and throws `conflict`. `AppError invalid`, `rate_limited`.
 */
export async function createApiKey(
  { database, clock, keysPerHour }: Deps & { keysPerHour: number },
  options: {
    /** Null: an instance key. */
    projectId: ProjectId | null;
    name: string;
    expiresInDays: number | null;
    /** Default: all permissions. */
    scope?: KeyScope;
    /** Addresses and CIDR ranges from which it works; default: any. */
    allow?: readonly string[] | null;
    /** Creates a personal access token; `projectId` must be null. */
    personId?: PersonId | null;
    once?: string;
    /** Replaces the random key. */
    key?: string;
    /** Runs in the transaction before the key is inserted, with the ID of the key. */
    alongside?(transaction: DatabaseTransaction, keyId: string): Promise<void>;
  },
): Promise<ApiKey & { key: string }> {
  const name = options.name.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH) {
    throw new AppError("invalid", `A key needs a name of 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  refuseCredentials({ name });
  const days = options.expiresInDays;
  if (days !== null && !KEY_LIFETIMES_DAYS.some((allowed) => allowed === days)) {
    throw new AppError("invalid", "A key lives 7, 30, 60 or 90 days, or never expires.");
  }
  const now = clock.now();
  const { scope = "admin", projectId, personId = null } = options;
  const allow = options.allow ? readAllowedAddresses(options.allow) : null;
  const key = options.key ?? generateApiKey();
  const row = {
    // With `once`, the ID is derived from the request. If the ID is taken, the request was already carried out.
    id: derivedId(options.once ?? newId("key", now), JSON.stringify([projectId, name, days, scope, allow])),
    project_id: projectId,
    person_id: personId,
    name,
    hash: hashApiKey(key),
    hint: key.slice(-4),
    created_at: now.getTime(),
    last_used_at: null,
    expires_at: days === null ? null : now.getTime() + days * DAY_MS,
    revoked_at: null,
    scope,
    allowed_addresses: allow && JSON.stringify(allow),
  };
  await database.transaction(async (transaction) => {
    await options.alongside?.(transaction, row.id);
    if (projectId === null) await countKeysOf(transaction, personId, { limit: keysPerHour, now });
    else await countCall(transaction, { projectId, bucket: "keys", limit: keysPerHour, now });
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("api_key")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw new AppError("conflict", "This key was made already.");
  });
  return { ...fromRow(row), key };
}

/** Counts keys of the instance or a person for the hourly limit. Those of projects count as calls of their project. */
async function countKeysOf(
  transaction: DatabaseTransaction,
  personId: PersonId | null,
  { limit, now }: { limit: number; now: Date },
) {
  const { made } = await transaction
    .selectFrom("api_key")
    .select((expression) => expression.fn.countAll().as("made"))
    .where("project_id", "is", null)
    .where("person_id", personId === null ? "is" : "=", personId)
    .where("created_at", ">", now.getTime() - HOUR_MS)
    .executeTakeFirstOrThrow();
  if (Number(made) < limit) return;
  const owner = personId === null ? "The instance makes" : "A person makes";
  throw new AppError("rate_limited", `${owner} at most ${limit} keys an hour. Try again later.`, {
    retryAfterSeconds: HOUR_MS / 1000,
  });
}

/** Keys of a project or, with null, of the instance; oldest first. For paging: up to `limit` keys after an ID. */
export async function listApiKeys(
  { database }: Pick<Deps, "database">,
  projectId: ProjectId | null,
  page?: { after: string | null; limit: number },
): Promise<ApiKey[]> {
  let query = database.kysely
    .selectFrom("api_key")
    .selectAll()
    .where("project_id", projectId === null ? "is" : "=", projectId)
    .where("person_id", "is", null)
    .orderBy("id");
  if (page) query = query.limit(page.limit);
  if (page && page.after !== null) query = query.where("id", ">", page.after);
  return (await query.execute()).map(fromRow);
}

/** Personal access tokens of a person, oldest first. */
export async function listTokens({ database }: Pick<Deps, "database">, personId: PersonId): Promise<ApiKey[]> {
  const query = database.kysely.selectFrom("api_key").selectAll().where("person_id", "=", personId).orderBy("id");
  return (await query.execute()).map(fromRow);
}

/** Revokes a key and ends the sessions that it started. Idempotent. `AppError not_found`. */
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

/** The project of a key, or null for an instance key. `AppError not_found`. */
export async function findKeyOwner(
  { database }: Pick<Deps, "database">,
  keyId: string,
): Promise<{ projectId: ProjectId | null }> {
  const row = await database.kysely
    .selectFrom("api_key")
    .select("project_id")
    .where("id", "=", keyId)
    .executeTakeFirst();
  if (row) return { projectId: row.project_id };
  throw new AppError("not_found", `There is no API key ${keyId}.`);
}

/** The name of any key; null if the ID is unknown. */
export async function findKeyName({ kysely }: Pick<Database, "kysely">, keyId: string): Promise<string | null> {
  const row = await kysely.selectFrom("api_key").select("name").where("id", "=", keyId).executeTakeFirst();
  return row?.name ?? null;
}

/**
 * Authenticates a key; null if it is malformed, unknown, expired or revoked. The lookup is by hash, so its timing
 * reveals nothing about the key. It reads the store each time, so that a revocation applies to every node at once, and
 * writes nothing. `AppError forbidden` if the key does not work from `address`.
 */
export async function authenticate(
  { database, clock, lastUse }: Deps & { lastUse: Pick<LastUse, "keyUsed"> },
  key: string,
  address: string,
): Promise<Holder | null> {
  if (!isWellFormedApiKey(key)) return null;
  const row = await database.kysely
    .selectFrom("api_key")
    .select(["id", "project_id", "person_id", "expires_at", "revoked_at", "scope", "allowed_addresses"])
    .where("hash", "=", hashApiKey(key))
    .executeTakeFirst();
  const now = clock.now();
  if (!row || isOver(row, now)) return null;
  if (!isAllowedFrom(parseAllowed(row.allowed_addresses), address)) throw addressNotAllowed();
  lastUse.keyUsed(row.id, now);
  const token = { keyId: row.id, scope: row.scope };
  return row.person_id === null
    ? { projectId: row.project_id, ...token }
    : personHolder(database, row.person_id, token);
}

/** Whether a key or a person can still see a project, for long-running responses and for cookies of private sites. */
export async function isHolderAlive(
  { database, clock }: Deps,
  id: string,
  { projectId, from }: { projectId: ProjectId; from: string },
): Promise<boolean> {
  const maySee = async (personId: PersonId) => {
    const holder = await personHolder(database, personId);
    return holder !== null && isOfProject(holder, projectId);
  };
  if (id.startsWith("usr_")) return maySee(id as PersonId);
  const row = await database.kysely
    .selectFrom("api_key")
    .select(["person_id", "expires_at", "revoked_at", "allowed_addresses"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row || isOver(row, clock.now()) || !isAllowedFrom(parseAllowed(row.allowed_addresses), from)) return false;
  return row.person_id === null || maySee(row.person_id);
}

const isOver = (row: { revoked_at: number | null; expires_at: number | null }, now: Date): boolean =>
  row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now.getTime());

function fromRow(row: Selectable<ApiKeyTable>): ApiKey {
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
    allow: parseAllowed(row.allowed_addresses),
  };
}
