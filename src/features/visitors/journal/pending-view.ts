import type { ProjectId } from "#lib/ids.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

/**
 * A view whose record is created when its group is written, or earlier when many wait. Code that runs once in forty
 * pages waits for its code and data to be loaded from memory, some 10 µs a view (± 6); twenty in a row wait once
 * (decision 15).
 */
export interface PendingView {
  project: ProjectId;
  /** Creates the record, once. Null when the request turns out not to be a view. */
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

/** Creates the record of a waiting view. False when it is not a view. Throws what `make` throws. */
export function hasRecord(waiting: WaitingView): waiting is WrittenView {
  const { view } = waiting;
  if (!("make" in view)) return true;
  const record = view.make();
  if (record !== null) waiting.view = record;
  return record !== null;
}
