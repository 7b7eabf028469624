/** Error codes of the file system: no space, over quota, read-only. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EROFS"]);

/** Whether an error says that the file system accepts no more writes: it is full or read-only. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && FULL.has((error as NodeJS.ErrnoException).code ?? "");
}
