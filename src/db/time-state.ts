/** What the store knows of time; instants in milliseconds. */
export interface TimeState {
  trusted: number;
  wall: number;
  /** What the clock said when it was first found too far ahead; null when it is believed. */
  parted_at: number | null;
  /** How long servers ran by it since. */
  ran_ms: number;
}
