import type { ProjectId } from "#lib/ids.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

/**
 * A view of which the record is made when its group is written, or before when many wait. What is done once in forty
 * pages waits for the memory that its code and data lie in, some 10 µs a view beside pages (± 6); for twenty in a row it
 * waits once (decision 15).
 */
export interface PendingView {
  project: ProjectId;
  /** The record, once. Null for what turns out to be no view. */
  make(): ViewRecord | null;
}

/** A view in the journal's queue. */
export interface WaitingView {
  view: ViewRecord | PendingView;
  resolve(isDurable: boolean): void;
}

export interface WrittenView extends WaitingView {
  view: ViewRecord;
}

/** Makes the record of a view that waits. False when it is none. Throws what `make` does. */
export function hasRecord(waiting: WaitingView): waiting is WrittenView {
  const { view } = waiting;
  if (!("make" in view)) return true;
  const record = view.make();
  if (record !== null) waiting.view = record;
  return record !== null;
}
