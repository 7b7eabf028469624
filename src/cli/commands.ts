import type { Command } from "./command/command.ts";

interface CommandEntry {
  name: string;
  /** Its line in the help of `docent`. */
  summary: string;
  /**
   * Imports its code on demand: all commands together take a second and a half to load, most of them a third of that.
   */
  load(): Promise<Command>;
}

const entry = (name: string, summary: string, load: CommandEntry["load"]): CommandEntry => ({ name, summary, load });

/** All commands of `docent`, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  entry(
    "login",
    "Keep a key, so that commands work at a server",
    async () => (await import("./server/login.ts")).login,
  ),
  entry("logout", "Forget a key that login kept", async () => (await import("./server/login.ts")).logout),
  entry(
    "serve",
    "Run the server: sites, API, code host and agent jobs",
    async () => (await import("./server/serve.ts")).serve,
  ),
  entry(
    "logs",
    "Show what the server logged, here or at a server",
    async () => (await import("./server/logs.ts")).logs,
  ),
  entry(
    "doctor",
    "Look for what is wrong with a server, and say what to do",
    async () => (await import("./server/doctor.ts")).doctor,
  ),
  entry(
    "upgrade",
    "Say what an upgrade to this version would do",
    async () => (await import("./server/upgrade.ts")).upgrade,
  ),
  entry(
    "backup",
    "Back up a data directory, also while its server runs",
    async () => (await import("./server/backup.ts")).backupCommand,
  ),
  entry(
    "restore",
    "Restore a backup, or check that it can be restored",
    async () => (await import("./server/restore.ts")).restoreCommand,
  ),
  entry(
    "store",
    "Copy the database to PostgreSQL, or back to SQLite",
    async () => (await import("./server/store.ts")).storeCommand,
  ),
  entry(
    "projects",
    "Create, list and set up docs projects",
    async () => (await import("./projects/projects.ts")).projects,
  ),
  entry(
    "admin",
    "Open the server's own pages in a browser, where projects are made",
    async () => (await import("./server/admin.ts")).admin,
  ),
  entry(
    "github-app",
    "List the GitHub Apps of this server and their repositories",
    async () => (await import("./projects/github-app.ts")).githubApp,
  ),
  entry(
    "deployments",
    "List what was live of a site, and pin it to a commit",
    async () => (await import("./projects/deployments.ts")).deployments,
  ),
  entry("keys", "Create, list and revoke a project's API keys", async () => (await import("./server/keys.ts")).keys),
  entry("jobs", "Create agent jobs and look at them", async () => (await import("./jobs/jobs.ts")).jobs),
  entry("chore", "Run one chore on a project, or try it", async () => (await import("./jobs/chore.ts")).chore),
  entry("move", "Move docs of another tool to a docs.json", async () => (await import("./jobs/move.ts")).move),
  entry(
    "automations",
    "Let the agent do something again and again",
    async () => (await import("./jobs/automations.ts")).automations,
  ),
  entry(
    "members",
    "Manage members of a project and read its audit log",
    async () => (await import("./projects/members.ts")).members,
  ),
  entry("webhooks", "Tell other servers what jobs do", async () => (await import("./jobs/webhooks.ts")).webhooks),
  entry("mcp", "Let an agent in an editor create and follow jobs", async () => (await import("./jobs/mcp.ts")).mcp),
  entry(
    "analytics",
    "Import access logs, count visitors again, erase an address, count sites hosted elsewhere",
    async () => (await import("./analytics/analytics.ts")).analytics,
  ),
  entry(
    "check",
    "Look through the docs of a directory for what is wrong",
    async () => (await import("./check/check.ts")).check,
  ),
  entry(
    "dev",
    "Show the docs of a directory in the browser while they are written",
    async () => (await import("./check/dev.ts")).dev,
  ),
  entry(
    "export",
    "Write a site into files that any web server can serve",
    async () => (await import("./projects/export.ts")).exportCommand,
  ),
  entry(
    "demo",
    "Show the whole path on real files: job, pull request, live page, visitors",
    async () => (await import("./demo/demo.ts")).demo,
  ),
  entry(
    "completion",
    "Print what completes commands in bash, zsh or fish",
    async () => (await import("./completion.ts")).completion,
  ),
];
