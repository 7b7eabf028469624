import { authenticate, isKeyAlive } from "#accounts/api-keys.ts";
import { createOperatorSessions } from "#accounts/operator-pass.ts";
import { createLastUse } from "#accounts/last-use.ts";
import { createSessions } from "#accounts/sessions.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

export type Access = ReturnType<typeof composeAccess>;

/** Who asks: keys of programs, sessions of people. */
export function composeAccess(
  { clock, logger, address }: Context,
  { database, vault }: Pick<Store, "database" | "vault">,
) {
  const lastUse = createLastUse({ database, logger });
  const isSecure = () => address.scheme() === "https:";
  const sessions = createSessions({ database, clock, lastUse, isSecure });
  return {
    authenticate: (key: string) => authenticate({ database, clock, lastUse }, key),
    isKeyAlive: (keyId: string) => isKeyAlive({ database, clock }, keyId),
    sessions,
    operators: createOperatorSessions({ vault, clock, isSecure }),
    /** The session that a browser's request belongs to. */
    session: {
      read: (request: Request) => sessions.read(request.headers.get("cookie")),
      end: (request: Request) => sessions.end(request.headers.get("cookie")),
    },
    [Symbol.asyncDispose]: () => lastUse[Symbol.asyncDispose](),
  };
}
