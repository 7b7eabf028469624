import { createHmac } from "node:crypto";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { hostCookie } from "./host-cookie.ts";

/** An operator's browser: it can create projects, which a project's key cannot. */
export interface OperatorSession {
  /** CSRF token, required by every form, as in a project's session. */
  csrfToken: string;
  /** Derived from the cookie without revealing it. Binds a redirect to another site and back to this session. */
  fingerprint: string;
}

const LINK_MS = 3_600_000;
const SESSION_MS = 12 * 3_600_000;
const LINK = "operator link";
const FIRST_LINK = "link for the first account";
const SESSION = "operator session";

interface Deps {
  vault: KeyVault;
  clock: Clock;
}

/**
 * The token in a link to the server's own pages, which requires the key of the data directory. Valid for an hour. The
 * link for the first account appears in logs, so it works only while the instance has no owner.
 */
export const issueOperatorPass = ({ vault, clock }: Deps, { isForFirst = false } = {}): string =>
  vault.seal(new Secret(String(clock.now().getTime() + LINK_MS)), isForFirst ? FIRST_LINK : LINK);

export type OperatorSessions = ReturnType<typeof createOperatorSessions>;

/**
 * Operator sessions are stored only in a sealed cookie: before the first project there may be no row that one could
 * belong to. They expire, and changing the key of the data directory ends them all.
 */
export function createOperatorSessions(deps: Deps & { isSecure(): boolean }) {
  const { vault, clock } = deps;
  const cookie = hostCookie("docent_operator", deps.isSecure);
  const isValid = (sealed: string, { purpose, longestMs }: { purpose: string; longestMs: number }) => {
    let until: number;
    try {
      until = Number(vault.open(sealed, purpose).reveal());
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
    const left = until - clock.now().getTime();
    // Longer than any lifetime: created with a clock that was ahead.
    return left > 0 && left <= longestMs;
  };
  return {
    /** `Set-Cookie` value for a visitor with a link; null if the pass is invalid or expired. */
    admit(pass: string, { hasOwner }: { hasOwner: boolean }): string | null {
      const isFirst = !hasOwner && isValid(pass, { purpose: FIRST_LINK, longestMs: LINK_MS });
      if (!isFirst && !isValid(pass, { purpose: LINK, longestMs: LINK_MS })) return null;
      return cookie.set(vault.seal(new Secret(String(clock.now().getTime() + SESSION_MS)), SESSION), SESSION_MS / 1000);
    },
    /** `Set-Cookie` value that ends the session in this browser. */
    end: () => cookie.set("", 0),
    read(request: Request): OperatorSession | null {
      const value = cookie.read(request.headers.get("cookie"));
      if (!isValid(value, { purpose: SESSION, longestMs: SESSION_MS })) return null;
      const derived = (use: string) => createHmac("sha256", value).update(use).digest("base64url");
      return { csrfToken: derived("form"), fingerprint: derived("state") };
    },
  };
}
