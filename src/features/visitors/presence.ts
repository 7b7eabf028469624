/** Classes of a visitor on one day, as bits. */
export const HUMAN = 1;
export const AI = 2;

/** The visits of one visitor to one page: ascending `day * 4 + mask`, one entry for each day with a counted view. */
export type PresenceDays = number[];

/** Called for each count that changes: `step` is +1 or -1, `bits` select human, ai and total (4). */
export type CountChange = (day: number, previous: number, bits: number, step: number) => void;

const TOTAL = 4;

/**
 * Records that the visitor was there on `day` as `mask`, for past and future days, and reports the resulting changes of
 * the counts by previous day: the day's own row appears, and the next day's row moves to its new predecessor. Returns
 * whether anything changed.
 */
export function addPresence(days: PresenceDays, day: number, mask: number, change: CountChange): boolean {
  const place = firstFrom(days, day);
  const known = place < days.length && days[place]! >> 2 === day ? days[place]! & 3 : 0;
  const added = mask & ~known;
  if (added === 0) return false;
  if (known === 0) insertInto(days, { day, place, next: place, bits: TOTAL, matches: 3 }, change);
  const next = known === 0 ? place : place + 1;
  if (added & HUMAN) insertInto(days, { day, place, next, bits: HUMAN, matches: HUMAN }, change);
  if (added & AI) insertInto(days, { day, place, next, bits: AI, matches: AI }, change);
  const entry = day * 4 + (known | mask);
  if (known === 0) days.splice(place, 0, entry);
  else days[place] = entry;
  return true;
}

/** Reports the changes of the counts by previous day when a visitor is removed. */
export function removePresence(days: PresenceDays, change: CountChange): void {
  for (const [bits, matches] of [
    [TOTAL, HUMAN | AI],
    [HUMAN, HUMAN],
    [AI, AI],
  ] as const) {
    let previous = 0;
    for (const entry of days) {
      if ((entry & matches) === 0) continue;
      const day = entry >> 2;
      change(day, previous, bits, -1);
      previous = day;
    }
  }
}

interface Insertion {
  day: number;
  /** First index whose day is not before `day`. */
  place: number;
  /** First index whose day is after `day`. */
  next: number;
  bits: number;
  /** Days with any of these bits belong to the kind. */
  matches: number;
}

function insertInto(days: PresenceDays, insertion: Insertion, change: CountChange): void {
  const { day, matches, bits } = insertion;
  let before = insertion.place - 1;
  while (before >= 0 && (days[before]! & matches) === 0) before--;
  let after = insertion.next;
  while (after < days.length && (days[after]! & matches) === 0) after++;
  const previous = before >= 0 ? days[before]! >> 2 : 0;
  change(day, previous, bits, 1);
  if (after < days.length) {
    const following = days[after]! >> 2;
    change(following, previous, bits, -1);
    change(following, day, bits, 1);
  }
}

/** Index of the first entry whose day is `day` or later. */
function firstFrom(days: PresenceDays, day: number): number {
  const target = day * 4;
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ENTRY_BYTES = 3;

/** The stored form: the last entry as a number, those before it in three bytes each. */
export function encodePresence(days: PresenceDays): { last: number; earlier: Uint8Array | null } {
  const last = days.at(-1) ?? 0;
  if (days.length <= 1) return { last, earlier: null };
  const earlier = new Uint8Array((days.length - 1) * ENTRY_BYTES);
  for (let index = 0; index < days.length - 1; index++) {
    const entry = days[index]!;
    earlier[index * ENTRY_BYTES] = entry & 0xff;
    earlier[index * ENTRY_BYTES + 1] = (entry >> 8) & 0xff;
    earlier[index * ENTRY_BYTES + 2] = entry >> 16;
  }
  return { last, earlier };
}

export function decodePresence(last: number, earlier: Uint8Array | null): PresenceDays {
  const days: PresenceDays = [];
  if (earlier !== null) {
    for (let at = 0; at < earlier.length; at += ENTRY_BYTES) {
      days.push(earlier[at]! | (earlier[at + 1]! << 8) | (earlier[at + 2]! << 16));
    }
  }
  days.push(last);
  return days;
}
