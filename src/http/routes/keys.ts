import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { randomBytes } from "node:crypto";
import { derivedApiKey } from "#accounts/api-key.ts";
import { type ApiKey, createApiKey, KEY_LIFETIMES_DAYS, listApiKeys, revokeApiKey } from "#accounts/api-keys.ts";
import { KEY_SCOPES } from "#accounts/key-scopes.ts";
import type { Database } from "#db/database.ts";
import { answers, emptyAnswers } from "#http/answers.ts";
import type { HttpEnv } from "#http/context.ts";
import { notFound } from "#http/errors.ts";
import { answerOnce } from "#http/idempotency.ts";
import { jsonBody, limitedBody } from "#http/json-body.ts";
import { createRouter } from "#http/router.ts";
import { Line, paramsOf, ProjectParams, timestamp } from "#http/schemas.ts";
import { claimKey } from "#jobs/idempotency.ts";
import type { Clock } from "#lib/clock.ts";

export interface KeyRoutesDeps {
  database: Database;
  clock: Clock;
  keysPerHour: number;
  /** Of this instance: the keys made here are derived from it, so that a repeated request can be answered. */
  keySecret: Uint8Array;
}

const tags = ["API keys"];
const BASE = "/v2/project/{projectId}/keys";

const Scope = z.enum(KEY_SCOPES).openapi({
  description:
    "`read`: read jobs, counts and the site; `agent`: and create jobs, send messages and views; `admin`: and all else.",
});
const KeyBody = z
  .object({
    id: z.string().openapi({ description: "Id of the key, not the key itself.", pattern: "^key_[0-9a-z]{26}$" }),
    name: z.string().openapi({ description: "What it is for." }),
    hint: z.string().openapi({ description: "The last four characters of the key." }),
    scope: Scope,
    createdAt: timestamp.openapi({ description: "When it was made." }),
    lastUsedAt: timestamp.nullable().openapi({ description: "When it was used last; null when never." }),
    expiresAt: timestamp.nullable().openapi({ description: "When it ends; null when it does not." }),
    revokedAt: timestamp.nullable().openapi({ description: "When it was revoked; null when it was not." }),
  })
  .openapi("ApiKey", { description: "A key of the project, without the key itself." });
const MadeKeyBody = KeyBody.extend({
  key: z.string().openapi({ description: "The key: `docent_` and 38 letters and digits. It is not shown again." }),
}).openapi("NewlyMadeApiKey");
const NewKeyBody = z
  .strictObject({
    name: Line(100).openapi({ description: "What it is for.", example: "Release pipeline" }),
    scope: Scope,
    expiresInDays: z
      .union([z.literal([...KEY_LIFETIMES_DAYS]), z.null()], "must be 7, 30, 60, 90 or null")
      .default(90)
      .openapi({ description: "Days that it lives: 7, 30, 60 or 90; null for one that does not end." }),
  })
  .openapi("NewApiKey");

const listRoute = createRoute({
  method: "get",
  path: BASE,
  operationId: "listApiKeys",
  tags,
  summary: "List API keys",
  description: "Every key of the project, oldest first, those that are over among them.",
  request: { params: ProjectParams },
  responses: answers(
    200,
    z.object({ keys: z.array(KeyBody).openapi({ description: "Keys, oldest first." }) }).openapi("ApiKeys"),
    "Keys, oldest first.",
  ),
});
const createKeyRoute = createRoute({
  method: "post",
  path: BASE,
  operationId: "createApiKey",
  tags,
  summary: "Create an API key",
  description: "The answer has the key, which is not shown again.",
  middleware: [limitedBody, jsonBody],
  request: {
    params: ProjectParams,
    body: { required: true, content: { "application/json": { schema: NewKeyBody } } },
  },
  responses: answers(201, MadeKeyBody, "The key.", { errors: [413, 415, 429], headers: ["Cache-Control"] }),
});
const revokeRoute = createRoute({
  method: "delete",
  path: `${BASE}/{id}`,
  operationId: "revokeApiKey",
  tags,
  summary: "Revoke an API key",
  description: "It ends at once, on every node, with the sessions that were begun with it. It stays in the list.",
  request: { params: paramsOf("the API key", "key_01m7xw1rmqe81aae0b2w42vdp0") },
  responses: emptyAnswers("The key is revoked."),
});

/** The API keys of a project. Authentication is the caller's. */
export function keyRoutes(deps: KeyRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  routes.openapi(listRoute, async (c) => {
    const keys = await listApiKeys(deps, c.get("principal").projectId);
    return c.json({ keys: keys.map(keyToJson) }, 200);
  });

  routes.openapi(createKeyRoute, async (c) => {
    const { projectId } = c.get("principal");
    const asked = c.req.valid("json");
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
    return c.json({ ...keyToJson(made), key: made.key }, 201);
  });

  routes.openapi(revokeRoute, async (c) => {
    const id = c.req.param("id");
    const own = await listApiKeys(deps, c.get("principal").projectId);
    if (!own.some((key) => key.id === id)) throw notFound();
    await revokeApiKey(deps, id);
    return c.body(null, 204);
  });

  return routes;
}

function keyToJson({ id, name, hint, scope, createdAt, lastUsedAt, expiresAt, revokedAt }: ApiKey) {
  return {
    id,
    name,
    hint,
    scope,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
