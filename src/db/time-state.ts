/** State of the trusted time in the store; instants in milliseconds. */
export interface TimeState {
  trusted: number;
  wall: number;
  /** The wall clock when it was first found too far ahead; null while it is trusted. */
  parted_at: number | null;
  /** How long servers have run by it since. */
  ran_ms: number;
}
