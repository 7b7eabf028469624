import { appendFileSync } from "node:fs";
import { appendFile, mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { listLogFiles, listLogFilesNow, type LogFile, logFileName, type LogFolder } from "./log-files.ts";

export interface KeptLog {
  /** Accepts a line with its line break, and returns at once even if the disk is slow. */
  write(line: string): void;
  /** Resolves when all accepted lines are written, or writing them has failed. */
  settled(): Promise<void>;
}

export interface LogLimits {
  /** Size of one file. A node has two files: the one that it writes, and the one before. */
  fileBytes: number;
  /** Size of the lines that wait for a full or slow disk; lines beyond it are dropped and counted. */
  waitingBytes: number;
  /**
   * Number of files of all nodes together: those of nodes that no longer run, such as containers, are removed first.
   */
  files: number;
  /** Delay before a failed write is retried. */
  retryMs: number;
}

const LIMITS: LogLimits = { fileBytes: 5_000_000, waitingBytes: 1_000_000, files: 16, retryMs: 5_000 };
const FILES_OF_NODE = 2;
/** A page of a hundred lines has to fit in memory. */
const MAX_LINE = 32_000;
/** Client addresses go to standard error only: no reader's address is stored on disk for long. */
const ADDRESS = /"address":"[^"]*"/g;

/**
 * Keeps the lines of a log in files. Callers never wait for it: it writes one batch after another. When a write fails,
 * it reports that to `logger`, which must not write here, and retries later.
 */
export function keepLog(
  { logger }: { logger: Logger },
  folder: LogFolder,
  { fileBytes, waitingBytes, files, retryMs }: LogLimits = LIMITS,
): KeptLog {
  const trouble = createLastingTrouble(logger, "the log could not be kept in the data directory");
  let waiting: string[] = [];
  let bytes = 0;
  let dropped = 0;
  let writing: Promise<void> | null = null;
  let file: string | null = null;
  let isTorn = false;
  let isResting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const lines = [...waiting]; // more lines arrive while these are written
      const text = textOf(lines, dropped);
      const before = { bytes, dropped };
      try {
        file = await fileFor(file, text.length);
        await appendFile(file, text, { mode: 0o600 });
        trouble.worked();
      } catch (error) {
        trouble.failed(error);
        isTorn = true; // a full disk may accept part of a batch
        isResting = true;
        setTimeout(() => {
          isResting = false;
          start();
        }, retryMs).unref();
        return;
      }
      isTorn = false;
      waiting = waiting.slice(lines.length);
      bytes -= before.bytes;
      dropped -= before.dropped;
    }
  }

  const textOf = (lines: readonly string[], missing: number) =>
    (isTorn ? "\n" : "") + lines.join("") + (missing === 0 ? "" : droppedLine(missing));

  function start(): void {
    if (writing !== null || isResting || waiting.length === 0) return;
    writing = writeAll().finally(() => (writing = null));
  }

  /** The file that has room. Another process or thread of this node may have started a new one. */
  async function fileFor(last: string | null, length: number): Promise<string> {
    if (last !== null && (await hasRoom(last, length))) return last;
    await mkdir(folder.directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const all = await listLogFiles(folder.directory);
    const own = all.filter(({ node }) => node === folder.node);
    const newest = own.at(-1);
    const place = (number: number) => path.join(folder.directory, logFileName(folder.node, number));
    if (newest && (await hasRoom(place(newest.number), length))) return place(newest.number);
    await removeOld(all, own);
    return place((newest?.number ?? 0) + 1);
  }

  async function hasRoom(place: string, length: number): Promise<boolean> {
    try {
      return (await stat(place)).size + length <= fileBytes;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false; // removed meanwhile: the new listing says which files are left
      throw error;
    }
  }

  /** Makes room for one more file. */
  async function removeOld(all: readonly LogFile[], own: readonly LogFile[]): Promise<void> {
    const gone = own.slice(0, Math.max(0, own.length + 1 - FILES_OF_NODE));
    const others = await Promise.all(
      all
        .filter(({ node }) => node !== folder.node)
        .map(async ({ name }) => ({ name, at: (await stat(path.join(folder.directory, name))).mtimeMs })),
    );
    others.sort((a, b) => a.at - b.at);
    const tooMany = Math.max(0, others.length + FILES_OF_NODE - files);
    for (const { name } of [...gone, ...others.slice(0, tooMany)])
      await rm(path.join(folder.directory, name), { force: true });
  }

  process.once("exit", () => {
    // Lines in flight may be written twice; losing the last line would be worse.
    if (waiting.length > 0) appendNow(folder, textOf(waiting, dropped));
  });
  return {
    write(given) {
      const whole = given.replace(ADDRESS, '"address":"[on standard error]"');
      const line = whole.length > MAX_LINE ? shortened(whole) : whole;
      const size = Buffer.byteLength(line);
      if (bytes + size > waitingBytes) {
        dropped++;
      } else {
        waiting.push(line);
        bytes += size;
      }
      start();
    },
    settled: async () => {
      await writing;
    },
  };
}

/** Appends to the log of a node from a process that is about to exit, if it can. */
export function appendNow({ directory, node }: LogFolder, text: string): void {
  try {
    const newest = listLogFilesNow(directory).findLast((file) => file.node === node);
    appendFileSync(path.join(directory, logFileName(node, newest?.number ?? 1)), text, { mode: 0o600 });
  } catch {
    // standard error has it
  }
}

const WARN = 40;

const droppedLine = (lines: number) =>
  `${JSON.stringify({ level: WARN, time: new Date().toISOString(), lines, msg: "lines of the log were left out, as the disk was full or slow" })}\n`;

/** The start of an oversized line, such as the output of a program. */
function shortened(line: string): string {
  const { level, time, msg } = JSON.parse(line) as { level: number; time: string; msg?: string };
  return `${JSON.stringify({ level, time, beginning: line.slice(0, MAX_LINE / 10), characters: line.length, msg: msg?.slice(0, MAX_LINE / 10) })}\n`;
}
