import { createHash } from "node:crypto";
import { z } from "zod";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openClaims, sealClaims } from "#lib/secrets/sealed-claims.ts";
import { findByEmail, findPerson, type Person, resetPassword } from "./people.ts";

interface Deps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
}

const RESET = {
  purpose: "password reset",
  lifetimeMs: 3_600_000,
  schema: z.object({ id: z.string().transform((id) => id as PersonId), mark: z.string() }),
};

/** Depends on the current password, so that a link works once, and not after another change. */
export const passwordMark = (passwordHash: string) => createHash("sha256").update(passwordHash).digest("base64url");

/** The token of a reset link, which is valid for an hour; null for an address without an account or password. */
export async function issueReset(deps: Deps, email: string): Promise<{ person: Person; token: string } | null> {
  const found = await findByEmail(deps.database.kysely, email);
  if (found === null || found.passwordHash === null) return null;
  const { person, passwordHash } = found;
  return { person, token: sealClaims(deps, { id: person.id, mark: passwordMark(passwordHash) }, RESET) };
}

/** The person of a reset token; null if it was used, expired or is invalid. */
export async function readReset(deps: Deps, token: string): Promise<Person | null> {
  const claims = openClaims(deps, token, RESET);
  const person = claims && (await findPerson(deps.database.kysely, claims.id));
  const found = person && (await findByEmail(deps.database.kysely, person.email));
  return found && found.passwordHash !== null && passwordMark(found.passwordHash) === claims.mark ? person : null;
}

/**
 * Sets the password with a reset token, and deletes all other credentials. `AppError invalid`, `conflict` for a token
 * that is no longer valid.
 */
export async function carryOutReset(deps: Deps, token: string, password: string): Promise<Person> {
  const person = await readReset(deps, token);
  if (person === null)
    throw new AppError("conflict", "This link was used, or is more than an hour old. Ask for another one.");
  await resetPassword(deps, person, password, {
    isStill: (hash) => hash !== null && passwordMark(hash) === openClaims(deps, token, RESET)?.mark,
  });
  return person;
}
