import { createLruCache } from "#lib/lru-cache.ts";
import { bodyWeight, type Body } from "#lib/network/body.ts";

/** Bodies of answers by what they were made from: the last ones used, up to `maxBytes`. */
export interface KeptBodies {
  /** What is kept, or what `make` makes: once, however many ask for it at the same time. Null is not kept. */
  get<Made extends Body | null>(key: string, make: () => Promise<Made>): Promise<Body | Made>;
}

export function createKeptBodies({ maxBytes }: { maxBytes: number }): KeptBodies {
  const kept = createLruCache<string, Body>({ maxWeight: maxBytes, weigh: bodyWeight });
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
      const already = making.get(key) as Promise<Made> | undefined; // one key is one maker
      if (already !== undefined) return already;
      const made = makeAndKeep(key, make);
      making.set(key, made);
      return made;
    },
  };
}
