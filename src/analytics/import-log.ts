import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { parseLogLine, viewOfRequest } from "./access-log.ts";
import { createClassifier } from "./classify.ts";
import { createFold, JournalMoved } from "./fold.ts";
import { readLogLines } from "./log-lines.ts";
import type { ViewRecord } from "./view-record.ts";

export interface ImportProgress {
  lines: number;
  /** Lines that an earlier import of the same log has done. */
  skipped: number;
  views: number;
  /** Requests that are no views: assets, redirects, errors, other methods. */
  otherRequests: number;
  malformed: number;
  /** Numbers of the first malformed lines. */
  malformedLines: number[];
  /** Share of the file that was read, 0 to 1. */
  share: number;
}

interface ImportOptions {
  projectId: ProjectId;
  file: string;
  onProgress?: (progress: ImportProgress) => void;
  signal?: AbortSignal;
}

const BATCH = 2_000;
const MAX_MALFORMED_LINES = 10;
const MAX_REPEATS = 100_000;

/**
 * Imports an access log (combined, common, or JSON lines; gzip or not) into a project's counts. How far it came is
 * part of each transaction: a killed import goes on where it was, the same log again changes nothing, a log that
 * grew adds what is new. Lines that another file has too count once. Throws `AppError invalid` for an unreadable file.
 */
export async function importLog(
  { database, clock }: { database: Database; clock: Clock },
  { projectId, file, onProgress, signal }: ImportOptions,
): Promise<ImportProgress> {
  const size = (await stat(file).catch(() => null))?.size;
  if (size === undefined) throw new AppError("invalid", `There is no file ${file}.`);
  const fold = createFold({ database, classify: createClassifier(), clock });
  const eventOf = createLineEvents();
  const progress: ImportProgress = {
    lines: 0,
    skipped: 0,
    views: 0,
    otherRequests: 0,
    malformed: 0,
    malformedLines: [],
    share: 0,
  };
  let readBytes = 0;
  let journal: string | null = null;
  let done = 0;
  let batch: ViewRecord[] = [];

  const flush = async (end: number) => {
    if (journal === null) return;
    const started = performance.now();
    const from = { segment: 0, position: done };
    await fold.fold(batch, { journal, from, position: { segment: 0, position: end } }).catch((error: unknown) => {
      if (!(error instanceof JournalMoved)) throw error;
      throw new AppError(
        "conflict",
        "This log is being imported by another process. Nothing is lost; wait for that one.",
      );
    });
    done = end;
    batch = [];
    progress.share = size === 0 ? 1 : Math.min(1, readBytes / size);
    onProgress?.(progress);
    // A server beside us writes to the same store: it gets a turn.
    await sleep(Math.min(50, (performance.now() - started) / 4));
  };

  let last = 0;
  for await (const { text, end } of readLogLines(file, (bytes) => (readBytes = bytes))) {
    signal?.throwIfAborted();
    progress.lines++;
    if (journal === null) {
      journal = `log ${projectId} ${createHash("sha256")
        .update(text ?? "")
        .digest("base64url")}`;
      done = await readDone(database, journal);
    }
    last = end;
    const event = eventOf(text ?? "");
    if (end <= done) {
      progress.skipped++;
      continue;
    }
    const logged = text === null ? null : parseLogLine(text);
    const view = logged && viewOfRequest(logged);
    if (view) {
      progress.views++;
      batch.push({ ...view, project: projectId, event });
    } else if (logged) progress.otherRequests++;
    else if (text !== "") {
      progress.malformed++;
      if (progress.malformedLines.length < MAX_MALFORMED_LINES) progress.malformedLines.push(progress.lines);
    }
    if (batch.length >= BATCH) await flush(end);
  }
  await flush(Math.max(last, done));
  progress.share = 1;
  return progress;
}

async function readDone(database: Database, journal: string): Promise<number> {
  const row = await database.kysely
    .selectFrom("journal_position")
    .select("position")
    .where("journal", "=", journal)
    .executeTakeFirst();
  return Number(row?.position ?? 0);
}

/** An id for each line that is the same in every file with that line; equal lines next to each other are told apart. */
function createLineEvents(): (line: string) => string {
  let repeats = new Map<string, number>();
  return (line) => {
    const hash = createHash("sha256").update(line).digest("base64url");
    const before = repeats.get(hash) ?? 0;
    if (repeats.size > MAX_REPEATS) repeats = new Map();
    repeats.set(hash, before + 1);
    return `log ${hash} ${before}`;
  };
}
