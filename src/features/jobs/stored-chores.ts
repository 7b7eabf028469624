import { z } from "zod";
import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import type { JobId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
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
  const text = JSON.stringify(chores);
  return redact(text) === text ? text : vault.seal(new Secret(text), purposeOf(name));
}

const Stored = z.array(z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) }));

/** `chores` of a stored message; null for a message without chores. `AppError invalid` without the key. */
export function readChores(vault: KeyVault, name: MessageName, stored: string | null): CalledChore[] | null {
  if (stored === null) return null;
  return Stored.parse(JSON.parse(stored.startsWith("[") ? stored : vault.open(stored, purposeOf(name)).reveal()));
}
