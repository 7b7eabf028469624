import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Clock } from "#lib/clock.ts";
import { newId, type PersonId } from "#lib/ids.ts";
import { KEY_SCOPES, type KeyScope } from "#kit/levels.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openJson, sealJson } from "#lib/secrets/sealed-claims.ts";

/**
 * OAuth 2.1 for programs that act for a person, such as MCP clients in editors (MCP authorization specification of
 * 2025-11-25). Clients register themselves (RFC 7591) and codes use PKCE (RFC 7636). Client IDs and codes are sealed
 * texts, which are not stored; the access token is a personal access token.
 */
export interface OauthClient {
  name: string;
  redirectUris: string[];
}

interface Deps {
  vault: KeyVault;
  clock: Clock;
}

/** An error of RFC 6749; `error` is one of its codes. */
export class OauthError extends Error {
  readonly error: string;
  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

const CLIENT = "oauth client";
const CODE = "oauth code";
const CODE_MS = 60_000;
const MAX_NAME = 60;
/**
 * URL schemes of native programs: those of editors, and reverse domain names (RFC 8252, 7.1). Other schemes might run
 * code or send data.
 */
const PROGRAM_SCHEME =
  /^(?:cursor|vscode|vscode-insiders|vscodium|windsurf|zed|claude|raycast|goose|[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+):$/;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

const Registration = z.object({
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string().max(1_000)).min(1).max(10),
});

/** Registers a client, whose metadata is sealed in its ID. `OauthError`. */
export function registerClient(
  { vault, isOwnHost }: Pick<Deps, "vault"> & { isOwnHost(hostname: string): boolean },
  body: unknown,
): OauthClient & { id: string } {
  const parsed = Registration.safeParse(body);
  if (!parsed.success) throw new OauthError("invalid_client_metadata", "redirect_uris names 1 to 10 addresses.");
  const { client_name: given = "", redirect_uris: redirectUris } = parsed.data;
  for (const uri of redirectUris) {
    if (!isSafeRedirect(uri, isOwnHost)) {
      throw new OauthError("invalid_redirect_uri", "A redirect address begins with https:// and is no site of this server, or is at a loopback address, or has the scheme of an editor or one that is named after a domain."); // oxfmt-ignore
    }
  }
  const name = given.replaceAll(/[^\p{L}\p{N} ._()-]/gu, "").trim().slice(0, MAX_NAME) || "A program"; // oxfmt-ignore
  const client = { name, redirectUris };
  return { ...client, id: sealJson(vault, client, CLIENT) };
}

/** A site of this server can redirect anywhere, so it is not a safe target. */
function isSafeRedirect(uri: string, isOwnHost: (hostname: string) => boolean): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname, hash } = new URL(uri);
  if (hash !== "") return false;
  if (protocol === "https:") return !isOwnHost(hostname);
  return protocol === "http:" ? LOOPBACK.test(hostname) : PROGRAM_SCHEME.test(protocol);
}

/** Opens a client ID; null if this server did not issue it. */
export const readOauthClient = ({ vault }: Pick<Deps, "vault">, id: string): OauthClient | null =>
  openJson(vault, id, CLIENT) as OauthClient | null;

/** Whether an address is registered for a client. A native program may use any loopback port (RFC 8252, 7.3). */
export function isRedirectOf({ redirectUris }: OauthClient, uri: string): boolean {
  const withoutPort = (text: string) => {
    if (!URL.canParse(text)) return text;
    const url = new URL(text);
    if (url.protocol !== "http:" || !LOOPBACK.test(url.hostname)) return text;
    url.port = "";
    return url.href;
  };
  return redirectUris.some((known) => known === uri || withoutPort(known) === withoutPort(uri));
}

const Code = z.object({
  client: z.string(),
  redirectUri: z.string(),
  challenge: z.string(),
  personId: z.string().transform((id) => id as PersonId),
  scope: z.enum(KEY_SCOPES),
  once: z.string(),
  /** Fingerprint of the person's password: changing the password invalidates the code. */
  mark: z.string(),
  until: z.number(),
});

/** Issues a code for an authorized client, valid for a minute. */
export function issueCode(
  { vault, clock }: Deps,
  allowed: {
    clientId: string;
    redirectUri: string;
    challenge: string;
    personId: PersonId;
    scope: KeyScope;
    mark: string;
  },
): string {
  const { clientId, ...rest } = allowed;
  const now = clock.now();
  const code = { ...rest, client: digest(clientId), once: newId("key", now), until: now.getTime() + CODE_MS };
  return sealJson(vault, code, CODE);
}

/** Redeems a code. `once` is a name for the resulting key, so that a code creates only one. `OauthError`. */
export function redeemCode(
  { vault, clock }: Deps,
  sent: { code: string; clientId: string; redirectUri: string; verifier: string },
): Pick<z.infer<typeof Code>, "personId" | "scope" | "once" | "mark"> {
  const invalid = (why: string) => new OauthError("invalid_grant", why);
  const parsed = Code.safeParse(openJson(vault, sent.code, CODE));
  if (!parsed.success) throw invalid("This code is not one of this server.");
  const { client, redirectUri, challenge, until, personId, scope, once, mark } = parsed.data;
  const left = until - clock.now().getTime();
  if (left <= 0 || left > CODE_MS) throw invalid("This code is more than a minute old.");
  if (client !== digest(sent.clientId) || redirectUri !== sent.redirectUri) {
    throw invalid("This code is for another client or redirect address.");
  }
  const proof = createHash("sha256").update(sent.verifier).digest();
  const wanted = Buffer.from(challenge, "base64url");
  if (proof.length !== wanted.length || !timingSafeEqual(proof, wanted)) throw invalid("code_verifier is wrong.");
  return { personId, scope, once, mark };
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");
