import { z } from "@hono/zod-openapi";
import { furtherParameter, id, Line, paramsOf, timestamp } from "#kit/http/schemas.ts";
import { jobId } from "#features/jobs/http/schemas.ts";
import { SENT_EVENTS, WEBHOOK_EVENTS } from "#features/jobs/outbox.ts";
import { WEBHOOK_FORMATS } from "./webhook-endpoints.ts";

const ID_EXAMPLE = "whk_01m7xvzdpxede9vc9qv07aemew";
const DELIVERY_EXAMPLE = "dlv_01m7xvzg8aemcrkpy3v5vakwh1";
export const WebhookParams = paramsOf("the webhook", ID_EXAMPLE);
export const DeliveryParams = WebhookParams.extend({
  deliveryId: furtherParameter("deliveryId", "the delivery", DELIVERY_EXAMPLE),
});

const Events = z
  .array(z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(", ")}`))
  .min(1, "must name at least one event");
const Url = Line(2_000).openapi({
  description:
    "URL that receives the events, with http or https. Must be on the public Internet, or at a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names.",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  example: "https://example.com/hooks",
});
const format = z.enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(", ")}`).openapi({
  description:
    "Format of the request body. `standard`: the event, according to the Standard Webhooks specification; `slack`: `{text}`, a message for people, as accepted by incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat.",
});
const enabled = z.boolean().openapi({ description: "Whether events are sent to the webhook." });
const note = (description: string) => Line(200).openapi({ description });

export const NewWebhookBody = z
  .strictObject({
    url: Url,
    events: Events.optional().openapi({ description: "Events to send. All events if omitted." }),
    description: note("Purpose of the webhook.").optional(),
    format: format.optional().openapi({ description: "Format of the request body. `standard` if omitted." }),
  })
  .openapi("NewWebhook");
export const WebhookChangesBody = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional().openapi({ description: "Events to send." }),
    description: note("Purpose of the webhook. `null` to remove the description.").nullable().optional(),
    format: format.optional().openapi({ description: "Format of the request body from now on." }),
    enabled: enabled.optional(),
  })
  .openapi("WebhookChanges");

export const WebhookBody = z
  .object({
    id: id("the webhook", ID_EXAMPLE),
    url: z.string().openapi({ format: "uri", description: "URL that receives the events." }),
    description: z.string().nullable().openapi({ description: "Purpose of the webhook." }),
    format,
    events: z.array(z.enum(WEBHOOK_EVENTS)).openapi({ description: "Events that are sent." }),
    enabled,
    disabledReason: z
      .string()
      .nullable()
      .openapi({ description: "Reason why the server disabled the webhook. `null` if the server did not disable it." }),
    failingSince: timestamp.nullable().openapi({
      description: "Date and time since which every attempt has failed. `null` if attempts are not failing.",
    }),
    previousSecretUntil: timestamp.nullable().openapi({
      description:
        "Date and time until which requests are also signed with the previous secret. `null` if they are not.",
    }),
    createdAt: timestamp.openapi({ description: "Date and time when the webhook was created." }),
    updatedAt: timestamp.openapi({ description: "Date and time when the webhook was last changed." }),
  })
  .openapi("Webhook");
export const WebhookWithSecretBody = WebhookBody.extend({
  secret: z.string().openapi({
    pattern: "^whsec_",
    description: "Signing secret: `whsec_` followed by base64. Shown only in this response.",
  }),
}).openapi("WebhookWithSecret");

export const DeliveryStatusBody = z.enum(["pending", "delivered", "failed"], "must be pending, delivered or failed");

const Attempt = z.object({
  attempt: z.number().int().min(1).openapi({ description: "Number of the attempt, starting at 1." }),
  startedAt: timestamp.openapi({ description: "Date and time when the attempt was made." }),
  durationMs: z.number().min(0).openapi({ description: "Duration of the attempt in milliseconds." }),
  status: z
    .number()
    .int()
    .nullable()
    .openapi({ description: "HTTP status of the response. `null` if there was no response." }),
  error: z
    .string()
    .nullable()
    .openapi({ description: "Problem with the request or the response. `null` if there was none." }),
  response: z
    .string()
    .nullable()
    .openapi({ description: "Beginning of the response body. `null` if there was no response." }),
});
export const DeliveryBody = z
  .object({
    id: id("the delivery", DELIVERY_EXAMPLE),
    eventId: z
      .string()
      .openapi({ description: "Identifier of the event, which is the `webhook-id` of every attempt." }),
    type: z.enum(SENT_EVENTS).openapi({ description: "Type of the event." }),
    jobId: jobId
      .nullable()
      .openapi({ description: "Identifier of the job that the event is about. `null` for a test event." }),
    status: DeliveryStatusBody.openapi({
      description:
        "Status of the delivery. `pending`: the server will make an attempt or a retry; `delivered`: the receiver responded with 2xx; `failed`: the server gave up.",
    }),
    nextAttemptAt: timestamp
      .nullable()
      .openapi({ description: "Date and time of the next attempt. `null` if the delivery has ended." }),
    createdAt: timestamp.openapi({ description: "Date and time of the event." }),
    endedAt: timestamp.nullable().openapi({
      description:
        "Date and time when the event was delivered or the server gave up. `null` while the delivery is pending.",
    }),
    attempts: z.array(Attempt).openapi({ description: "Attempts made so far, in order." }),
  })
  .openapi("WebhookDelivery");
