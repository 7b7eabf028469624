import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { ifMatch } from "#kit/http/if-match.ts";
import { linkNextCursor, MAX_ROWS, NextCursor, PageQuery } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import {
  DeliveryBody,
  DeliveryParams,
  DeliveryStatusBody,
  NewWebhookBody,
  WebhookBody,
  WebhookChangesBody,
  WebhookParams,
  WebhookWithSecretBody,
} from "./bodies.ts";
import { WEBHOOK_EVENTS } from "#features/jobs/outbox.ts";
import { sendTestEvent } from "./test-event.ts";
import { findDelivery, listDeliveries, redeliver, type WebhookDelivery } from "./webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  requireWebhook,
  findWebhookWithSecret,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookWithSecret,
  type WebhookDeps,
  type WebhookEndpoint,
} from "./webhook-endpoints.ts";

const tags = ["Webhooks"];
const BASE = "/v2/agent/{projectId}/webhooks";

const createRouteOf = operation({
  method: "post",
  path: BASE,
  id: "createWebhook",
  tags,
  summary: "Create a webhook",
  description:
    "Creates a webhook, to which the server sends events about jobs. Requests follow the Standard Webhooks " +
    "specification, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` followed by the " +
    "base64 HMAC-SHA256 of `id.timestamp.body`). The body is `{type, timestamp, data}`, where `data` is the job. With " +
    "`format: slack`, the body is `{text}` for a chat.",
  scope: "admin",
  params: ProjectParams,
  body: NewWebhookBody,
  answer: [201, WebhookWithSecretBody, "The webhook with its secret."],
  errors: [409],
  headers: ["Location", "Cache-Control"],
});
const listRoute = operation({
  method: "get",
  path: BASE,
  id: "listWebhooks",
  tags,
  summary: "List webhooks",
  description: "Returns the webhooks of the project, newest first, without their secrets.",
  scope: "admin",
  params: ProjectParams,
  query: PageQuery,
  answer: [
    200,
    z
      .object({
        webhooks: z.array(WebhookBody).max(MAX_ROWS).openapi({ description: "Webhooks, newest first." }),
        nextCursor: NextCursor,
      })
      .openapi("Webhooks"),
    "Webhooks, newest first.",
  ],
  headers: ["Link"],
});
const getRoute = operation({
  method: "get",
  path: `${BASE}/{id}`,
  id: "getWebhook",
  tags,
  summary: "Get a webhook",
  description: "Returns the webhook without its secret.",
  scope: "admin",
  params: WebhookParams,
  answer: [200, WebhookBody, "The webhook."],
});
const updateRoute = operation({
  method: "patch",
  path: `${BASE}/{id}`,
  id: "updateWebhook",
  tags,
  summary: "Update a webhook",
  description:
    "Updates the given fields and leaves the others unchanged. `enabled: true` re-enables a webhook that the server disabled.",
  scope: "admin",
  isConditional: true,
  params: WebhookParams,
  body: WebhookChangesBody,
  answer: [200, WebhookBody, "The updated webhook."],
});
const deleteRoute = operation({
  method: "delete",
  path: `${BASE}/{id}`,
  id: "deleteWebhook",
  tags,
  summary: "Delete a webhook",
  description: "Deletes the webhook and its delivery log. The server sends no further events to it.",
  scope: "admin",
  isConditional: true,
  params: WebhookParams,
  answer: [204, "The webhook and its delivery log were deleted."],
});
const rotateRoute = operation({
  method: "post",
  path: `${BASE}/{id}/rotate`,
  id: "rotateWebhookSecret",
  tags,
  summary: "Rotate the secret of a webhook",
  description: "Creates a new secret. For 24 hours, requests are also signed with the previous secret.",
  scope: "admin",
  params: WebhookParams,
  answer: [200, WebhookWithSecretBody, "The webhook with its new secret."],
  headers: ["Cache-Control"],
});
const testRoute = operation({
  method: "post",
  path: `${BASE}/{id}/test`,
  id: "testWebhook",
  tags,
  summary: "Send a test event",
  description:
    "Sends the event `webhook.test` to this webhook, whichever events the webhook subscribes to. The event is signed, " +
    "retried and listed among the deliveries like any other. At most 60 per hour.",
  scope: "admin",
  params: WebhookParams,
  answer: [200, DeliveryBody, "The delivery, `pending`."],
  errors: [409, 429],
});
const deliveriesRoute = operation({
  method: "get",
  path: `${BASE}/{id}/deliveries`,
  id: "listWebhookDeliveries",
  tags,
  summary: "List the deliveries of a webhook",
  description:
    "Returns the events that the server has sent or will send to the webhook, with each attempt and its response.",
  scope: "admin",
  params: WebhookParams,
  query: PageQuery.extend({
    status: DeliveryStatusBody.optional().openapi({
      param: { name: "status", in: "query" },
      description: "Status of the deliveries to return. All deliveries if omitted.",
    }),
  }),
  answer: [
    200,
    z
      .object({
        deliveries: z.array(DeliveryBody).max(MAX_ROWS).openapi({ description: "Deliveries, newest first." }),
        nextCursor: NextCursor,
      })
      .openapi("WebhookDeliveries"),
    "Deliveries of the last 30 days, newest first.",
  ],
  headers: ["Link"],
});
const redeliverRoute = operation({
  method: "post",
  path: `${BASE}/{id}/deliveries/{deliveryId}/redeliver`,
  id: "redeliverWebhook",
  tags,
  summary: "Redeliver an event",
  description: "Sends the same event again, with the same `webhook-id`.",
  scope: "admin",
  params: DeliveryParams,
  answer: [200, DeliveryBody, "The delivery, `pending` again."],
  errors: [409],
});

