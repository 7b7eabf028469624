import { LRUCache } from "lru-cache";

/** A cache with a maximum total weight (entries, bytes) that drops the least recently used entries first. */
export interface LruCache<Key, Value> {
  get(key: Key): Value | undefined;
  /** Replaces the value of the key. A value that weighs more than the whole cache is not kept. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  readonly size: number;
  readonly weight: number;
}

/**
 * `weigh` returns the weight of a value against `maxWeight`, rounded up and at least 1; without it each entry counts 1.
 * A maximum of 0 keeps nothing.
 */
export function createLruCache<Key extends {}, Value>(options: {
  maxWeight: number;
  weigh?: (value: Value) => number;
}): LruCache<Key, Value> {
  const { maxWeight, weigh = () => 1 } = options;
  const kept = new LRUCache<Key, { value: Value }>({
    maxSize: Math.max(1, Math.ceil(maxWeight)),
    sizeCalculation: ({ value }) => Math.max(1, Math.ceil(weigh(value))),
  });
  return {
    get: (key) => kept.get(key)?.value,
    set: (key, value) => void (maxWeight > 0 && kept.set(key, { value })),
    delete: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    get size() {
      return kept.size;
    },
    get weight() {
      return kept.calculatedSize;
    },
  };
}
