import type { WebhookEventType } from "#features/jobs/outbox.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openWebhooks } from "./open-places.ts";
import { around } from "./progress.ts";

// Their names alone: the module that has them brings the store along.
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
  usage: `docent webhooks create PROJECT URL [--event E]... [--description D]
docent webhooks list PROJECT
docent webhooks delete PROJECT WEBHOOK
docent webhooks test PROJECT WEBHOOK
docent webhooks deliveries PROJECT WEBHOOK [--limit N]
docent webhooks redeliver PROJECT WEBHOOK DELIVERY

Requests follow the Standard Webhooks specification. The secret that signs them is shown once, when the webhook is
made. The server (\`docent serve\`) delivers, and tries again for a day when a receiver fails.

Options
  --event E         ${EVENTS.join(", ")}; may be repeated (default: all)
  --description D   what the webhook is for
  --limit N         deliveries to show, 1 to 100 (default 20)
  --json            one JSON object (create, delete, test, redeliver) or array (list, deliveries) on standard output

Addresses must be on the public Internet, or in DOCENT_WEBHOOK_ALLOW: hosts and ranges, separated by commas.

Example
  docent webhooks create harbor-docs https://example.com/hooks --event job.completed`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "create") return create(rest, io);
    if (action === "list") return list(rest, io);
    if (action === "delete") return remove(rest, io);
    if (action === "test") return sendTest(rest, io);
    if (action === "deliveries") return deliveries(rest, io);
    if (action === "redeliver") return deliverAgain(rest, io);
    throw new UsageError("webhooks takes `create`, `list`, `delete`, `test`, `deliveries` or `redeliver`.");
  },
};

async function create(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { event: { type: "string", multiple: true }, description: { type: "string" } },
    { min: 2, max: 2, names: "PROJECT and URL" },
  );
  const { event: events, description } = values;
  const unknown = events?.find((event) => !EVENTS.includes(event));
  if (unknown !== undefined) throw new UsageError(`--event takes ${EVENTS.join(", ")}, not "${unknown}".`);
  await using place = await openWebhooks(values, positionals[0]!, around(io));
  const made = await place.create({
    url: positionals[1]!,
    ...(events && { events }),
    ...(description !== undefined && { description }),
  });
  if (values.json) return writeLine(io.stdout, JSON.stringify(made));
  writeLine(io.stdout, made.secret);
  writeLine(io.stderr, `Webhook ${made.id} for ${made.url}. The secret is not shown again.`);
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openWebhooks(values, positionals[0]!, around(io));
  const all = await place.list();
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No webhooks yet. `docent webhooks create PROJECT URL` makes one.");
  const state = (hook: (typeof all)[number]) =>
    hook.enabled ? (hook.failingSince ? "failing" : "enabled") : "disabled";
  const rows = all.map((hook) => [hook.id, hook.url, state(hook), hook.events.join(" ")]);
  writeLine(io.stdout, table(["ID", "URL", "STATE", "EVENTS"], rows));
}

async function remove(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and WEBHOOK" });
  await using place = await openWebhooks(values, positionals[0]!, around(io));
  const id = positionals[1]!;
  await place.remove(id);
  writeLine(io.stdout, values.json ? JSON.stringify({ id }) : `Deleted ${id}.`);
}

async function sendTest(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and WEBHOOK" });
  await using place = await openWebhooks(values, positionals[0]!, around(io));
  const delivery = await place.test(positionals[1]!);
  sayWhenNobodyDelivers(place, io);
  const told = `${delivery.id} is on its way; \`docent webhooks deliveries\` shows how it goes.`;
  writeLine(io.stdout, values.json ? JSON.stringify(delivery) : told);
}

async function deliveries(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { limit: { type: "string" } },
    { min: 2, max: 2, names: "PROJECT and WEBHOOK" },
  );
  const limit = wholeNumber("--limit", values.limit ?? "20", 1, 100);
  await using place = await openWebhooks(values, positionals[0]!, around(io));
  const all = await place.deliveries(positionals[1]!, limit);
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
  await using place = await openWebhooks(values, positionals[0]!, around(io));
  const delivery = await place.redeliver(positionals[1]!, positionals[2]!);
  sayWhenNobodyDelivers(place, io);
  writeLine(io.stdout, values.json ? JSON.stringify(delivery) : `${delivery.id} will be delivered again.`);
}

function sayWhenNobodyDelivers({ isServing }: { isServing: boolean }, io: CommandIo): void {
  if (isServing) return;
  writeLine(io.stderr, "No server runs on this data directory: it is delivered when `docent serve` does.");
}
