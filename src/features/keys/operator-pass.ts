import { createHmac } from "node:crypto";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";

/** A browser of whoever runs this server: it may make projects, which no project's key may. */
export interface OperatorSession {
  /** Echoed by every form, as that of a project's session. */
  csrfToken: string;
  /** Made from the cookie, and not telling it: what a form at another site brings back is compared with it. */
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
 * What a link to the server's own pages carries; who has the data directory's key makes it. Good for an hour; one for the
 * first account only while the instance has no owner, for it stands in logs.
 */
export const issueOperatorPass = ({ vault, clock }: Deps, { isForFirst = false } = {}): string =>
  vault.seal(new Secret(String(clock.now().getTime() + LINK_MS)), isForFirst ? FIRST_LINK : LINK);

export type OperatorSessions = ReturnType<typeof createOperatorSessions>;

/**
 * Sessions of operators are kept by the browser alone, sealed: a store that holds no project yet has no row that one could
 * belong to. They end by themselves; another key of the data directory ends all of them.
 */
export function createOperatorSessions(deps: Deps & { isSecure(): boolean }) {
  const { vault, clock, isSecure } = deps;
  const cookieName = () => (isSecure() ? "__Host-docent_operator" : "docent_operator");
  const setCookie = (value: string, maxAgeSeconds: number) =>
    `${cookieName()}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure() ? "; Secure" : ""}`;
  const isGood = (sealed: string, { purpose, longestMs }: { purpose: string; longestMs: number }) => {
    let until: number;
    try {
      until = Number(vault.open(sealed, purpose).reveal());
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
    const left = until - clock.now().getTime();
    // Longer than any lives: made by a clock that was ahead.
    return left > 0 && left <= longestMs;
  };
  return {
    /** The `Set-Cookie` value for who came by a link; null when the pass is none, or too old. */
    admit(pass: string, { hasOwner }: { hasOwner: boolean }): string | null {
      const isFirst = !hasOwner && isGood(pass, { purpose: FIRST_LINK, longestMs: LINK_MS });
      if (!isFirst && !isGood(pass, { purpose: LINK, longestMs: LINK_MS })) return null;
      return setCookie(vault.seal(new Secret(String(clock.now().getTime() + SESSION_MS)), SESSION), SESSION_MS / 1000);
    },
    /** The `Set-Cookie` value that ends the session in this browser. */
    end: () => setCookie("", 0),
    read(request: Request): OperatorSession | null {
      const name = `${cookieName()}=`;
      const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      const value = pairs.find((pair) => pair.startsWith(name))?.slice(name.length);
      if (value === undefined || !isGood(value, { purpose: SESSION, longestMs: SESSION_MS })) return null;
      const derived = (use: string) => createHmac("sha256", value).update(use).digest("base64url");
      return { csrfToken: derived("form"), fingerprint: derived("state") };
    },
  };
}
