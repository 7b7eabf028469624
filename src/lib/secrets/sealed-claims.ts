import type { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "./key-vault.ts";
import { Secret } from "./secret.ts";

interface Deps {
  vault: KeyVault;
  clock: Clock;
}

/** Claims of one purpose cannot be opened for another. */
interface Kind {
  purpose: string;
  lifetimeMs: number;
}

/**
 * Claims that a browser or program carries for this server and gives back, such as the state of a sign-in: encrypted, authenticated, and
 * valid for `lifetimeMs`.
 */
export function sealClaims({ vault, clock }: Deps, claims: object, { purpose, lifetimeMs }: Kind): string {
  return sealJson(vault, { ...claims, until: clock.now().getTime() + lifetimeMs }, purpose);
}

/** Null when this server did not seal the text for this purpose, or when it expired. `until` is the time at which it expires. */
export function openClaims<Schema extends z.ZodObject>(
  { vault, clock }: Deps,
  sealed: string,
  { schema, purpose, lifetimeMs }: Kind & { schema: Schema },
): (z.infer<Schema> & { until: number }) | null {
  const opened = openJson(vault, sealed, purpose) as { until?: number } | null;
  const parsed = schema.safeParse(opened);
  const until = opened?.until ?? 0;
  const left = until - clock.now().getTime();
  // More than the lifetime is left when the clock was set back.
  return parsed.success && left > 0 && left <= lifetimeMs ? { ...parsed.data, until } : null;
}

export const sealJson = (vault: KeyVault, value: object, purpose: string): string =>
  vault.seal(new Secret(JSON.stringify(value)), purpose);

/** What `sealJson` sealed for a purpose; null when this server did not. */
export function openJson(vault: KeyVault, sealed: string, purpose: string): unknown {
  try {
    return JSON.parse(vault.open(sealed, purpose).reveal());
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
