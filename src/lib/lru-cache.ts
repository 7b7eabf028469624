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

interface Entry<Key, Value> {
  key: Key;
  value: Value;
  weight: number;
  older: Entry<Key, Value> | null;
  newer: Entry<Key, Value> | null;
}

/**
 * `weigh` returns the weight of a value against `maxWeight`; without it each entry counts 1.
 *
 * Entries are linked in the order of their use, so that a read changes no map: a map whose entries move to its end keeps
 * the tables that it has outgrown for as long as an iterator points into one. Not the package lru-cache: the search of
 * an exported site runs in browsers, where its import of a module of Node fails.
 */
export function createLruCache<Key, Value>(options: {
  maxWeight: number;
  weigh?: (value: Value) => number;
}): LruCache<Key, Value> {
  const { maxWeight, weigh = () => 1 } = options;
  const entries = new Map<Key, Entry<Key, Value>>();
  let oldest: Entry<Key, Value> | null = null;
  let newest: Entry<Key, Value> | null = null;
  let total = 0;

  const unlink = ({ older, newer }: Entry<Key, Value>) => {
    if (older) older.newer = newer;
    else oldest = newer;
    if (newer) newer.older = older;
    else newest = older;
  };
  const append = (entry: Entry<Key, Value>) => {
    entry.older = newest;
    entry.newer = null;
    if (newest) newest.newer = entry;
    else oldest = entry;
    newest = entry;
  };
  const remove = (entry: Entry<Key, Value> | null | undefined) => {
    if (!entry) return;
    entries.delete(entry.key);
    unlink(entry);
    total -= entry.weight;
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      unlink(entry);
      append(entry);
      return entry.value;
    },
    set(key, value) {
      remove(entries.get(key));
      const weight = weigh(value);
      if (weight > maxWeight) return;
      const entry = { key, value, weight, older: null, newer: null };
      entries.set(key, entry);
      append(entry);
      total += weight;
      while (total > maxWeight) remove(oldest);
    },
    delete: (key) => remove(entries.get(key)),
    clear() {
      entries.clear();
      oldest = null;
      newest = null;
      total = 0;
    },
    get size() {
      return entries.size;
    },
    get weight() {
      return total;
    },
  };
}
