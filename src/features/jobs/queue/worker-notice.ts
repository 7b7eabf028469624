import type { Job } from "#features/jobs/job.ts";
import type { Clock } from "#lib/clock.ts";

const NO_WORKER = "No worker is running. The job continues when one starts.";

/** Longer than a worker needs to claim a job, or to connect again. */
const PATIENCE_MS = 30_000;
/** Clients poll jobs. */
const FRESH_MS = 2_000;

/** Returns a function that adds a notice to a job that nothing has happened to for a while, because no process runs jobs. */
export function createWorkerNotice({ clock, countWorkers }: { clock: Clock; countWorkers(): Promise<number> }) {
  let known: { at: number; count: Promise<number> } | null = null;
  const count = () => {
    const at = performance.now();
    if (known === null || at - known.at > FRESH_MS) known = { at, count: countWorkers() };
    return known.count;
  };
  return async (job: Job): Promise<Job> => {
    const isQuiet = job.status === "active" && clock.now().getTime() - job.updatedAt.getTime() >= PATIENCE_MS;
    return isQuiet && (await count()) === 0 ? { ...job, notice: NO_WORKER } : job;
  };
}
