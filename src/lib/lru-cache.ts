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

/** `weigh` returns the weight of a value against `maxWeight`; without it each entry counts 1. */
export function createLruCache<Key, Value>(options: {
  maxWeight: number;
  weigh?: (value: Value) => number;
}): LruCache<Key, Value> {
  const { maxWeight, weigh = () => 1 } = options;
  // A Map keeps insertion order, so its first key is the least recently used.
  const entries = new Map<Key, { value: Value; weight: number }>();
  // Kept, so that it points at the oldest entry. A new iterator would walk over every entry deleted since the table was
  // last rebuilt: 0.05 ms a call in a cache of 300,000, which a flood of new keys pays each time.
  let oldest = entries.keys();
  let total = 0;
  let newest: Key | undefined;
  const dropOldest = () => {
    let next = oldest.next();
    if (next.done === true) {
      oldest = entries.keys(); // the iterator had reached the end of an emptied cache
      next = oldest.next();
    }
    if (next.done !== true) remove(next.value);
  };
  const remove = (key: Key) => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    total -= entry.weight;
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (key === newest) return entry.value;
      entries.delete(key);
      entries.set(key, entry);
      newest = key;
      return entry.value;
    },
    set(key, value) {
      remove(key);
      const weight = weigh(value);
      if (weight > maxWeight) return;
      entries.set(key, { value, weight });
      newest = key;
      total += weight;
      while (total > maxWeight) dropOldest();
    },
    delete: remove,
    clear() {
      entries.clear();
      total = 0;
      newest = undefined;
    },
    get size() {
      return entries.size;
    },
    get weight() {
      return total;
    },
  };
}
