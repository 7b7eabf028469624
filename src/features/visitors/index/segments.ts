import type { DatabaseTransaction, Queryable } from "#db/database.ts";
import { cacheLimit } from "#lib/cache-limit.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { decodeFacts, encodeFacts, type Fact, type FactColumns, joinFacts } from "#features/visitors/facts.ts";

const SMALL_SEGMENT = 256;
const MAX_REMEMBERED_EVENTS = cacheLimit(2_000_000);
const LEAST_DAY_WEIGHT = MAX_REMEMBERED_EVENTS / 32;

interface SegmentHead {
  seq: number;
  views: number;
}

/** The segments of a day, newest first. */
function readHeads(queryable: Queryable, project: number, day: number): Promise<SegmentHead[]> {
  return queryable
    .selectFrom("view_segment")
    .select(["seq", "views"])
    .where("project", "=", project)
    .where("day", "=", day)
    .orderBy("seq", "desc")
    .execute();
}

async function readContents(queryable: Queryable, project: number, day: number, from: number): Promise<Uint8Array[]> {
  const rows = await queryable
    .selectFrom("view_segment")
    .select("content")
    .where("project", "=", project)
    .where("day", "=", day)
    .where("seq", ">=", from)
    .orderBy("seq")
    .execute();
  return rows.map((row) => row.content);
}

/** Stored event numbers, by day. Call `forget` after a failed transaction. */
export interface SegmentStore {
  /** Those of `events` that are new on the day, each once. */
  newEvents(
    transaction: DatabaseTransaction,
    where: { project: number; day: number },
    events: readonly number[],
  ): Promise<Set<number>>;
  append(
    transaction: DatabaseTransaction,
    where: { project: number; day: number },
    facts: readonly Fact[],
  ): Promise<void>;
  forget(): void;
}

interface KnownDay {
  lastSeq: number;
  events: Set<number>;
}

export function createSegmentStore(): SegmentStore {
  const days = createLruCache<string, KnownDay>({
    maxWeight: MAX_REMEMBERED_EVENTS,
    // At most 32 days, and at least one whatever its size.
    weigh: ({ events }) => Math.min(Math.max(events.size, LEAST_DAY_WEIGHT), MAX_REMEMBERED_EVENTS),
  });

  const knownEvents = async (transaction: DatabaseTransaction, { project, day }: { project: number; day: number }) => {
    const key = `${project}/${day}`;
    const lastSeq = (await readHeads(transaction, project, day))[0]?.seq ?? 0;
    const known = days.get(key);
    if (known?.lastSeq === lastSeq) return known;
    // Not cached, or another process wrote meanwhile.
    const events = new Set<number>();
    for (const content of await readContents(transaction, project, day, 0)) {
      for (const event of decodeFacts(content).event) if (event !== 0) events.add(event);
    }
    const read = { lastSeq, events };
    days.set(key, read);
    return read;
  };

  return {
    async newEvents(transaction, where, events) {
      const { events: stored } = await knownEvents(transaction, where);
      return new Set(events.filter((event) => !stored.has(event)));
    },
    // Small neighbors of similar size are merged, so a day has a handful of segments and each view is rewritten a few
    // times.
    async append(transaction, { project, day }, facts) {
      const heads = await readHeads(transaction, project, day);
      const lastSeq = heads[0]?.seq ?? 0;
      let views = facts.length;
      let joined = 0;
      for (const head of heads) {
        if (head.views > Math.max(views, SMALL_SEGMENT)) break;
        views += head.views;
        joined++;
      }
      const added = encodeFacts(facts);
      const from = heads[joined - 1]?.seq;
      const parts = from === undefined ? [] : await readContents(transaction, project, day, from);
      if (from !== undefined) {
        await transaction
          .deleteFrom("view_segment")
          .where("project", "=", project)
          .where("day", "=", day)
          .where("seq", ">=", from)
          .execute();
      }
      const content = parts.length === 0 ? added : joinFacts([...parts, added]);
      const seq = lastSeq + 1;
      await transaction.insertInto("view_segment").values({ project, day, seq, views, content }).execute();
      const key = `${project}/${day}`;
      const known = days.get(key);
      if (known?.lastSeq !== lastSeq) return;
      known.lastSeq = seq;
      for (const fact of facts) if (fact.event !== 0) known.events.add(fact.event);
      days.set(key, known); // its weight has grown
    },
    forget: () => days.clear(),
  };
}

/** The facts of one day. */
export async function readDay(queryable: Queryable, project: number, day: number): Promise<FactColumns[]> {
  return (await readContents(queryable, project, day, 0)).map(decodeFacts);
}

/**
 * Reads the facts of a project day by day; later calls read only what is new. So nearly everything is read before the
 * project's write lock is taken, and the rest under it.
 */
export function createSegmentReader(project: number) {
  const seen = new Set<string>();
  return async function* (queryable: Queryable): AsyncGenerator<{ day: number; columns: FactColumns }> {
    const ofProject = queryable.selectFrom("view_segment").where("project", "=", project);
    for (const { day, seq } of await ofProject.select(["day", "seq"]).orderBy("day").execute()) {
      if (seen.has(`${day}/${seq}`)) continue;
      const one = ofProject.select("content").where("day", "=", day).where("seq", "=", seq);
      const segment = await one.executeTakeFirst();
      if (!segment) continue; // merged with others since: the next call reads it
      seen.add(`${day}/${seq}`);
      yield { day, columns: decodeFacts(segment.content) };
    }
  };
}
