import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { REMOTE_KINDS } from "#hosts/code-host.ts";
import { SOURCE_NAME } from "#hosts/sources/add-source.ts";
import { findSource, listSources, type SourceRepository, sourceToJson } from "#hosts/sources/sources.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { FullPageQuery, linkNextCursor, MAX_ROWS, NextCursor, wrongCursor } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { BranchName, id, paramsOf, ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import type { Clock } from "#lib/clock.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { ProjectMaking } from "#features/projects/project-making.ts";
import { HostToken, RepositoryAddress } from "#features/projects/bodies.ts";

export interface SourceRoutesDeps {
  database: Database;
  clock: Clock;
  making: Pick<ProjectMaking, "addSource">;
  /** Stores the token after its host accepted it; see `replaceSourceToken`. */
  replaceSourceToken(
    source: SourceRepository,
    token: Secret,
    beside: (transaction: DatabaseTransaction) => Promise<void>,
  ): Promise<void>;
  removeSource(source: SourceRepository): Promise<void>;
}

const tags = ["Sources"];
const BASE = "/v2/project/{projectId}/sources";
const ID_EXAMPLE = "src_01m83zm717e389j4ffzvxajn4k";
const SourceParams = paramsOf("the source", ID_EXAMPLE);
const name = z
  .string()
  .regex(SOURCE_NAME, "must be 1 to 40 lower-case letters, digits and dashes, such as api")
  .openapi({
    description: "Name by which people and the agent refer to the source. Unique in the project.",
    example: "api",
  });
const host = z.enum(REMOTE_KINDS);

const SourceBody = z
  .object({
    id: id("the source", ID_EXAMPLE),
    name,
    host: host.openapi({ description: "Software that the code host runs." }),
    url: z.string().openapi({ format: "uri", description: "URL of the repository at the code host." }),
    branch: z.string().openapi({ description: "Branch that the agent reads.", example: "main" }),
    syncedAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when the branch was last up to date. `null` if never." }),
    trouble: z
      .string()
      .nullable()
      .openapi({ description: "Reason why the last check of the code host failed. `null` if the check succeeded." }),
  })
  .openapi("Source", {
    description:
      "An additional repository of a project, which the agent reads but never writes to. The token is never shown.",
  });
const SourcesBody = z
  .object({
    sources: z.array(SourceBody).max(MAX_ROWS).openapi({ description: "Sources, by name." }),
    nextCursor: NextCursor,
  })
  .openapi("Sources");
export const NewSourceBody = z
  .strictObject({
    name,
    url: RepositoryAddress,
    token: HostToken.optional().openapi({
      description: "Token with read access, for a repository that is not public. The token is stored encrypted.",
    }),
    host: host.optional().openapi({ description: "Software that the code host runs, if its address does not tell." }),
    branch: BranchName(200).optional().openapi({
      description: "Branch to read. The repository's default branch if omitted.",
    }),
  })
  .openapi("NewSource");
const NewTokenBody = z.strictObject({ token: HostToken }).openapi("NewSourceToken");

