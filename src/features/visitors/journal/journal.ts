import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createServedPages, type ServedPage } from "./served-pages.ts";
import { encodeFrames } from "./journal-frame.ts";
import type { ProjectId } from "#lib/ids.ts";
import { hasRecord, type PendingView, type WaitingView, type WrittenView } from "./pending-view.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

/** A position in a journal: everything before `position` of segment `segment`. */
export interface JournalPosition {
  segment: number;
  position: number;
}

export interface JournalStats {
  accepted: number;
  /** Refused because the queue was full. */
  shed: number;
  /** Lost because writing failed (a full disk). */
  lost: number;
  queued: number;
}

export interface Journal extends AsyncDisposable {
  /**
   * Resolves true when the record is on disk, or the request turned out not to be a view; false when it was dropped or
   * lost. Never throws.
   */
  append(view: ViewRecord | PendingView): Promise<boolean>;
  /** Counts a served page. If writing fails, it stays in memory until it succeeds. */
  count(page: ServedPage): void;
  /** Writes the queue; afterwards `durable()` covers it. */
  flush(): Promise<void>;
  /**
   * Starts a new segment after the current write; then `durable()` is its start, and everything before it may be
   * deleted.
   */
  beginSegment(): Promise<void>;
  /** The position up to which records are safely on disk. */
  durable(): JournalPosition;
  stats(): JournalStats;
}

interface JournalOptions {
  directory: string;
  logger: Logger;
  /** Records that may wait for the disk; further ones are dropped. */
  maxQueued?: number;
  maxSegmentBytes?: number;
  /** Minimum number of the first segment; a journal that was folded must not start at 1 again. */
  firstSegment?: number;
  /** Called after records became durable. */
  onDurable?: () => void;
  /** The disk for segments; tests pass one that is full, or one that records the order of calls. */
  disk?: JournalDisk;
}

/** The part of a file handle that the journal uses. */
export type SegmentFile = Pick<FileHandle, "write" | "datasync" | "truncate" | "close">;

export interface JournalDisk {
  openSegment(file: string, flags: number, mode: number): Promise<SegmentFile>;
  syncFolder(directory: string): Promise<void>;
}

const MAX_QUEUED = 50_000;
const MAX_SEGMENT_BYTES = 16 * 1024 * 1024;
const MAX_GROUP = 5_000;
/**
 * A write with its fdatasync was measured to cost the main thread 25 µs, nearly as much as a page, so single views are
 * grouped for 20 ms. A larger group is written immediately.
 */
const GROUP_MS = 20;
const WAITING_GROUP = 500;

export const segmentName = (segment: number) => `${String(segment).padStart(10, "0")}.journal`;

