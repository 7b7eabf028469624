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
      .openapi({ description: "The site's name below the server's domain.", example: "harbor-docs" }),
    branch: z.string().nullable().openapi({ description: "Branch that the agent works on; null until it has one." }),
    haulted: z.boolean().openapi({ description: "Whether the agent works on nothing now." }),
    haultReason: z.enum(HALT_REASONS).openapi({
      description:
        "`processing`: it works; `completed`: every message was handled; `interrupted`: it was cancelled; `github_missconfigured`: the code host refused the push; `error`: anything else.",
    }),
    pullRequestLink: z
      .string()
      .optional()
      .openapi({ format: "uri", description: "Its pull request; absent while it works, and when it has none." }),
    messageToUser: z
      .string()
      .optional()
      .openapi({ description: "What the agent says that it did, or why it failed; absent until it has." }),
    todos: z
      .array(z.object({ content: z.string().openapi({ description: "What is to be done." }) }))
      .max(0)
      .openapi({ description: "Empty: jobs have no such lists here." }),
    title: z.string().optional().openapi({ description: "Title of the job; absent until it has one." }),
    createdAt: timestamp.openapi({ description: "When it was created." }),
  })
  .openapi("AgentSession", { description: "An agent job in the form of version 1." });
type Session = z.infer<typeof SessionBody>;

const getRoute = operation({
  method: "get",
  path: "/v1/agent/{projectId}/job/{id}",
  id: "getAgentSession",
  tags,
  summary: "Get an agent job in the form of version 1",
  description: "Use `getAgentJob`. For programs that were written for this form.",
  scope: "read",
  deprecated: { since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/job/{id}" },
  params: JobParams,
  answer: [200, SessionBody, "The job, as it is now."],
});

const listRoute = operation({
  method: "get",
  path: "/v1/agent/{projectId}/jobs",
  id: "listAgentSessions",
  tags,
  summary: "List agent jobs in the form of version 1",
  description: "Use `listAgentJobs`. For programs that were written for this form. Newest first.",
  scope: "read",
  deprecated: { since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/jobs" },
  params: ProjectParams,
  query: z.object({
    skip: numberParameter("skip", {
      min: 0,
      max: 1_000_000,
      fallback: 0,
      description: "How many of the newest are left out.",
    }),
    take: numberParameter("take", { min: 1, max: MAX_ROWS, fallback: 12, description: "Results per page." }),
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
