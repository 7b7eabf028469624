import { totalmem } from "node:os";

/** Memory from which caches have their full size. */
const FULL_BYTES = 2 * 1024 ** 3;

/**
 * The limit of a large cache on this machine: `full` with 2 GB of memory or more, and in proportion with less. Together the
 * caches of a server hold up to 700 MB, which a machine of 1 GB does not have. A quarter would be too little there: a site of
 * 1,500 pages would not fit, and a crawler that reads page after page would find none of them in the cache.
 */
export const cacheLimit = (full: number, memoryBytes = availableBytes()): number =>
  Math.floor(full * Math.min(1, memoryBytes / FULL_BYTES));

/** The memory of the machine, or less where a control group (a container, a unit of systemd) limits it. */
function availableBytes(): number {
  const limit = process.constrainedMemory(); // 0 if unknown; a huge number without a limit
  return limit > 0 ? Math.min(totalmem(), limit) : totalmem();
}
