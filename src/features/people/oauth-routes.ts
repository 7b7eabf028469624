import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { findByEmail, findPerson } from "#features/accounts/people.ts";
import { passwordMark } from "#features/accounts/password-reset.ts";
import { noteDoer } from "#features/keys/actor.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import type { PersonAccess } from "#features/keys/person-access.ts";
import type { Database } from "#db/database.ts";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { isKeyScope, KEY_SCOPES } from "#kit/levels.ts";
import { sendProblem } from "#kit/pages/problem-page.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { isRedirectOf, issueCode, OauthError, readOauthClient, redeemCode, registerClient } from "./oauth.ts";
import { consentPage } from "./oauth-page.ts";

export interface OauthRoutesDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  keysPerHour: number;
  personAccess: PersonAccess;
  baseUrl(): string;
  /** The domain of the sites. */
  siteDomain: string;
}

const RESOURCE = "/mcp";
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";
const AUTHORIZE = "/-/oauth/authorize";
const TOKEN = "/-/oauth/token";
const REGISTER = "/-/oauth/register";
const TOKEN_DAYS = 90;
const MAX_BYTES = 16_384;
/** Browser programs on any origin can read these responses, none of which uses a session. */
const OPEN = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" };

const limited = bodyLimit({
  maxSize: MAX_BYTES,
  onError: (c) => c.json({ error: "invalid_request", error_description: "The request is too large." }, 413, OPEN),
});

/** OAuth endpoints: metadata of RFC 9728 and RFC 8414, registration, consent, and the token exchange. */
export function createOauthRoutes(deps: OauthRoutesDeps): Hono {
  const { baseUrl, personAccess, siteDomain } = deps;
  const isOwnHost = (hostname: string) =>
    hostname === siteDomain || hostname.endsWith(`.${siteDomain}`) || hostname === new URL(baseUrl()).hostname;
  const routes = new Hono();

  const markOf = async ({ email }: { email: string }) =>
    passwordMark((await findByEmail(deps.database.kysely, email))?.passwordHash ?? "");

  routes.get(`${RESOURCE_METADATA}/:resource?`, (c) => {
    const metadata = {
      resource: baseUrl() + RESOURCE,
      resource_name: "Docent",
      authorization_servers: [baseUrl()],
      scopes_supported: KEY_SCOPES,
      bearer_methods_supported: ["header"],
    };
    return c.json(metadata, 200, OPEN);
  });
  routes.get("/.well-known/oauth-authorization-server", (c) => {
    const metadata = {
      issuer: baseUrl(),
      authorization_endpoint: baseUrl() + AUTHORIZE,
      token_endpoint: baseUrl() + TOKEN,
      registration_endpoint: baseUrl() + REGISTER,
      scopes_supported: KEY_SCOPES,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code"],
      token_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    };
    return c.json(metadata, 200, OPEN);
  });

  routes.post(REGISTER, limited, async (c) => {
    const body: unknown = await c.req.json().catch(() => null);
    try {
      const { id, name, redirectUris } = registerClient({ ...deps, isOwnHost }, body);
      const registered = {
        client_id: id,
        client_name: name,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        response_types: ["code"],
      };
      return c.json(registered, 201, OPEN);
    } catch (error) {
      return refused(c, error);
    }
  });

  routes.get(AUTHORIZE, async (c) => {
    const asked = readRequest(deps, (name) => c.req.query(name) ?? "");
    if ("problem" in asked) return sendProblem(c, unreadable(asked.problem));
    // Requires a sign-in before any redirect, because an attacker could register an address and send others there.
    const opened = await personAccess.open(c);
    if (opened.answer) return opened.answer;
    if (asked.error !== null) return sendProblem(c, unreadable(asked.error.error_description));
    const page = consentPage({
      instance: opened.instance("account"),
      csrfToken: opened.session.csrfToken,
      client: asked.client,
      asked: asked.sent,
      // A person has to choose a scope beyond working with the agent.
      scope: asked.scope === "read" ? "read" : "agent",
      isOwner: opened.person.isOwner,
      answersTo: placeOf(asked.sent.redirect_uri),
    });
    // The form redirects to the program, which the content security policy for forms has to allow.
    const { origin, protocol } = new URL(asked.sent.redirect_uri);
    return sendPage(c, page, { isSecret: true, formOrigin: origin === "null" ? protocol : origin });
  });

  routes.post(AUTHORIZE, limitedForm(MAX_BYTES), async (c) => {
    const opened = await personAccess.openForm(c);
    if (opened.answer) return opened.answer;
    const { field, person } = opened;
    const asked = readRequest(deps, field);
    if ("problem" in asked) return sendProblem(c, unreadable(asked.problem));
    if (asked.error !== null) return c.redirect(backTo(baseUrl(), asked, asked.error), 303);
    const isAllowed = field("answer") === "allow";
    const action = isAllowed ? "oauth/allow" : "oauth/deny";
    noteDoer(c, { doer: opened.session, projectId: null, action });
    noteSubject(c, isAllowed ? `${asked.client.name} (${asked.scope})` : asked.client.name);
    if (!isAllowed) return c.redirect(backTo(baseUrl(), asked, { error: "access_denied" }), 303);
    const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge } = asked.sent;
    const code = issueCode(deps, {
      clientId,
      redirectUri,
      challenge,
      personId: person.id,
      scope: asked.scope,
      mark: await markOf(person),
    });
    return c.redirect(backTo(baseUrl(), asked, { code }), 303);
  });

  routes.post(TOKEN, limited, async (c) => {
    const fields = new URLSearchParams(await c.req.text());
    const field = (name: string) => fields.get(name) ?? "";
    try {
      if (field("grant_type") !== "authorization_code") {
        throw new OauthError("unsupported_grant_type", "Send grant_type=authorization_code.");
      }
      const client = readOauthClient(deps, field("client_id"));
      if (client === null) throw new OauthError("invalid_client", "This client is not registered here.");
      const sent = { code: field("code"), clientId: field("client_id"), redirectUri: field("redirect_uri"), verifier: field("code_verifier") }; // oxfmt-ignore
      const { personId, scope, once, mark } = redeemCode(deps, sent);
      const person = await findPerson(deps.database.kysely, personId);
      if (person === null || (await markOf(person)) !== mark) {
        throw new OauthError("invalid_grant", "The account is gone, or has a new password. Sign in again.");
      }
      const made = { projectId: null, personId, name: client.name, expiresInDays: TOKEN_DAYS, scope, once };
      const { key } = await createApiKey(deps, made);
      return c.json({ access_token: key, token_type: "Bearer", expires_in: (TOKEN_DAYS * DAY_MS) / 1_000, scope }, 200, OPEN); // oxfmt-ignore
    } catch (error) {
      if (error instanceof AppError && error.code === "conflict") {
        return refused(c, new OauthError("invalid_grant", "This code was used."));
      }
      return refused(c, error);
    }
  });
  return routes;
}

