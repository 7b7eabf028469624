import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { randomBytes } from "node:crypto";
import { derivedApiKey } from "./api-key.ts";
import { type ApiKey, createApiKey, KEY_LIFETIMES_DAYS, listApiKeys, revokeApiKey } from "./api-keys.ts";
import { MAX_ALLOWED_ADDRESSES, MAX_RANGE_LENGTH } from "./allowed-addresses.ts";
import { KEY_SCOPES } from "#kit/levels.ts";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import { type HttpContext, type HttpEnv, noteSubject } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { FullPageQuery, linkNextCursor, MAX_ROWS, NextCursor, wrongCursor } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { furtherParameter, Line, paramsOf, ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import type { Clock } from "#lib/clock.ts";

export interface KeyRoutesDeps {
  database: Database;
  clock: Clock;
  keysPerHour: number;
  /** Secret from which new keys are derived, so that a repeated request gets the same response. */
  keySecret: Uint8Array;
}

const tags = ["API keys"];
const OF_PROJECT = "/v2/project/{projectId}/keys";
const OF_INSTANCE = "/v2/instance/keys";

const Scope = z.enum(KEY_SCOPES).openapi({
  description:
    "Scope of the key. `read`: read jobs, counts and the site. `agent`: also create jobs, and send messages and views. `write`: also push, merge and close pull requests, and pin the site. `admin`: also everything else.",
});
const allow = z
  .array(
    z.string().max(MAX_RANGE_LENGTH).openapi({
      description: "IPv4 or IPv6 address, or CIDR range.",
      pattern: "^[0-9a-fA-F.:]+(/\\d{1,3})?$",
      example: "10.0.0.0/8",
    }),
  )
  .min(1)
  .max(MAX_ALLOWED_ADDRESSES);
const KeyBody = z
  .object({
    id: z.string().openapi({ description: "Id of the key, not the key itself.", pattern: "^key_[0-9a-z]{26}$" }),
    name: z.string().openapi({ description: "Purpose of the key." }),
    hint: z.string().openapi({ description: "Last four characters of the key." }),
    scope: Scope,
    allow: allow.nullable().openapi({
      description:
        "IP addresses and ranges from which the key can be used. `null` if the key can be used from any address.",
    }),
    createdAt: timestamp.openapi({ description: "Date and time when the key was created." }),
    lastUsedAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when the key was last used. `null` if never." }),
    expiresAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when the key expires. `null` if the key does not expire." }),
    revokedAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when the key was revoked. `null` if the key was not revoked." }),
  })
  .openapi("ApiKey", { description: "An API key, without the key itself." });
const MadeKeyBody = KeyBody.extend({
  key: z
    .string()
    .openapi({ description: "The key: `docent_` followed by 38 letters and digits. The key is not shown again." }),
}).openapi("NewlyMadeApiKey");
const NewKeyBody = z
  .strictObject({
    name: Line(100).openapi({ description: "Purpose of the key.", example: "Release pipeline" }),
    scope: Scope,
    allow: allow.nullable().default(null).openapi({
      description:
        "IP addresses and ranges from which the key can be used. Requests from other addresses are refused. `null` if the key can be used from any address.",
    }),
    expiresInDays: z
      // By itself the document of a literal names only the first of its values.
      .union(
        [z.literal([...KEY_LIFETIMES_DAYS]).openapi({ enum: [...KEY_LIFETIMES_DAYS] }), z.null()],
        "must be 7, 30, 60, 90 or null",
      )
      .default(90)
      .openapi({
        description: "Number of days until the key expires: 7, 30, 60 or 90. `null` if the key does not expire.",
      }),
  })
  .openapi("NewApiKey");

const KeysBody = z
  .object({
    keys: z.array(KeyBody).max(MAX_ROWS).openapi({ description: "Keys, oldest first." }),
    nextCursor: NextCursor,
  })
  .openapi("ApiKeys");
const REVOKED =
  "Revokes the key immediately on every node and ends the sessions that were started with the key. The key stays in the list.";
const KEY_EXAMPLE = "key_01m7xw1rmqe81aae0b2w42vdp0";

const listRoute = operation({
  method: "get",
  path: OF_PROJECT,
  id: "listApiKeys",
  tags,
  summary: "List API keys",
  description: "Lists all keys of the project, oldest first, including expired and revoked keys.",
  scope: "admin",
  params: ProjectParams,
  query: FullPageQuery,
  answer: [200, KeysBody, "Keys, oldest first."],
  headers: ["Link"],
});
const createKeyRoute = operation({
  method: "post",
  path: OF_PROJECT,
  id: "createApiKey",
  tags,
  summary: "Create an API key",
  description: "Creates a key of the project. The response contains the key, which is not shown again.",
  scope: "admin",
  params: ProjectParams,
  body: NewKeyBody,
  answer: [201, MadeKeyBody, "The key."],
  errors: [429],
  headers: ["Cache-Control"],
});
const revokeRoute = operation({
  method: "delete",
  path: `${OF_PROJECT}/{id}`,
  id: "revokeApiKey",
  tags,
  summary: "Revoke an API key",
  description: REVOKED,
  scope: "admin",
  params: paramsOf("the API key", KEY_EXAMPLE),
  answer: [204, "The key was revoked."],
});
const listInstanceRoute = operation({
  method: "get",
  path: OF_INSTANCE,
  id: "listInstanceKeys",
  tags,
  summary: "List the instance's keys",
  description: "Lists all keys that are valid for all projects, oldest first, including expired and revoked keys.",
  scope: "admin",
  isOfInstance: true,
  query: FullPageQuery,
  answer: [200, KeysBody, "Keys, oldest first."],
  headers: ["Link"],
});
const createInstanceKeyRoute = operation({
  method: "post",
  path: OF_INSTANCE,
  id: "createInstanceKey",
  tags,
  summary: "Create a key of the instance",
  description:
    "Creates a key that grants what its scope allows on every project and, with the scope `admin`, can create projects and further keys of the instance. The response contains the key, which is not shown again.",
  scope: "admin",
  isOfInstance: true,
  body: NewKeyBody,
  answer: [201, MadeKeyBody, "The key."],
  errors: [429],
  headers: ["Cache-Control"],
});
const revokeInstanceRoute = operation({
  method: "delete",
  path: `${OF_INSTANCE}/{id}`,
  id: "revokeInstanceKey",
  tags,
  summary: "Revoke a key of the instance",
  description: REVOKED,
  scope: "admin",
  isOfInstance: true,
  params: z.object({ id: furtherParameter("id", "the API key", KEY_EXAMPLE) }),
  answer: [204, "The key was revoked."],
});

/** API keys of a project, and of the instance. The caller authenticates requests. */
export function keyRoutes(deps: KeyRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  async function list(c: HttpContext, { limit, cursor }: z.infer<typeof FullPageQuery>) {
    if (cursor !== undefined && !/^key_[0-9a-z]{26}$/.test(cursor)) throw wrongCursor();
    const found = await listApiKeys(deps, c.get("owner"), { after: cursor ?? null, limit: limit + 1 });
    const keys = found.slice(0, limit).map(keyToJson);
    const nextCursor = found.length > limit ? keys.at(-1)!.id : null;
    linkNextCursor(c, nextCursor);
    return { keys, nextCursor };
  }

  async function make(c: HttpContext, asked: z.infer<typeof NewKeyBody>) {
    noteSubject(c, asked.name);
    const projectId = c.get("owner");
    const nonce = randomBytes(32).toString("base64url");
    const made = await answerOnce<ApiKey & { key: string }>(c, deps, {
      asked,
      carryOut: (idempotency) =>
        createApiKey(deps, {
          ...asked,
          projectId,
          key: derivedApiKey(deps.keySecret, nonce),
          alongside: (transaction, id) =>
            claimKey(transaction, idempotency, { outcome: `${id} ${nonce}`, at: deps.clock.now().getTime() }),
        }),
      repeat: async (outcome) => {
        const [id, own = ""] = outcome.split(" ");
        const key = (await listApiKeys(deps, projectId)).find((one) => one.id === id);
        return key ? { ...key, key: derivedApiKey(deps.keySecret, own) } : null;
      },
    });
    c.header("Cache-Control", "no-store");
    return { ...keyToJson(made), key: made.key };
  }

  async function revoke(c: HttpContext): Promise<void> {
    const own = await listApiKeys(deps, c.get("owner"));
    const key = own.find(({ id }) => id === c.req.param("id"));
    if (!key) throw notFound();
    noteSubject(c, key.name);
    await revokeApiKey(deps, key.id);
  }

  routes.openapi(listRoute, async (c) => c.json(await list(c, c.req.valid("query")), 200));
  routes.openapi(listInstanceRoute, async (c) => c.json(await list(c, c.req.valid("query")), 200));
  routes.openapi(createKeyRoute, async (c) => c.json(await make(c, c.req.valid("json")), 201));
  routes.openapi(createInstanceKeyRoute, async (c) => c.json(await make(c, c.req.valid("json")), 201));
  routes.openapi(revokeRoute, async (c) => {
    await revoke(c);
    return c.body(null, 204);
  });
  routes.openapi(revokeInstanceRoute, async (c) => {
    await revoke(c);
    return c.body(null, 204);
  });

  return routes;
}

/** A key in the API, without the key itself. */
export function keyToJson({
  id,
  name,
  hint,
  scope,
  allow: allowed,
  createdAt,
  lastUsedAt,
  expiresAt,
  revokedAt,
}: ApiKey) {
  return {
    id,
    name,
    hint,
    scope,
    allow: allowed,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
