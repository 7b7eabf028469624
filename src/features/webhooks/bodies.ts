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
    "http or https, on the public Internet, or a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names.",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  example: "https://example.com/hooks",
});
const format = z.enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(", ")}`).openapi({
  description:
    "`standard`: the event, by the Standard Webhooks specification; `slack`: `{text}`, a message for people, as incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat take it.",
});
const enabled = z.boolean().openapi({ description: "Whether events are sent to it." });
const note = (description: string) => Line(200).openapi({ description });

export const NewWebhookBody = z
  .strictObject({
    url: Url,
    events: Events.optional().openapi({ description: "What to be told of; everything when not given." }),
    description: note("What it is for.").optional(),
    format: format.optional().openapi({ description: "What requests contain; `standard` when not given." }),
  })
  .openapi("NewWebhook");
export const WebhookChangesBody = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional().openapi({ description: "What to be told of." }),
    description: note("What it is for; null for no words.").nullable().optional(),
    format: format.optional().openapi({ description: "What requests contain from now on." }),
    enabled: enabled.optional(),
  })
  .openapi("WebhookChanges");

export const WebhookBody = z
  .object({
    id: id("the webhook", ID_EXAMPLE),
    url: z.string().openapi({ format: "uri", description: "Where events are sent." }),
    description: z.string().nullable().openapi({ description: "What it is for." }),
    format,
    events: z.array(z.enum(WEBHOOK_EVENTS)).openapi({ description: "What is sent." }),
    enabled,
    disabledReason: z.string().nullable().openapi({ description: "Set when the server disabled it." }),
    failingSince: timestamp
      .nullable()
      .openapi({ description: "Since when every attempt has failed; null while they do not." }),
    previousSecretUntil: timestamp
      .nullable()
      .openapi({ description: "Until when requests are signed with the former secret, too; null when they are not." }),
    createdAt: timestamp.openapi({ description: "When it was made." }),
    updatedAt: timestamp.openapi({ description: "When it was changed last." }),
  })
  .openapi("Webhook");
export const WebhookWithSecretBody = WebhookBody.extend({
  secret: z.string().openapi({ pattern: "^whsec_", description: "`whsec_` and base64; shown this once." }),
}).openapi("WebhookWithSecret");

export const DeliveryStatusBody = z.enum(["pending", "delivered", "failed"], "must be pending, delivered or failed");

const Attempt = z.object({
  attempt: z.number().int().min(1).openapi({ description: "1 for the first." }),
  startedAt: timestamp.openapi({ description: "When it was made." }),
  durationMs: z.number().min(0).openapi({ description: "How long it took, in milliseconds." }),
  status: z.number().int().nullable().openapi({ description: "Status of the answer; null when there was none." }),
  error: z
    .string()
    .nullable()
    .openapi({ description: "What went wrong before or with the answer; null when nothing did." }),
  response: z.string().nullable().openapi({ description: "Start of the answer's body." }),
});
export const DeliveryBody = z
  .object({
    id: id("the delivery", DELIVERY_EXAMPLE),
    eventId: z.string().openapi({ description: "The `webhook-id` of every attempt." }),
    type: z.enum(SENT_EVENTS).openapi({ description: "What happened." }),
    jobId: jobId.nullable().openapi({ description: "The job that it happened to; null for a test." }),
    status: DeliveryStatusBody.openapi({
      description: "`pending`: it will be tried, perhaps again; `delivered`: a 2xx came; `failed`: it was given up.",
    }),
    nextAttemptAt: timestamp.nullable().openapi({ description: "When it is tried next; null when it is over." }),
    createdAt: timestamp.openapi({ description: "When it happened." }),
    endedAt: timestamp.nullable().openapi({ description: "When it was delivered or given up." }),
    attempts: z.array(Attempt).openapi({ description: "The requests that were sent, in order." }),
  })
  .openapi("WebhookDelivery");
