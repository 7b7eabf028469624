import { Hono } from "hono";
import { z } from "zod";
import type { IdentityProvider, ProvidedPerson } from "#features/accounts/identity-provider.ts";
import type { Person } from "#features/accounts/people.ts";
import { noteDoer } from "./actor.ts";
import { hostCookie } from "./host-cookie.ts";
import type { Sessions } from "./sessions.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openClaims, sealClaims } from "#lib/secrets/sealed-claims.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { safeTarget } from "./sign-in-target.ts";
import { sendProblem } from "#kit/pages/problem-page.ts";

export interface ProviderRoutesDeps {
  /** Null if no provider is configured. */
  provider: IdentityProvider | null;
  signInByProvider(provided: ProvidedPerson): Promise<Person>;
  sessions: Sessions;
  vault: KeyVault;
  clock: Clock;
  logger: Logger;
  baseUrl(): string;
  isSecure(): boolean;
}

export const PROVIDER_PATH = "/sign-in/provider";
const CALLBACK_PATH = `${PROVIDER_PATH}/callback`;
const ATTEMPT = {
  purpose: "sign-in at an identity provider",
  lifetimeMs: 10 * 60_000,
  schema: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string(), to: z.string() }),
};

/** Redirects to the identity provider and back. The state of the attempt is sealed in a cookie for ten minutes. */
export function providerRoutes(deps: ProviderRoutesDeps): Hono<HttpEnv> {
  const { provider } = deps;
  const routes = new Hono<HttpEnv>();
  if (provider === null) return routes;
  const cookie = hostCookie("docent_attempt", deps.isSecure);

  const refuse = (c: HttpContext, error: unknown) => {
    if (!(error instanceof AppError) || error.code === "internal") throw error;
    deps.logger.warn(
      { err: error.cause ?? error, provider: provider.settings.name },
      "a sign-in at the identity provider failed",
    );
    if (error.retryAfterSeconds !== undefined) c.header("Retry-After", String(error.retryAfterSeconds));
    const status = error.code === "unavailable" ? 503 : error.code === "forbidden" ? 403 : 400;
    return sendProblem(c, { status, title: "You are not signed in", text: [error.message] });
  };

  routes.get(PROVIDER_PATH, async (c) => {
    try {
      const { url, attempt } = await provider.begin(deps.baseUrl() + CALLBACK_PATH);
      const sealed = sealClaims(deps, { ...attempt, to: safeTarget(c.req.query("to")) }, ATTEMPT);
      c.header("Set-Cookie", cookie.set(sealed, ATTEMPT.lifetimeMs / 1_000));
      return c.redirect(url, 303);
    } catch (error) {
      return refuse(c, error);
    }
  });

  routes.get(CALLBACK_PATH, async (c) => {
    // Valid once: a repeated callback has to start again.
    c.header("Set-Cookie", cookie.set("", 0));
    try {
      const attempt = openClaims(deps, cookie.read(c.req.header("cookie")), ATTEMPT);
      if (attempt === null) {
        throw new AppError("invalid", "This sign-in took too long, or began in another browser. Sign in again.");
      }
      const returned = new URL(deps.baseUrl() + CALLBACK_PATH + new URL(c.req.url).search);
      const person = await deps.signInByProvider(await provider.finish(returned, attempt));
      noteDoer(c, { doer: { person }, projectId: null, action: "sign-in", isRead: false });
      const signedIn = { personId: person.id, address: c.env.clientAddress, browser: c.req.header("user-agent") ?? "" };
      c.header("Set-Cookie", await deps.sessions.create(signedIn), { append: true });
      return c.redirect(attempt.to, 303);
    } catch (error) {
      return refuse(c, error);
    }
  });
  return routes;
}
