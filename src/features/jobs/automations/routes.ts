import { type OpenAPIHono, type RouteHandler, z } from "@hono/zod-openapi";
import { type RateLimitState } from "#kit/limits/rate-limit.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { ifMatch } from "#kit/http/if-match.ts";
import { answerJob } from "#features/jobs/http/job-json.ts";
import {
  CursorParameter,
  LimitParameter,
  linkNextCursor,
  MAX_ROWS,
  NextCursor,
  numberInCursor,
  numberParameter,
  PageQuery,
} from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { AutomationParams, AutomationBody, AutomationChangesBody, NewAutomationBody, RunBody } from "./bodies.ts";
import { askedSettings, completeTrigger } from "./asked-settings.ts";
import { type AutomationRun, type AutomationRunDeps, listRuns, runAutomation } from "./automation-runs.ts";
import {
  type Automation,
  createAutomation,
  deleteAutomation,
  findAutomation,
  listAutomations,
  requireAutomation,
  updateAutomation,
} from "./automations.ts";
import type { Job } from "#features/jobs/job.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { projectOfKey } from "#features/projects/project-of-key.ts";

export interface AutomationRoutesDeps extends AutomationRunDeps {
  repoStore: Pick<RepoStore, "resolve">;
  repositoryUrl(project: Project): string;
}

const tags = ["Automations"];
const BASE = "/v2/agent/{projectId}/automations";

const createRouteOf = operation({
  method: "post",
  path: BASE,
  id: "createAutomation",
  tags,
  summary: "Create an automation",
  description: "Creates an instruction that the agent carries out on a schedule, after a push, or on request.",
  scope: "admin",
  params: ProjectParams,
  body: NewAutomationBody,
  answer: [201, AutomationBody, "The automation."],
  errors: [409],
  headers: ["Location"],
});
const listRoute = operation({
  method: "get",
  path: BASE,
  id: "listAutomations",
  tags,
  summary: "List automations",
  description:
    "Returns the automations of the project, newest first. To get the next page, send `nextCursor` as `cursor`.",
  scope: "read",
  params: ProjectParams,
  query: PageQuery,
  answer: [
    200,
    z
      .object({
        automations: z.array(AutomationBody).max(MAX_ROWS).openapi({ description: "Automations, newest first." }),
        nextCursor: NextCursor,
      })
      .openapi("Automations"),
    "Automations, newest first.",
  ],
  headers: ["Link"],
});
const getRoute = operation({
  method: "get",
  path: `${BASE}/{id}`,
  id: "getAutomation",
  tags,
  summary: "Get an automation",
  description: "Returns the automation with the time of its next run.",
  scope: "read",
  params: AutomationParams,
  answer: [200, AutomationBody, "The automation."],
});
const updateRoute = operation({
  method: "patch",
  path: `${BASE}/{id}`,
  id: "updateAutomation",
  tags,
  summary: "Update an automation",
  description: "Updates the given fields and leaves the others unchanged.",
  scope: "admin",
  isConditional: true,
  params: AutomationParams,
  body: AutomationChangesBody,
  answer: [200, AutomationBody, "The updated automation."],
});
const deleteRoute = operation({
  method: "delete",
  path: `${BASE}/{id}`,
  id: "deleteAutomation",
  tags,
  summary: "Delete an automation",
  description: "Deletes the automation and its runs. The jobs of the automation are kept.",
  scope: "admin",
  isConditional: true,
  params: AutomationParams,
  answer: [204, "The automation was deleted; its jobs are kept."],
});
const runsRoute = operation({
  method: "get",
  path: `${BASE}/{id}/runs`,
  id: "listAutomationRuns",
  tags,
  summary: "List the runs of an automation",
  description:
    "Returns the runs with what started each of them and the job that it created or added to. To get earlier runs, send the request again with `before` set to the lowest `number`. `cursor` takes precedence over `before`.",
  scope: "read",
  params: AutomationParams,
  query: z.object({
    before: numberParameter("before", {
      min: 1,
      max: 1_000_000_000,
      fallback: 1_000_000_000,
      description: "Number of a run. Only runs with a lower number are returned.",
    }),
    cursor: CursorParameter,
    limit: LimitParameter,
  }),
  answer: [
    200,
    z
      .object({
        runs: z.array(RunBody).max(MAX_ROWS).openapi({ description: "Runs, newest first." }),
        hasMore: z.boolean().openapi({ description: "Whether there are earlier runs." }),
        nextCursor: NextCursor,
      })
      .openapi("AutomationRuns"),
    "Runs of the last 90 days, newest first.",
  ],
  headers: ["Link"],
});
const run = {
  method: "post",
  tags,
  description:
    "Starts a run of the automation, which counts as one agent call. While the pull request of an earlier run is open, the run adds to it.",
  scope: "agent",
  params: AutomationParams,
  answer: [200, AgentJobBody, "The job that carries out the run, `active`."],
  errors: [409, 429],
  headers: ["ETag", ...RATE_LIMIT_HEADERS],
} as const;
const runRoute = operation({
  ...run,
  path: `${BASE}/{id}/run`,
  id: "runAutomation",
  summary: "Run an automation",
});

