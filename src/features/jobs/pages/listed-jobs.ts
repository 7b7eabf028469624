import type { Job, JobPullRequest } from "#features/jobs/job.ts";
import { withCurrentPullRequest } from "#features/jobs/jobs.ts";
import { firstPrompts } from "#features/jobs/requests/messages.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { Project } from "#features/projects/project.ts";
import type { ListedJob } from "./job-list.ts";

export interface ListedJobsDeps {
  submit: SubmitDeps;
  /** The pull request as it is now; null when its code host does not say. */
  currentPullRequest(project: Project, number: number): Promise<Pick<JobPullRequest, "state" | "draft"> | null>;
}

/** Jobs as a list shows them: with what to call those without a title, and with their pull requests as they are now. */
export async function listedJobs(
  { submit, currentPullRequest }: ListedJobsDeps,
  project: Project,
  jobs: readonly Job[],
): Promise<ListedJob[]> {
  const untitled = jobs.filter((job) => job.title === null).map((job) => job.id);
  const prompts = await firstPrompts(submit, { projectId: project.id, jobIds: untitled });
  // Together: a host may take its time for each.
  return Promise.all(
    jobs.map(async (stored) => {
      const job = await withCurrentPullRequest(stored, (number) => currentPullRequest(project, number));
      return { job, prompt: prompts.get(job.id) };
    }),
  );
}
