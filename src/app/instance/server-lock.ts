import { existsSync } from "node:fs";
import path from "node:path";
import type { Config } from "./config.ts";
import { openDataDirectory } from "./data-directory.ts";
import { readInstanceFile } from "./instance-file.ts";
import { AppError } from "#lib/app-error.ts";
import { lockFile } from "#lib/file-lock.ts";

const ONE_SERVER = "With SQLite one server works on a data directory: use that one, or choose another --data.";

/**
 * Prevents a second server on a data directory with SQLite, until it is disposed or the process ends in any way.
 * `AppError conflict` names the first server. With PostgreSQL, several servers may share one.
 * `advice` follows that sentence.
 */
export function claimServerLock(
  { database, dataDirectory }: Pick<Config, "database" | "dataDirectory">,
  advice: string = ONE_SERVER,
): Disposable {
  if (database.engine !== "sqlite") return { [Symbol.dispose]: () => undefined };
  openDataDirectory(dataDirectory);
  const lock = lockFile(path.join(dataDirectory, "server.lock"));
  if (lock) return lock;
  const first = readInstanceFile(dataDirectory);
  const who = first
    ? `is served at ${first.baseUrl} (process ${first.pid})`
    : "is just being opened by another process";
  throw new AppError("conflict", `${dataDirectory} ${who}. ${advice}`);
}

const copyLock = (dataDirectory: string) => path.join(dataDirectory, "copy.lock");

/** Keeps commands from writing to a SQLite database while it is copied. `AppError conflict` while another copy runs. */
export function claimCopyLock(dataDirectory: string): Disposable {
  const lock = lockFile(copyLock(dataDirectory));
  if (lock === null) throw new AppError("conflict", `Another copy of the database of ${dataDirectory} is running.`);
  return lock;
}

/** `AppError conflict` while the database is copied: what a command writes would be missing in the copy. */
export function refuseDuringCopy({ database, dataDirectory }: Pick<Config, "database" | "dataDirectory">): void {
  if (database.engine !== "sqlite" || !existsSync(copyLock(dataDirectory))) return;
  const lock = lockFile(copyLock(dataDirectory));
  lock?.[Symbol.dispose]();
  if (lock !== null) return;
  throw new AppError(
    "conflict",
    `\`docent store copy\` is copying the database of ${dataDirectory}. Run the command again when it has ended, with the server's DATABASE_URL.`,
  );
}
