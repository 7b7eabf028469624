import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { createRouter } from "#kit/http/router.ts";
import { BranchName, furtherParameter, id, PROJECT_ID_EXAMPLE, ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import type { Clock } from "#lib/clock.ts";
import type { Project } from "#features/projects/project.ts";
import { type SiteUpdate, UPDATE_STATES, SiteUpdateOutcome, type SiteUpdates } from "./site-updates.ts";
import type { PreviewBranches } from "#features/sites/preview-branches.ts";
import { countChange } from "./routes.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface SiteUpdateRoutesDeps extends FindsProject {
  database: Database;
  clock: Clock;
  deployments: {
    updates: Pick<SiteUpdates, "begin" | "find" | "findProjectId">;
    branches: Pick<PreviewBranches, "require">;
  };
  /** The address of a branch's preview. */
  previewLink(project: Project, branch: string): string;
}

const tags = ["Deployments"];
const STATUS_ID_EXAMPLE = "upd_01m83zm717e389j4ffzvxajn4k";
const statusId = z
  .string()
  .openapi({ description: "Id of the update or preview, for `getSiteUpdate`.", example: STATUS_ID_EXAMPLE });
const StatusBody = z
  .object({
    _id: statusId,
    projectId: id("the project", PROJECT_ID_EXAMPLE),
    createdAt: timestamp.openapi({ description: "Date and time when the update or preview was requested." }),
    endedAt: timestamp
      .optional()
      .openapi({ description: "Date and time when the update or preview ended. Omitted until then." }),
    status: z.enum(UPDATE_STATES).openapi({ description: "Status of the update or preview." }),
    summary: z.string().openapi({ description: "Summary of the result, in one sentence." }),
    logs: z.array(z.string()).openapi({ description: "Log lines of the steps that were performed." }),
    subdomain: z.string().openapi({ description: "Subdomain of the site below the server's domain." }),
    author: SiteUpdateOutcome.shape.author,
    commit: SiteUpdateOutcome.shape.commit,
    source: z
      .enum(["internal", "github", "gitlab", "gitea", "forgejo"])
      .openapi({ description: "Location of the repository." }),
  })
  .openapi("UpdateStatus");

const updateRoute = operation({
  method: "post",
  path: "/v1/project/update/{projectId}",
  id: "updateSite",
  tags,
  summary: "Update a site",
  description:
    "Updates the site to the newest commit, which Docent also does automatically. If the repository is on another host, Docent checks the host now. If the repository is on this server, Docent makes sure that the newest commit is live.",
  scope: "agent",
  params: ProjectParams,
  answer: [202, z.object({ statusId }).openapi("TriggeredUpdate"), "The update was accepted."],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});
const statusRoute = operation({
  method: "get",
  path: "/v1/project/update-status/{statusId}",
  id: "getSiteUpdate",
  tags,
  summary: "Get the status of an update or preview",
  description:
    "Returns the status of an update or preview. Repeat the request until `status` is `success` or `failure`.",
  scope: "read",
  params: z.object({ statusId: furtherParameter("statusId", "the update or preview", STATUS_ID_EXAMPLE) }),
  answer: [
    200,
    StatusBody,
    "The status. `commit` is omitted until the commit is known, and each of its lists of files has at most 200 entries. The server keeps the last 200 updates of a project.",
  ],
});
const previewRoute = operation({
  method: "post",
  path: "/v1/project/preview/{projectId}",
  id: "previewBranch",
  tags,
  summary: "Preview a branch",
  description:
    "Creates a preview of a branch. A branch always has the same preview URL, which works for anyone who has it and always shows the newest commit of the branch.",
  scope: "agent",
  params: ProjectParams,
  body: z.strictObject({ branch: BranchName(400) }).openapi("NewPreview"),
  answer: [
    202,
    z
      .object({
        statusId,
        previewUrl: z
          .string()
          .openapi({ format: "uri", description: "URL that opens the preview for anyone who has it." }),
      })
      .openapi("TriggeredPreview"),
    "The preview can be opened.",
  ],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});

/** Updates and previews as the commercial API has them. Authentication is the caller's. */
export function siteUpdateRoutes(deps: SiteUpdateRoutesDeps): OpenAPIHono<HttpEnv> {
  const { updates, branches } = deps.deployments;
  const routes = createRouter();

  const projectOf = projectOfKey(deps);

  /** The id of the update, the same for a repeated request. */
  function begin(c: HttpContext, project: Project, wanted: Pick<SiteUpdate, "kind" | "branch">, asked?: object) {
    return answerOnce<string>(c, deps, {
      asked,
      async carryOut(key) {
        const at = deps.clock.now().getTime();
        const { id } = await updates.begin(project, {
          ...wanted,
          beside: (transaction, outcome) => claimKey(transaction, key, { outcome, at }),
        });
        return id;
      },
      repeat: async (outcome) => ((await updates.find(project.id, outcome)) ? outcome : null),
    });
  }

  routes.openapi(updateRoute, async (c) => {
    const project = await projectOf(c);
    await countChange(c, deps);
    return c.json({ statusId: await begin(c, project, { kind: "update", branch: project.branch }) }, 202);
  });

  routes.openapi(previewRoute, async (c) => {
    const project = await projectOf(c);
    await countChange(c, deps);
    const { branch } = c.req.valid("json");
    await branches.require(project, branch);
    const begun = await begin(c, project, { kind: "preview", branch }, { branch });
    return c.json({ statusId: begun, previewUrl: deps.previewLink(project, branch) }, 202);
  });

  routes.openapi(statusRoute, async (c) => {
    const project = await projectOf(c);
    const update = await updates.find(project.id, c.req.valid("param").statusId);
    if (!update) throw notFound();
    return c.json(toJson(project, update), 200);
  });

  return routes;
}

function toJson(
  project: Project,
  { id: updateId, createdAt, endedAt, ...update }: SiteUpdate,
): z.infer<typeof StatusBody> {
  return {
    _id: updateId,
    projectId: project.id,
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    status: update.status,
    summary: update.summary,
    logs: update.logs,
    subdomain: project.slug,
    ...(update.author !== undefined && { author: update.author }),
    ...(update.commit && { commit: update.commit }),
    source: project.codeHost === "embedded" ? "internal" : project.codeHost,
  };
}
