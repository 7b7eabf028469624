import { type Clock, DAY_MS } from "#lib/clock.ts";
import { silentLogger, type Logger } from "#lib/logger.ts";
import { createClockNotice } from "./clock-notice.ts";
import type { Database, DatabaseTransaction } from "./database.ts";
import type { TimeState } from "./time-state.ts";

/**
 * The time by which old data is deleted, archived or refused: never ahead of the wall clock, and behind it after a
 * jump. Precise to days, not to seconds.
 */
export interface TrustedTime {
  now(): Promise<Date>;
}

/** Smaller jumps are trusted at once: the server was off overnight, or the clock was adjusted a little. */
const BELIEVED_JUMP_MS = DAY_MS;
/** A clock that jumped further is trusted once servers have run by it for this long. */
const PROBATION_MS = 7 * DAY_MS;
const LOOK_EVERY_MS = 10 * 60_000;

interface Options {
  database: Database;
  clock: Clock;
  /** Receives notices about a clock that is not trusted. Set on only one trusted time per process. */
  logger?: Logger;
  /** A monotonic clock in milliseconds. */
  monotonicMs?: () => number;
}

/** The stored state at a process's last check. */
interface Seen {
  state: TimeState;
  atMs: number;
}

/**
 * Keeps the trusted time in the store, so that it survives restarts and all processes share it. A call of `now` checks
 * the store at most every ten minutes. Call it outside of transactions.
 */
export function createTrustedTime(options: Options): TrustedTime {
  const { database, clock, logger = silentLogger, monotonicMs = () => performance.now() } = options;
  const notice = createClockNotice(logger);
  let seen: Seen | null = null;
  let looking: Promise<Seen> | null = null;

  const look = async (): Promise<Seen> => {
    const before = seen;
    const atMs = monotonicMs();
    const wall = clock.now().getTime();
    const state = await database.transaction(async (transaction) => {
      const stored = await readState(transaction, database);
      const next = stored
        ? advance(stored, { wall, ran: before && { state: before.state, ms: atMs - before.atMs } })
        : firstState(await newestInstant(transaction), wall);
      await writeState(transaction, next);
      return next;
    });
    notice(state);
    return { state, atMs };
  };

  return {
    async now() {
      const isFresh = seen !== null && monotonicMs() - seen.atMs < LOOK_EVERY_MS;
      if (!isFresh) {
        looking ??= look().finally(() => (looking = null));
        seen = await looking;
      }
      const { state, atMs } = seen!;
      return new Date(Math.min(clock.now().getTime(), state.trusted + monotonicMs() - atMs));
    },
  };
}

/** The next state, from the wall clock, this process's last check and its run time since (null at the first check). */
export function advance(
  stored: TimeState,
  { wall, ran }: { wall: number; ran: { state: TimeState; ms: number } | null },
): TimeState {
  // Each process adds its run time to the state it saw, so that many processes are not faster than one.
  const trusted = Math.max(stored.trusted, ran === null ? 0 : Math.min(ran.state.trusted + ran.ms, wall));
  if (wall - trusted <= BELIEVED_JUMP_MS) return { trusted: wall, wall, parted_at: null, ran_ms: 0 };
  const isSteady = stored.parted_at !== null && wall >= stored.wall - BELIEVED_JUMP_MS && !hasJumped(wall, ran);
  if (!isSteady) return { trusted, wall, parted_at: wall, ran_ms: 0 };
  const isSame = ran !== null && ran.state.parted_at === stored.parted_at;
  const ranMs = Math.max(stored.ran_ms, isSame ? ran.state.ran_ms + ran.ms : 0);
  if (ranMs >= PROBATION_MS) return { trusted: wall, wall, parted_at: null, ran_ms: 0 };
  return { trusted, wall, parted_at: stored.parted_at, ran_ms: Math.round(ranMs) };
}

const hasJumped = (wall: number, ran: { state: TimeState; ms: number } | null) =>
  ran !== null && wall - (ran.state.wall + ran.ms) > BELIEVED_JUMP_MS;

/** For a store without a state, such as one of an older version: the newest row is a lower bound of the time. */
function firstState(newest: number | null, wall: number): TimeState {
  const trusted = newest === null || wall - newest <= BELIEVED_JUMP_MS ? wall : newest;
  return { trusted, wall, parted_at: trusted === wall ? null : wall, ran_ms: 0 };
}

async function newestInstant(transaction: DatabaseTransaction): Promise<number | null> {
  const { project } = await transaction
    .selectFrom("project")
    .select(({ fn }) => fn.max("created_at").as("project"))
    .executeTakeFirstOrThrow();
  const { job } = await transaction
    .selectFrom("job")
    .select(({ fn }) => fn.max("updated_at").as("job"))
    .executeTakeFirstOrThrow();
  const { day } = await transaction
    .selectFrom("view_tally")
    .select(({ fn }) => fn.max("day").as("day"))
    .executeTakeFirstOrThrow();
  const known = [project, job, day === null ? null : (Number(day) + 1) * DAY_MS].filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known.map(Number));
}

/** Whether the clock is more than a day behind the stored trusted time. */
export async function isClockBehind({ kysely }: Pick<Database, "kysely">, now: Date): Promise<boolean> {
  const row = await kysely.selectFrom("trusted_time").select("trusted").where("id", "=", 1).executeTakeFirst();
  return row !== undefined && Number(row.trusted) - now.getTime() > BELIEVED_JUMP_MS;
}

async function readState(transaction: DatabaseTransaction, database: Database): Promise<TimeState | undefined> {
  let query = transaction.selectFrom("trusted_time").select(["trusted", "wall", "parted_at", "ran_ms"]);
  if (database.engine === "postgres") query = query.forUpdate();
  return query.where("id", "=", 1).executeTakeFirst();
}

async function writeState(transaction: DatabaseTransaction, state: TimeState): Promise<void> {
  await transaction
    .insertInto("trusted_time")
    .values({ id: 1, ...state })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(state))
    .execute();
}
