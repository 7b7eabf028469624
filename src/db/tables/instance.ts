import type { Immutable, Instant } from "./projects.ts";

/** One row: the time that old things are deleted by, see `db/trusted-time.ts`. */
export interface TrustedTimeTable {
  id: Immutable<number>;
  trusted: Instant;
  /** The wall clock when it was last looked at. */
  wall: Instant;
  /** The wall clock when it parted from what is trusted; null while they agree. */
  parted_at: Instant | null;
  /** How long servers have run since, with a wall clock that went on as it should. */
  ran_ms: number;
}

export interface InstanceTables {
  trusted_time: TrustedTimeTable;
}
