import { createLruCache, type LruCache } from "#lib/lru-cache.ts";
import { decodePack, type Pack } from "#features/visitors/index/pack.ts";
import type { PageNames } from "./page-names.ts";

/** What queries keep between calls, one per process. Everything in it can be read again. */
export interface CountsCache {
  names: LruCache<number, PageNames>;
  pack(key: string, version: number): Pack | undefined;
  storePack(key: string, version: number, content: Uint8Array): Pack;
}

const MAX_NAMES = 500;

/** Keeps decoded packs up to `maxBytes`, oldest use out first, and the page names of the last 500 projects. */
export function createCountsCache(maxBytes = 64 * 1024 * 1024): CountsCache {
  const packs = createLruCache<string, { version: number; pack: Pack }>({
    maxWeight: maxBytes,
    weigh: ({ pack }) => pack.sizeBytes,
  });
  return {
    names: createLruCache<number, PageNames>({ maxWeight: MAX_NAMES }),
    pack(key, version) {
      const entry = packs.get(key);
      return entry?.version === version ? entry.pack : undefined;
    },
    storePack(key, version, content) {
      const pack = decodePack(content);
      packs.set(key, { version, pack });
      return pack;
    },
  };
}
