import { readFile } from "node:fs/promises";
import { REMOTE_KINDS } from "#code-hosts/code-host.ts";
import { type ConnectionState, findConnectionState, findWebhookSecret } from "#code-hosts/remote/connections.ts";
import { removeHostWebhook, webhookPath } from "#code-hosts/remote/webhook-upkeep.ts";
import { composeRemoteHosts } from "#compose/code-hosts.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { readVersion } from "#lib/version.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { connectProject, type ConnectDeps, replaceProjectToken } from "#projects/connect-project.ts";
import type { Project } from "#projects/project.ts";
import { requireProject } from "#projects/projects.ts";
import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { createProgressLine } from "./progress.ts";
import { openInstance, type OpenInstance, openVault } from "./open-instance.ts";

/** Makes a project whose repository stays on its host. */
export async function connect(
  instance: OpenInstance,
  io: CommandIo,
  given: {
    name: string;
    url: string | undefined;
    tokenFile: string | null;
    host: string | undefined;
    branch: string | null;
  },
): Promise<Project> {
  const { name, url, branch } = given;
  if (url === undefined)
    throw new AppError("invalid", "--token-file and --github-app go with --repo and the address of a repository.");
  const kind = REMOTE_KINDS.find((one) => one === given.host) ?? null;
  if (given.host !== undefined && kind === null) {
    throw new AppError("invalid", `--host is one of ${REMOTE_KINDS.join(", ")}.`);
  }
  const token = given.tokenFile === null ? null : await readToken(io, given.tokenFile);
  using progress = createProgressLine(io);
  const onProgress = (line: string) => {
    const words = cloneProgress(line);
    if (words !== null) progress.show(words);
  };
  const options = { name, url, token, kind, branch, signal: io.signal, onProgress };
  return await connectProject(await connectDeps(instance), options);
}

/** `docent projects token PROJECT --token-file FILE`: another token for a connected project, without a gap. */
export async function replaceProjectTokenOf(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { "token-file": { type: "string" } },
    { min: 1, max: 1, names: "one PROJECT" },
  );
  const file = values["token-file"];
  if (file === undefined) throw new AppError("invalid", "--token-file FILE is missing; - reads standard input.");
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  await replaceProjectToken(await connectDeps(instance), project, await readToken(io, file));
  writeLine(io.stdout, values.json ? JSON.stringify({ id: project.id, replaced: true }) : "The new token is in use.");
}

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

/** Takes Docent's webhook away at a project's host, as well as that goes: the project is deleted all the same. */
export async function removeWebhookOf(instance: OpenInstance, io: CommandIo, project: Project): Promise<void> {
  if (project.codeHost === "embedded") return;
  try {
    await removeHostWebhook(await connectDeps(instance), project.id);
  } catch (error) {
    writeLine(io.stderr, `The webhook at ${project.sourceUrl} could not be removed: ${errorText(error)}`);
  }
}

/** How a project's host does, as JSON; null for one that is hosted here. */
export async function shownConnection(instance: OpenInstance, project: Project): Promise<object | null> {
  const state: ConnectionState | null = await findConnectionState(instance, project.id);
  return state && { ...state };
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

/** Never from an argument, which every user of the machine can read. */
export async function readToken(io: CommandIo, file: string): Promise<Secret> {
  const text =
    file === "-"
      ? await io.readInput()
      : await readFile(file, "utf8").catch((cause: unknown) => {
          throw new AppError("invalid", `The token cannot be read from ${file}: ${errorText(cause)}.`, { cause });
        });
  const token = text.trim();
  if (token === "" || /\s/.test(token))
    throw new AppError("invalid", "A token is one word, and there is none in the file.");
  return new Secret(token);
}
