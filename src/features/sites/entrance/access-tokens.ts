import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";

/**
 * What a token lets its holder do. `link`: opens the site from an address, from the cookie that it leaves and from a
 * program's header. `entry`: opens it from an address, for a minute. `reader` and `member`: cookies of who gave the password, and of
 * who is signed in to the dashboard.
 */
type TokenKind = "link" | "entry" | "reader" | "member";

/** Name of the token in an address. */
export const ACCESS_PARAMETER = "access";

/** The site that a token is for: it ends when `version` changes. */
export interface TokenSite {
  id: ProjectId;
  version: number;
}

export interface AccessToken {
  kind: TokenKind;
  expiresAt: Date;
  /** The key or person of a member; a random name of a link. */
  subject: string;
}

/** Makes and reads the tokens that open sites. */
export interface AccessTokens {
  make(site: TokenSite, token: { kind: TokenKind; lifetimeMs: number; subject?: string }): string;
  /** Null for a token that is another site's, of another kind, over, or of nobody's making. */
  read(site: TokenSite, text: string, kinds: readonly TokenKind[]): AccessToken | null;
}

const SHAPE = /^(link|entry|reader|member)\.([0-9a-z]{1,10})\.([\w-]{0,64})\.([\w-]{43})$/;

/** Tokens are made from the instance's key and not stored: every node knows them, and a copy of the database makes none. */
export function createAccessTokens({ key, clock }: { key: Buffer; clock: Clock }): AccessTokens {
  const sign = ({ id, version }: TokenSite, fields: string) =>
    createHmac("sha256", key).update(`${id} ${version} ${fields}`).digest("base64url");
  return {
    make(site, { kind, lifetimeMs, subject = randomBytes(6).toString("base64url") }) {
      const expires = Math.ceil((clock.now().getTime() + lifetimeMs) / 1_000).toString(36);
      const fields = `${kind}.${expires}.${subject}`;
      return `${fields}.${sign(site, fields)}`;
    },
    read(site, text, kinds) {
      const [, kindText = "", expires = "", subject = "", signature = ""] = SHAPE.exec(text) ?? [];
      const kind = kinds.find((wanted) => wanted === kindText);
      if (kind === undefined) return null;
      if (!isSameSecret(signature, sign(site, `${kind}.${expires}.${subject}`))) return null;
      const expiresAt = new Date(Number.parseInt(expires, 36) * 1_000);
      return expiresAt > clock.now() ? { kind, expiresAt, subject } : null;
    },
  };
}
