import type { Actor } from "#features/accounts/audit.ts";
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
import { isMemberSignedIn } from "#features/keys/site-members.ts";
import { COMMENTS_PER_DAY, COMMENTS_PER_MINUTE } from "#features/pull-requests/comment-limit.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import { addressPrefix, clientAddress } from "#features/visitors/client-address.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

/** Sign-in attempts per address and minute, and per account and day from addresses that are new to it. */
const SIGN_INS_PER_MINUTE = 30;
const SIGN_INS_PER_DAY = 50;
/** Attempts at two-factor codes per account and day: three of a million codes are valid at any moment. */
const CODES_PER_DAY = 30;
/** Password reset links per address and minute, and per account and day. */
const RESETS_PER_MINUTE = 10;
const RESETS_PER_DAY = 5;
/** Invitations by mail per address and day, and per sender and day. Beyond that, the inviter copies the link. */
const CHAT_TRIALS_PER_MINUTE = 5;
const INVITATIONS_TO_ONE_PER_DAY = 3;
const INVITATIONS_BY_ONE_PER_DAY = 200;

export type Access = ReturnType<typeof composeAccess>;

/** Composes the authentication of callers: keys of programs, and sessions of people. */
export function composeAccess(
  { config, clock, logger, address, isTrustedProxy }: Context,
  { database, vault }: Pick<Store, "database" | "vault">,
) {
  const lastUse = createLastUse({ database, logger });
  const isSecure = () => address.scheme() === "https:";
  const sessions = createSessions({ database, clock, lastUse, isSecure });
  const resetsByAddress = createRateGuard({ clock, perMinute: RESETS_PER_MINUTE });
  const resetsByAccount = createRateGuard({ clock, perDay: RESETS_PER_DAY });
  const chatTrials = createRateGuard({ clock, perMinute: CHAT_TRIALS_PER_MINUTE });
  const invitationsTo = createRateGuard({ clock, perDay: INVITATIONS_TO_ONE_PER_DAY });
  const invitationsBy = createRateGuard({ clock, perDay: INVITATIONS_BY_ONE_PER_DAY });
  const passkeys = { database, clock, vault, baseUrl: address.baseUrl };
  const isKnown = (id: PersonId, from: string) =>
    isKnownAddress(database, id, { address: from, householdOf: addressPrefix });
  return {
    /** Client address of a request, resolved through trusted proxies. */
    addressOf: ({ headers }: { headers: { get(name: string): string | null } }, peer: string) =>
      clientAddress({ peer, forwardedFor: headers.get("x-forwarded-for"), isTrustedProxy }),
    authenticate: (key: string, from: string) => authenticate({ database, clock, lastUse }, key, from),
    isHolderAlive: (id: string, seen: { projectId: ProjectId; from: string }) =>
      isHolderAlive({ database, clock }, id, seen),
    isMemberSignedIn: (
      member: { holderId: string; session: string | null },
      seen: { projectId: ProjectId; from: string },
    ) => isMemberSignedIn({ database, clock }, member, seen),
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
    mayMailInvitation: ({ to, by }: { to: string; by: Actor }) =>
      invitationsTo.admits(to) && invitationsBy.admits(`${by.kind} ${by.id}`),
    commentGuards: {
      minute: createRateGuard({ clock, perMinute: COMMENTS_PER_MINUTE }),
      day: createRateGuard({ clock, perDay: COMMENTS_PER_DAY }),
    },
    mayTryChat: (id: PersonId) => chatTrials.admits(id),
    canResetPassword: config.mail !== null,
    hasOwner: () => hasOwner(database.kysely),
    provider: config.identityProvider && createIdentityProvider(config.identityProvider, clock),
    signInByProvider: (provided: ProvidedPerson) =>
      signInByProvider({ database, clock }, provided, config.identityProvider!),
    isSecure,
    operators: createOperatorSessions({ vault, clock, isSecure }),
    /** Session of a browser's request. */
    session: {
      read: (request: Request, from: string) => sessions.read(request.headers.get("cookie"), from),
      end: (request: Request) => sessions.end(request.headers.get("cookie")),
    },
    [Symbol.asyncDispose]: () => lastUse[Symbol.asyncDispose](),
  };
}
