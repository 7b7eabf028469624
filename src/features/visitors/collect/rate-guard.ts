import { randomInt } from "node:crypto";
import { type Clock, DAY_MS } from "#lib/clock.ts";

const MINUTE_MS = 60_000;
/** Slots of one row, a power of two. */
const SLOTS = 65_536;
const HASHES = 2 ** 32;

/**
 * Counts the calls of each key in the current minute, or UTC day, in a count-min sketch (Cormode and Muthukrishnan,
 * 2005) of two rows: half a megabyte for any number of keys. Never counts too few; a key is charged for others when it
 * shares a slot with them in both rows of 65,536 each: with 100 keys that flood, 2 of a million.
 */
export function createRateGuard({ clock, ...rule }: { clock: Clock } & ({ perMinute: number } | { perDay: number })) {
  const [limit, spanMs] = "perDay" in rule ? [rule.perDay, DAY_MS] : [rule.perMinute, MINUTE_MS];
  const rows = [new Uint32Array(SLOTS), new Uint32Array(SLOTS)] as const;
  const seed = randomInt(HASHES); // so that no one can search for keys that share another's slots
  let current = 0;
  return {
    admits(key: string): boolean {
      const span = Math.floor(clock.now().getTime() / spanMs);
      if (span !== current) {
        for (const row of rows) row.fill(0);
        current = span;
      }
      const hash = hashOf(key, seed);
      const first = ++rows[0][hash % SLOTS]!;
      const second = ++rows[1][Math.floor(hash / SLOTS)]!;
      return Math.min(first, second) <= limit;
    },
  };
}

/** FNV-1a over UTF-16 units, from a seed, with the finalizer of MurmurHash3 so that every bit depends on all others. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
