import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { answers, errorAnswers } from "#http/answers.ts";
import type { HttpContext, HttpEnv } from "#http/context.ts";
import { answerOnce } from "#http/idempotency.ts";
import { jsonBody, limitedBody } from "#http/json-body.ts";
import { NextCursor, PageQuery } from "#http/paging.ts";
import { createRouter } from "#http/router.ts";
import { Line, ProjectParams } from "#http/schemas.ts";
import { WEBHOOK_EVENTS } from "#jobs/outbox.ts";
import { findDelivery, listDeliveries, redeliver, type WebhookDelivery } from "#jobs/webhooks/webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  requireWebhook,
  retellWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type ToldWebhook,
  type WebhookDeps,
  type WebhookEndpoint,
} from "#jobs/webhooks/webhook-endpoints.ts";

const tags = ["Webhooks"];
const Events = z
  .array(z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(", ")}`))
  .min(1, "must name at least one event");
const Url = Line(2_000).openapi({
  description: "http or https, on the public Internet.",
  example: "https://example.com/hooks",
});

const NewWebhookBody = z
  .strictObject({
    url: Url,
    events: Events.optional().openapi({ description: "All when not given." }),
    description: Line(200).optional(),
  })
  .openapi("NewWebhook");
const WebhookChangesBody = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    description: Line(200).nullable().optional(),
    enabled: z.boolean().optional(),
  })
  .openapi("WebhookChanges");

const timestamp = z.string().openapi({ format: "date-time" });
const WebhookBody = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    enabled: z.boolean(),
    disabledReason: z.string().nullable().openapi({ description: "Set when the server disabled it." }),
    failingSince: timestamp.nullable(),
    previousSecretUntil: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Webhook");
const WebhookWithSecretBody = WebhookBody.extend({
  secret: z.string().openapi({ description: "`whsec_` and base64; shown this once." }),
}).openapi("WebhookWithSecret");
const DeliveryBody = z
  .object({
    id: z.string(),
    eventId: z.string().openapi({ description: "The `webhook-id` of every attempt." }),
    type: z.enum(WEBHOOK_EVENTS),
    jobId: z.string(),
    status: z.enum(["pending", "delivered", "failed"]),
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
    attempts: z.array(
      z.object({
        attempt: z.number(),
        startedAt: timestamp,
        durationMs: z.number(),
        status: z.number().nullable().openapi({ description: "Null when there was no answer." }),
        error: z.string().nullable(),
        response: z.string().nullable().openapi({ description: "Start of the answer's body." }),
      }),
    ),
  })
  .openapi("WebhookDelivery");

const WebhookParams = ProjectParams.extend({ id: z.string().openapi({ param: { name: "id", in: "path" } }) });
const DeliveryParams = WebhookParams.extend({
  deliveryId: z.string().openapi({ param: { name: "deliveryId", in: "path" } }),
});
const BASE = "/v2/agent/{projectId}/webhooks";

const createRouteOf = createRoute({
  method: "post",
  path: BASE,
  tags,
  summary: "Create a webhook",
  description:
    "Requests follow the Standard Webhooks specification: `webhook-id`, `webhook-timestamp` and `webhook-signature` " +
    "(`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`). The body is `{type, timestamp, data}`, `data` the job.",
  middleware: [limitedBody, jsonBody],
  request: {
    params: ProjectParams,
    body: { required: true, content: { "application/json": { schema: NewWebhookBody } } },
  },
  responses: answers(201, WebhookWithSecretBody, "The webhook with its secret.", [400, 401, 404, 409, 413, 415]),
});
const listRoute = createRoute({
  method: "get",
  path: BASE,
  tags,
  summary: "List webhooks",
  request: { params: ProjectParams, query: PageQuery },
  responses: answers(
    200,
    z.object({ webhooks: z.array(WebhookBody), nextCursor: NextCursor }).openapi("Webhooks"),
    "Webhooks, newest first.",
    [400, 401, 404],
  ),
});
const getRoute = createRoute({
  method: "get",
  path: `${BASE}/{id}`,
  tags,
  summary: "Get a webhook",
  request: { params: WebhookParams },
  responses: answers(200, WebhookBody, "The webhook.", [401, 404]),
});
const updateRoute = createRoute({
  method: "patch",
  path: `${BASE}/{id}`,
  tags,
  summary: "Change a webhook",
  middleware: [limitedBody, jsonBody],
  request: {
    params: WebhookParams,
    body: { required: true, content: { "application/json": { schema: WebhookChangesBody } } },
  },
  responses: answers(200, WebhookBody, "The webhook as it is now.", [400, 401, 404, 413, 415]),
});
const deleteRoute = createRoute({
  method: "delete",
  path: `${BASE}/{id}`,
  tags,
  summary: "Delete a webhook",
  request: { params: WebhookParams },
  responses: { 204: { description: "The webhook and its delivery log are gone." }, ...errorAnswers([401, 404]) },
});
const rotateRoute = createRoute({
  method: "post",
  path: `${BASE}/{id}/rotate`,
  tags,
  summary: "Give a webhook a new secret",
  description: "For 24 hours requests are signed with the former secret too.",
  request: { params: WebhookParams },
  responses: answers(200, WebhookWithSecretBody, "The webhook with its new secret.", [401, 404]),
});
const deliveriesRoute = createRoute({
  method: "get",
  path: `${BASE}/{id}/deliveries`,
  tags,
  summary: "List what a webhook delivered",
  request: {
    params: WebhookParams,
    query: PageQuery.extend({
      status: z
        .enum(["pending", "delivered", "failed"], "must be pending, delivered or failed")
        .optional()
        .openapi({ param: { name: "status", in: "query" } }),
    }),
  },
  responses: answers(
    200,
    z.object({ deliveries: z.array(DeliveryBody), nextCursor: NextCursor }).openapi("WebhookDeliveries"),
    "Deliveries of the last 30 days, newest first.",
    [400, 401, 404],
  ),
});
const redeliverRoute = createRoute({
  method: "post",
  path: `${BASE}/{id}/deliveries/{deliveryId}/redeliver`,
  tags,
  summary: "Deliver again",
  request: { params: DeliveryParams },
  responses: answers(200, DeliveryBody, "The delivery, `pending` again.", [401, 404, 409]),
});

/** Webhooks of a project. Authentication is the caller's. */
export function webhookRoutes(deps: WebhookDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  const nameOf = (c: HttpContext) => ({
    projectId: c.get("principal").projectId,
    webhookId: c.req.param("id") ?? "",
  });

  routes.openapi(createRouteOf, async (c) => {
    const asked = c.req.valid("json");
    const { url, events = WEBHOOK_EVENTS, description = null } = asked;
    const { projectId } = c.get("principal");
    const { webhook, secret } = await answerOnce<ToldWebhook>(c, deps, {
      asked,
      carryOut: (key) => createWebhook(deps, { projectId, url, events, description }, key),
      repeat: (webhookId) => retellWebhook(deps, { projectId, webhookId }),
    });
    c.header("Location", `/v2/agent/${projectId}/webhooks/${webhook.id}`);
    c.header("Cache-Control", "no-store");
    return c.json({ ...webhookToJson(webhook), secret: secret.reveal() }, 201);
  });
  routes.openapi(listRoute, async (c) => {
    const { limit, cursor = null } = c.req.valid("query");
    const { items, nextCursor } = await listWebhooks(deps, { projectId: c.get("principal").projectId, limit, cursor });
    return c.json({ webhooks: items.map(webhookToJson), nextCursor }, 200);
  });
  routes.openapi(getRoute, async (c) => c.json(webhookToJson(await requireWebhook(deps, nameOf(c))), 200));
  routes.openapi(updateRoute, async (c) => {
    const { url, events, description, enabled } = c.req.valid("json");
    const webhook = await updateWebhook(deps, nameOf(c), {
      ...(url !== undefined && { url }),
      ...(events && { events }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled }),
    });
    return c.json(webhookToJson(webhook), 200);
  });
  routes.openapi(deleteRoute, async (c) => {
    await deleteWebhook(deps, nameOf(c));
    return c.body(null, 204);
  });
  routes.openapi(rotateRoute, async (c) => {
    const { webhook, secret } = await answerOnce<ToldWebhook>(c, deps, {
      carryOut: (key) => rotateWebhookSecret(deps, nameOf(c), key),
      repeat: () => retellWebhook(deps, nameOf(c)),
    });
    c.header("Cache-Control", "no-store");
    return c.json({ ...webhookToJson(webhook), secret: secret.reveal() }, 200);
  });
  routes.openapi(deliveriesRoute, async (c) => {
    const { limit, cursor = null, status = null } = c.req.valid("query");
    const { items, nextCursor } = await listDeliveries(deps, nameOf(c), { status, limit, cursor });
    return c.json({ deliveries: items.map(deliveryToJson), nextCursor }, 200);
  });
  routes.openapi(redeliverRoute, async (c) => {
    const name = { ...nameOf(c), deliveryId: c.req.param("deliveryId") };
    const delivery = await answerOnce<WebhookDelivery>(c, deps, {
      carryOut: (key) => redeliver(deps, name, key),
      repeat: () => findDelivery(deps, name),
    });
    return c.json(deliveryToJson(delivery), 200);
  });
  return routes;
}

/** A webhook as the interface and the commands show it. */
export function webhookToJson(webhook: WebhookEndpoint): z.infer<typeof WebhookBody> {
  const { projectId: _projectId, ...shown } = webhook;
  return {
    ...shown,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    previousSecretUntil: webhook.previousSecretUntil?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

export function deliveryToJson(delivery: WebhookDelivery): z.infer<typeof DeliveryBody> {
  return {
    ...delivery,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    endedAt: delivery.endedAt?.toISOString() ?? null,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, startedAt: attempt.startedAt.toISOString() })),
  };
}
