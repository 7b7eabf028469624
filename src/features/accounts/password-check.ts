import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import { hashPassword, isPassword, MAX_PASSWORD } from "#lib/secrets/password.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { findByEmail, type Person } from "./people.ts";

interface Guard {
  admits(key: string): boolean;
}

interface Deps {
  database: Pick<Database, "kysely">;
  clock: Clock;
  /** The part of an address that identifies one household. */
  householdOf(address: string): string;
  /** Attempts per household and minute. */
  byAddress: Guard;
  /** Attempts per account and day from addresses where the person has no session. */
  byAccount: Guard;
  /** Whether the person has a session from this address. */
  isKnownAddress(id: PersonId, address: string): Promise<boolean>;
}

/** For all addresses together: ten seconds of work. */
const MAX_WAITING = 300;

/**
 * Verifies an email address and a password. An unknown address takes as long as a wrong password. Guesses are limited
 * per client address and per account. The limit per account does not apply to addresses where the person is signed in,
 * so that nobody can lock them out there.
 */
export function createPasswordCheck(deps: Deps) {
  // A guess takes 32 MB, and one of four threads for 60 ms.
  const guesses = createFairPlaces({ places: 2, perOwner: 1, maxWaiting: 5, refusal: tooBusy });
  let waiting = 0;
  let anyHash: Promise<string> | undefined;

  /** The person; null if the address or the password is wrong. `AppError rate_limited`. */
  return async (given: { email: string; password: string; address: string }): Promise<Person | null> => {
    const address = deps.householdOf(given.address);
    const email = given.email.trim().toLowerCase();
    if (!deps.byAddress.admits(address)) throw tooMany("Too many attempts from your address. Wait a minute.", 60);
    const found = await findByEmail(deps.database.kysely, email);
    const isKnown = found !== null && (await deps.isKnownAddress(found.person.id, given.address));
    if (!isKnown && !deps.byAccount.admits(email)) {
      throw tooMany(
        "Too many attempts for this account today. Sign in where you signed in before, or ask an owner.",
        3600,
      );
    }
    const hash = found?.passwordHash ?? (await (anyHash ??= hashPassword("nobody's")));
    const password = given.password.slice(0, MAX_PASSWORD + 1);
    if (waiting >= MAX_WAITING) throw tooBusy();
    waiting += 1;
    const isRight = await guesses
      .run(address, () => isPassword(password, hash))
      .finally(() => {
        waiting -= 1;
      });
    return isRight && found !== null && found.passwordHash !== null ? found.person : null;
  };
}

const tooBusy = () => tooMany("Too many people are signing in. Try again in a few seconds.", 5);

const tooMany = (message: string, retryAfterSeconds: number) =>
  new AppError("rate_limited", message, { retryAfterSeconds });
