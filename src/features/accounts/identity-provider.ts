import * as oidc from "openid-client";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { ROLES, type Role } from "#kit/levels.ts";

/** Settings of an external OpenID Connect provider. */
export interface IdentityProviderSettings {
  /** Label of the button on the sign-in page. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: Secret;
  scope: string;
  /** Whether to create accounts for new people. */
  signUp: boolean;
  /** Trusts email addresses without `email_verified`, for a provider that verifies them but does not say so. */
  trustEmail: boolean;
  /** Email domains that may sign in; empty: all. */
  domains: readonly string[];
  /** The claim with a person's groups. */
  groupsClaim: string;
  /** Roles of a group, by project slug. */
  groups: Readonly<Record<string, Readonly<Record<string, Role>>>>;
}

const TIMEOUT_SECONDS = 10;
/** Errors of the token endpoint that the configuration causes, not the person (RFC 6749, 5.2). */
const SET_UP_WRONGLY = new Set(["invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"]);
const KEPT_MS = 3_600_000;

/** State of an attempt, which the browser must return. */
export interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A person, as described by the provider. */
export interface ProvidedPerson {
  issuer: string;
  /** Permanent and unique per issuer. */
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  groups: readonly string[];
}

export interface IdentityProvider {
  settings: IdentityProviderSettings;
  /** Redirect URL and state for the browser. `AppError unavailable`. */
  begin(callbackUrl: string): Promise<{ url: string; attempt: Attempt }>;
  /**
   * Verifies the callback and returns the person. `AppError invalid` for an invalid response, `forbidden` if access was
   * denied, `unavailable`.
   */
  finish(returned: URL, attempt: Attempt): Promise<ProvidedPerson>;
}

const Claims = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().max(300).optional(),
  email_verified: z
    .union([z.boolean(), z.literal("true").transform(() => true)])
    .catch(false)
    .optional(),
  name: z.string().max(300).optional(),
  preferred_username: z.string().max(300).optional(),
});

/**
 * Authorization code flow with PKCE, state and nonce, following OAuth 2.0 Security Best Current Practice (RFC 9700).
 */
export function createIdentityProvider(settings: IdentityProviderSettings, clock: { now(): Date }): IdentityProvider {
  let known: { configuration: Promise<oidc.Configuration>; until: number } | null = null;
  const unreachable = (cause: unknown) =>
    new AppError(
      "unavailable",
      `${settings.name} does not answer. Try again in a moment, or sign in with a password.`,
      {
        cause,
        retryAfterSeconds: 10,
      },
    );

  async function configuration(): Promise<oidc.Configuration> {
    const now = clock.now().getTime();
    if (known === null || known.until <= now) {
      const issuer = new URL(settings.issuer);
      // Loopback only, for development: `readProviderSettings` rejects other http URLs.
      const execute = issuer.protocol === "http:" ? [oidc.allowInsecureRequests] : [];
      const secret = settings.clientSecret.reveal();
      const found = oidc.discovery(issuer, settings.clientId, secret, undefined, { execute, timeout: TIMEOUT_SECONDS });
      known = { configuration: found, until: now + KEPT_MS };
    }
    try {
      return await known.configuration;
    } catch (error) {
      known = null;
      throw unreachable(error);
    }
  }

  return {
    settings,
    async begin(callbackUrl) {
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: callbackUrl,
        scope: settings.scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, attempt };
    },
    async finish(returned, { state, nonce, codeVerifier }) {
      const provider = await configuration();
      try {
        const tokens = await oidc.authorizationCodeGrant(provider, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const own = tokens.claims();
        if (!own) throw new AppError("invalid", `${settings.name} did not say who you are.`);
        // Many providers return the address and the groups only here.
        const hasEndpoint = provider.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasEndpoint ? await oidc.fetchUserInfo(provider, tokens.access_token, own.sub) : {};
        return personOf({ ...more, ...own }, settings);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (error instanceof oidc.AuthorizationResponseError) {
          throw new AppError("forbidden", `${settings.name} did not let you in (${error.error}).`, { cause: error });
        }
        if (error instanceof oidc.ResponseBodyError && SET_UP_WRONGLY.has(error.error)) {
          const message = `The sign-in at ${settings.name} is not set up correctly (${error.error}). An owner of this server has to check DOCENT_OIDC.`;
          throw new AppError("unavailable", message, { cause: error });
        }
        if (error instanceof oidc.ResponseBodyError || error instanceof oidc.ClientError) {
          if (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT") throw unreachable(error);
          throw new AppError("invalid", `The answer of ${settings.name} does not hold. Sign in again.`, {
            cause: error,
          });
        }
        throw unreachable(error);
      }
    },
  };
}

function personOf(claims: object, settings: IdentityProviderSettings): ProvidedPerson {
  const parsed = Claims.safeParse(claims);
  if (!parsed.success) throw new AppError("invalid", `${settings.name} did not say who you are.`);
  const { sub, email, email_verified, name, preferred_username } = parsed.data;
  if (email === undefined) {
    throw new AppError(
      "invalid",
      `${settings.name} gave no email address. Its administrator has to allow the scope "email".`,
    );
  }
  const listed = (claims as Record<string, unknown>)[settings.groupsClaim];
  const groups = (Array.isArray(listed) ? listed : [listed]).filter((each): each is string => typeof each === "string");
  return {
    issuer: settings.issuer,
    subject: sub,
    email,
    isEmailVerified: email_verified === true,
    name: name ?? preferred_username ?? email,
    groups,
  };
}

/** The settings in the operator's configuration. */
export const ProviderText = z.strictObject({
  name: z.string().min(1).max(60).default("single sign-on"),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1).max(500),
  clientSecret: z.string().min(1).max(4_000),
  scope: z.string().min(1).max(500).default("openid email profile"),
  signUp: z.boolean().default(true),
  trustEmail: z.boolean().default(false),
  domains: z.array(z.string().toLowerCase().max(253)).max(100).default([]),
  groupsClaim: z.string().min(1).max(200).default("groups"),
  groups: z.record(z.string(), z.record(z.string(), z.enum(ROLES))).default({}),
});
