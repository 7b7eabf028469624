import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { ifMatch } from "#kit/http/if-match.ts";
import { FullPageQuery, linkNextCursor, MAX_ROWS, NextCursor, wrongCursor } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { amount, Line, ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { MAX_API_HOSTS } from "#features/projects/api-hosts.ts";
import {
  type ApiAccess,
  apiAccessToJson,
  apiAccessVersion,
  askApiAddresses,
  readApiAccess,
  saveApiAccess,
} from "./api-access.ts";
import { countChange } from "#features/sites/deployments/routes.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface ApiAddressRoutesDeps extends FindsProject {
  database: Database;
  clock: Clock;
  /** Reloads a project's site because its sources may have changed. Never rejects. */
  refreshSite(project: ProjectId): Promise<void>;
}

const tags = ["API descriptions"];
const hosts = z
  .array(Line(300).openapi({ description: "A host.", pattern: "^[^\\s/?#@]+$", example: "api.example.com" }))
  .max(MAX_API_HOSTS)
  .openapi({
    description:
      "Hosts such as `api.example.com`, with a port where it is another than that of https, or `*.example.com`. Empty: off.",
    example: ["api.example.com"],
  });
const proxy = z.boolean().openapi({
  description: "Whether requests that readers try on API pages go through this server. At first they do not.",
});
const AccessBody = z
  .object({
    hosts,
    proxy,
    version: z.string().openapi({
      description: "Another one whenever `hosts` or `proxy` is another; what is kept of addresses changes by itself.",
      pattern: "^[0-9a-f]{16}$",
    }),
    addresses: z
      .array(
        z.object({
          address: z.string().openapi({ description: "As the docs name it, without a fragment." }),
          live: z.boolean().openapi({ description: "Whether the site that readers see names it." }),
          readAt: timestamp.nullable().openapi({
            description: "When its host last said that the copy is the newest; null while there is no copy.",
          }),
          sizeBytes: amount.nullable().openapi({ description: "Size of the copy; null while there is none." }),
          trouble: z.string().nullable().openapi({ description: "Why the last try failed; null when it did not." }),
          nextAt: timestamp.nullable().openapi({
            description: "When it is asked again; null: when a push names it.",
          }),
        }),
      )
      .max(MAX_ROWS)
      .openapi({ description: "What is kept of each address that the docs name, by address." }),
    nextCursor: NextCursor,
  })
  .openapi("ApiAddresses");
const NewAccessBody = z.strictObject({ hosts: hosts.optional(), proxy: proxy.optional() }).openapi("NewApiAccess");

const BASE = "/v2/project/{projectId}/api-addresses";
const getRoute = operation({
  method: "get",
  path: BASE,
  id: "listApiAddresses",
  tags,
  summary: "List descriptions at addresses",
  description: "The hosts that the server asks for descriptions of APIs, and what it has of each address.",
  scope: "read",
  params: ProjectParams,
  query: FullPageQuery,
  answer: [200, AccessBody, "The hosts that are asked, and what is kept of each address."],
  headers: ["Link"],
});
const putRoute = operation({
  method: "put",
  path: BASE,
  id: "setApiAccess",
  tags,
  summary: "Set the hosts of descriptions, and the proxy",
  description:
    "The server asks these hosts, and no others, for the descriptions that the docs name by address. What is left out stays as it is. `If-Match` takes `version` in quotation marks, too, and the `ETag` of the list's first page.",
  scope: "admin",
  isConditional: true,
  params: ProjectParams,
  body: NewAccessBody,
  answer: [200, AccessBody, "What is set now."],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});
const readRoute = operation({
  method: "post",
  path: `${BASE}/read`,
  id: "readApiAddresses",
  tags,
  summary: "Read descriptions again",
  description: "For the program that publishes an API: its pages follow in seconds, without a push.",
  scope: "agent",
  params: ProjectParams,
  answer: [
    202,
    z
      .object({ addresses: amount.openapi({ description: "How many addresses are asked." }) })
      .openapi("ApiAddressesAsked"),
    "So many addresses are asked now, each at most every few seconds.",
  ],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});

/** API descriptions at addresses: a project's settings and copies. Authentication is the caller's. */
export function apiAddressRoutes(deps: ApiAddressRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  const projectOf = projectOfKey(deps);

  function shown(
    access: ApiAccess,
    { limit, cursor }: { limit: number; cursor?: string | undefined } = { limit: MAX_ROWS },
  ): z.infer<typeof AccessBody> {
    const after = cursor === undefined ? "" : addressIn(cursor);
    const { hosts, proxy, addresses } = apiAccessToJson(access);
    const left = addresses.filter(({ address }) => address > after).sort((a, b) => (a.address < b.address ? -1 : 1));
    const page = left.slice(0, limit);
    return {
      hosts,
      proxy,
      version: apiAccessVersion(access),
      addresses: page,
      nextCursor: left.length > limit ? cursorOf(page.at(-1)!.address) : null,
    };
  }

  routes.openapi(getRoute, async (c) => {
    const page = shown(await readApiAccess(deps, await projectOf(c)), c.req.valid("query"));
    linkNextCursor(c, page.nextCursor);
    return c.json(page, 200);
  });

  routes.openapi(putRoute, async (c) => {
    const project = await projectOf(c);
    await countChange(c, deps);
    await saveApiAccess(deps, project, c.req.valid("json"), ifMatch(c, shown, apiAccessVersion));
    await deps.refreshSite(project.id);
    return c.json(shown(await readApiAccess(deps, project)), 200);
  });

  routes.openapi(readRoute, async (c) => {
    const project = await projectOf(c);
    await countChange(c, deps);
    const addresses = await answerOnce<number>(c, deps, {
      carryOut: (key) =>
        askApiAddresses(deps, project, (transaction, count) =>
          claimKey(transaction, key, { outcome: String(count), at: deps.clock.now().getTime() }),
        ),
      repeat: (outcome) => Promise.resolve(Number(outcome)),
    });
    return c.json({ addresses }, 202);
  });

  return routes;
}

const cursorOf = (address: string): string => Buffer.from(address).toString("base64url");

function addressIn(cursor: string): string {
  const address = Buffer.from(cursor, "base64url").toString();
  if (address === "" || cursorOf(address) !== cursor) throw wrongCursor();
  return address;
}
