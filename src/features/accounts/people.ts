import { containing } from "#db/containing.ts";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { isStorable } from "#kit/http/text-rules.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newPersonId, type PersonId, type ProjectId } from "#lib/ids.ts";
import { invisibleRuns } from "#lib/invisible-text.ts";
import { hashPassword, isCommonPassword, isUsablePassword, MAX_PASSWORD, MIN_PASSWORD } from "#lib/secrets/password.ts";

/** An account. */
export interface Person {
  id: PersonId;
  name: string;
  /** Lower case. */
  email: string;
  /** Has all permissions on the instance. */
  isOwner: boolean;
}

export interface ListedPerson extends Person {
  createdAt: Date;
  /** Null if the person has no session. */
  lastSeenAt: Date | null;
  /** Number of projects in which the person has a role. */
  projects: number;
}

interface Deps {
  database: Database;
  clock: Clock;
}

const MAX_NAME = 100;
const MAX_EMAIL = 254; // RFC 5321, 4.5.3.1.3 with RFC 3696's erratum
/**
 * The email pattern of the HTML standard, without quoted local parts. ASCII only, so that no two addresses look the
 * same.
 */
export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Normalizes an address for storage. `AppError invalid`. */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length <= MAX_EMAIL && EMAIL.test(email)) return email;
  throw new AppError("invalid", "Enter an email address such as ada@example.com.");
}

/** An address of a site or of mail: names are in mails of this server, and mail programs make links of them. */
const ADDRESS = /:\/\/|@|[a-z0-9-]{2}\.[a-z]{2}/i;
/** As in “Dr.Who”. */
const TITLE = /\b(?:Dr|Prof|Mr|Mrs|Ms|Mx|St|Rev|Ing|Dipl|Mag)\.(?=\p{Lu})/gu;

/** Normalizes a person's name for storage. `AppError invalid`. */
export function readPersonName(text: string): string {
  const name = readLabel(text);
  if (!ADDRESS.test(name.replaceAll(TITLE, ""))) return name;
  throw new AppError("invalid", "Enter a name without the address of a site or of mail. Put a space after a dot.");
}

/** Normalizes a name that only its owner sees, such as a passkey's. `AppError invalid`. */
export function readLabel(text: string): string {
  const name = text.trim().replaceAll(/\s+/g, " ");
  if (name === "" || name.length > MAX_NAME || !name.isWellFormed() || invisibleRuns(`\n${name}`).length > 0) {
    throw new AppError("invalid", `Enter a name of 1 to ${MAX_NAME} visible characters.`);
  }
  return name;
}

