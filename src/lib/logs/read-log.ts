import { open, stat } from "node:fs/promises";
import path from "node:path";
import { listLogFiles, type LogFile } from "./log-files.ts";

/** The levels of a line, lowest first, with their numbers in the files. */
export const LOG_LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
export type LineLevel = keyof typeof LOG_LEVELS;
export const LEVEL_NAMES = Object.keys(LOG_LEVELS) as LineLevel[];

export interface KeptLine {
  /** Its position: the node, the number of the file and the offset in it. */
  id: string;
  node: string;
  time: string;
  level: LineLevel;
  message: string;
  fields: Record<string, unknown>;
}

export interface LogQuery {
  /** This level and those above it. */
  level: LineLevel;
  since: Date | null;
  /** Only lines before this one, newest first. */
  before: Pick<KeptLine, "time" | "id"> | null;
  limit: number;
}

interface Found extends KeptLine {
  place: Place;
}

/** A position in the log of a node. */
interface Place {
  node: string;
  number: number;
  at: number;
}

const CHUNK = 256 * 1024;
const LINE_BREAK = 0x0a;
/** Threads of a process and clock changes put lines out of order by at most this much; pages rely on that. */
const DISORDER_MS = 5_000;
const HEAD = /^\{"level":(\d+),"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;
const ID = /^([a-z0-9-]{1,80})\.(\d{1,9})\.(\d{1,12})$/;

/**
 * Matching lines of all nodes, newest first. Files are read from their ends, all of them if few lines match, which
 * takes some 20 ms for 10 MB. Empty where no log is kept.
 */
export async function readKeptLog(directory: string, query: LogQuery): Promise<KeptLine[]> {
  const files = await listLogFiles(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const nodes = Map.groupBy(files, ({ node }) => node);
  const found = await Promise.all([...nodes.values()].map((own) => linesOfNode(directory, own, query)));
  return found
    .flat()
    .sort((a, b) => order(b, a))
    .slice(0, query.limit)
    .map(({ place: _, ...line }) => line);
}

/** Whether a text has the form of a line's id. */
export const isLineId = (text: string): boolean => ID.test(text);

async function linesOfNode(directory: string, files: readonly LogFile[], query: LogQuery): Promise<Found[]> {
  const found: Found[] = [];
  const lowest = LOG_LEVELS[query.level];
  const since = query.since?.toISOString() ?? "";
  const earliest = query.since === null ? "" : new Date(query.since.getTime() - DISORDER_MS).toISOString();
  const before = query.before && { time: query.before.time, place: placeOf(query.before.id) };
  let enough = "";
  for (const file of files.toReversed()) {
    for await (const { at, text } of linesBackwards(path.join(directory, file.name), earliest)) {
      const [, level, time = ""] = HEAD.exec(text) ?? [];
      if (time === "") continue; // torn by a full disk or a crash
      if (time < earliest || time < enough) return found;
      const place = { node: file.node, number: file.number, at };
      if (Number(level) < lowest || time < since || (before && order({ time, place }, before) >= 0)) continue;
      const line = parseLine(text);
      if (line === null) continue;
      found.push({ id: `${place.node}.${place.number}.${at}`, node: place.node, time, ...line, place });
      if (found.length === query.limit) enough = new Date(Date.parse(time) - DISORDER_MS).toISOString();
    }
  }
  return found;
}

/** Whole lines of a file, last first. A file whose last write is before `earliest` is skipped. */
async function* linesBackwards(place: string, earliest: string): AsyncGenerator<{ at: number; text: string }> {
  const status = await stat(place).catch(() => null); // a newer file may have replaced it
  if (status === null || status.mtime.toISOString() < earliest) return;
  const file = await open(place, "r").catch(() => null);
  if (file === null) return;
  try {
    let rest: Buffer = Buffer.alloc(0); // the end of a line that begins in the chunk before
    for (let end = status.size; end > 0;) {
      const start = Math.max(0, end - CHUNK);
      const chunk = Buffer.alloc(end - start);
      const { bytesRead } = await file.read(chunk, 0, chunk.length, start);
      if (bytesRead < chunk.length) return;
      const all = Buffer.concat([chunk, rest]);
      const from = start === 0 ? 0 : all.indexOf(LINE_BREAK) + 1 || all.length;
      for (const { at, text } of linesIn(all, from).reverse()) yield { at: start + at, text };
      rest = all.subarray(0, from);
      end = start;
    }
  } finally {
    await file.close();
  }
}

function linesIn(bytes: Buffer, from: number): { at: number; text: string }[] {
  const lines: { at: number; text: string }[] = [];
  for (let at = from; at < bytes.length;) {
    const found = bytes.indexOf(LINE_BREAK, at);
    const end = found === -1 ? bytes.length : found;
    if (end > at) lines.push({ at, text: bytes.toString("utf8", at, end) });
    at = end + 1;
  }
  return lines;
}

function parseLine(text: string): Pick<KeptLine, "level" | "message" | "fields"> | null {
  try {
    const { level, time: _, msg, ...fields } = JSON.parse(text) as { level: number; time: string; msg?: unknown };
    const name = LEVEL_NAMES.findLast((one) => LOG_LEVELS[one] <= level) ?? "trace";
    return { level: name, message: typeof msg === "string" ? msg : "", fields };
  } catch {
    return null; // still being written
  }
}

function placeOf(id: string): Place {
  const [, node = "", number, at] = ID.exec(id) ?? [];
  return { node, number: Number(number), at: Number(at) };
}

/** By time, then by position: no two lines are equal, so a page starts right after the one before. */
function order(a: Pick<Found, "time" | "place">, b: Pick<Found, "time" | "place">): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  if (a.place.node !== b.place.node) return a.place.node < b.place.node ? -1 : 1;
  return a.place.number - b.place.number || a.place.at - b.place.at;
}
