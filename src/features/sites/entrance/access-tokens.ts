import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";

/**
 * The kinds of tokens. `link`: opens the site from an address, from the cookie that replaces it and from a program's
 * header. `entry`: opens it from an address, for a minute. `reader` and `member`: cookies of people who entered the
 * password, and of people who are signed in to the dashboard.
 */
type TokenKind = "link" | "entry" | "reader" | "member";

/** The site of a token: its tokens end when `version` changes. */
export interface TokenSite {
  id: ProjectId;
  version: number;
}

export interface AccessToken {
  kind: TokenKind;
  expiresAt: Date;
  /** The key or person of a member; a random name for a link. */
  subject: string;
}

/** Creates and verifies the tokens that open sites. */
export interface AccessTokens {
  make(site: TokenSite, token: { kind: TokenKind; lifetimeMs: number; subject?: string }): string;
  /** Null for a token of another site or kind, an expired one, or a forged one. */
  read(site: TokenSite, text: string, kinds: readonly TokenKind[]): AccessToken | null;
}

const SHAPE = /^(link|entry|reader|member)\.([0-9a-z]{1,10})\.([\w-]{0,64})\.([\w-]{43})$/;

/** Whether a text looks like a token, also one that is expired or of another site. */
export const isTokenShaped = (text: string): boolean => SHAPE.test(text);

/**
 * Tokens are derived from the instance's key and not stored: every node can verify them, and a copy of the database
 * cannot create any.
 */
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
