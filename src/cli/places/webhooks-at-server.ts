import { DELIVERIES, DELIVERY, NEW_WEBHOOK, WEBHOOKS } from "./answer-shapes.ts";
import type { Login } from "./logins.ts";
import { createServer } from "./server.ts";
import type { ShownDelivery, ShownWebhook, WebhookActions } from "./webhooks.ts";
import type { Onlooker } from "./onlooker.ts";

const PAGE = 100;

/** Webhooks over the interface of a server. */
export function webhooksAtServer(login: Login, around: Onlooker): WebhookActions {
  const { ask } = createServer(login, around);
  const path = `/v2/agent/${encodeURIComponent(login.project)}/webhooks`;
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;
  return {
    isServing: true,
    create: (asked) => ask({ method: "POST", path, body: asked }, NEW_WEBHOOK),
    list: async () =>
      (await ask<{ webhooks: ShownWebhook[] }>({ method: "GET", path, query: { limit: PAGE } }, WEBHOOKS)).webhooks,
    remove: (id) => ask({ method: "DELETE", path: pathOf(id) }),
    test: (id) => ask({ method: "POST", path: `${pathOf(id)}/test` }, DELIVERY),
    deliveries: async (id, limit) =>
      (
        await ask<{ deliveries: ShownDelivery[] }>(
          { method: "GET", path: `${pathOf(id)}/deliveries`, query: { limit } },
          DELIVERIES,
        )
      ).deliveries,
    redeliver: (id, deliveryId) =>
      ask({ method: "POST", path: `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver` }, DELIVERY),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
