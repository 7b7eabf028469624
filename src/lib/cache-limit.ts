import { totalmem } from "node:os";

/** Memory from which caches have their full size. */
const FULL_BYTES = 2 * 1024 ** 3;

/**
 * The limit of a large cache on this machine: `full` with 2 GB of memory or more, and in proportion with less. Together the
 * caches of a server hold up to 700 MB, which a machine of 1 GB does not have. With a quarter of it there, the pages of a site
 * of 1,500 no longer fit, and a crawler that reads one after another meets none of them.
 */
export const cacheLimit = (full: number, memoryBytes = availableBytes()): number =>
  Math.floor(full * Math.min(1, memoryBytes / FULL_BYTES));

/** The memory of the machine, or less where a control group (a container, a unit of systemd) limits it. */
function availableBytes(): number {
  const limit = process.constrainedMemory(); // 0 where it is unknown, and a huge number where there is none
  return limit > 0 ? Math.min(totalmem(), limit) : totalmem();
}
