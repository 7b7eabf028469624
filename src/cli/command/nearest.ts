import { distance } from "fastest-levenshtein";

/** The most similar name, with at most two letters changed; null if there is none. */
export function nearestTo(given: string, names: readonly string[]): string | null {
  const [near] = names
    .map((name) => ({ name, away: distance(given, name) }))
    .filter(({ away }) => away <= 2)
    .sort((a, b) => a.away - b.away);
  return near?.name ?? null;
}