/** Routes for a project's webhooks. The caller authenticates the requests. */
export function webhookRoutes(deps: WebhookDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  const nameOf = (c: HttpContext) => ({
    projectId: c.get("principal").projectId,
    webhookId: c.req.param("id") ?? "",
  });

  routes.openapi(createRouteOf, async (c) => {
    const asked = c.req.valid("json");
    const { url, events = [...WEBHOOK_EVENTS], description = null, format = "standard" } = asked;
    const { projectId } = c.get("principal");
    const { webhook, secret } = await answerOnce<WebhookWithSecret>(c, deps, {
      asked,
      carryOut: (key) => createWebhook(deps, { projectId, url, events, description, format }, key),
      repeat: (webhookId) => findWebhookWithSecret(deps, { projectId, webhookId }),
    });
    c.header("Location", `/v2/agent/${projectId}/webhooks/${webhook.id}`);
    return c.json({ ...webhookToJson(webhook), secret: secret.reveal() }, 201);
  });
  routes.openapi(listRoute, async (c) => {
    const { limit, cursor = null } = c.req.valid("query");
    const { items, nextCursor } = await listWebhooks(deps, { projectId: c.get("principal").projectId, limit, cursor });
    linkNextCursor(c, nextCursor);
    return c.json({ webhooks: items.map(webhookToJson), nextCursor }, 200);
  });
  routes.openapi(getRoute, async (c) => c.json(webhookToJson(await requireWebhook(deps, nameOf(c))), 200));
  routes.openapi(updateRoute, async (c) => {
    const { url, events, description, format, enabled } = c.req.valid("json");
    const changes = {
      ...(url !== undefined && { url }),
      ...(events && { events }),
      ...(format && { format }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled }),
    };
    const webhook = await updateWebhook(deps, nameOf(c), changes, ifMatch(c, webhookToJson));
    return c.json(webhookToJson(webhook), 200);
  });
  routes.openapi(deleteRoute, async (c) => {
    await deleteWebhook(deps, nameOf(c), ifMatch(c, webhookToJson));
    return c.body(null, 204);
  });
  routes.openapi(rotateRoute, async (c) => {
    const { webhook, secret } = await answerOnce<WebhookWithSecret>(c, deps, {
      carryOut: (key) => rotateWebhookSecret(deps, nameOf(c), key),
      repeat: () => findWebhookWithSecret(deps, nameOf(c)),
    });
    return c.json({ ...webhookToJson(webhook), secret: secret.reveal() }, 200);
  });
  routes.openapi(testRoute, async (c) => {
    const delivery = await answerOnce<WebhookDelivery>(c, deps, {
      carryOut: (key) => sendTestEvent(deps, nameOf(c), key),
      repeat: (deliveryId) => findDelivery(deps, { ...nameOf(c), deliveryId }),
    });
    return c.json(deliveryToJson(delivery), 200);
  });
  routes.openapi(deliveriesRoute, async (c) => {
    const { limit, cursor = null, status = null } = c.req.valid("query");
    const { items, nextCursor } = await listDeliveries(deps, nameOf(c), { status, limit, cursor });
    linkNextCursor(c, nextCursor);
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

/** A webhook as the API returns it and the commands print it. */
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
