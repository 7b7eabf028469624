import { DatabaseSync } from "node:sqlite";

const BUSY = 5;

/**
 * Locks a file for this process until it is disposed or the process ends, however it ends; null when another process
 * holds it. Node has no file locks, but SQLite does, and the kernel drops them with the process.
 */
export function lockFile(file: string): Disposable | null {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive;");
    return { [Symbol.dispose]: () => lock.close() };
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === BUSY) return null;
    throw error;
  }
}
