import { createFairBytes } from "#lib/fair-bytes.ts";
import type { ProjectId } from "#lib/ids.ts";

/** How many jobs may be followed at once. Each costs one small query a second while its job works. */
export interface StreamPlaces {
  /** Dispose it when the stream is over. `AppError unavailable` when the project, or all together, follow as many as they may. */
  take(project: ProjectId): Disposable;
}

/** A project has a fifth of the places at most, so that none is left without because of another. */
const SHARE = 1 / 5;

export function createStreamPlaces(total: number): StreamPlaces {
  const perOwner = Math.max(1, Math.floor(total * SHARE));
  const room = createFairBytes(
    { total, perOwner },
    {
      ofOwner: `This project follows as many jobs at once as it may: ${perOwner} streams. Try again when one has ended.`,
      ofAll: "The server follows as many jobs at once as it can. Try again soon.",
    },
  );
  return {
    take(project) {
      const place = room.hold(project);
      place.take(1);
      return place;
    },
  };
}
