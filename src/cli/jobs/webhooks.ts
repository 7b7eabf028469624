import type { WebhookEventType } from "#features/jobs/outbox.ts";
import type { WebhookFormat } from "#features/webhooks/webhook-endpoints.ts";
import { noteWithoutServer, ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import { type Command, UsageError, wholeNumber } from "#cli/command/command.ts";
import { table } from "#cli/command/io.ts";

// Repeats the names, because the module that defines them imports the store.
const EVENTS = Object.keys({
  "job.completed": true,
  "job.failed": true,
  "message.refused": true,
  "job.archived": true,
  "pull_request.opened": true,
  "pull_request.updated": true,
  "pull_request.merged": true,
  "pull_request.closed": true,
  "pull_request.reopened": true,
} satisfies Record<WebhookEventType, true>);

export const webhooks: Command = {
  usage: `docent webhooks create PROJECT URL [--event E]... [--description D] [--format F]
docent webhooks list PROJECT
docent webhooks delete PROJECT WEBHOOK
docent webhooks test PROJECT WEBHOOK
docent webhooks deliveries PROJECT WEBHOOK [--limit N]
docent webhooks redeliver PROJECT WEBHOOK DELIVERY

Sends events of jobs and pull requests to a URL, as specified by Standard Webhooks. The signing secret is shown once, when you create
the webhook. The server (\`docent serve\`) delivers the events, and retries failed deliveries for a day.

Options
  --event E         ${EVENTS.join(", ")}; can be repeated (default: all)
  --description D   what the webhook is for
  --format F        standard: the signed event (default); slack: {"text": …}, a message for Slack, Mattermost, Rocket.Chat
                    or Google Chat
  --limit N         deliveries to show, 1 to 100 (default 20)
  --json            one JSON object (create, delete, test, redeliver) or array (list, deliveries) on standard output

URL must be on the public Internet, or allowed by DOCENT_WEBHOOK_ALLOW: hosts and ranges, separated by commas.

Example
  docent webhooks create harbor-docs https://example.com/hooks --event job.completed
  docent webhooks create harbor-docs https://hooks.slack.com/services/… --format slack --event job.completed`,
  run: (args, io) => runAction("webhooks", ACTIONS, args, io),
};

const FORMATS = Object.keys({ standard: true, slack: true } satisfies Record<WebhookFormat, true>);
const isFormat = (name: string): name is WebhookFormat => FORMATS.includes(name);
const ONE_WEBHOOK = { min: 2, max: 2, names: "PROJECT and WEBHOOK" };
const DELIVERED_LATER = "it is delivered when `docent serve` does.";

const ACTIONS = {
  create: onProject(
    { min: 2, max: 2, names: "PROJECT and URL" },
    { event: { type: "string", multiple: true }, description: { type: "string" }, format: { type: "string" } },
    ({ words: [, url], values: { event: events, description, format } }) => {
      const unknown = events?.find((event) => !isEvent(event));
      if (unknown !== undefined) throw new UsageError(`--event takes ${EVENTS.join(", ")}, not "${unknown}".`);
      if (format !== undefined && !isFormat(format)) {
        throw new UsageError(`--format takes ${FORMATS.join(" or ")}, not "${format}".`);
      }
      return async ({ call }) => {
        const body = {
          url: url!,
          ...(events && { events: events.filter(isEvent) }),
          ...(description !== undefined && { description }),
          ...(format !== undefined && { format }),
        };
        const made = await call("createWebhook", { body });
        const note = `Webhook ${made.id} for ${made.url}. The secret is not shown again.`;
        return { json: made, text: made.secret, note };
      };
    },
  ),
  list: onProject(ONE_PROJECT, {}, () => async ({ all }) => {
    const found = await all("listWebhooks", {});
    const state = ({ enabled, failingSince }: (typeof found)[number]) =>
      enabled ? (failingSince ? "failing" : "enabled") : "disabled";
    const rows = found.map((hook) => [hook.id, hook.url, hook.format, state(hook), hook.events.join(" ")]);
    const none = "No webhooks yet. `docent webhooks create PROJECT URL` makes one.";
    return { json: found, text: rows.length === 0 ? none : table(["ID", "URL", "FORMAT", "STATE", "EVENTS"], rows) };
  }),
  delete: onProject(ONE_WEBHOOK, {}, ({ words: [, id] }) => async ({ call }) => {
    await call("deleteWebhook", { id: id! });
    return { json: { id }, text: `Deleted ${id}.` };
  }),
  test: onProject(ONE_WEBHOOK, {}, ({ words: [, id], io }) => async (docent) => {
    const delivery = await docent.call("testWebhook", { id: id! });
    noteWithoutServer(docent, io, DELIVERED_LATER);
    const text = `${delivery.id} is on its way; \`docent webhooks deliveries\` shows how it goes.`;
    return { json: delivery, text };
  }),
  deliveries: onProject(ONE_WEBHOOK, { limit: { type: "string" } }, ({ words: [, id], values }) => {
    const limit = wholeNumber("--limit", values.limit ?? "20", 1, 100);
    return async ({ all }) => {
      const found = await all("listWebhookDeliveries", { id: id! }, limit);
      const rows = found.map(({ attempts, ...delivery }) => {
        const last = attempts.at(-1);
        const answer = last ? (last.error ?? `HTTP ${last.status}`) : "";
        return [delivery.id, delivery.createdAt, delivery.type, delivery.status, String(attempts.length), answer];
      });
      return { json: found, text: table(["ID", "EVENT AT", "TYPE", "STATUS", "ATTEMPTS", "LAST ANSWER"], rows) };
    };
  }),
  redeliver: onProject(
    { min: 3, max: 3, names: "PROJECT, WEBHOOK and DELIVERY" },
    {},
    ({ words: [, id, deliveryId], io }) =>
      async (docent) => {
        const delivery = await docent.call("redeliverWebhook", { id: id!, deliveryId: deliveryId! });
        noteWithoutServer(docent, io, DELIVERED_LATER);
        return { json: delivery, text: `${delivery.id} will be delivered again.` };
      },
  ),
};

const isEvent = (text: string): text is WebhookEventType => EVENTS.includes(text);
