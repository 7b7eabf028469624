import { createHash } from "node:crypto";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { findByEmail, findPerson, type Person, resetPassword } from "./people.ts";

interface Deps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
}

const LIFETIME_MS = 3_600_000;
const PURPOSE = "password reset";

/** Changes with the password, so that a link works once and not after another change. */
export const passwordMark = (passwordHash: string) => createHash("sha256").update(passwordHash).digest("base64url");

/** The token of a link that sets a new password within an hour; null for an address without an account or without a password. */
export async function issueReset(
  { database, vault, clock }: Deps,
  email: string,
): Promise<{ person: Person; token: string } | null> {
  const found = await findByEmail(database.kysely, email);
  if (found === null || found.passwordHash === null) return null;
  const until = clock.now().getTime() + LIFETIME_MS;
  const claims = JSON.stringify([found.person.id, until, passwordMark(found.passwordHash)]);
  return { person: found.person, token: vault.seal(new Secret(claims), PURPOSE) };
}

/** Whom a link's token is for; null when it was used, is too old, or none of ours. */
export async function readReset({ database, vault, clock }: Deps, token: string): Promise<Person | null> {
  const claims = claimsOf({ vault }, token);
  if (claims === null) return null;
  const [id, until, mark] = claims;
  const left = until - clock.now().getTime();
  if (left <= 0 || left > LIFETIME_MS) return null;
  const person = await findPerson(database.kysely, id);
  const found = person && (await findByEmail(database.kysely, person.email));
  return found && found.passwordHash !== null && passwordMark(found.passwordHash) === mark ? person : null;
}

function claimsOf({ vault }: Pick<Deps, "vault">, token: string): [PersonId, number, string] | null {
  try {
    return JSON.parse(vault.open(token, PURPOSE).reveal()) as [PersonId, number, string];
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Sets the password by a link: everything that opened the account before ends. `AppError invalid`, `conflict` for a link that is over. */
export async function carryOutReset(deps: Deps, token: string, password: string): Promise<Person> {
  const person = await readReset(deps, token);
  if (person === null)
    throw new AppError("conflict", "This link was used, or is more than an hour old. Ask for another one.");
  await resetPassword(deps, person, password, {
    isStill: (hash) => hash !== null && passwordMark(hash) === claimsOf(deps, token)?.[2],
  });
  return person;
}
