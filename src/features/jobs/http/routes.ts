import type { HttpContext } from "#kit/http/context.ts";
import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { type RateLimitState } from "#kit/limits/rate-limit.ts";
import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import { operation } from "#kit/http/operation.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { answerJob, withStateNow, type JobAnswerDeps } from "./job-json.ts";
import { documentedHeader } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import { ATTACHED, attachmentsOf } from "./attachment-bodies.ts";
import { documentChores } from "./chore-schemas.ts";
import { AgentJobBody, CancelBody, JobParams, MessageBody, NewJobBody } from "./schemas.ts";
import { cancelJob } from "#features/jobs/requests/cancel.ts";
import type { Job } from "#features/jobs/job.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { addMessage, createJob, retryJob, type SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { NewJob } from "#features/jobs/transitions/by-callers.ts";
import { askerOf } from "#features/keys/actor.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface AgentJobRoutesDeps extends FindsProject, JobAnswerDeps {
  submit: SubmitDeps;
  /** The model that a job will use; `AppError invalid` for one that may not be used. */
  chooseModel(project: Project, asked: string | null): string;
  /** Chores in words, for people. */
  describeChores(chores: readonly CalledChore[]): string;
  /** Whether a branch is known to be missing, so that the request can be refused immediately. */
  isMissingBranch(project: Project, branch: string): Promise<boolean>;
}

interface Answered {
  job: Job;
  /** Null when the request was not counted. */
  rateLimit: RateLimitState | null;
}

const tags = ["Agent jobs"];

const createRouteOf = operation({
  method: "post",
  path: "/v2/agent/{projectId}/job",
  id: "createAgentJob",
  tags,
  summary: "Create an agent job",
  description:
    "Creates a job that the agent carries out in the background. Follow the job by polling it, by its event stream, or by a webhook. If the agent edits files, the server opens a pull request and links to it in `prLink`.",
  scope: "agent",
  params: ProjectParams,
  body: NewJobBody,
  attached: ATTACHED,
  answer: [201, AgentJobBody, "The job, stored and `active`."],
  errors: [409, 429],
  headers: ["ETag", "Location", ...RATE_LIMIT_HEADERS],
});

const messageRoute = operation({
  method: "post",
  path: "/v2/agent/{projectId}/job/{id}/message",
  id: "sendAgentMessage",
  tags,
  summary: "Send a follow-up message to an agent job",
  description:
    "Adds a message to the job. The agent handles the messages of a job in order, one at a time, each exactly once. The job continues from its current state: on its branch, and with its pull request while that is open.",
  scope: "agent",
  params: JobParams,
  body: MessageBody,
  attached: ATTACHED,
  answer: [200, AgentJobBody, "The job, `active` again."],
  errors: [409, 429],
  headers: ["ETag", ...RATE_LIMIT_HEADERS],
});

const retryRoute = operation({
  method: "post",
  path: "/v2/agent/{projectId}/job/{id}/retry",
  id: "retryAgentJob",
  tags,
  summary: "Retry a failed agent job",
  description:
    "Retries the last message if it failed or was refused. Like a follow-up message, a retry continues from the current state of the job and counts towards the hourly limit.",
  scope: "agent",
  params: JobParams,
  answer: [200, AgentJobBody, "The job, `active` again."],
  errors: [409, 429],
  headers: ["ETag", ...RATE_LIMIT_HEADERS],
});

const getRoute = operation({
  method: "get",
  path: "/v2/agent/{projectId}/job/{id}",
  id: "getAgentJob",
  tags,
  summary: "Get an agent job",
  description:
    "Returns the current state of the job, with the state of its pull request at the code host. To wait for the job, poll with `If-None-Match` until `status` is not `active`, which costs next to nothing.",
  scope: "read",
  params: JobParams,
  requestHeaders: documentedHeader("If-None-Match", {
    description: "`ETag` of an earlier response. The server responds with 304 if the job has not changed since.",
  }),
  answer: [200, AgentJobBody, "The job."],
  headers: ["ETag"],
});

const cancelRoute = operation({
  method: "post",
  path: "/v2/agent/{projectId}/job/{id}/cancel",
  id: "cancelAgentJob",
  tags,
  summary: "Cancel an active agent job",
  description:
    "Cancels the job and discards the agent's work, or publishes it as a draft if `keepWork` is `true`. A follow-up message continues from there.",
  scope: "agent",
  params: JobParams,
  body: CancelBody,
  isBodyOptional: true,
  answer: [
    200,
    AgentJobBody,
    "The job. It becomes `failed` with the code `cancelled` within two seconds, or once its work is published.",
  ],
  errors: [409],
  headers: ["ETag"],
});

