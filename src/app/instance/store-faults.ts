import { DatabaseSync } from "node:sqlite";
import { isUnwritable } from "#db/database.ts";
import { GitError, type GitRunner } from "#git/process/runner.ts";
import { isPartial, PROMISED } from "#git/transfer/partial.ts";
import { TOLERATED_FLAWS } from "#git/transfer/tolerated-flaws.ts";
import { AppError, errorText } from "#lib/app-error.ts";

const BUSY_MS = 10_000;
const FSCK_MS = 30 * 60_000;

/**
 * Returns the integrity errors of a SQLite database; empty if it is intact. `full` also checks the indexes, which takes
 * several times as long. Throws if it cannot be read at all, as on a read-only disk.
 */
export function readSqliteFaults(file: string, { full }: { full: boolean }): string[] {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    const check = full ? "integrity_check" : "quick_check";
    const found = database
      .prepare(`pragma ${check}(5)`)
      .all()
      .flatMap((row) => Object.values(row).map(String));
    const references = database.prepare("pragma foreign_key_check").all();
    return [
      ...found.filter((line) => line !== "ok"),
      ...(references.length === 0 ? [] : [`${references.length} rows refer to rows that do not exist`]),
    ];
  } catch (error) {
    if (isUnwritable(error)) throw error;
    return [errorText(error)];
  } finally {
    database?.close();
  }
}

/** The same, where a database that cannot be read is as bad as a damaged one. */
export function sqliteFaults(...given: Parameters<typeof readSqliteFaults>): string[] {
  try {
    return readSqliteFaults(...given);
  } catch (error) {
    return [errorText(error)];
  }
}

/**
 * Returns the errors that git finds in a repository; null if it is intact. `full` reads every object; otherwise git
 * only checks which ones exist.
 */
export async function repositoryFault(
  run: GitRunner,
  directory: string,
  { full, signal }: { full: boolean; signal: AbortSignal },
): Promise<string | null> {
  const tolerated = TOLERATED_FLAWS.map((flaw): [string, string] => [`fsck.${flaw}`, "ignore"]);
  try {
    await run({
      directory,
      args: ["fsck", "--no-dangling", "--no-progress", ...(full ? [] : ["--connectivity-only"])],
      config: { ...((await isPartial(directory)) && PROMISED), ...Object.fromEntries(tolerated) },
      timeoutMs: FSCK_MS,
      signal,
    });
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitError) return error.stderr.trim().split("\n", 1)[0] || error.message;
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
