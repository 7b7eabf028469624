import { composeRemoteHosts } from "#app/code-hosts.ts";
import { readVersion } from "#lib/version.ts";
import type { ConnectDeps } from "#features/projects/connect-project.ts";
import { type Command, readArguments } from "#cli/command/command.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";
import { openInstance, type OpenInstance, openVault } from "#cli/command/open-instance.ts";

export const githubApp: Command = {
  usage: `docent github-app

Lists the GitHub Apps of this server, with their installations and repositories. Create an app
in the dashboard (docent admin). With it, you connect repositories without a token:
docent projects create NAME --repo URL --github-app.

Options
  --data DIR   data directory (default ./data, or DOCENT_DATA)
  --json       a JSON array on standard output`,
  run: showGithubApps,
};

/** `docent github-app`: the GitHub Apps of this server, where they are installed, and where to create one. */
async function showGithubApps(args: readonly string[], io: CommandIo): Promise<void> {
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

/** Dependencies for requests to other code hosts. */
export async function connectDeps(instance: OpenInstance): Promise<ConnectDeps> {
  const { config, clock, database, repoStore } = instance;
  const vault = await openVault(instance);
  return { ...composeRemoteHosts({ config, clock, version: readVersion() }, { database, repoStore, vault }), clock };
}