/** The path from before all of them used the plural. */
const formerRunRoute = operation({
  ...run,
  path: "/v2/agent/{projectId}/automation/{id}/run",
  id: "runAutomationAtFormerPath",
  summary: "Run an automation at the former path",
  deprecated: { since: "2026-11-24", until: "2027-11-24", use: "/v2/agent/{projectId}/automations/{id}/run" },
});

/** Routes for a project's automations. The caller authenticates the requests. */
export function automationRoutes(deps: AutomationRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  const store = { ...deps.submit, repoStore: deps.repoStore };
  const nameOf = (c: HttpContext) => ({
    projectId: c.get("principal").projectId,
    automationId: c.req.param("id") ?? "",
  });

  const projectOf = projectOfKey(deps);

  routes.openapi(createRouteOf, async (c) => {
    const project = await projectOf(c);
    const body = c.req.valid("json");
    const automation = await answerOnce(c, store, {
      asked: body,
      carryOut: async (key) => {
        const settings = askedSettings(deps, project, body);
        return createAutomation(store, { projectId: project.id, settings }, key);
      },
      repeat: (automationId) => findAutomation(store, { projectId: project.id, automationId }),
    });
    c.header("Location", `/v2/agent/${project.id}/automations/${automation.id}`);
    return c.json(automationToJson(automation), 201);
  });
  routes.openapi(listRoute, async (c) => {
    const { limit, cursor = null } = c.req.valid("query");
    const { projectId } = c.get("principal");
    const { items, nextCursor } = await listAutomations(store, { projectId, limit, cursor });
    linkNextCursor(c, nextCursor);
    return c.json({ automations: items.map(automationToJson), nextCursor }, 200);
  });
  routes.openapi(getRoute, async (c) => c.json(automationToJson(await requireAutomation(store, nameOf(c))), 200));
  routes.openapi(updateRoute, async (c) => {
    const project = await projectOf(c);
    const { trigger, ...given } = c.req.valid("json");
    if (given.model !== undefined) deps.chooseModel(project, given.model);
    const known = Object.entries(given).filter(([, value]) => value !== undefined);
    const changes = {
      ...Object.fromEntries(known),
      ...(trigger && { trigger: completeTrigger(trigger, project) }),
    };
    const automation = await updateAutomation(store, nameOf(c), changes, ifMatch(c, automationToJson));
    return c.json(automationToJson(automation), 200);
  });
  routes.openapi(deleteRoute, async (c) => {
    await deleteAutomation(store, nameOf(c), ifMatch(c, automationToJson));
    return c.body(null, 204);
  });
  routes.openapi(runsRoute, async (c) => {
    const automation = await requireAutomation(store, nameOf(c));
    const { cursor, limit, before } = c.req.valid("query");
    const page = { automationId: automation.id, before: numberInCursor(cursor) ?? before, limit };
    const { runs, hasMore } = await listRuns(store, page);
    const nextCursor = hasMore ? String(runs.at(-1)!.number) : null;
    linkNextCursor(c, nextCursor);
    return c.json({ runs: runs.map(runToJson), hasMore, nextCursor }, 200);
  });
  const run: RouteHandler<typeof runRoute, HttpEnv> = async (c) => {
    const project = await projectOf(c);
    const { job, rateLimit } = await answerOnce<{ job: Job; rateLimit: RateLimitState | null }>(c, store, {
      carryOut: async (idempotency) => {
        const automation = await requireAutomation(store, nameOf(c));
        const outcome = await runAutomation(deps, automation, { by: "api", dueAt: null, idempotency });
        if (outcome.outcome !== "started") throw new AppError("conflict", "The automation could not be run.");
        return outcome;
      },
      repeat: async (jobId) => {
        const made = await findJob(store, { projectId: project.id, jobId: jobId as JobId });
        return made && { job: made, rateLimit: null };
      },
    });
    return c.json(answerJob(c, deps, { project, job, rateLimit }), 200);
  };
  routes.openapi(runRoute, run);
  routes.openapi(formerRunRoute, run);
  return routes;
}

/** An automation as the API returns it and the commands print it. */
export function automationToJson(automation: Automation): z.infer<typeof AutomationBody> {
  const { id, name, prompt, trigger, ref, model, effort, draft, enabled, runs } = automation;
  return {
    id,
    name,
    prompt,
    trigger,
    ref,
    model,
    effort,
    draft,
    enabled,
    runs,
    nextRunAt: automation.dueAt?.toISOString() ?? null,
    createdAt: automation.createdAt.toISOString(),
    updatedAt: automation.updatedAt.toISOString(),
  };
}

export const runToJson = (run: AutomationRun) => ({
  ...run,
  startedAt: run.startedAt.toISOString(),
  retriedAt: run.retriedAt?.toISOString() ?? null,
});
