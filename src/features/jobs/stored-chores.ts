import { z } from "zod";
import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import type { JobId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { type Redact, SECRET_MASK } from "#lib/secrets/secret-scan.ts";
import { Secret } from "#lib/secrets/secret.ts";

interface MessageName {
  jobId: JobId;
  seq: number;
}

const purposeOf = ({ jobId, seq }: MessageName) => `chores of ${jobId}, message ${seq}`;

/**
 * The chores of a message as they are stored: encrypted when they contain a credential, as in a patch that removes one. They are
 * never redacted, because a chore writes the words that it was given.
 */
export function choresText(
  { vault, redact }: { vault: KeyVault; redact: Redact },
  name: MessageName,
  chores: readonly CalledChore[],
): string {
  const text = JSON.stringify({ sent: chores });
  return redact(text) === text ? text : vault.seal(new Secret(text), purposeOf(name));
}

const Chores = z.array(z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) }));
/** A list alone is from a version that redacted chores before it stored them. */
const Stored = z.union([Chores, z.object({ sent: Chores }).transform(({ sent }) => sent)]);

/** `chores` of a stored message; null for a message without chores. `AppError invalid` without the key. */
export function readChores(vault: KeyVault, name: MessageName, stored: string | null): CalledChore[] | null {
  if (stored === null) return null;
  const isClear = stored.startsWith("[") || stored.startsWith("{");
  return Stored.parse(JSON.parse(isClear ? stored : vault.open(stored, purposeOf(name)).reveal()));
}

/** Whether an earlier version put a mask in place of a credential in chores: they would write the mask. */
export const wereRedacted = (stored: string | null): boolean =>
  stored !== null && stored.startsWith("[") && stored.includes(SECRET_MASK);

export const REDACTED_CHORES = `An earlier version of Docent stored these chores with "${SECRET_MASK}" in place of a credential, and would write that. Send them again.`;
