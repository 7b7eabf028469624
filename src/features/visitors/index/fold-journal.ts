import { open, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, isStoreDamaged } from "#db/database.ts";
import type { Logger } from "#lib/logger.ts";
import { type Fold, JournalMoved } from "./fold.ts";
import { type JournalPosition, listSegments, segmentName } from "#features/visitors/journal/journal.ts";
import { setAside } from "#features/visitors/journal/journal-damage.ts";
import { decodeFrames, type Frames, type Gap } from "#features/visitors/journal/journal-frame.ts";
import type { JournalRecord } from "#features/visitors/view-record.ts";

interface FoldJournalDeps {
  database: Database;
  fold: Fold;
  logger: Logger;
  journal: { directory: string; id: string };
  /** Maximum records in one transaction: on SQLite other writers wait that long (20 µs each). */
  batchRecords?: number;
}

/**
 * A batch reaches this size only when as many records wait: up to 20,000 views a second, half a second's worth is
 * smaller. A batch writes each page of the presence table at most once, which takes 0.2 s of processor time from other
 * writers of SQLite.
 */
const BATCH_RECORDS = 10_000;
const CHUNK_BYTES = 4 * 1024 * 1024;
const TRIES_BEFORE_SINGLES = 3;

/**
 * Folds a journal from its last position up to `until` (null: to the end of every segment), then deletes what was
 * folded. Damaged bytes between records are set aside, see `setAside`. May be killed at any time.
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
      const limit = isLast ? until.position : null;
      place = { segment, position: await foldSegment(deps, { segment, start: place.position, limit }) };
      // Recorded first: a deleted segment must never be searched for from its start again.
      if (!isLast) await moveTo({ segment: segment + 1, position: 0 });
    }
    if (isLast) break;
    await rm(path.join(journal.directory, segmentName(segment)), { force: true });
  }
  return place;
}

/**
 * Folds a segment up to `limit`, where acknowledged records end, or to its end when no process writes to it any more.
 */
async function foldSegment(
  deps: FoldJournalDeps,
  { segment, start, limit }: { segment: number; start: number; limit: number | null },
): Promise<number> {
  const { logger, batchRecords = BATCH_RECORDS } = deps;
  const file = await open(path.join(deps.journal.directory, segmentName(segment)), "r");
  try {
    const { size } = await file.stat();
    const to = Math.min(limit ?? size, size);
    if (limit !== null && size < limit) logger.error({ segment, size, limit }, "a journal segment lost its end");
    let position = start;
    let pending = Buffer.alloc(0);
    let readTo = start;
    while (position < to) {
      if (pending.length < CHUNK_BYTES && readTo < to) {
        const wanted = Math.min(CHUNK_BYTES, to - readTo);
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, readTo);
        if (bytesRead === 0) throw new Error(`segment ${segment} of a journal was cut while it was read`);
        readTo += bytesRead;
        pending = Buffer.concat([pending, buffer.subarray(0, bytesRead)]);
      }
      const frames = decodeFrames(pending, { maxRecords: batchRecords, isEnd: readTo >= to });
      await foldFrames(deps, { ...frames, segment, position, bytes: pending, isAcknowledged: limit !== null });
      position += frames.end;
      pending = pending.subarray(frames.end);
    }
    return position;
  } finally {
    await file.close();
  }
}

/** Frames of a segment; `position` is the offset of `bytes` in it. */
interface FoundFrames extends Frames {
  segment: number;
  position: number;
  bytes: Buffer;
  isAcknowledged: boolean;
}

async function foldFrames(deps: FoldJournalDeps, found: FoundFrames): Promise<void> {
  const { segment, position, records, ends, end } = found;
  for (const gap of found.gaps) await reportGap(deps, found, gap);
  if (records.length > 0) await foldPatiently(deps, found);
  const last = ends.at(-1) ?? 0;
  if (end === last) return;
  const from = { segment, position: position + last };
  await deps.fold.fold([], { journal: deps.journal.id, from, position: { segment, position: position + end } });
}

async function reportGap({ logger, journal }: FoldJournalDeps, found: FoundFrames, gap: Gap): Promise<void> {
  const { segment, isAcknowledged } = found;
  const bytes = found.bytes.subarray(gap.start, gap.end);
  const position = found.position + gap.start;
  if (gap.kind !== "damaged" && !isAcknowledged) {
    logger.info({ segment, position, bytes: bytes.length, ends: gap.kind }, "a journal segment ends as after a crash");
    return;
  }
  const message = "a journal segment is damaged; the bytes are set aside, what is around them counts";
  await setAside({ directory: journal.directory, logger }, { segment, position, bytes }, { message });
}

/**
 * Retries a failing batch; when the store works and the batch still fails, folds its records one by one and sets aside
 * those that fail.
 */
async function foldPatiently({ fold, logger, journal }: FoldJournalDeps, found: FoundFrames): Promise<void> {
  const { segment, position, records, ends } = found;
  const placeAfter = (index: number) => ({ segment, position: position + (ends[index] ?? 0) });
  const from = { segment, position };
  for (let tries = 1; tries <= TRIES_BEFORE_SINGLES; tries++) {
    try {
      await fold.fold(records, { journal: journal.id, from, position: placeAfter(records.length - 1) });
      return;
    } catch (error) {
      if (error instanceof JournalMoved) throw error; // the caller retries, from the journal's current position
      logger.debug({ err: error, tries }, "views could not be folded yet"); // reported by the caller of the fold
      await sleep(50 * 2 ** tries);
    }
  }
  let before = from;
  for (const [index, record] of records.entries()) {
    const progress = { journal: journal.id, from: before, position: placeAfter(index) };
    try {
      await fold.fold([record], progress);
    } catch (error) {
      if (error instanceof JournalMoved || isStoreDamaged(error)) throw error;
      // Also fails while the store is unavailable; then no record is dropped, and the caller retries.
      await fold.fold([], { ...progress, position: before });
      await foldOrSetAside({ fold, logger, journal }, { record, progress, found, index });
    }
    before = progress.position;
  }
}

/** The last attempt for one record. The store has just accepted others, so a failure is caused by the record. */
async function foldOrSetAside(
  { fold, logger, journal }: Pick<FoldJournalDeps, "fold" | "logger" | "journal">,
  { record, progress, found, index }: SingleRecord,
): Promise<void> {
  try {
    await fold.fold([record], progress);
  } catch (error) {
    if (error instanceof JournalMoved || isStoreDamaged(error)) throw error;
    const { segment, starts, ends } = found;
    const bytes = found.bytes.subarray(starts[index], ends[index]);
    const damage = { segment, position: found.position + (starts[index] ?? 0), bytes };
    const message = "a view cannot be folded and is set aside";
    await setAside({ directory: journal.directory, logger }, damage, { message, error });
    await fold.fold([], progress);
  }
}

interface SingleRecord {
  record: JournalRecord;
  progress: NonNullable<Parameters<Fold["fold"]>[1]>;
  found: FoundFrames;
  index: number;
}

/** The position up to which a journal was folded; segment 0 when it never was. */
export async function readJournalPosition(database: Database, journal: string): Promise<JournalPosition> {
  const row = await database.kysely
    .selectFrom("journal_position")
    .select(["segment", "position"])
    .where("journal", "=", journal)
    .executeTakeFirst();
  return { segment: Number(row?.segment ?? 0), position: Number(row?.position ?? 0) };
}
