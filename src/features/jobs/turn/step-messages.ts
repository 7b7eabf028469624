import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
import type { JobId } from "#lib/ids.ts";
import { type ModelMessage, parseMessages } from "#models/message.ts";

interface StepName {
  jobId: JobId;
  turn: number;
  step: number;
}

const purposeOf = ({ jobId, turn, step }: StepName) => `messages of ${jobId}, turn ${turn}, step ${step}`;

/**
 * The messages of a step as they are stored: encrypted when they contain a credential, so that a copy of the database
 * reveals none. Unlike prompts they are not redacted, because providers sign the thinking of their models and refuse a
 * conversation that was changed.
 */
export function messagesText(
  { vault, redact }: { vault: KeyVault; redact: Redact },
  name: StepName,
  messages: readonly ModelMessage[],
): string {
  const text = JSON.stringify(messages);
  return redact(text) === text ? text : vault.seal(new Secret(text), purposeOf(name));
}

/** The messages of a stored step; those that an earlier version stored are not encrypted. `AppError invalid` without the key. */
export function readStepMessages(vault: KeyVault, name: StepName, stored: string): ModelMessage[] {
  return parseMessages(stored.startsWith("[") ? stored : vault.open(stored, purposeOf(name)).reveal());
}
