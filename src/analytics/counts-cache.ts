import { decodePack, type Pack } from "./pack.ts";
import type { PageNames } from "./page-names.ts";

/** What queries keep between calls. Everything in it can be read again; owned by who makes it (one per process). */
export interface CountsCache {
  names: Map<number, PageNames>;
  pack(key: string, version: number): Pack | undefined;
  storePack(key: string, version: number, content: Uint8Array): Pack;
}

const MAX_NAMES = 500;

/** Keeps decoded packs up to `maxBytes`, oldest use out first, and the page names of the last 500 projects. */
export function createCountsCache(maxBytes = 64 * 1024 * 1024): CountsCache {
  const packs = new Map<string, { version: number; pack: Pack }>();
  const names = new BoundedMap<number, PageNames>(MAX_NAMES);
  let bytes = 0;
  const drop = (key: string) => {
    bytes -= packs.get(key)?.pack.sizeBytes ?? 0;
    packs.delete(key);
  };
  return {
    names,
    pack(key, version) {
      const entry = packs.get(key);
      if (entry?.version !== version) return undefined;
      packs.delete(key);
      packs.set(key, entry); // now the newest
      return entry.pack;
    },
    storePack(key, version, content) {
      drop(key);
      const pack = decodePack(content);
      packs.set(key, { version, pack });
      bytes += pack.sizeBytes;
      for (const oldest of packs.keys()) {
        if (bytes <= maxBytes || oldest === key) break;
        drop(oldest);
      }
      return pack;
    },
  };
}

/** A map that forgets its oldest entry beyond `limit`. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;
  // Kept, and so always at the oldest entry. A new one would walk over everything that was forgotten since the table
  // was last made: 0.05 ms a call in a map of 300,000, which a flood of new keys pays each time.
  #oldest = this.keys();

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#limit) {
      let next = this.#oldest.next();
      if (next.done === true) {
        this.#oldest = this.keys(); // it came to the end of a map that was emptied
        next = this.#oldest.next();
      }
      if (next.done !== true) this.delete(next.value);
    }
    return this;
  }
}
