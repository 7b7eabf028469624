import type { Command } from "./command.ts";
import { showGithubApps } from "./project-connections.ts";

export const githubApp: Command = {
  usage: `docent github-app

Lists the GitHub Apps of this server, where each is installed, and on which repositories.
A page of the dashboard makes one (docent admin); with it, repositories are connected
without a token: docent projects create NAME --repo URL --github-app.

Options
  --data DIR   data directory (default ./data, or DOCENT_DATA)
  --json       a JSON array on standard output`,
  run: showGithubApps,
};
