import { Multiset } from "#agent/gate/judge.ts";
import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import { AppError } from "#lib/app-error.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";

const ADVICE = "use a placeholder, or add it to the repository yourself";

/**
 * Refuses chores that would write a credential, while the caller can still correct them. A patch may contain those that it
 * removes, moves or has next to its changes. `AppError invalid`.
 */
export function refuseChoreCredentials(redact: Redact, chores: readonly CalledChore[]): void {
  for (const [index, { tool, input }] of chores.entries()) {
    for (const { path, text } of textsIn(input, `chores.${index}.${tool}`)) {
      const problem = tool === "apply_patch" ? patchProblem(redact, text) : textProblem(redact, text);
      if (problem === null) continue;
      throw new AppError("invalid", `${path} ${problem}.`, { details: [{ path, message: problem }] });
    }
  }
}

const textProblem = (redact: Redact, text: string): string | null =>
  redact(text) === text ? null : `holds a credential, which Docent does not write: ${ADVICE}`;

function patchProblem(redact: Redact, patch: string): string | null {
  // With an empty line for each other line of the patch, so that lines keep their numbers.
  const linesOf = (sign: string) =>
    patch
      .split("\n")
      .map((line) => (line.startsWith(sign) ? line.slice(1) : ""))
      .join("\n");
  const removed: string[] = [];
  redact(linesOf("-"), (secret) => {
    removed.push(secret);
    return "";
  });
  const known = new Multiset(removed);
  let newAt: number | null = null;
  const added = linesOf("+");
  redact(added, (secret, start) => {
    if (!known.remove(secret)) newAt ??= start;
    return "";
  });
  if (newAt === null) return null;
  const line = added.slice(0, newAt).split("\n").length;
  return `adds a credential in line ${line}, which Docent does not write: ${ADVICE}`;
}

function* textsIn(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === "string") yield { path, text: value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, `${path}.${key}`);
}
