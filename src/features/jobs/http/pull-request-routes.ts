import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { answerJob, type JobAnswerDeps } from "./job-json.ts";
import { createRouter } from "#kit/http/router.ts";
import { AgentJobBody, JobParams } from "./schemas.ts";
import { claimKey, storeOutcome } from "#kit/http/request-outcomes.ts";
import type { Job } from "#features/jobs/job.ts";
import type { JobName } from "#features/jobs/jobs.ts";
import { closeJob, mergeJob, type PullRequestEndDeps } from "#features/jobs/requests/pull-request-ends.ts";
import type { JobId } from "#lib/ids.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";

export type PullRequestEndRoutesDeps = PullRequestEndDeps & FindsProject & Pick<JobAnswerDeps, "repositoryUrl">;

const EndBody = z
  .strictObject({
    head: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/, "must be the whole id of a commit")
      .optional()
      .openapi({
        description:
          "Full ID of the commit that you reviewed, which is `head` in the response of `GET /v2/agent/{projectId}/job/{id}/diff` with `Accept: application/json`. The server refuses the request if the pull request is at any other commit.",
        example: "0f1c0f0c6d6c3ff0e1b2a6f4c5d7e8f9a0b1c2d3",
      }),
  })
  .openapi("EndPullRequest");

const end = (
  verb: "merge" | "close",
  words: { operationId: string; summary: string; description: string; good: string },
) =>
  operation({
    method: "post",
    path: `/v2/agent/{projectId}/job/{id}/${verb}`,
    id: words.operationId,
    tags: ["Agent jobs"],
    summary: words.summary,
    description: words.description,
    scope: "write",
    params: JobParams,
    body: EndBody,
    isBodyOptional: true,
    answer: [200, AgentJobBody, words.good],
    errors: [409],
    headers: ["ETag"],
  });

const mergeRoute = end("merge", {
  operationId: "mergeAgentJob",
  summary: "Merge the pull request of an agent job",
  description:
    "Merges the pull request at the code host, according to the host's settings. Has no effect if the pull request is already merged. Responds with 409 while the job is active, if the pull request is a draft or has a conflict, if a rule of the code host prevents the merge, and if `head` is no longer the commit of the pull request.",
  good: "The job, with its pull request `merged`.",
});

const closeRoute = end("close", {
  operationId: "closeAgentJob",
  summary: "Close the pull request of an agent job",
  description:
    "Closes the pull request at the code host without merging it. Has no effect if the pull request is already closed.",
  good: "The job, with its pull request `closed`.",
});

/** Routes to merge and close the pull requests of jobs. The caller authenticates the requests. */
export function pullRequestEndRoutes(deps: PullRequestEndRoutesDeps): OpenAPIHono<HttpEnv> {
  const { submit } = deps;
  const projectOf = projectOfKey(deps);
  const routes = createRouter();

  async function answer(c: HttpContext, asked: z.infer<typeof EndBody>, change: typeof mergeJob) {
    const project = await projectOf(c);
    const name: JobName = { projectId: project.id, jobId: c.req.param("id") as JobId };
    const carryOut = () =>
      change(deps, {
        name,
        repository: hostedRepository(project),
        head: asked.head ?? null,
        by: c.get("principal").person,
      });
    const job = await answerOnce<Job>(c, submit, {
      asked,
      // The transaction does not cover the host: until the outcome is stored, a repeated request finds the work done.
      carryOut: async (key) => {
        const at = submit.clock.now().getTime();
        await submit.database.transaction((transaction) => claimKey(transaction, key, { outcome: "", at }));
        const ended = await carryOut();
        if (key) await storeOutcome(submit.database.kysely, key, name.jobId);
        return ended;
      },
      repeat: carryOut,
    });
    return c.json(answerJob(c, deps, { project, job }), 200);
  }

  // Without a body nothing is validated: the validator reads JSON only when the Content-Type announces it.
  const bodyOf = (body: unknown) => (body as z.infer<typeof EndBody> | undefined) ?? {};
  routes.openapi(mergeRoute, (c) => answer(c, bodyOf(c.req.valid("json")), mergeJob));
  routes.openapi(closeRoute, (c) => answer(c, bodyOf(c.req.valid("json")), closeJob));
  return routes;
}
