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
  "webhook.test": "Somebody tries the webhook",
};

/** The body of a request to a webhook. */
const WebhookMessage = z
  .object({
    type: z.enum(WEBHOOK_EVENTS).openapi({ description: "What happened." }),
    timestamp: timestamp.openapi({ description: "When it happened." }),
    data: AgentJobBody,
  })
  .openapi("WebhookMessage");

/** The body of the request that `testWebhook` sends. */
const WebhookTest = z
  .object({
    type: z.literal(TEST_EVENT).openapi({ description: "A test: nothing happened." }),
    timestamp: timestamp.openapi({ description: "When it was asked for." }),
    data: z
      .object({
        projectId: id("the project", PROJECT_ID_EXAMPLE),
        webhookId: id("the webhook that is tried", "whk_01m7xvzdpxede9vc9qv07aemew"),
      })
      .openapi({ description: "Which webhook it is." }),
  })
  .openapi("WebhookTest");

const header = (name: string, description: string, rules: object) =>
  z.string().openapi({ param: { name, in: "header" }, description, ...rules });

const MessageHeaders = z.object({
  "webhook-id": header("webhook-id", "The same in each attempt: what comes twice is handled once.", {
    pattern: "^evt_",
  }),
  "webhook-timestamp": header("webhook-timestamp", "When the attempt was made, in seconds since 1970.", {
    pattern: "^[0-9]+$",
  }),
  "webhook-signature": header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two with a space between for 24 hours after a rotation.",
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
        (type === TEST_EVENT ? "Sent by `testWebhook` to one webhook" : "Sent to each webhook that asks for it") +
        ", at least once, by the Standard Webhooks specification. Verify the signature before the body is parsed. Redirects are not followed. A webhook with the format `slack` is sent `{text}` in place of this body.",
      security: [],
      request: {
        headers: MessageHeaders,
        body: {
          required: true,
          content: { "application/json": { schema: type === TEST_EVENT ? WebhookTest : WebhookMessage } },
        },
      },
      responses: {
        "2XX": answer("It was taken. Only an answer within 10 seconds counts."),
        410: answer("The webhook is disabled at once."),
        default: answer("It is tried again, ten times in two days at most. `Retry-After` is heeded."),
      },
    });
  }
}
