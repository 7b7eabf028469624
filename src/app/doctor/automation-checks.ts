import { findWrongDueTimes } from "#features/jobs/automations/due-times.ts";
import { listProjects } from "#features/projects/projects.ts";
import { type Diagnosis, type DoctorInput, diagnose, firstOf } from "./diagnosis.ts";

const CHECK = "automations";

/** Names automations whose next run is later than their schedule says. A server corrects them within half a minute. */
export async function checkAutomations({
  database,
  now,
  server,
}: Pick<DoctorInput, "database" | "now" | "server">): Promise<Diagnosis[]> {
  const wrong = await findWrongDueTimes(database, now);
  if (wrong.length === 0) return [diagnose.ok(CHECK, "The next runs are as the schedules say.")];
  const slugs = new Map((await listProjects({ database })).map(({ id, slug }) => [id, slug]));
  const advice =
    server === null
      ? "The next start of the server corrects it."
      : "The server corrects it within half a minute, unless its clock is behind: set the clock. Otherwise pause the automation and resume it.";
  const found = wrong.map(({ automation: { name, projectId, dueAt }, dueAt: right }) => {
    const words = `A clock that was ahead set the next run of "${name}" of ${slugs.get(projectId) ?? projectId} to ${dueAt?.toISOString()}; its trigger says ${right.toISOString()}.`;
    return diagnose.warning(CHECK, words, advice);
  });
  return firstOf(found);
}
