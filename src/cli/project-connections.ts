import { findConnectionState, findWebhookSecret } from "#hosts/remote/connections.ts";
import { webhookPath } from "#hosts/remote/webhook-upkeep.ts";
import { composeRemoteHosts } from "#app/code-hosts.ts";
import { AppError } from "#lib/app-error.ts";
import { readVersion } from "#lib/version.ts";
import type { ConnectDeps } from "#features/projects/connect-project.ts";
import { requireProject } from "#features/projects/projects.ts";
import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { openInstance, type OpenInstance, openVault } from "./open-instance.ts";

/** `docent projects webhook PROJECT`: address and secret, for the host's settings. */
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

/** `docent github-app`: the GitHub Apps of this server, where they are installed, and where to make one. */
export async function showGithubApps(args: readonly string[], io: CommandIo): Promise<void> {
  const { values } = readArguments(args, {}, { min: 0, max: 0, names: "" });
  await using instance = await openInstance(values);
  const { hostApps } = await connectDeps(instance);
  const apps = await Promise.all(
    (await hostApps.list()).map(async (app) => ({ ...app, installations: await hostApps.offers(app.id) })),
  );
  if (values.json) return writeLine(io.stdout, JSON.stringify(apps));
  for (const { name, origin, owner, installUrl, installations } of apps) {
    writeLine(io.stdout, `${name} (${origin}, of ${owner})`);
    writeLine(io.stdout, `  Install  ${installUrl}`);
    for (const { account, isSuspended, repositories } of installations) {
      writeLine(io.stdout, `  ${account}${isSuspended ? ": suspended" : ""}`);
      for (const { url, isArchived } of repositories)
        writeLine(io.stdout, `    ${url}${isArchived ? " (archived)" : ""}`);
    }
  }
  if (apps.length === 0) writeLine(io.stdout, "None yet. `docent admin` opens the page that has GitHub make one.");
}

/** What it takes to speak with hosts elsewhere. */
export async function connectDeps(instance: OpenInstance): Promise<ConnectDeps> {
  const { config, clock, database, repoStore } = instance;
  const vault = await openVault(instance);
  return { ...composeRemoteHosts({ config, clock, version: readVersion() }, { database, repoStore, vault }), clock };
}
