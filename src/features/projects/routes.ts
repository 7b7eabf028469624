import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import { type HttpContext, type HttpEnv, noteSubject } from "#kit/http/context.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { ifMatch } from "#kit/http/if-match.ts";
import { linkNextCursor, MAX_ROWS, NextCursor, PageQuery } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { settingsInWords } from "./settings-in-words.ts";
import type { ProjectChanges } from "./change-project.ts";
import type { Project } from "./project.ts";
import type { ProjectMaking, NewProjectInput } from "./project-making.ts";
import { listProjectsBefore } from "./projects.ts";
import { NewProjectBody, ProjectBody, ProjectChangesBody } from "./bodies.ts";
import { type FindsProject, projectOfKey } from "./project-of-key.ts";

export interface ProjectRoutesDeps extends FindsProject {
  database: Database;
  clock: Clock;
  making: Pick<ProjectMaking, "make">;
  /** See `admitExternalSite`. */
  admitSite(address: string): Promise<string>;
  describe(project: Project): Promise<z.infer<typeof ProjectBody>>;
  /** See `changeProject`. `isOfInstance`: the caller needs no proof of domains. */
  change(
    project: Project,
    changes: ProjectChanges,
    by: { isOfInstance: boolean; check: (shown: z.infer<typeof ProjectBody>) => void },
  ): Promise<Project>;
  remove(project: Project, check: (shown: z.infer<typeof ProjectBody>) => void): Promise<void>;
}

const tags = ["Projects"];
const OWN = "/v2/project/{projectId}";

