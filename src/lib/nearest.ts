import { distance } from "fastest-levenshtein";

/** The name that differs from the given one in the fewest letters, and in at most two; null if there is none. */
export function nearestTo(given: string, names: readonly string[]): string | null {
  const [near] = names
    .map((name) => ({ name, away: distance(given, name) }))
    .filter(({ away }) => away <= 2)
    .sort((a, b) => a.away - b.away);
  return near?.name ?? null;
}

/** ` Did you mean "title"?` after a message about an unknown name; empty if no name is like it. */
export function didYouMean(given: string, names: readonly string[]): string {
  const lower = given.slice(0, 100).toLowerCase();
  const [near] = names
    .map((name) => ({ name, away: distance(lower, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= 2 && away < name.length / 2)
    .sort((a, b) => a.away - b.away);
  return near === undefined ? "" : ` Did you mean "${near.name}"?`;
}
