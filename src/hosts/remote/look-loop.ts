import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createBell } from "#lib/waiting/bell.ts";

/** Looks at repositories on other hosts, in turn and on hints. */
export interface LookLoop<Id extends string> {
  /** Schedules a look as soon as possible. */
  hint(id: Id): void;
  /** Starts looking, until disposed. */
  start(): AsyncDisposable;
}

export interface LookLoopDeps {
  database: Pick<Database, "kysely">;
  clock: Clock;
  logger: Logger;
}

/** The table that records when each was last looked at (`tried_at`), and what was wrong (`trouble`). */
type LookedAt = { table: "connection"; id: "project_id" } | { table: "source"; id: "id" };

const TICK_MS = 1_000;
/** The interval for hosts that cannot send webhooks to this server. */
const LOOK_EVERY_MS = 60_000;
/** Longer after a failure, to spare a host that is unavailable. */
const LOOK_AFTER_TROUBLE_MS = 5 * 60_000;
const AT_ONCE = 4;
/** A look that takes longer is waiting for its host: it releases its place to others, up to a limit. */
const SLOW_AFTER_MS = 2_000;
const MAX_UNDER_WAY = 24;

/** Any number of processes may share one store: each look is claimed by one of them. */
export function createLookLoop<Id extends string>(
  deps: LookLoopDeps,
  {
    rows,
    look,
    messages,
  }: {
    rows: LookedAt;
    look(id: Id, options: { isHinted: boolean; signal: AbortSignal }): Promise<void>;
    /** Log messages: one look failed; none can be started. */
    messages: { one: string; all: string };
  },
): LookLoop<Id> {
  const stopping = new AbortController();
  const looking = new Map<Id, Promise<void>>();
  /** Those that hold a place. */
  const placed = new Set<Id>();
  /** A set: one more look is enough for any number of hints during a look. */
  const hinted = new Set<Id>();
  const bell = createBell();
  const trouble = createLastingTrouble(deps.logger, messages.all);

  const begin = (id: Id, isHinted: boolean) => {
    const leavePlace = () => {
      placed.delete(id);
      if (hinted.size > 0) bell.ring();
    };
    const slow = setTimeout(leavePlace, SLOW_AFTER_MS);
    const one = look(id, { isHinted, signal: stopping.signal })
      .catch((error: unknown) => deps.logger.error({ err: error, id }, messages.one))
      .finally(() => {
        clearTimeout(slow);
        looking.delete(id);
        leavePlace();
      });
    placed.add(id);
    looking.set(id, one);
  };
  const freePlaces = () => Math.min(AT_ONCE - placed.size, MAX_UNDER_WAY - looking.size);
  const takeHinted = () => {
    for (const id of hinted) {
      if (freePlaces() <= 0) return;
      if (looking.has(id)) continue;
      hinted.delete(id);
      begin(id, true);
    }
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        takeHinted();
        const busy = new Set(looking.keys());
        for (const id of await takeDue<Id>(deps, rows, { limit: freePlaces(), busy })) {
          if (!looking.has(id)) begin(id, false);
        }
        trouble.worked();
      } catch (error) {
        trouble.failed(error);
      }
      await bell.wait(TICK_MS, stopping.signal);
    }
  };
  return {
    hint(id) {
      hinted.add(id);
      bell.ring();
    },
    start() {
      const loop = run();
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort();
          await loop;
          await Promise.all(looking.values());
        },
      };
    },
  };
}

/** The due ones that are not `busy`, marked as looked at now so that no other process claims them. */
async function takeDue<Id extends string>(
  { database: { kysely }, clock }: LookLoopDeps,
  rows: LookedAt,
  { limit, busy }: { limit: number; busy: ReadonlySet<Id> },
): Promise<Id[]> {
  if (limit <= 0) return [];
  const now = clock.now().getTime();
  const [table, id] = [sql.table(rows.table), sql.ref(rows.id)];
  // The last case: the clock was once ahead.
  const { rows: due } = await sql<{ id: Id; tried_at: number | null }>`
    select ${id} as id, tried_at from ${table}
    where tried_at is null
      or (trouble is null and tried_at <= ${now - LOOK_EVERY_MS})
      or tried_at <= ${now - LOOK_AFTER_TROUBLE_MS}
      or tried_at > ${now + LOOK_EVERY_MS}
    order by tried_at limit ${limit + busy.size}`.execute(kysely);
  const taken: Id[] = [];
  for (const one of due.filter(({ id }) => !busy.has(id)).slice(0, limit)) {
    const { rows: mine } = await sql`
      update ${table} set tried_at = ${now}
      where ${id} = ${one.id} and tried_at is not distinct from ${one.tried_at}
      returning ${id}`.execute(kysely);
    if (mine.length > 0) taken.push(one.id);
  }
  return taken;
}
