import { findConnectionState, findWebhookSecret } from "#hosts/remote/connections.ts";
import { webhookPath } from "#hosts/remote/webhook-upkeep.ts";
import { AppError } from "#lib/app-error.ts";
import { requireProject } from "#features/projects/projects.ts";
import { readArguments } from "#cli/command/command.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";
import { openInstance, openVault } from "#cli/command/open-instance.ts";

/** `docent projects webhook PROJECT`: URL and secret, for the settings of the host. */
export async function showWebhook(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const vault = await openVault(instance);
  const secret = await findWebhookSecret({ database: instance.database, vault }, project.id);
  if (!secret) throw new AppError("not_found", `${project.slug} is not connected to a code host.`);
  const app = (await findConnectionState(instance, project.id))?.app;
  if (app) {
    throw new AppError(
      "conflict",
      `${project.slug} is connected by the GitHub App ${app.name}, which has a webhook of its own: there is nothing to enter.`,
    );
  }
  const webhook = { url: instance.baseUrl + webhookPath(project.id), secret: secret.reveal() };
  if (values.json) return writeLine(io.stdout, JSON.stringify(webhook));
  writeLine(io.stdout, `Address       ${webhook.url}`);
  writeLine(io.stdout, `Secret        ${webhook.secret}`);
  writeLine(io.stdout, "Content type  application/json");
  writeLine(io.stdout, "Events        pushes, pull requests (merge requests), comments on them and on their reviews");
}