const listRoute = operation({
  method: "get",
  path: BASE,
  id: "listSources",
  tags,
  summary: "List sources",
  description: "Lists the repositories that the project's agent reads in addition to the docs, and the state of each.",
  scope: "read",
  params: ProjectParams,
  query: FullPageQuery,
  answer: [200, SourcesBody, "Sources, by name."],
  headers: ["Link"],
});
const addRoute = operation({
  method: "post",
  path: BASE,
  id: "addSource",
  tags,
  summary: "Add a source",
  description:
    "Adds a repository for the agent to read. The server never writes to the repository. The response is sent when the mirror of the repository is ready, which takes minutes for a large one. If the connection ends before that, retry the request with the same `Idempotency-Key`. A project has at most ten sources.",
  scope: "admin",
  params: ProjectParams,
  body: NewSourceBody,
  answer: [201, SourceBody, "The source."],
  errors: [409, 429],
  headers: ["Location"],
});
const getRoute = operation({
  method: "get",
  path: `${BASE}/{id}`,
  id: "getSource",
  tags,
  summary: "Get a source",
  description: "Returns the source and its state.",
  scope: "read",
  params: SourceParams,
  answer: [200, SourceBody, "The source."],
});
const tokenRoute = operation({
  method: "post",
  path: `${BASE}/{id}/token`,
  id: "replaceSourceToken",
  tags,
  summary: "Replace a source's token",
  description: "Fetches the repository with the new token and, if this succeeds, uses the token from then on.",
  scope: "admin",
  params: SourceParams,
  body: NewTokenBody,
  answer: [200, SourceBody, "The source, which uses the new token."],
  errors: [409],
});
const removeRoute = operation({
  method: "delete",
  path: `${BASE}/{id}`,
  id: "removeSource",
  tags,
  summary: "Remove a source",
  description:
    "Removes the source with its mirror and token. Automations that the source triggers stay, and report that the source was removed.",
  scope: "admin",
  params: SourceParams,
  answer: [204, "The source was removed."],
});

/** Additional repositories of a project, which its agent reads. The caller authenticates requests. */
export function sourceRoutes(deps: SourceRoutesDeps): OpenAPIHono<HttpEnv> {
  const { database } = deps;
  const routes = createRouter();
  const find = (c: HttpContext, sourceId = c.req.param("id") ?? "") =>
    findSource(database, c.get("principal").projectId, sourceId);
  async function named(c: HttpContext): Promise<SourceRepository> {
    const source = await find(c);
    if (!source) throw notFound();
    return source;
  }
  const at = () => deps.clock.now().getTime();

  routes.openapi(listRoute, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    if (cursor !== undefined && !SOURCE_NAME.test(cursor)) throw wrongCursor();
    const all = await listSources(database, c.get("principal").projectId);
    // Sorted here, because collations of databases order dashes differently, and the cursor needs plain string order.
    const left = all.filter((one) => one.name > (cursor ?? "")).sort((a, b) => (a.name < b.name ? -1 : 1));
    const sources = left.slice(0, limit).map(sourceToJson);
    const nextCursor = left.length > limit ? sources.at(-1)!.name : null;
    linkNextCursor(c, nextCursor);
    return c.json({ sources, nextCursor }, 200);
  });

  routes.openapi(addRoute, async (c) => {
    const asked = c.req.valid("json");
    const { projectId } = c.get("principal");
    const source = await answerOnce<SourceRepository>(c, deps, {
      asked,
      carryOut: (key) =>
        deps.making.addSource({
          projectId,
          name: asked.name,
          url: asked.url,
          token: asked.token === undefined ? null : new Secret(asked.token),
          kind: asked.host ?? null,
          branch: asked.branch ?? null,
          beside: (transaction, made) => claimKey(transaction, key, { outcome: made, at: at() }),
        }),
      repeat: (outcome) => find(c, outcome),
    });
    c.header("Location", `/v2/project/${projectId}/sources/${source.id}`);
    return c.json(sourceToJson(source), 201);
  });

  routes.openapi(getRoute, async (c) => c.json(sourceToJson(await named(c)), 200));

  routes.openapi(tokenRoute, async (c) => {
    const asked = c.req.valid("json");
    const source = await answerOnce<SourceRepository>(c, deps, {
      asked,
      async carryOut(key) {
        const token = new Secret(asked.token);
        await deps.replaceSourceToken(await named(c), token, (transaction) =>
          claimKey(transaction, key, { outcome: "done", at: at() }),
        );
        return named(c);
      },
      repeat: () => find(c),
    });
    return c.json(sourceToJson(source), 200);
  });

  routes.openapi(removeRoute, async (c) => {
    await deps.removeSource(await named(c));
    return c.body(null, 204);
  });

  return routes;
}
