import { open, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import type { Logger } from "#lib/logger.ts";
import { type Fold, JournalMoved } from "./fold.ts";
import { type JournalPosition, listSegments, segmentName } from "./journal.ts";
import { decodeFrames } from "./journal-frame.ts";
import type { JournalRecord } from "./view-record.ts";

interface FoldJournalDeps {
  database: Database;
  fold: Fold;
  logger: Logger;
  journal: { directory: string; id: string };
  /** Records in one transaction at most: on SQLite other writers wait that long (20 µs each). */
  batchRecords?: number;
}

/**
 * So many only when they wait: half a second's worth is a smaller batch up to 20,000 views a second. A batch writes each
 * page of the presence table once, whatever falls into it, and costs other writers of SQLite 0.2 s of processor.
 */
const BATCH_RECORDS = 10_000;
const CHUNK_BYTES = 4 * 1024 * 1024;
const TRIES_BEFORE_SINGLES = 3;

/**
 * Folds a journal from where it was left up to `until` (null: to the end of every segment), then deletes what was
 * folded. A torn or damaged end of a segment is passed over with a warning. May be killed at any time.
 */
export async function foldJournal(deps: FoldJournalDeps, until: JournalPosition | null): Promise<JournalPosition> {
  const { journal } = deps;
  let place = await readJournalPosition(deps.database, journal.id);
  const moveTo = async (position: JournalPosition) => {
    await deps.fold.fold([], { journal: journal.id, from: place, position });
    place = position;
  };
  for (const segment of await listSegments(journal.directory)) {
    if (until && segment > until.segment) break;
    const isLast = until?.segment === segment;
    if (segment >= place.segment) {
      if (segment > place.segment) await moveTo({ segment, position: 0 });
      const limit = isLast ? until.position : Number.POSITIVE_INFINITY;
      place = { segment, position: await foldSegment(deps, { segment, start: place.position, limit }) };
      // Recorded first: a segment that is gone must never be looked for from its start again.
      if (!isLast) await moveTo({ segment: segment + 1, position: 0 });
    }
    if (isLast) break;
    await rm(path.join(journal.directory, segmentName(segment)), { force: true });
  }
  return place;
}

async function foldSegment(
  deps: FoldJournalDeps,
  { segment, start, limit }: { segment: number; start: number; limit: number },
): Promise<number> {
  const { logger, batchRecords = BATCH_RECORDS } = deps;
  const file = await open(path.join(deps.journal.directory, segmentName(segment)), "r");
  try {
    let position = start;
    let pending = Buffer.alloc(0);
    let readTo = start;
    while (position < limit) {
      if (pending.length < CHUNK_BYTES && readTo < limit) {
        const wanted = Math.min(CHUNK_BYTES, limit - readTo);
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, readTo);
        readTo += bytesRead;
        pending = Buffer.concat([pending, buffer.subarray(0, bytesRead)]);
      }
      const { records, ends, end, isDamaged } = decodeFrames(pending, batchRecords);
      if (records.length === 0) {
        if (isDamaged || pending.length > 0) {
          logger.warn({ segment, position, isDamaged, bytes: pending.length }, "the end of a journal segment is torn");
        }
        break;
      }
      const places = ends.map((one) => ({ segment, position: position + one }));
      await foldPatiently(deps, { records, places, from: { segment, position } });
      position += end;
      pending = pending.subarray(end);
    }
    return position;
  } finally {
    await file.close();
  }
}

/**
 * Repeats a failing batch; when the store works and the batch still fails, goes one by one and drops what fails.
 * `places[n]` is where the journal stands after record n, `from` before the first.
 */
async function foldPatiently(
  { fold, logger, journal }: FoldJournalDeps,
  {
    records,
    places,
    from,
  }: { records: readonly JournalRecord[]; places: readonly JournalPosition[]; from: JournalPosition },
): Promise<void> {
  for (let tries = 1; tries <= TRIES_BEFORE_SINGLES; tries++) {
    try {
      await fold.fold(records, { journal: journal.id, from, position: places[records.length - 1]! });
      return;
    } catch (error) {
      if (error instanceof JournalMoved) throw error; // whoever asked comes again, from where the journal stands now
      logger.error({ err: error, tries }, "views could not be folded");
      await sleep(50 * 2 ** tries);
    }
  }
  let before = from;
  for (const [index, record] of records.entries()) {
    const progress = { journal: journal.id, from: before, position: places[index]! };
    try {
      await fold.fold([record], progress);
    } catch (error) {
      if (error instanceof JournalMoved) throw error;
      // Fails as well while the store is away; then nothing is dropped, and the caller comes again.
      await fold.fold([], progress);
      logger.error({ err: error }, "a view cannot be folded and is dropped");
    }
    before = progress.position;
  }
}

/** Up to where a journal was folded; segment 0 when it never was. */
export async function readJournalPosition(database: Database, journal: string): Promise<JournalPosition> {
  const row = await database.kysely
    .selectFrom("journal_position")
    .select(["segment", "position"])
    .where("journal", "=", journal)
    .executeTakeFirst();
  return { segment: Number(row?.segment ?? 0), position: Number(row?.position ?? 0) };
}