/** Hashes a new password. `AppError invalid` if it is too short, too long or common, or equals the person's address. */
export async function readyPassword(password: string, email: string): Promise<string> {
  if (!isUsablePassword(password)) {
    throw new AppError("invalid", `Choose a password of ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  const [local = ""] = email.split("@", 1);
  if ([email, local].some((part) => lettersOf(part) === lettersOf(password))) {
    throw new AppError("invalid", "Choose a password that is not your email address or a part of it.");
  }
  if (await isCommonPassword(password)) {
    throw new AppError(
      "invalid",
      "This password is among the most common ones, which attackers try first. Choose another one, such as several words in a row.",
    );
  }
  return await hashPassword(password);
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Creates an account within a transaction. `AppError conflict` if the address has one. */
export async function addPerson(
  transaction: DatabaseTransaction,
  person: { name: string; email: string; isOwner: boolean; passwordHash: string | null; at: Date },
): Promise<Person> {
  const { name, email, isOwner, passwordHash, at } = person;
  const id = newPersonId(at);
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("person")
    .values({
      id,
      email,
      name,
      password_hash: passwordHash,
      is_owner: isOwner ? 1 : 0,
      created_at: at.getTime(),
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new AppError("conflict", "There is an account with this email address.");
  return { id, name, email, isOwner };
}

/** Creates an account that owns the instance. `AppError invalid`, `conflict`. */
export async function createOwner(
  { database, clock }: Deps,
  entered: { name: string; email: string; password: string },
): Promise<Person> {
  const name = readPersonName(entered.name);
  const email = readEmail(entered.email);
  const passwordHash = await readyPassword(entered.password, email);
  return await database.transaction((transaction) =>
    addPerson(transaction, { name, email, isOwner: true, passwordHash, at: clock.now() }),
  );
}

const COLUMNS = ["person.id", "person.name", "person.email", "person.is_owner"] as const;

const fromRow = (row: { id: PersonId; name: string; email: string; is_owner: 0 | 1 }): Person => ({
  id: row.id,
  name: row.name,
  email: row.email,
  isOwner: row.is_owner === 1,
});

export async function findPerson(queryable: Queryable, id: PersonId): Promise<Person | null> {
  const row = await queryable.selectFrom("person").select(COLUMNS).where("id", "=", id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Finds the account of an address, with its password hash. */
export async function findByEmail(
  queryable: Queryable,
  email: string,
): Promise<{ person: Person; passwordHash: string | null } | null> {
  if (!isStorable(email)) return null;
  const row = await queryable
    .selectFrom("person")
    .select([...COLUMNS, "person.password_hash"])
    .where("email", "=", email)
    .executeTakeFirst();
  return row ? { person: fromRow(row), passwordHash: row.password_hash } : null;
}

/** Whether a person has a password, and does not sign in with an identity provider only. */
export async function hasPassword(queryable: Queryable, id: PersonId): Promise<boolean> {
  const row = await queryable.selectFrom("person").select("password_hash").where("id", "=", id).executeTakeFirst();
  return row?.password_hash != null;
}

export async function hasOwner(queryable: Queryable): Promise<boolean> {
  return (
    (await queryable.selectFrom("person").select("id").where("is_owner", "=", 1).limit(1).executeTakeFirst()) !==
    undefined
  );
}

/** Accounts by name; `search` matches a part of the name or address. At most `limit`. */
export async function listPeople(
  queryable: Queryable,
  { search, limit }: { search: string; limit: number },
): Promise<ListedPerson[]> {
  const rows = await queryable
    .selectFrom("person")
    .select((expression) => [
      ...COLUMNS,
      "person.created_at",
      expression
        .selectFrom("project_member")
        .select((inner) => inner.fn.countAll().as("count"))
        .whereRef("project_member.person_id", "=", "person.id")
        .as("projects"),
      expression
        .selectFrom("session")
        .select((inner) => inner.fn.max("session.last_seen_at").as("last"))
        .whereRef("session.person_id", "=", "person.id")
        .as("last_seen_at"),
    ])
    .$if(search !== "", (query) =>
      query.where((row) => row.or([containing("name", search), containing("email", search)])),
    )
    .orderBy("name")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...fromRow(row),
    createdAt: new Date(row.created_at),
    lastSeenAt: row.last_seen_at === null ? null : new Date(row.last_seen_at),
    projects: Number(row.projects),
  }));
}

export async function renamePerson({ database }: Pick<Deps, "database">, id: PersonId, name: string): Promise<void> {
  await database.kysely
    .updateTable("person")
    .set({ name: readPersonName(name) })
    .where("id", "=", id)
    .execute();
}

/** Deletes all credentials of an account: password, passkeys, sessions, personal access tokens. */
export async function endCredentials(transaction: DatabaseTransaction, id: PersonId, at: Date): Promise<void> {
  await transaction.updateTable("person").set({ password_hash: null }).where("id", "=", id).execute();
  await transaction.deleteFrom("session").where("person_id", "=", id).execute();
  await transaction.deleteFrom("passkey").where("person_id", "=", id).execute();
  await transaction
    .updateTable("api_key")
    .set({ revoked_at: at.getTime() })
    .where("person_id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

/**
 * Replaces a password that is lost or leaked, and deletes all other credentials. `AppError invalid`, `conflict` if
 * `isStill` rejects the current password.
 */
export async function resetPassword(
  { database, clock }: Deps,
  person: Pick<Person, "id" | "email">,
  password: string,
  { isStill }: { isStill?(hash: string | null): boolean } = {},
): Promise<void> {
  const password_hash = await readyPassword(password, person.email);
  await database.transaction(async (transaction) => {
    // Writes before it reads, to serialize concurrent calls.
    const row = await transaction.updateTable("person").set({ name: (row) => row.ref("name") }).where("id", "=", person.id).returning("password_hash").executeTakeFirst(); // oxfmt-ignore
    if (isStill?.(row?.password_hash ?? null) === false)
      throw new AppError("conflict", "The password was changed meanwhile.");
    await endCredentials(transaction, person.id, clock.now());
    await transaction.updateTable("person").set({ password_hash }).where("id", "=", person.id).execute();
  });
}

/** Sets a person's new password and ends their other sessions, except `keep`. `AppError invalid`. */
export async function setPassword(
  { database }: Pick<Deps, "database">,
  person: Pick<Person, "id" | "email">,
  { password, keep }: { password: string; keep: string },
): Promise<void> {
  const password_hash = await readyPassword(password, person.email);
  await database.transaction(async (transaction) => {
    await transaction.updateTable("person").set({ password_hash }).where("id", "=", person.id).execute();
    await transaction.deleteFrom("session").where("person_id", "=", person.id).where("hash", "!=", keep).execute();
  });
}

/** Makes a person an owner of the instance, or removes that. `AppError conflict` for the last owner. */
export async function setOwner({ database }: Pick<Deps, "database">, id: PersonId, isOwner: boolean): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!isOwner) await keepAnOwner(transaction, id);
    await transaction
      .updateTable("person")
      .set({ is_owner: isOwner ? 1 : 0 })
      .where("id", "=", id)
      .execute();
  });
}

/** Deletes an account with its sessions and roles. `AppError conflict` for the last owner. */
export async function deletePerson({ database }: Pick<Deps, "database">, id: PersonId): Promise<void> {
  await database.transaction(async (transaction) => {
    await keepAnOwner(transaction, id);
    await transaction.deleteFrom("person").where("id", "=", id).execute();
  });
}

async function keepAnOwner(transaction: DatabaseTransaction, leaving: PersonId): Promise<void> {
  // Locks owners in the order of IDs on PostgreSQL: if two leave concurrently, the second waits for the first.
  const owners = await transaction
    .updateTable("person")
    .set((expression) => ({ is_owner: expression.ref("is_owner") }))
    .where("is_owner", "=", 1)
    .returning("id")
    .execute();
  if (owners.length === 1 && owners[0]!.id === leaving) {
    throw new AppError("conflict", "This is the last owner of the instance. Make another person an owner first.");
  }
}

/** Roles of a person, by project. */
export async function rolesOf(queryable: Queryable, id: PersonId) {
  const rows = await queryable
    .selectFrom("project_member")
    .select(["project_id", "role"])
    .where("person_id", "=", id)
    .execute();
  return new Map<ProjectId, (typeof rows)[number]["role"]>(rows.map((row) => [row.project_id, row.role]));
}
