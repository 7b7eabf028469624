import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { countCall, setRateLimit } from "#kit/limits/rate-limit.ts";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { ifMatch } from "#kit/http/if-match.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { linkNextCursor, MAX_ROWS, NextCursor, PageQuery } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { orNull, ProjectParams } from "#kit/http/schemas.ts";
import {
  CurrentPinBody,
  DeploymentBody,
  DeploymentParams,
  DeploymentWithReportBody,
  NewPinBody,
  PinBody,
  deploymentToJson,
  pinToJson,
} from "./bodies.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import { AppError } from "#lib/app-error.ts";
import type { Doer } from "#features/keys/actor.ts";
import type { Clock } from "#lib/clock.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { Project, SitePin } from "#features/projects/project.ts";
import { findLive, listDeployments, readReport, requireDeployment } from "./deployment.ts";
import type { PinCheck, WantedPin } from "./pins.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface DeploymentRoutesDeps extends FindsProject {
  database: Database;
  repoStore: Pick<RepoStore, "resolve">;
  clock: Clock;
  deployments: {
    /** Pins the site to a commit. `AppError invalid`. */
    pin(project: Project, wanted: WantedPin & { by: Doer }): Promise<SitePin>;
    unpin(project: Project, check?: PinCheck): Promise<void>;
  };
}

const tags = ["Deployments"];
const BASE = "/v2/project/{projectId}";
const listRoute = operation({
  method: "get",
  path: `${BASE}/deployments`,
  id: "listDeployments",
  tags,
  summary: "List deployments",
  description:
    "Lists each commit that became the newest of the site's branch, with its state. Send `nextCursor` as `cursor` to get the next page.",
  scope: "read",
  params: ProjectParams,
  query: PageQuery,
  answer: [
    200,
    z
      .object({
        deployments: z.array(DeploymentBody).max(MAX_ROWS).openapi({ description: "Deployments, newest first." }),
        pin: orNull(PinBody).openapi({
          description: "Commit that the site is pinned to. `null` if the site follows its branch.",
        }),
        nextCursor: NextCursor,
      })
      .openapi("Deployments"),
    "Commits that became the newest of the site's branch, newest first.",
  ],
  headers: ["Link"],
});
const getRoute = operation({
  method: "get",
  path: `${BASE}/deployments/{id}`,
  id: "getDeployment",
  tags,
  summary: "Get a deployment",
  description: "Returns the deployment with its report, which lists problems for the author by file and line.",
  scope: "read",
  params: DeploymentParams,
  answer: [200, DeploymentWithReportBody, "The deployment with its report."],
});
const currentPinRoute = operation({
  method: "get",
  path: `${BASE}/pin`,
  id: "getSitePin",
  tags,
  summary: "Get the pin",
  description:
    "Returns the commit that the site is pinned to. Send the `ETag` of the response as `If-Match` to change the pin.",
  scope: "read",
  params: ProjectParams,
  answer: [200, CurrentPinBody, "The pin, or `null`."],
});
const pinRoute = operation({
  method: "post",
  path: `${BASE}/pin`,
  id: "pinSite",
  tags,
  summary: "Pin the site to a commit",
  description:
    "Pins the site to a commit, which readers see within a second on every node. While the site is pinned, newer commits wait and agent jobs continue with the branch.",
  scope: "write",
  isConditional: true,
  params: ProjectParams,
  body: NewPinBody,
  answer: [200, PinBody, "The pin."],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});
const unpinRoute = operation({
  method: "delete",
  path: `${BASE}/pin`,
  id: "unpinSite",
  tags,
  summary: "Unpin the site",
  description: "Makes the site follow its branch again. Has no effect if the site is not pinned.",
  scope: "write",
  isConditional: true,
  params: ProjectParams,
  answer: [204, "The site shows the newest commit of its branch."],
});

/** Calls per hour that load sites or request hosts. */
export const CHANGES_PER_HOUR = 300;

/** The deployments of a site, and which one is live. Authentication is the caller's. */
export function deploymentRoutes(deps: DeploymentRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  const projectOf = projectOfKey(deps);

  routes.openapi(listRoute, async (c) => {
    const project = await projectOf(c);
    const { limit, cursor } = c.req.valid("query");
    const before = cursor === undefined ? null : readCursorNumber(cursor);
    const found = await listDeployments(deps, { projectId: project.id, limit: limit + 1, before });
    const shown = found.slice(0, limit);
    const live = await findLive(deps, project);
    const nextCursor = found.length > limit ? String(shown.at(-1)?.number) : null;
    linkNextCursor(c, nextCursor);
    return c.json(
      {
        deployments: shown.map((deployment) => deploymentToJson(deployment, live?.id ?? null)),
        pin: project.pin && pinToJson(project.pin),
        nextCursor,
      },
      200,
    );
  });

  routes.openapi(getRoute, async (c) => {
    const project = await projectOf(c);
    const deployment = await requireDeployment(deps, { projectId: project.id, id: c.req.valid("param").id });
    const report = await readReport(deps, deployment.id);
    return c.json({ ...deploymentToJson(deployment, (await findLive(deps, project))?.id ?? null), report }, 200);
  });

  routes.openapi(currentPinRoute, async (c) => c.json(currentPin((await projectOf(c)).pin), 200));

  routes.openapi(pinRoute, async (c) => {
    const project = await projectOf(c);
    await countChange(c, deps);
    const { commit } = c.req.valid("json");
    const pin = await answerOnce<SitePin>(c, deps, {
      asked: { commit },
      carryOut: (key) =>
        deps.deployments.pin(project, {
          commit,
          by: c.get("principal"),
          check: ifMatch(c, currentPin),
          beside: (transaction, made) =>
            claimKey(transaction, key, { outcome: JSON.stringify(pinToJson(made)), at: made.at.getTime() }),
        }),
      // The pin that the request made, not the current one: it may have been removed since.
      repeat: async (outcome) => {
        const made = JSON.parse(outcome) as ReturnType<typeof pinToJson>;
        return { ...made, at: new Date(made.at) };
      },
    });
    return c.json(pinToJson(pin), 200);
  });

  routes.openapi(unpinRoute, async (c) => {
    await deps.deployments.unpin(await projectOf(c), ifMatch(c, currentPin));
    return c.body(null, 204);
  });

  return routes;
}

const currentPin = (pin: SitePin | null): z.infer<typeof CurrentPinBody> => ({ pin: pin && pinToJson(pin) });

/** Counts a call that changes what a site shows, or triggers a look at a host. `AppError rate_limited`. */
export async function countChange(c: HttpContext, deps: { database: Database; clock: Clock }): Promise<void> {
  const state = await countCall(deps.database.kysely, {
    projectId: c.get("principal").projectId,
    bucket: "deployments",
    limit: CHANGES_PER_HOUR,
    now: deps.clock.now(),
  });
  setRateLimit(c, state);
}

function readCursorNumber(cursor: string): number {
  if (/^[1-9]\d{0,8}$/.test(cursor)) return Number(cursor);
  throw new AppError("invalid", "`cursor` is not one that a page of this list gave.", {
    details: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}
