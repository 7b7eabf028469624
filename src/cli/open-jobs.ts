import type { JobActions } from "./places/jobs.ts";
import { choosePlace, findLogin, type PlaceOptions } from "./places/place.ts";

/** Jobs of a project by its id or name; null where the job says the project, or the login does. */
export async function openJobs(
  options: PlaceOptions,
  project: string | null,
  signal: AbortSignal,
): Promise<JobActions> {
  const place = choosePlace(options);
  if (place.kind === "server") {
    return (await import("./places/jobs-at-server.ts")).jobsAtServer(findLogin(place, project), signal);
  }
  return (await import("./jobs-in-directory.ts")).jobsInDirectory(options, project);
}
