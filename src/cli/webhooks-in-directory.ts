import { deliveryToJson, webhookToJson } from "#features/webhooks/routes.ts";
import { WEBHOOK_EVENTS } from "#features/jobs/outbox.ts";
import { sendTestEvent } from "#features/webhooks/test-event.ts";
import { listDeliveries, redeliver } from "#features/webhooks/webhook-deliveries.ts";
import { createWebhook, deleteWebhook, listWebhooks } from "#features/webhooks/webhook-endpoints.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { requireProject } from "#features/projects/projects.ts";
import { openInstance, openVault } from "./open-instance.ts";
import type { WebhookActions } from "./places/webhooks.ts";

/** Webhooks of a project in the store of a data directory. */
export async function webhooksInDirectory(
  options: { data?: string | undefined },
  named: string,
): Promise<WebhookActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const { id: projectId } = await requireProject(instance, named);
  const owned = stack.move();
  return {
    isServing: instance.isServing,
    async create({ url, events, description }) {
      const { database, clock, config } = instance;
      const vault = await openVault(instance);
      const outboundHttp = createOutboundHttp(config.webhooks);
      const { webhook, secret } = await createWebhook(
        { database, clock, vault, outboundHttp },
        {
          projectId,
          url,
          events: events ? WEBHOOK_EVENTS.filter((event) => events.includes(event)) : WEBHOOK_EVENTS,
          description: description ?? null,
        },
      );
      return { ...webhookToJson(webhook), secret: secret.reveal() };
    },
    async list() {
      const { items } = await listWebhooks(
        { ...instance, vault: await openVault(instance) },
        { projectId, limit: 100, cursor: null },
      );
      return items.map(webhookToJson);
    },
    remove: async (webhookId) =>
      deleteWebhook({ ...instance, vault: await openVault(instance) }, { projectId, webhookId }),
    test: async (webhookId) => deliveryToJson(await sendTestEvent(instance, { projectId, webhookId })),
    async deliveries(webhookId, limit) {
      const name = { projectId, webhookId };
      const { items } = await listDeliveries(instance, name, { status: null, limit, cursor: null });
      return items.map(deliveryToJson);
    },
    redeliver: async (webhookId, deliveryId) =>
      deliveryToJson(await redeliver(instance, { projectId, webhookId, deliveryId })),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