const createRouteOf = operation({
  method: "post",
  path: "/v2/projects",
  id: "createProject",
  tags,
  summary: "Create a project",
  description:
    "Creates a project with a repository from elsewhere, which is copied or followed, or with an empty repository on this server. The response is sent when the repository is ready, which takes minutes for a large one. If the connection ends before that, retry the request with the same `Idempotency-Key`.",
  scope: "admin",
  isOfInstance: true,
  body: NewProjectBody,
  answer: [201, ProjectBody, "The project."],
  errors: [409, 429],
  headers: ["Location"],
});
const listRoute = operation({
  method: "get",
  path: "/v2/projects",
  id: "listProjects",
  tags,
  summary: "List projects",
  description: "Lists all projects of the instance, newest first.",
  scope: "admin",
  isOfInstance: true,
  query: PageQuery,
  answer: [
    200,
    z
      .object({
        projects: z.array(ProjectBody).max(MAX_ROWS).openapi({ description: "Projects, newest first." }),
        nextCursor: NextCursor,
      })
      .openapi("Projects"),
    "Projects, newest first.",
  ],
  headers: ["Link"],
});
const getRoute = operation({
  method: "get",
  path: OWN,
  id: "getProject",
  tags,
  summary: "Get a project",
  description:
    "Returns the project's settings and the state of the connection to its repository. Secrets are shown only by name.",
  scope: "admin",
  params: ProjectParams,
  answer: [200, ProjectBody, "The project."],
});
const changeRoute = operation({
  method: "patch",
  path: OWN,
  id: "updateProject",
  tags,
  summary: "Update a project",
  description:
    "Updates the given fields of the project and leaves the others unchanged. All values are validated before any of them is changed.",
  scope: "admin",
  isConditional: true,
  params: ProjectParams,
  body: ProjectChangesBody,
  answer: [200, ProjectBody, "The updated project."],
  errors: [409, 429],
});
const deleteRoute = operation({
  method: "delete",
  path: OWN,
  id: "deleteProject",
  tags,
  summary: "Delete a project",
  description:
    "Permanently deletes the project with its repository on this server, jobs, keys, pull requests and counts. A repository at another code host is not deleted.",
  scope: "admin",
  isConditional: true,
  params: ProjectParams,
  query: z.object({
    name: z.string("must be the name of the project").openapi({
      param: { name: "name", in: "query" },
      description: "Name of the project, to prevent deletion by mistake.",
      minLength: 1,
      maxLength: 200,
      example: "Old handbook",
    }),
  }),
  answer: [204, "The project was deleted."],
  errors: [409],
});
/** Projects of the instance and their settings. The caller authenticates requests. */
export function projectRoutes(deps: ProjectRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  const projectOf = projectOfKey(deps);

  routes.openapi(createRouteOf, async (c) => {
    const asked = c.req.valid("json");
    const input = inputOf(asked);
    if (asked.externalSite !== undefined) {
      input.settings = { ...input.settings, externalSite: await deps.admitSite(asked.externalSite) };
    }
    const project = await answerOnce<Project>(c, deps, {
      asked,
      carryOut: (key) =>
        deps.making.make({
          ...input,
          beside: (transaction, id) => claimKey(transaction, key, { outcome: id, at: deps.clock.now().getTime() }),
        }),
      repeat: (outcome) => deps.findProject(outcome as ProjectId),
    });
    noteSubject(c, project.name);
    c.header("Location", `/v2/project/${project.id}`);
    return c.json(await deps.describe(project), 201);
  });

  routes.openapi(listRoute, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const before = cursor === undefined ? null : readCursor(cursor);
    const found = await listProjectsBefore(deps, { before, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const nextCursor = found.length > limit ? shown.at(-1)!.id : null;
    linkNextCursor(c, nextCursor);
    return c.json({ projects: await Promise.all(shown.map(deps.describe)), nextCursor }, 200);
  });

  routes.openapi(getRoute, async (c) => c.json(await deps.describe(await projectOf(c)), 200));

  routes.openapi(changeRoute, async (c) => {
    const project = await projectOf(c);
    const asked = c.req.valid("json");
    const changed = await deps.change(project, asked, {
      isOfInstance: c.get("principal").isOfInstance,
      check: isAsRead(c),
    });
    noteSubject(c, settingsInWords(asked, { before: project, after: changed }));
    return c.json(await deps.describe(changed), 200);
  });

  routes.openapi(deleteRoute, async (c) => {
    const project = await projectOf(c);
    refuseOtherName(project, c.req.valid("query").name);
    await deps.remove(project, isAsRead(c));
    noteSubject(c, project.name);
    return c.body(null, 204);
  });

  return routes;
}

/** Called before a project is deleted. `AppError conflict`. */
export function refuseOtherName(project: Project, name: string): void {
  if (name === project.name) return;
  const message = "This is not the project's name. Enter the name to confirm the deletion.";
  throw new AppError("conflict", message);
}

/** Compares If-Match with the ETag, or with the version, which ignores the connection's timestamps. */
const isAsRead = (c: HttpContext) =>
  ifMatch<z.infer<typeof ProjectBody>>(
    c,
    (shown) => shown,
    ({ version }) => version,
  );

function inputOf({ name, slug, branch, contentRoot, repository }: z.infer<typeof NewProjectBody>): NewProjectInput {
  if (repository?.token !== undefined && repository.app === true)
    throw contradiction("repository.app", "Send either `token` or `app`, not both.");
  const copy = repository !== undefined && repository.token === undefined && repository.app !== true;
  if (copy && repository?.host !== undefined) {
    throw contradiction(
      "repository.host",
      "A host goes with a token or the app. Without them the repository is copied, and no host is asked.",
    );
  }
  return {
    name,
    slug: slug ?? null,
    branch: branch ?? null,
    settings: contentRoot === undefined ? {} : { contentRoot },
    repository: repository
      ? {
          url: repository.url,
          token: repository.token === undefined ? null : new Secret(repository.token),
          kind: repository.host ?? null,
          copy,
        }
      : null,
  };
}

const contradiction = (path: string, message: string): AppError =>
  new AppError("invalid", message, { details: [{ path, message }] });

function readCursor(cursor: string): ProjectId {
  if (/^prj_[0-9a-z]{26}$/.test(cursor)) return cursor as ProjectId;
  throw new AppError("invalid", "This is not a cursor of this list.", {
    details: [{ path: "cursor", message: "must be a cursor that a page gave" }],
  });
}
