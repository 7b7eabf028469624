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
import { MAX_API_HOSTS } from "#features/projects/site/api-hosts.ts";
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
  .array(Line(300).openapi({ description: "Name of a host.", pattern: "^[^\\s/?#@]+$", example: "api.example.com" }))
  .max(MAX_API_HOSTS)
  .openapi({
    description:
      "Hosts from which the server can fetch API descriptions, such as `api.example.com` or `*.example.com`, with the port if it differs from that of https. Fetching is off if empty.",
    example: ["api.example.com"],
  });
const proxy = z.boolean().openapi({
  description: "Whether requests that readers try on API pages go through this server. `false` in a new project.",
});
const AccessBody = z
  .object({
    hosts,
    proxy,
    version: z.string().openapi({
      description:
        "Version of the settings. Changes whenever `hosts` or `proxy` changes, but not when the copies of addresses change.",
      pattern: "^[0-9a-f]{16}$",
    }),
    addresses: z
      .array(
        z.object({
          address: z.string().openapi({ description: "Address as the docs name it, without a fragment." }),
          live: z.boolean().openapi({ description: "Whether the site that readers see names the address." }),
          readAt: timestamp.nullable().openapi({
            description:
              "Date and time when the address's host last confirmed that the copy is current. `null` if there is no copy.",
          }),
          sizeBytes: amount
            .nullable()
            .openapi({ description: "Size of the copy in bytes. `null` if there is no copy." }),
          trouble: z
            .string()
            .nullable()
            .openapi({ description: "Reason why the last fetch failed. `null` if the fetch succeeded." }),
          nextAt: timestamp.nullable().openapi({
            description: "Date and time of the next fetch. `null` if the address is fetched when a push names it.",
          }),
        }),
      )
      .max(MAX_ROWS)
      .openapi({ description: "State of the copy of each address that the docs name, by address." }),
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
  summary: "List API descriptions at addresses",
  description:
    "Lists the hosts from which the server can fetch API descriptions, and the state of the copy of each address.",
  scope: "read",
  params: ProjectParams,
  query: FullPageQuery,
  answer: [200, AccessBody, "The hosts, and the state of the copy of each address."],
  headers: ["Link"],
});
const putRoute = operation({
  method: "put",
  path: BASE,
  id: "setApiAccess",
  tags,
  summary: "Set the hosts of API descriptions and the proxy",
  description:
    "Sets the hosts, the only ones from which the server fetches the API descriptions that the docs name by address, and the proxy. Omitted fields stay unchanged. `If-Match` accepts `version` in quotation marks and the `ETag` of the list's first page.",
  scope: "admin",
  isConditional: true,
  params: ProjectParams,
  body: NewAccessBody,
  answer: [200, AccessBody, "The updated settings."],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});
const readRoute = operation({
  method: "post",
  path: `${BASE}/read`,
  id: "readApiAddresses",
  tags,
  summary: "Fetch API descriptions again",
  description:
    "Fetches the API descriptions that the site names by address again. A program that publishes an API can use this to update the pages of the API within seconds, without a push.",
  scope: "agent",
  params: ProjectParams,
  answer: [
    202,
    z
      .object({ addresses: amount.openapi({ description: "Number of addresses that the server fetches." }) })
      .openapi("ApiAddressesAsked"),
    "The number of addresses that the server fetches now, each at most once every few seconds.",
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
