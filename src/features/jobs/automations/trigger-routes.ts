import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type RateLimitState, setRateLimit } from "#kit/limits/rate-limit.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { createRouter } from "#kit/http/router.ts";
import { furtherParameter, id, ProjectParams } from "#kit/http/schemas.ts";
import { jobId } from "#features/jobs/http/schemas.ts";
import { type AutomationRunDeps, runAutomation } from "./automation-runs.ts";
import { requireAutomation } from "./automations.ts";
import { AppError } from "#lib/app-error.ts";

const AUTOMATION_ID_EXAMPLE = "aut_01m7xv5hckfkpv35y27gys8bbd";

const TriggeredBody = z
  .object({
    schemaId: id("the automation", AUTOMATION_ID_EXAMPLE),
    instanceId: id(
      "the run: the identifier of the automation, followed by the number of the run",
      `${AUTOMATION_ID_EXAMPLE}.3`,
    ),
    jobId,
  })
  .openapi("TriggeredAutomation");
type Triggered = z.infer<typeof TriggeredBody>;

const triggerRoute = operation({
  method: "post",
  path: "/v1/workflow/{projectId}/{workflowSchemaId}/trigger",
  id: "triggerAutomation",
  tags: ["Automations"],
  summary: "Trigger an automation",
  description:
    "Starts a run of the automation, like `runAutomation`, with the request and response format of other platforms.",
  scope: "agent",
  params: ProjectParams.extend({
    workflowSchemaId: furtherParameter("workflowSchemaId", "the automation", AUTOMATION_ID_EXAMPLE),
  }),
  answer: [202, TriggeredBody, "The run, which is carried out by the job in `jobId`."],
  errors: [409, 429],
  headers: RATE_LIMIT_HEADERS,
});

/** The commercial API's route to run an automation. The caller authenticates the requests. */
export function automationTriggerRoutes(deps: AutomationRunDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  routes.openapi(triggerRoute, async (c) => {
    const { projectId } = c.get("principal");
    const automationId = c.req.valid("param").workflowSchemaId;
    const answerOf = (run: { jobId: string; number: number }): Triggered => ({
      schemaId: automationId,
      instanceId: `${automationId}.${run.number}`,
      jobId: run.jobId,
    });
    const { triggered, rateLimit } = await answerOnce<{ triggered: Triggered; rateLimit: RateLimitState | null }>(
      c,
      deps.submit,
      {
        async carryOut(idempotency) {
          const automation = await requireAutomation(deps.submit, { projectId, automationId });
          const outcomeOf = (run: Parameters<typeof answerOf>[0]) => JSON.stringify(answerOf(run));
          const run = await runAutomation(deps, automation, { by: "api", dueAt: null, idempotency, outcomeOf });
          if (run.outcome !== "started") throw new AppError("conflict", "The automation could not be run.");
          return { triggered: answerOf({ jobId: run.job.id, number: run.number }), rateLimit: run.rateLimit };
        },
        repeat: async (outcome) => ({ triggered: JSON.parse(outcome) as Triggered, rateLimit: null }),
      },
    );
    setRateLimit(c, rateLimit);
    return c.json(triggered, 202);
  });
  return routes;
}
