import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { id, PROJECT_ID_EXAMPLE, timestamp } from "#kit/http/schemas.ts";
import { AgentJobBody } from "#features/jobs/http/schemas.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { SENT_EVENTS, type SentEventType, TEST_EVENT, WEBHOOK_EVENTS } from "#features/jobs/outbox.ts";

/** Descriptions for people, in the OpenAPI document and on pages. */
export const EVENT_WORDS: Readonly<Record<SentEventType, string>> = {
  "job.completed": "A job was completed",
  "job.failed": "A job failed",
  "job.archived": "A job was archived",
  "message.refused": "A follow-up was not carried out",
  "pull_request.opened": "A pull request was opened",
  "pull_request.updated": "A pull request was updated",
  "pull_request.merged": "A pull request was merged",
  "pull_request.closed": "A pull request was closed",
  "pull_request.reopened": "A pull request was reopened",
  "webhook.test": "A webhook was tested",
};

/** The body of a request to a webhook. */
const WebhookMessage = z
  .object({
    type: z.enum(WEBHOOK_EVENTS).openapi({ description: "Type of the event." }),
    timestamp: timestamp.openapi({ description: "Date and time of the event." }),
    data: AgentJobBody,
  })
  .openapi("WebhookMessage");

/** The body of the request that `testWebhook` sends. */
const WebhookTest = z
  .object({
    type: z
      .literal(TEST_EVENT)
      .openapi({ description: "Type of the event. Always `webhook.test`: nothing happened to a job." }),
    timestamp: timestamp.openapi({ description: "Date and time when the test was requested." }),
    data: z
      .object({
        projectId: id("the project", PROJECT_ID_EXAMPLE),
        webhookId: id("the webhook that is tested", "whk_01m7xvzdpxede9vc9qv07aemew"),
      })
      .openapi({ description: "The webhook that is tested." }),
  })
  .openapi("WebhookTest");

const header = (name: string, description: string, rules: object) =>
  z.string().openapi({ param: { name, in: "header" }, description, ...rules });

const MessageHeaders = z.object({
  "webhook-id": header(
    "webhook-id",
    "Identifier of the event, the same in every attempt. Use it to handle each event only once.",
    {
      pattern: "^evt_",
    },
  ),
  "webhook-timestamp": header("webhook-timestamp", "Time of the attempt, in seconds since 1970.", {
    pattern: "^[0-9]+$",
  }),
  "webhook-signature": header(
    "webhook-signature",
    "Signature: `v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`. For 24 hours after a rotation of the secret, two signatures separated by a space.",
    { pattern: "^v1,\\S+( v1,\\S+)*$" },
  ),
});

const answer = (description: string) => ({ description });

/** Documents the requests to webhooks in the OpenAPI document, with an entry for each event. */
export function describeWebhooks(routes: OpenAPIHono<HttpEnv>): void {
  for (const type of SENT_EVENTS) {
    routes.openAPIRegistry.registerWebhook({
      method: "post",
      path: type,
      operationId: `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())}`,
      tags: ["Webhooks"],
      summary: EVENT_WORDS[type],
      description:
        (type === TEST_EVENT
          ? "Sent to one webhook by `testWebhook`"
          : "Sent to each webhook that subscribes to the event") +
        ", at least once, according to the Standard Webhooks specification. Verify the signature before you parse the body. The server does not follow redirects. A webhook with the format `slack` receives `{text}` instead of this body.",
      security: [],
      request: {
        headers: MessageHeaders,
        body: {
          required: true,
          content: { "application/json": { schema: type === TEST_EVENT ? WebhookTest : WebhookMessage } },
        },
      },
      responses: {
        "2XX": answer("The receiver accepted the event. Only a response within 10 seconds counts."),
        410: answer("The server disables the webhook immediately."),
        default: answer("The server retries, at most ten times in two days, and respects `Retry-After`."),
      },
    });
  }
}
