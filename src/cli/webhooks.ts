import { deliveryToJson, webhookToJson } from "#http/routes/webhooks.ts";
import { WEBHOOK_EVENTS, type WebhookEventType } from "#jobs/outbox.ts";
import { listDeliveries, redeliver } from "#jobs/webhooks/webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  type WebhookDeps,
  type WebhookName,
} from "#jobs/webhooks/webhook-endpoints.ts";
import { AppError } from "#lib/app-error.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { requireProject } from "#projects/projects.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openVault, openInstance, type OpenInstance } from "./open-instance.ts";

export const webhooks: Command = {
  usage: `docent webhooks create PROJECT URL [--event E]... [--description D]
docent webhooks list PROJECT
docent webhooks delete PROJECT WEBHOOK
docent webhooks deliveries PROJECT WEBHOOK [--limit N]
docent webhooks redeliver PROJECT WEBHOOK DELIVERY

Requests follow the Standard Webhooks specification. The secret that signs them is shown once, when the webhook is
made. The server (\`docent serve\`) delivers, and tries again for a day when a receiver fails.

Options
  --event E         ${WEBHOOK_EVENTS.join(", ")}; may be repeated (default: all)
  --description D   what the webhook is for
  --limit N         deliveries to show, 1 to 100 (default 20)
  --data DIR        data directory (default ./data, or DOCENT_DATA)
  --json            one JSON object (create, delete, redeliver) or array (list, deliveries) on standard output

Addresses must be on the public Internet, or in DOCENT_WEBHOOK_ALLOW: hosts and ranges, separated by commas.

Example
  docent webhooks create harbor-docs https://example.com/hooks --event job.completed`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "create") return create(rest, io);
    if (action === "list") return list(rest, io);
    if (action === "delete") return remove(rest, io);
    if (action === "deliveries") return deliveries(rest, io);
    if (action === "redeliver") return deliverAgain(rest, io);
    throw new UsageError("webhooks takes `create`, `list`, `delete`, `deliveries` or `redeliver`.");
  },
};

async function create(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { event: { type: "string", multiple: true }, description: { type: "string" } },
    { min: 2, max: 2, names: "PROJECT and URL" },
  );
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const { webhook, secret } = await createWebhook(await webhookDeps(instance), {
    projectId: project.id,
    url: positionals[1]!,
    events: values.event ? values.event.map(eventType) : WEBHOOK_EVENTS,
    description: values.description ?? null,
  });
  if (values.json) {
    return writeLine(io.stdout, JSON.stringify({ ...webhookToJson(webhook), secret: secret.reveal() }));
  }
  writeLine(io.stdout, secret.reveal());
  writeLine(io.stderr, `Webhook ${webhook.id} for ${webhook.url}. The secret is not shown again.`);
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const { items } = await listWebhooks(instance, { projectId: project.id, limit: 100, cursor: null });
  const all = items.map(webhookToJson);
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No webhooks yet. `docent webhooks create PROJECT URL` makes one.");
  const state = (hook: (typeof all)[number]) =>
    hook.enabled ? (hook.failingSince ? "failing" : "enabled") : "disabled";
  const rows = all.map((hook) => [hook.id, hook.url, state(hook), hook.events.join(" ")]);
  writeLine(io.stdout, table(["ID", "URL", "STATE", "EVENTS"], rows));
}

async function remove(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and WEBHOOK" });
  await using instance = await openInstance(values);
  const name = await webhookName(instance, positionals);
  await deleteWebhook(instance, name);
  writeLine(io.stdout, values.json ? JSON.stringify({ id: name.webhookId }) : `Deleted ${name.webhookId}.`);
}

async function deliveries(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { limit: { type: "string" } },
    { min: 2, max: 2, names: "PROJECT and WEBHOOK" },
  );
  const limit = wholeNumber("--limit", values.limit ?? "20", 1, 100);
  await using instance = await openInstance(values);
  const name = await webhookName(instance, positionals);
  const { items } = await listDeliveries(instance, name, { status: null, limit, cursor: null });
  const all = items.map(deliveryToJson);
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  const rows = all.map((delivery) => {
    const last = delivery.attempts.at(-1);
    const answer = last ? (last.error ?? `HTTP ${last.status}`) : "";
    return [delivery.id, delivery.createdAt, delivery.type, delivery.status, String(delivery.attempts.length), answer];
  });
  writeLine(io.stdout, table(["ID", "EVENT AT", "TYPE", "STATUS", "ATTEMPTS", "LAST ANSWER"], rows));
}

async function deliverAgain(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 3, max: 3, names: "PROJECT, WEBHOOK and DELIVERY" });
  await using instance = await openInstance(values);
  const delivery = await redeliver(instance, {
    ...(await webhookName(instance, positionals)),
    deliveryId: positionals[2]!,
  });
  if (!instance.isServing) {
    writeLine(io.stderr, "No server runs on this data directory: it is delivered when `docent serve` does.");
  }
  writeLine(
    io.stdout,
    values.json ? JSON.stringify(deliveryToJson(delivery)) : `${delivery.id} will be delivered again.`,
  );
}

async function webhookName(instance: OpenInstance, [project, webhook]: readonly string[]): Promise<WebhookName> {
  return { projectId: (await requireProject(instance, project!)).id, webhookId: webhook! };
}

async function webhookDeps(instance: OpenInstance): Promise<WebhookDeps> {
  const { database, clock, config } = instance;
  const vault = await openVault(instance);
  return { database, clock, vault, outboundHttp: createOutboundHttp({ allow: config.webhooks.allow }) };
}

function eventType(text: string): WebhookEventType {
  const known = WEBHOOK_EVENTS.find((event) => event === text);
  if (!known) throw new AppError("invalid", `--event takes ${WEBHOOK_EVENTS.join(", ")}, not "${text}".`);
  return known;
}
