import { signInByProvider } from "#features/accounts/identities.ts";
import { createIdentityProvider, type ProvidedPerson } from "#features/accounts/identity-provider.ts";
import { beginPasskeySignIn, checkPasskey, hasPasskeys, type PasskeyAnswer } from "#features/accounts/passkeys.ts";
import { createPasswordCheck } from "#features/accounts/password-check.ts";
import { findPerson, hasOwner } from "#features/accounts/people.ts";
import { createCodeCheck, findTwoFactor } from "#features/accounts/two-factor.ts";
import { authenticate, isHolderAlive } from "#features/keys/api-keys.ts";
import { createOperatorSessions } from "#features/keys/operator-pass.ts";
import { createLastUse } from "#features/keys/last-use.ts";
import { createSessions, isKnownAddress } from "#features/keys/sessions.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import { addressPrefix, clientAddress } from "#features/visitors/client-address.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { memoize } from "#lib/memoize.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

/** Tries to sign in from one address in a minute, and for one account in a day from addresses new to it. */
const SIGN_INS_PER_MINUTE = 30;
const SIGN_INS_PER_DAY = 50;
/** Two-factor codes that are tried for one account in a day: of a million, three are right at any moment. */
const CODES_PER_DAY = 30;
/** Links for a new password that one address may ask for in a minute, and that one account is sent in a day. */
const RESETS_PER_MINUTE = 10;
const RESETS_PER_DAY = 5;
/** Invitations that are mailed to one address, and for one person, in a day. More are links to copy. */
const INVITATIONS_TO_ONE_PER_DAY = 3;
const INVITATIONS_BY_ONE_PER_DAY = 200;

export type Access = ReturnType<typeof composeAccess>;

/** Who asks: keys of programs, sessions of people. */
export function composeAccess(
  { config, clock, logger, address }: Context,
  { database, vault }: Pick<Store, "database" | "vault">,
) {
  const lastUse = createLastUse({ database, logger });
  const isSecure = () => address.scheme() === "https:";
  const sessions = createSessions({ database, clock, lastUse, isSecure });
  const resetsByAddress = createRateGuard({ clock, perMinute: RESETS_PER_MINUTE });
  const resetsByAccount = createRateGuard({ clock, perDay: RESETS_PER_DAY });
  const invitationsTo = createRateGuard({ clock, perDay: INVITATIONS_TO_ONE_PER_DAY });
  const invitationsBy = createRateGuard({ clock, perDay: INVITATIONS_BY_ONE_PER_DAY });
  const passkeys = { database, clock, vault, baseUrl: address.baseUrl };
  const isTrustedProxy = memoize(parseAddressRanges(config.trustedProxies));
  const isKnown = (id: PersonId, from: string) =>
    isKnownAddress(database, id, { address: from, householdOf: addressPrefix });
  return {
    /** Where a request comes from, behind the proxies that this server trusts. */
    addressOf: ({ headers }: { headers: { get(name: string): string | null } }, peer: string) =>
      clientAddress({ peer, forwardedFor: headers.get("x-forwarded-for"), isTrustedProxy }),
    authenticate: (key: string, from: string) => authenticate({ database, clock, lastUse }, key, from),
    isHolderAlive: (id: string, seen: { projectId: ProjectId; from: string }) =>
      isHolderAlive({ database, clock }, id, seen),
    sessions,
    checkPassword: createPasswordCheck({
      database,
      clock,
      householdOf: addressPrefix,
      byAddress: createRateGuard({ clock, perMinute: SIGN_INS_PER_MINUTE }),
      byAccount: createRateGuard({ clock, perDay: SIGN_INS_PER_DAY }),
      isKnownAddress: isKnown,
    }),
    checkCode: createCodeCheck({
      database,
      clock,
      vault,
      householdOf: addressPrefix,
      guesses: createRateGuard({ clock, perDay: CODES_PER_DAY }),
      isKnownAddress: isKnown,
    }),
    hasPasskeys: () => hasPasskeys(passkeys),
    beginPasskeySignIn: () => beginPasskeySignIn(passkeys),
    checkPasskey: (answer: PasskeyAnswer) => checkPasskey(passkeys, answer),
    needsCode: async (id: PersonId) => (await findTwoFactor(database.kysely, id)) !== null,
    findPersonById: (id: PersonId) => findPerson(database.kysely, id),
    mayAskForReset: ({ email, address: from }: { email: string; address: string }) =>
      resetsByAddress.admits(addressPrefix(from)) && resetsByAccount.admits(email),
    mayMailInvitation: ({ to, by }: { to: string; by: string }) => invitationsTo.admits(to) && invitationsBy.admits(by),
    canResetPassword: config.mail !== null,
    hasOwner: () => hasOwner(database.kysely),
    provider: config.identityProvider && createIdentityProvider(config.identityProvider, clock),
    signInByProvider: (provided: ProvidedPerson) =>
      signInByProvider({ database, clock }, provided, config.identityProvider!),
    isSecure,
    operators: createOperatorSessions({ vault, clock, isSecure }),
    /** The session that a browser's request belongs to. */
    session: {
      read: (request: Request, from: string) => sessions.read(request.headers.get("cookie"), from),
      end: (request: Request) => sessions.end(request.headers.get("cookie")),
    },
    [Symbol.asyncDispose]: () => lastUse[Symbol.asyncDispose](),
  };
}
