import { authenticate, isKeyAlive } from "#features/keys/api-keys.ts";
import { createOperatorSessions } from "#features/keys/operator-pass.ts";
import { createLastUse } from "#features/keys/last-use.ts";
import { createSessions } from "#features/keys/sessions.ts";
import { clientAddress } from "#features/visitors/client-address.ts";
import { memoize } from "#lib/memoize.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

export type Access = ReturnType<typeof composeAccess>;

/** Who asks: keys of programs, sessions of people. */
export function composeAccess(
  { config, clock, logger, address }: Context,
  { database, vault }: Pick<Store, "database" | "vault">,
) {
  const lastUse = createLastUse({ database, logger });
  const isSecure = () => address.scheme() === "https:";
  const sessions = createSessions({ database, clock, lastUse, isSecure });
  const isTrustedProxy = memoize(parseAddressRanges(config.trustedProxies));
  return {
    /** Where a request comes from, behind the proxies that this server trusts. */
    addressOf: ({ headers }: { headers: { get(name: string): string | null } }, peer: string) =>
      clientAddress({ peer, forwardedFor: headers.get("x-forwarded-for"), isTrustedProxy }),
    authenticate: (key: string, from: string) => authenticate({ database, clock, lastUse }, key, from),
    isKeyAlive: (keyId: string, from: string) => isKeyAlive({ database, clock }, keyId, from),
    sessions,
    operators: createOperatorSessions({ vault, clock, isSecure }),
    /** The session that a browser's request belongs to. */
    session: {
      read: (request: Request, from: string) => sessions.read(request.headers.get("cookie"), from),
      end: (request: Request) => sessions.end(request.headers.get("cookie")),
    },
    [Symbol.asyncDispose]: () => lastUse[Symbol.asyncDispose](),
  };
}
