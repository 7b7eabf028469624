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
    "Store an API key, to run commands at a server",
    async () => (await import("./server/login.ts")).login,
  ),
  entry("logout", "Remove a stored key", async () => (await import("./server/login.ts")).logout),
  entry(
    "serve",
    "Run the server: sites, API, code host and agent jobs",
    async () => (await import("./server/serve.ts")).serve,
  ),
  entry("logs", "Show the server's log", async () => (await import("./server/logs.ts")).logs),
  entry(
    "doctor",
    "Find problems of a server, and how to fix them",
    async () => (await import("./server/doctor.ts")).doctor,
  ),
  entry(
    "upgrade",
    "Show what an upgrade to this version would do",
    async () => (await import("./server/upgrade.ts")).upgrade,
  ),
  entry(
    "backup",
    "Back up a data directory, even while the server runs",
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
    "Create, list and configure projects",
    async () => (await import("./projects/projects.ts")).projects,
  ),
  entry(
    "admin",
    "Print a link to the server's own pages, for the first account and lost passwords",
    async () => (await import("./server/admin.ts")).admin,
  ),
  entry(
    "github-app",
    "List the GitHub Apps of this server and their repositories",
    async () => (await import("./projects/github-app.ts")).githubApp,
  ),
  entry(
    "deployments",
    "List published commits of a site, and pin one",
    async () => (await import("./projects/deployments.ts")).deployments,
  ),
  entry("keys", "Create, list and revoke a project's API keys", async () => (await import("./server/keys.ts")).keys),
  entry("jobs", "Create agent jobs and follow them", async () => (await import("./jobs/jobs.ts")).jobs),
  entry("chore", "Run one chore on a project, or try it", async () => (await import("./jobs/chore.ts")).chore),
  entry("move", "Move docs from another tool to a docs.json", async () => (await import("./jobs/move.ts")).move),
  entry(
    "automations",
    "Run agent jobs on a schedule or on pushes",
    async () => (await import("./jobs/automations.ts")).automations,
  ),
  entry(
    "members",
    "Manage members of a project and read its audit log",
    async () => (await import("./projects/members.ts")).members,
  ),
  entry("webhooks", "Send events of jobs to other servers", async () => (await import("./jobs/webhooks.ts")).webhooks),
  entry("mcp", "Connect an agent in an editor to a server", async () => (await import("./jobs/mcp.ts")).mcp),
  entry(
    "analytics",
    "Count visitors, import access logs, erase a reader's data",
    async () => (await import("./analytics/analytics.ts")).analytics,
  ),
  entry("check", "Check the docs in a directory", async () => (await import("./check/check.ts")).check),
  entry("dev", "Preview the docs in a directory while you write", async () => (await import("./check/dev.ts")).dev),
  entry(
    "export",
    "Export a site as files for any web server",
    async () => (await import("./projects/export.ts")).exportCommand,
  ),
  entry(
    "demo",
    "Try everything on example docs: job, pull request, published page, visitors",
    async () => (await import("./demo/demo.ts")).demo,
  ),
  entry(
    "completion",
    "Print a completion script for bash, zsh or fish",
    async () => (await import("./completion.ts")).completion,
  ),
];
