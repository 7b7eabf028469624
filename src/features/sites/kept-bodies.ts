import { cacheLimit } from "#lib/cache-limit.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { bodyWeight, type Body } from "#lib/network/body.ts";

/** A cache of response bodies, keyed by their inputs: the most recently used ones, up to `maxBytes` (see `cacheLimit`). */
export interface KeptBodies {
  /** Returns the cached body, or calls `make` once for any number of concurrent requests. Null is not cached. */
  get<Made extends Body | null>(key: string, make: () => Promise<Made>): Promise<Body | Made>;
}

export function createKeptBodies({ maxBytes }: { maxBytes: number }): KeptBodies {
  const kept = createLruCache<string, Body>({ maxWeight: cacheLimit(maxBytes), weigh: bodyWeight });
  const making = new Map<string, Promise<Body | null>>();

  async function makeAndKeep<Made extends Body | null>(key: string, make: () => Promise<Made>): Promise<Made> {
    try {
      const body = await make();
      if (body !== null) kept.set(key, body);
      return body;
    } finally {
      making.delete(key);
    }
  }

  return {
    async get<Made extends Body | null>(key: string, make: () => Promise<Made>) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const already = making.get(key) as Promise<Made> | undefined; // a key always has the same maker
      if (already !== undefined) return already;
      const made = makeAndKeep(key, make);
      making.set(key, made);
      return made;
    },
  };
}