/** Numbers of the segments in a folder, ascending. */
export async function listSegments(directory: string): Promise<number[]> {
  const names = await readdir(directory);
  return names
    .map((name) => /^(\d{10})\.journal$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

// open(2): each write is on disk when it returns, as after fdatasync(2), with one thread pool task instead of two.
const SYNC_ON_WRITE: number | undefined = constants.O_DSYNC; // undefined outside Linux
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (SYNC_ON_WRITE ?? 0);

/** Without it a power cut could lose the name of a new file, and with it acknowledged records. */
export async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Opens an append-only journal of views in a folder of its own. Records that arrive together share one synchronous
 * write. A new segment is started at every start and after every failed write, so that a torn record is always the last
 * of its segment.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { directory, logger, maxQueued = MAX_QUEUED, maxSegmentBytes = MAX_SEGMENT_BYTES } = options;
  const { disk = { openSegment: open, syncFolder } } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  let segment = Math.max(((await listSegments(directory)).at(-1) ?? 0) + 1, options.firstSegment ?? 1);
  let file: SegmentFile | null = null;
  let position = 0;
  let queue: WaitingView[] = [];
  let writing: Promise<void> | null = null;
  let isBroken = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let beginning: PromiseWithResolvers<void> | null = null;
  const losses = new Map<ProjectId, number>();
  const servedPages = createServedPages();
  let isCountDue = false;
  const stats: JournalStats = { accepted: 0, shed: 0, lost: 0, queued: 0 };

  const noteLoss = ({ project }: { project: ProjectId }) => losses.set(project, (losses.get(project) ?? 0) + 1);

  const makeRecord = (waiting: WaitingView): waiting is WrittenView => {
    try {
      if (hasRecord(waiting)) return true;
      waiting.resolve(true);
    } catch (error) {
      logger.error({ err: error }, "the record of a view could not be made");
      stats.lost++;
      noteLoss(waiting.view);
      waiting.resolve(false);
    }
    return false;
  };

  const rotate = async () => {
    const old = file;
    file = null;
    if (position > 0 || isBroken) segment++;
    position = 0;
    isBroken = false;
    await old?.close().catch(() => undefined);
  };

  const trouble = createLastingTrouble(logger, "views could not be written to the journal");

  const write = async (group: WrittenView[]): Promise<boolean> => {
    const reported = [...losses];
    const served = servedPages.take();
    isCountDue = false;
    try {
      if (isBroken || position >= maxSegmentBytes) await rotate();
      if (file === null) {
        file = await disk.openSegment(path.join(directory, segmentName(segment)), APPEND, 0o600);
        await disk.syncFolder(directory);
      }
      const now = group[0]?.view.time ?? served[0]?.time ?? 0; // one of them exists
      const bytes = encodeFrames([
        ...group.map(({ view }) => view),
        ...served,
        ...reported.map(([project, shed]) => ({ project, time: now, shed })),
      ]);
      for (let done = 0; done < bytes.length;) {
        done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
      }
      if (SYNC_ON_WRITE === undefined) await file.datasync();
      position += bytes.length;
      for (const [project, shed] of reported) {
        const left = (losses.get(project) ?? 0) - shed;
        if (left > 0) losses.set(project, left);
        else losses.delete(project);
      }
      trouble.worked();
      return true;
    } catch (error) {
      trouble.failed(error);
      isBroken = true;
      // The written part of the group must not be counted: it is reported as lost.
      const isCutOff = await (file?.truncate(position) ?? Promise.resolve()).then(
        () => true,
        () => false,
      );
      if (isCutOff) for (const record of served) servedPages.add(record, record.delivered);
      return false;
    }
  };

  const isDue = () => queue.length > 0 || isCountDue;

  const drain = async () => {
    while (isDue() || beginning !== null) {
      if (beginning !== null) {
        const begun = beginning;
        beginning = null;
        await rotate();
        begun.resolve();
        continue;
      }
      const waitMs = writtenAt + GROUP_MS - performance.now();
      if (waitMs > 0 && queue.length < WAITING_GROUP) await sleep(waitMs);
      writtenAt = performance.now();
      const group = queue.splice(0, MAX_GROUP).filter(makeRecord);
      if (group.length === 0 && !isCountDue) continue;
      const isDurable = await write(group);
      for (const { view, resolve } of group) {
        if (isDurable) stats.accepted++;
        else {
          stats.lost++;
          noteLoss(view);
        }
        resolve(isDurable);
      }
      if (isDurable) options.onDurable?.();
    }
  };

  const start = () => {
    writing ??= drain().finally(() => {
      writing = null;
      if (isDue() || beginning !== null) start();
    });
  };

  const flush = async () => {
    while (isDue() || writing !== null) {
      start();
      await writing;
    }
  };

  return {
    append(view) {
      return new Promise((resolve) => {
        const waiting: WaitingView = { view, resolve };
        // When many wait, their records are created immediately: the request that a record is derived from is several
        // times as large.
        if (queue.length >= Math.min(WAITING_GROUP, maxQueued) && !makeRecord(waiting)) return;
        if (queue.length >= maxQueued) {
          stats.shed++;
          noteLoss(view);
          resolve(false);
          return;
        }
        queue.push(waiting);
        if (queue.length === 1) setImmediate(start); // records that arrive in this turn of the loop share the write
      });
    },
    count(page) {
      servedPages.add(page);
      if (isCountDue) return;
      isCountDue = true;
      setImmediate(start);
    },
    flush,
    beginSegment() {
      beginning ??= Promise.withResolvers();
      const { promise } = beginning;
      start();
      return promise;
    },
    durable: () => ({ segment, position }),
    stats: () => ({ ...stats, queued: queue.length }),
    async [Symbol.asyncDispose]() {
      isCountDue = !servedPages.isEmpty(); // what could not be written before, again
      await flush();
      await file?.close().catch(() => undefined);
      file = null;
      queue = [];
    },
  };
}
