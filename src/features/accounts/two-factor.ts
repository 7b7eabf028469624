import { createHash, randomInt } from "node:crypto";
import { Secret as CodeSecret, TOTP } from "otpauth";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { Person } from "./people.ts";

export interface TwoFactorDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
}

export const RECOVERY_CODES = 10;
// Without letters and digits that look alike: 12 of 31 are 59 bits.
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
/** Accepted steps of 30 seconds before and after the current one, because a phone's clock may be off. */
const WINDOW = 1;

const purposeOf = (id: PersonId) => `two-factor secret ${id}`;
const hashOf = (code: string) => createHash("sha256").update(code).digest("hex");

/** RFC 6238 codes with parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const codesOf = (secret: string, names: { issuer: string; label: string } = { issuer: "", label: "" }) =>
  new TOTP({ ...names, secret: CodeSecret.fromBase32(secret) });

/**
 * Generates a secret for a person's app, with the address in its QR code. The form carries `sealed` until a code
 * confirms it.
 */
export function beginTwoFactor({ vault }: Pick<TwoFactorDeps, "vault">, person: Person, host: string) {
  const secret = new CodeSecret({ size: 20 }).base32;
  return twoFactorSetup(vault.seal(new Secret(secret), purposeOf(person.id)), { secret, person, host });
}

/** Restores the setup from a form with a wrong code. `AppError invalid`. */
export const resumeTwoFactor = (
  { vault }: Pick<TwoFactorDeps, "vault">,
  sealed: string,
  { person, host }: { person: Person; host: string },
) => twoFactorSetup(sealed, { secret: vault.open(sealed, purposeOf(person.id)).reveal(), person, host });

export type TwoFactorSetup = ReturnType<typeof twoFactorSetup>;

const twoFactorSetup = (
  sealed: string,
  { secret, person, host }: { secret: string; person: Person; host: string },
) => ({ sealed, secret, address: codesOf(secret, { issuer: `Docent ${host}`, label: person.email }).toString() });

/**
 * Enables codes with the first code of the app; returns the recovery codes, which are shown once. `AppError invalid`,
 * `conflict`.
 */
export async function turnOnTwoFactor(
  deps: TwoFactorDeps,
  id: PersonId,
  { sealed, code }: { sealed: string; code: string },
): Promise<string[]> {
  const step = stepOf(deps, deps.vault.open(sealed, purposeOf(id)), plainCode(code));
  if (step === null) {
    throw new AppError(
      "invalid",
      "This code is wrong. Enter the code that the app shows now; the phone's clock must be right.",
    );
  }
  return await deps.database.transaction(async (transaction) => {
    const made = await transaction
      .insertInto("person_two_factor")
      .values({ person_id: id, secret: sealed, last_step: step, created_at: deps.clock.now().getTime() })
      .onConflict((conflict) => conflict.column("person_id").doNothing())
      .executeTakeFirst();
    if (made.numInsertedOrUpdatedRows === 0n) throw new AppError("conflict", "Two-factor codes are on already.");
    return await makeRecoveryCodes(transaction, id);
  });
}

/** Replaces all recovery codes. */
export const renewRecoveryCodes = ({ database }: Pick<TwoFactorDeps, "database">, id: PersonId): Promise<string[]> =>
  database.transaction((transaction) => makeRecoveryCodes(transaction, id));

async function makeRecoveryCodes(transaction: DatabaseTransaction, id: PersonId): Promise<string[]> {
  await transaction.deleteFrom("recovery_code").where("person_id", "=", id).execute();
  const letter = () => ALPHABET[randomInt(ALPHABET.length)];
  const codes = Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: 12 }, letter).join(""));
  await transaction
    .insertInto("recovery_code")
    .values(codes.map((code) => ({ person_id: id, hash: hashOf(code) })))
    .execute();
  return codes.map((code) => code.replaceAll(/(.{4})(?!$)/g, "$1-"));
}

/** Null if the person has no codes. */
export async function findTwoFactor(queryable: Queryable, id: PersonId): Promise<{ recoveryCodesLeft: number } | null> {
  const row = await queryable
    .selectFrom("person_two_factor")
    .select((expression) =>
      expression
        .selectFrom("recovery_code")
        .select((inner) => inner.fn.countAll().as("count"))
        .whereRef("recovery_code.person_id", "=", "person_two_factor.person_id")
        .as("left"),
    )
    .where("person_id", "=", id)
    .executeTakeFirst();
  return row ? { recoveryCodesLeft: Number(row.left) } : null;
}

/** Disables codes, and deletes the recovery codes. False if they were off. */
export async function turnOffTwoFactor({ kysely }: Pick<Database, "kysely">, id: PersonId): Promise<boolean> {
  const { numDeletedRows } = await kysely
    .deleteFrom("person_two_factor")
    .where("person_id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Verifies a code of the app or a recovery code, and uses it up, also for concurrent calls. */
async function takeCode(deps: TwoFactorDeps, id: PersonId, entered: string): Promise<boolean> {
  const { kysely } = deps.database;
  const code = plainCode(entered);
  if (!/^\d{6}$/.test(code)) {
    const { numDeletedRows } = await kysely
      .deleteFrom("recovery_code")
      .where("person_id", "=", id)
      .where("hash", "=", hashOf(code))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const row = await kysely
    .selectFrom("person_two_factor")
    .select("secret")
    .where("person_id", "=", id)
    .executeTakeFirst();
  const step = row ? stepOf(deps, openSecret(deps, id, row.secret), code) : null;
  if (step === null) return false;
  const { numUpdatedRows } = await kysely
    .updateTable("person_two_factor")
    .set({ last_step: step })
    .where("person_id", "=", id)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function openSecret({ vault }: Pick<TwoFactorDeps, "vault">, id: PersonId, sealed: string): Secret {
  try {
    return vault.open(sealed, purposeOf(id));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message =
      "Codes of an app cannot be checked, because the key of this server was replaced. Enter a recovery code, or ask an owner of this server to turn your codes off.";
    throw new AppError("conflict", message, { cause: error });
  }
}

const plainCode = (entered: string) => entered.replaceAll(/[\s-]/g, "").toLowerCase();

function stepOf({ clock }: Pick<TwoFactorDeps, "clock">, secret: Secret, token: string): number | null {
  const codes = codesOf(secret.reveal());
  const timestamp = clock.now().getTime();
  const delta = codes.validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : codes.counter({ timestamp }) + delta;
}

interface CodeCheckDeps extends TwoFactorDeps {
  /** Attempts per account and day: from new addresses together, and from each address where the person is signed in. */
  guesses: { admits(key: string): boolean };
  householdOf(address: string): string;
  isKnownAddress(id: PersonId, address: string): Promise<boolean>;
}

/** Verifies a code, with the same kind of limits as for passwords. `AppError rate_limited`. */
export function createCodeCheck(deps: CodeCheckDeps) {
  return async (id: PersonId, { code, address }: { code: string; address: string }): Promise<boolean> => {
    const isKnown = await deps.isKnownAddress(id, address);
    if (!deps.guesses.admits(isKnown ? `${id} ${deps.householdOf(address)}` : id)) {
      throw new AppError(
        "rate_limited",
        "Too many codes were tried for this account today. Ask an owner of this server.",
        {
          retryAfterSeconds: 3600,
        },
      );
    }
    return await takeCode(deps, id, code);
  };
}
