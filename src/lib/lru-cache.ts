/** Keeps what was used last, within a total cost (entries, bytes): the least recently used go first. */
export interface LruCache<Key, Value> {
  get(key: Key): Value | undefined;
  /** Replaces what the key had. A value that costs more than the whole cache is not kept. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  readonly size: number;
  readonly cost: number;
}

/** `costOf` says what a value counts against `maxCost`; without it each entry counts 1. */
export function createLruCache<Key, Value>(options: {
  maxCost: number;
  costOf?: (value: Value) => number;
}): LruCache<Key, Value> {
  const { maxCost, costOf = () => 1 } = options;
  // A Map keeps insertion order, so its first key is the one that was used the longest ago.
  const entries = new Map<Key, { value: Value; cost: number }>();
  let total = 0;
  const remove = (key: Key) => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    total -= entry.cost;
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      remove(key);
      const cost = costOf(value);
      if (cost > maxCost) return;
      entries.set(key, { value, cost });
      total += cost;
      for (const oldest of entries.keys()) {
        if (total <= maxCost) break;
        remove(oldest);
      }
    },
    delete: remove,
    get size() {
      return entries.size;
    },
    get cost() {
      return total;
    },
  };
}
