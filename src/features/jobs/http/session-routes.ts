import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { MAX_ROWS, numberParameter } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { jobId, JobParams } from "./schemas.ts";
import type { FailCode, Job } from "#features/jobs/job.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { listJobsFrom } from "#features/jobs/list.ts";
import type { JobId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface AgentSessionDeps extends FindsProject {
  database: Database;
}

const HALT_REASONS = ["completed", "github_missconfigured", "error", "processing", "interrupted"] as const;
/** The halt reason of a failed job. Every code that is not listed is an `error`. */
const REASONS: Partial<Record<FailCode, (typeof HALT_REASONS)[number]>> = {
  cancelled: "interrupted",
  push_denied: "github_missconfigured",
};

const tags = ["Agent jobs"];

const SessionBody = z
  .object({
    sessionId: jobId,
    subdomain: z
      .string()
      .openapi({ description: "Name of the site below the server's domain.", example: "harbor-docs" }),
    branch: z
      .string()
      .nullable()
      .openapi({ description: "Branch that the agent works on. `null` if the job has no branch yet." }),
    haulted: z.boolean().openapi({ description: "Whether the agent is idle." }),
    haultReason: z.enum(HALT_REASONS).openapi({
      description:
        "State of the agent. `processing`: the agent is working; `completed`: every message was handled; `interrupted`: the job was cancelled; `github_missconfigured`: the code host refused the push; `error`: anything else.",
    }),
    pullRequestLink: z.string().optional().openapi({
      format: "uri",
      description: "Link to the pull request. Omitted while the agent is working and if the job has no pull request.",
    }),
    messageToUser: z.string().optional().openapi({
      description:
        "Agent's summary of its work, or the reason why the job failed. Omitted while the agent is working, or if the agent wrote no summary.",
    }),
    todos: z
      .array(z.object({ content: z.string().openapi({ description: "Task to do." }) }))
      .max(0)
      .openapi({ description: "Always empty, because jobs have no such lists." }),
    title: z.string().optional().openapi({ description: "Title of the job. Omitted if the job has no title yet." }),
    createdAt: timestamp.openapi({ description: "Date and time when the job was created." }),
  })
  .openapi("AgentSession", { description: "Agent job in the format of version 1." });
type Session = z.infer<typeof SessionBody>;

const getRoute = operation({
  method: "get",
  path: "/v1/agent/{projectId}/job/{id}",
  id: "getAgentSession",
  tags,
  summary: "Get an agent job in the format of version 1",
  description: "Returns the job for programs that were written for this format. Use `getAgentJob` instead.",
  scope: "read",
  deprecated: { since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/job/{id}" },
  params: JobParams,
  answer: [200, SessionBody, "The current state of the job."],
});

const listRoute = operation({
  method: "get",
  path: "/v1/agent/{projectId}/jobs",
  id: "listAgentSessions",
  tags,
  summary: "List agent jobs in the format of version 1",
  description:
    "Returns the jobs, newest first, for programs that were written for this format. Use `listAgentJobs` instead.",
  scope: "read",
  deprecated: { since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/jobs" },
  params: ProjectParams,
  query: z.object({
    skip: numberParameter("skip", {
      min: 0,
      max: 1_000_000,
      fallback: 0,
      description: "Number of the newest jobs to skip.",
    }),
    take: numberParameter("take", { min: 1, max: MAX_ROWS, fallback: 12, description: "Number of results per page." }),
  }),
  answer: [
    200,
    z
      .object({ allSessions: z.array(SessionBody).max(MAX_ROWS).openapi({ description: "Jobs, newest first." }) })
      .openapi("AgentSessions"),
    "Jobs, newest first.",
  ],
});

/** Read-only routes for agent jobs in version 1 of the commercial API. The caller authenticates the requests. */
export function agentSessionRoutes(deps: AgentSessionDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  const projectOf = projectOfKey(deps);

  routes.openapi(getRoute, async (c) => {
    const project = await projectOf(c);
    const job = await findJob(deps, { projectId: project.id, jobId: c.req.valid("param").id as JobId });
    if (!job) throw notFound();
    return c.json(sessionOf(job, project), 200);
  });
  routes.openapi(listRoute, async (c) => {
    const project = await projectOf(c);
    const jobs = await listJobsFrom(deps, { projectId: project.id, ...c.req.valid("query") });
    return c.json({ allSessions: jobs.map((job) => sessionOf(job, project)) }, 200);
  });
  return routes;
}

function sessionOf(job: Job, { slug }: Project): Session {
  const isActive = job.status === "active";
  const message = job.error?.message ?? job.summary;
  const link = isActive ? undefined : job.pullRequest?.url;
  return {
    sessionId: job.id,
    subdomain: slug,
    branch: job.branch,
    haulted: !isActive,
    haultReason: reasonOf(job),
    ...(link !== undefined && { pullRequestLink: link }),
    ...(!isActive && message !== null && { messageToUser: message }),
    todos: [],
    ...(job.title !== null && { title: job.title }),
    createdAt: job.createdAt.toISOString(),
  };
}

function reasonOf({ status, error }: Job): Session["haultReason"] {
  if (status === "active") return "processing";
  return error === null ? "completed" : (REASONS[error.code] ?? "error");
}
