import type { KnownNames } from "./grammar/names.ts";
import { understand } from "./understanding.ts";

/** The pages and folders that words name, read by the grammar; null if they name none, or contain anything else. */
export function placesOf(words: string, names?: KnownNames): string[] | null {
  const { calls, refused } = understand(`Check links in ${words}`, ["check_links"], names);
  const [found, second] = calls;
  if (!found || second !== undefined || refused.length > 0) return null;
  const { in: scope, ...rest } = found.input;
  if (!Array.isArray(scope) || Object.keys(rest).length > 0) return null;
  return scope.map(String);
}
