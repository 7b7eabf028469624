import { type Context, Hono } from "hono";
import type { Database } from "#db/database.ts";
import { findJobRange, type JobRangeDeps } from "#features/jobs/job-range.ts";
import { findJob, withCurrentPullRequest } from "#features/jobs/jobs.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { ProjectAccess } from "#features/keys/page-access.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { JobId } from "#lib/ids.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { sendPage } from "#kit/pages/send-page.ts";
import type { ChangeReader } from "./pull-request-view.ts";
import { reviewPage } from "./review-page.ts";
import { readReview } from "./review.ts";

export interface ReviewRoutesDeps {
  access: ProjectAccess;
  database: Database;
  submit: Pick<SubmitDeps, "database" | "redactFor">;
  reviews: Omit<JobRangeDeps, "database"> & { readChanges: ChangeReader };
}

/** `/{slug}/jobs/{id}/review`: the changes of a job. A pull request on the embedded host has its own page with the same. */
export function createReviewRoutes(deps: ReviewRoutesDeps): Hono {
  const { access, database, reviews } = deps;
  return new Hono().get("/:slug/jobs/:id{job_[0-9a-z]{26}}/review", async (c: Context) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const { project, place } = opened;
    const stored = await findJob({ database }, { projectId: project.id, jobId: c.req.param("id") as JobId });
    if (!stored) return sendNotFound(c);
    if (stored.pullRequest && project.codeHost === "embedded")
      return c.redirect(`/${place.slug}/pull/${stored.pullRequest.number}`, 303);
    const repository = hostedRepository(project);
    const job = await withCurrentPullRequest(stored, (number) => reviews.currentPullRequest(repository, number));
    const range = await findJobRange({ database, ...reviews }, { job, repository });
    const path = c.req.query("path") ?? null;
    const changed = range ? await reviews.readChanges(repository, range, path) : { changes: [], diffs: new Map() };
    const page = reviewPage({
      place,
      address: `/${place.slug}/jobs/${job.id}/review`,
      range,
      ...changed,
      review: await readReview(deps.submit, job),
      isOpen: job.status !== "archived",
      number: null,
      path,
      talk: null,
    });
    return sendPage(c, page, { hasFrames: true });
  });
}