const refused = (c: Context, error: unknown) => {
  if (!(error instanceof OauthError)) throw error;
  return c.json({ error: error.error, error_description: error.message }, 400, OPEN);
};

const unreadable = (problem: string) => ({
  status: 400 as const,
  title: "This program cannot be authorized",
  text: [problem, "Start again from the program. If it keeps happening, its maker has to know."],
});

const FIELDS = ["client_id", "redirect_uri", "state", "scope", "code_challenge", "code_challenge_method", "response_type", "resource"] as const; // oxfmt-ignore
type Asked = Record<(typeof FIELDS)[number], string>;

/**
 * Parses an authorization request. A `problem` is shown to the person: without a valid client and redirect address
 * there is no safe redirect.
 */
function readRequest(deps: Pick<OauthRoutesDeps, "vault" | "baseUrl">, field: (name: string) => string) {
  const sent = Object.fromEntries(FIELDS.map((name) => [name, field(name)])) as Asked;
  const client = readOauthClient(deps, sent.client_id);
  if (client === null) return { problem: "It is not registered at this server." };
  if (!isRedirectOf(client, sent.redirect_uri)) {
    return { problem: "It wants to be answered at an address that it did not register." };
  }
  const scopes = sent.scope.split(" ");
  // The person may have changed the scope.
  const chosen = field("level");
  const scope = isKeyScope(chosen) ? chosen : (KEY_SCOPES.findLast((each) => scopes.includes(each)) ?? "agent");
  return { client, sent, scope, error: errorOf(sent, deps.baseUrl()) };
}

function errorOf(sent: Asked, baseUrl: string): { error: string; error_description: string } | null {
  if (sent.response_type !== "code") {
    return { error: "unsupported_response_type", error_description: "Send response_type=code." };
  }
  if (sent.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(sent.code_challenge)) {
    return { error: "invalid_request", error_description: "Send a code_challenge with code_challenge_method=S256." };
  }
  if (sent.resource !== "" && sent.resource !== baseUrl && !sent.resource.startsWith(`${baseUrl}/`)) {
    return { error: "invalid_target", error_description: `This server has tokens for ${baseUrl}${RESOURCE}.` };
  }
  return null;
}

/** Describes the target of the response, since a program can choose a misleading host name. */
function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (protocol === "https:") return host;
  return protocol === "http:" ? "a program on your machine" : `the program for ${protocol} addresses on your machine`;
}

/** The redirect address with the response parameters, including the issuer (RFC 9207). */
function backTo(iss: string, { sent }: { sent: Asked }, answer: Record<string, string>): string {
  const url = new URL(sent.redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, iss })) url.searchParams.set(name, value);
  if (sent.state !== "") url.searchParams.set("state", sent.state);
  return url.href;
}
