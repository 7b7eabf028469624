import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { answerJob, withStateNow, type JobAnswerDeps, jobToJson } from "./job-json.ts";
import { linkNextCursor, MAX_ROWS, NextCursor, PageQuery } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import { AgentJobBody, JobParams, JobStatusBody } from "./schemas.ts";
import { type Job, JOB_STATUSES } from "#features/jobs/job.ts";
import { findJob } from "#features/jobs/jobs.ts";
import type { IdempotencyKey } from "#kit/http/request-outcomes.ts";
import type { JobName } from "#features/jobs/jobs.ts";
import { archiveJob, deleteJob, unarchiveJob } from "#features/jobs/requests/lifecycle.ts";
import type { TransitionDeps } from "#features/jobs/transitions/change.ts";
import { listJobs } from "#features/jobs/list.ts";
import type { JobId } from "#lib/ids.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface AgentJobLifecycleDeps extends FindsProject, JobAnswerDeps {
  submit: TransitionDeps;
}

const tags = ["Agent jobs"];

const listRoute = operation({
  method: "get",
  path: "/v2/agent/{projectId}/jobs",
  id: "listAgentJobs",
  tags,
  summary: "List agent jobs",
  description: "Returns the jobs of the project, newest first. To get the next page, send `nextCursor` as `cursor`.",
  scope: "read",
  params: ProjectParams,
  query: PageQuery.extend({
    status: z
      .union([JobStatusBody, z.array(JobStatusBody)], "must be active, completed, archived or failed")
      .optional()
      .openapi({
        param: { name: "status", in: "query", style: "form", explode: true },
        type: "array",
        items: { type: "string", enum: [...JOB_STATUSES] },
        description: "Statuses of the jobs to return. Repeat the parameter for each status. All jobs if omitted.",
      }),
  }),
  answer: [
    200,
    z
      .object({
        jobs: z.array(AgentJobBody).max(MAX_ROWS).openapi({ description: "Jobs, newest first." }),
        nextCursor: NextCursor,
      })
      .openapi("AgentJobs"),
    "Jobs, newest first.",
  ],
  headers: ["Link"],
});

const archiveRoute = operation({
  method: "post",
  path: "/v2/agent/{projectId}/job/{id}/archive",
  id: "archiveAgentJob",
  tags,
  summary: "Archive an agent job",
  description:
    "Archives a job that is not active. An archived job accepts no messages. Its branch and pull request are kept.",
  scope: "agent",
  params: JobParams,
  answer: [200, AgentJobBody, "The job, `archived`."],
  errors: [409],
  headers: ["ETag"],
});

const unarchiveRoute = operation({
  method: "post",
  path: "/v2/agent/{projectId}/job/{id}/unarchive",
  id: "unarchiveAgentJob",
  tags,
  summary: "Unarchive an agent job",
  description: "Restores the status that the job had before it was archived. Has no effect if the job is not archived.",
  scope: "agent",
  params: JobParams,
  answer: [200, AgentJobBody, "The job, with the status it had before it was archived."],
  headers: ["ETag"],
});

const deleteRoute = operation({
  method: "delete",
  path: "/v2/agent/{projectId}/job/{id}",
  id: "deleteAgentJob",
  tags,
  summary: "Delete an agent job",
  description: "Deletes the job and its transcript. The branch and the pull request of the job are kept.",
  scope: "admin",
  params: JobParams,
  answer: [204, "The job was deleted."],
  errors: [409],
});

/** Routes to list, archive and delete jobs. The caller authenticates the requests. */
export function agentJobLifecycleRoutes(deps: AgentJobLifecycleDeps): OpenAPIHono<HttpEnv> {
  const { submit } = deps;
  const routes = createRouter();

  const projectOf = projectOfKey(deps);

  async function answer(c: HttpContext, change: (name: JobName, key: IdempotencyKey | null) => Promise<Job>) {
    const project = await projectOf(c);
    const name = { projectId: project.id, jobId: c.req.param("id") as JobId };
    const changed = await answerOnce<Job>(c, submit, {
      carryOut: (key) => change(name, key),
      repeat: () => findJob(submit, name),
    });
    const job = await withStateNow(deps, project, changed);
    return c.json(answerJob(c, deps, { project, job }), 200);
  }

  routes.openapi(listRoute, async (c) => {
    const project = await projectOf(c);
    const { status, limit, cursor = null } = c.req.valid("query");
    const statuses = [status ?? []].flat();
    const { items, nextCursor } = await listJobs(submit, { projectId: project.id, statuses, limit, cursor });
    const repositoryUrl = deps.repositoryUrl(project);
    // In parallel: each request to a host may be slow.
    const current = await Promise.all(items.map((stored) => withStateNow(deps, project, stored)));
    const jobs: AgentJobBody[] = current.map((job) => jobToJson(job, repositoryUrl));
    linkNextCursor(c, nextCursor);
    return c.json({ jobs, nextCursor }, 200);
  });

  routes.openapi(archiveRoute, (c) => answer(c, (name, key) => archiveJob(submit, name, key)));
  routes.openapi(unarchiveRoute, (c) => answer(c, (name, key) => unarchiveJob(submit, name, key)));
  routes.openapi(deleteRoute, async (c) => {
    await deleteJob(submit, { projectId: c.get("principal").projectId, jobId: c.req.param("id") as JobId });
    return c.body(null, 204);
  });

  return routes;
}