/** The agent endpoints of the API. The caller authenticates the requests. */
export function agentJobRoutes(deps: AgentJobRoutesDeps): OpenAPIHono<HttpEnv> {
  const { submit } = deps;
  const { database } = submit;

  const projectOf = projectOfKey(deps);

  /** The job that a request created or changed, to answer the same request again. */
  const repeatOf = (project: Project) => async (jobId: string) => {
    const job = await findJob({ database }, { projectId: project.id, jobId: jobId as JobId });
    return job && { job, rateLimit: null };
  };

  async function newJobOf(project: Project, body: z.infer<typeof NewJobBody>): Promise<NewJob> {
    if (body.ref !== undefined && (await deps.isMissingBranch(project, body.ref))) {
      const short = /^refs\/heads\/(.+)$/.exec(body.ref)?.[1];
      const hint = short === undefined ? "" : ` Name the branch alone: "${short}".`;
      throw new AppError("invalid", `The repository has no branch "${body.ref}".${hint}`, {
        details: [{ path: "ref", message: "no such branch" }],
      });
    }
    return {
      projectId: project.id,
      ...textOf(body),
      model: deps.chooseModel(project, body.model ?? null),
      baseRef: body.ref ?? project.branch,
      draft: body.draft ?? false,
      dryRun: body.dryRun ?? false,
      title: body.title ?? null,
    };
  }

  const textOf = ({ prompt, chores, effort, attachments }: z.infer<typeof MessageBody>) => ({
    prompt: prompt ?? deps.describeChores(chores ?? []),
    chores: chores ?? null,
    effort: effort ?? null,
    attachments: attachmentsOf(attachments),
  });

  const askerIn = (c: HttpContext) => askerOf(database, c.get("principal"));

  const routes = createRouter();
  documentChores(routes);

  routes.openapi(createRouteOf, async (c) => {
    const project = await projectOf(c);
    const body = c.req.valid("json");
    refuseMisplacedDryRun(await c.req.json(), "dryRun");
    const { job, rateLimit } = await answerOnce<Answered>(c, submit, {
      asked: body,
      carryOut: async (key) =>
        createJob(submit, { ...(await newJobOf(project, body)), askedBy: await askerIn(c) }, key),
      repeat: repeatOf(project),
    });
    c.header("Location", `/v2/agent/${project.id}/job/${job.id}`);
    return c.json(answerJob(c, deps, { project, job, rateLimit }), 201);
  });

  routes.openapi(messageRoute, async (c) => {
    const project = await projectOf(c);
    const jobId = c.req.param("id") as JobId;
    const body = c.req.valid("json");
    refuseMisplacedDryRun(await c.req.json(), null);
    const answered = await answerOnce<Answered>(c, submit, {
      asked: body,
      carryOut: async (key) =>
        addMessage(submit, { projectId: project.id, jobId, ...textOf(body), askedBy: await askerIn(c) }, key),
      repeat: repeatOf(project),
    });
    const job = await withStateNow(deps, project, answered.job);
    return c.json(answerJob(c, deps, { ...answered, project, job }), 200);
  });

  routes.openapi(retryRoute, async (c) => {
    const project = await projectOf(c);
    const name = { projectId: project.id, jobId: c.req.param("id") as JobId };
    const answered = await answerOnce<Answered>(c, submit, {
      carryOut: (key) => retryJob(submit, name, key),
      repeat: repeatOf(project),
    });
    const job = await withStateNow(deps, project, answered.job);
    return c.json(answerJob(c, deps, { ...answered, project, job }), 200);
  });

  routes.openapi(getRoute, async (c) => {
    const project = await projectOf(c);
    const stored = await findJob({ database }, { projectId: project.id, jobId: c.req.param("id") as JobId });
    if (!stored) throw notFound();
    const job = await withStateNow(deps, project, stored);
    return c.json(answerJob(c, deps, { project, job }), 200);
  });

  routes.openapi(cancelRoute, async (c) => {
    const project = await projectOf(c);
    // Without a body nothing is validated: the validator reads JSON only when the Content-Type announces it.
    const { keepWork = false } = (c.req.valid("json") as z.infer<typeof CancelBody> | undefined) ?? {};
    const name = { projectId: project.id, jobId: c.req.param("id") as JobId };
    const answered = await answerOnce<Answered>(c, submit, {
      asked: { keepWork },
      carryOut: async (key) => ({ job: await cancelJob(submit, { ...name, keepWork }, key), rateLimit: null }),
      repeat: repeatOf(project),
    });
    const job = await withStateNow(deps, project, answered.job);
    return c.json(answerJob(c, deps, { project, job }), 200);
  });

  return routes;
}

/**
 * Unknown fields of a new job or a message are ignored, because a client may be newer than the server. A dry run in another
 * spelling, or in a message, is refused: otherwise the change would be published instead of shown first.
 */
function refuseMisplacedDryRun(body: unknown, known: string | null): void {
  const fields = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const meant = fields.find((field) => field !== known && /^(?:is[-_]?)?dry[-_ ]?run$/i.test(field));
  if (meant === undefined) return;
  const message = known === null ? "a dry run is a job of its own; a message continues a job" : 'write "dryRun"';
  throw new AppError("invalid", `\`${meant}\` is not a field of this request: ${message}.`, {
    details: [{ path: meant, message }],
  });
}
