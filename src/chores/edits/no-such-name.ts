import { AppError } from "#lib/app-error.ts";
import { nearest } from "#tools/text-file.ts";

const MAX_NAMES = 20;

/** `AppError not_found` for a name that a place does not have: the nearest one, and those that there are. */
export function noSuchName(place: string, kind: string, wanted: string, names: readonly string[]): AppError {
  const near = nearest(wanted, names, 1)[0];
  const hint = near === undefined ? "" : ` Did you mean “${near}”?`;
  const listed = names.slice(0, MAX_NAMES).map((name) => `“${name}”`);
  const known = listed.length === 0 ? `It has no ${kind}s.` : `It has: ${listed.join(", ")}.`;
  return new AppError("not_found", `${place} has no ${kind} “${wanted}”.${hint} ${known}`);
}
