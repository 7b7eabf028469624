import type { Immutable, Instant } from "./projects.ts";

/** One row: the time by which old data is deleted, see `db/trusted-time.ts`. */
export interface TrustedTimeTable {
  id: Immutable<number>;
  trusted: Instant;
  /** The wall clock at the last check. */
  wall: Instant;
  /** The wall clock when it diverged from the trusted time; null while they agree. */
  parted_at: Instant | null;
  /** How long servers have run since with a steady wall clock. */
  ran_ms: number;
}

export interface InstanceTables {
  trusted_time: TrustedTimeTable;
}
