import type { Queryable } from "#db/database.ts";
import { labelKinds } from "#features/visitors/labels.ts";
import { cacheLimit } from "#lib/cache-limit.ts";
import { createLruCache, type LruCache } from "#lib/lru-cache.ts";
import { decodePack, type Pack } from "#features/visitors/index/pack.ts";

/** The pages of a project by label, with their position in path order. Labels are never changed, only added. */
export interface PageNames {
  /** Larger than every label in it. */
  size: number;
  paths: Map<number, string>;
  /** The position of each label among all paths in code point order. */
  rank: Uint32Array;
}

/** Reads the page labels of a project, only those added since `known`. */
export async function readPageNames(
  queryable: Queryable,
  project: number,
  known: PageNames | undefined,
): Promise<PageNames> {
  const rows = await queryable
    .selectFrom("analytics_label")
    .select(["id", "text"])
    .where("project", "=", project)
    .where("kind", "=", labelKinds.page)
    .where("id", ">=", known?.size ?? 0)
    .execute();
  if (known && rows.length === 0) return known;
  const paths = new Map(known?.paths);
  let size = known?.size ?? 1;
  for (const row of rows) {
    paths.set(row.id, row.text);
    size = Math.max(size, row.id + 1);
  }
  const rank = new Uint32Array(size);
  const ordered = [...paths].sort(([, left], [, right]) => compareCodePoints(left, right));
  for (const [place, [label]] of ordered.entries()) rank[label] = place;
  return { size, paths, rank };
}

/**
 * Compares by code point, which is also the byte order of UTF-8. JavaScript's `<` compares UTF-16 units and puts
 * U+10000 and above before U+E000 to U+FFFF.
 */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    return lifted(a) - lifted(b);
  }
  return left.length - right.length;
}

/** Maps surrogates above every other unit. */
function lifted(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}

/** A cache for queries, one per process. Everything in it can be read again. */
export interface CountsCache {
  names: LruCache<number, PageNames>;
  pack(key: string, version: number): Pack | undefined;
  storePack(key: string, version: number, content: Uint8Array): Pack;
}

const MAX_NAMES = 500;

/**
 * Caches decoded packs up to `maxBytes`, evicting the least recently used, and the page names of the last 500 projects.
 */
export function createCountsCache(maxBytes = cacheLimit(64 * 1024 * 1024)): CountsCache {
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
