import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams, QualifiedModel } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { Project } from "#features/projects/project.ts";
import { ConnectionBody, HostToken } from "#features/projects/bodies.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface ProjectConnectionDeps extends FindsProject {
  database: Database;
  clock: Clock;
  describe(project: Project): Promise<{ connection: z.infer<typeof ConnectionBody> | null }>;
  /** `AppError not_found` for the embedded host. */
  replaceToken(project: Project, token: Secret): Promise<void>;
  /** Schedules a sync within a second. */
  syncSoon(project: Project): Promise<void>;
  /** Available models, and the default. */
  models(project: Project): { usual: string; models: string[] };
}

const tags = ["Projects"];
const OWN = "/v2/project/{projectId}";

const connectionRoute = operation({
  method: "get",
  path: `${OWN}/connection`,
  id: "getProjectConnection",
  tags,
  summary: "Get a project's connection",
  description:
    "Returns the state of the connection to the project's repository at another code host. Returns 404 if this server hosts the repository.",
  scope: "admin",
  params: ProjectParams,
  answer: [200, ConnectionBody, "The connection."],
});
const tokenRoute = operation({
  method: "post",
  path: `${OWN}/connection/token`,
  id: "replaceProjectToken",
  tags,
  summary: "Replace a project's token",
  description: "Checks the new token's permissions at the code host, then uses the token from the next request on.",
  scope: "admin",
  params: ProjectParams,
  body: z.strictObject({ token: HostToken }).openapi("NewProjectToken"),
  answer: [200, ConnectionBody, "The connection with the new token."],
  errors: [409],
});
const syncRoute = operation({
  method: "post",
  path: `${OWN}/connection/sync`,
  id: "syncProject",
  tags,
  summary: "Sync a project with its code host",
  description:
    "Syncs the project with its code host within a second. Useful if the code host's webhook does not call this server.",
  scope: "admin",
  params: ProjectParams,
  answer: [202, ConnectionBody, "The sync was scheduled."],
});
const modelsRoute = operation({
  method: "get",
  path: `${OWN}/models`,
  id: "listModels",
  tags,
  summary: "List models",
  description:
    "Lists the models that a job of this project can name. An entry that ends in `/…` means every model of its provider.",
  scope: "read",
  params: ProjectParams,
  answer: [
    200,
    z
      .object({
        default: QualifiedModel.openapi({ description: "Model for jobs that do not name one." }),
        models: z.array(QualifiedModel).openapi({ description: "Models of the instance and of the project." }),
      })
      .openapi("Models"),
    "The models.",
  ],
});

/** Connection and models of a project. The caller authenticates requests. */
export function projectConnectionRoutes(deps: ProjectConnectionDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  const projectOf = projectOfKey(deps);
  async function connectionOf(project: Project): Promise<z.infer<typeof ConnectionBody>> {
    const { connection } = await deps.describe(project);
    if (connection === null) throw new AppError("not_found", "This project is not connected to a code host.");
    return connection;
  }

  routes.openapi(connectionRoute, async (c) => c.json(await connectionOf(await projectOf(c)), 200));

  routes.openapi(tokenRoute, async (c) => {
    const project = await projectOf(c);
    const asked = c.req.valid("json");
    await connectionOf(project);
    const connection = await answerOnce(c, deps, {
      asked,
      async carryOut(key) {
        await deps.replaceToken(project, new Secret(asked.token));
        await claim(key);
        return connectionOf(project);
      },
      repeat: () => connectionOf(project),
    });
    await deps.syncSoon(project);
    return c.json(connection, 200);
  });

  routes.openapi(syncRoute, async (c) => {
    const project = await projectOf(c);
    await connectionOf(project);
    const connection = await answerOnce(c, deps, {
      async carryOut(key) {
        await claim(key);
        await deps.syncSoon(project);
        return connectionOf(project);
      },
      repeat: () => connectionOf(project),
    });
    return c.json(connection, 202);
  });

  routes.openapi(modelsRoute, async (c) => {
    const { usual, models } = deps.models(await projectOf(c));
    return c.json({ default: usual, models }, 200);
  });

  /** For idempotent operations: the key is recorded after the work. */
  const claim = (key: Parameters<typeof claimKey>[1]) =>
    deps.database.transaction((transaction) =>
      claimKey(transaction, key, { outcome: "done", at: deps.clock.now().getTime() }),
    );

  return routes;
}
