import type { ProjectId } from "#lib/ids.ts";
import { dayOf } from "#features/visitors/day.ts";
import type { ServedPagesRecord } from "#features/visitors/view-record.ts";

export type ServedPage = Omit<ServedPagesRecord, "delivered">;

/** Sums served pages until they are written: one record per project, day and kind, for any number of pages. */
export interface ServedPages {
  add(page: ServedPage, count?: number): void;
  /** Returns the sums since the last call. */
  take(): ServedPagesRecord[];
  isEmpty(): boolean;
}

export function createServedPages(): ServedPages {
  let ofProjects = new Map<ProjectId, ServedPagesRecord[]>();
  return {
    add({ project, time, isPrivate, isPrefetch, isFlood = false }, count = 1) {
      const day = dayOf(time);
      let records = ofProjects.get(project);
      if (records === undefined) ofProjects.set(project, (records = []));
      const same = records.find(
        (one) =>
          dayOf(one.time) === day &&
          one.isPrivate === isPrivate &&
          one.isPrefetch === isPrefetch &&
          (one.isFlood ?? false) === isFlood,
      );
      if (same === undefined) {
        records.push({ project, time, delivered: count, isPrivate, isPrefetch, ...(isFlood && { isFlood }) });
      } else same.delivered += count;
    },
    take() {
      const taken = [...ofProjects.values()].flat();
      ofProjects = new Map();
      return taken;
    },
    isEmpty: () => ofProjects.size === 0,
  };
}
