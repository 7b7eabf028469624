import type { Command } from "./command.ts";

interface CommandEntry {
  name: string;
  /** Its line in the help of `docent`. */
  summary: string;
  /** Its code, loaded when it is run: all of them together take a second and a half to start, most alone a third of it. */
  load(): Promise<Command>;
}

/** Every command of `docent`, in the order of its help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "login",
    summary: "Keep a key, so that commands work at a server",
    load: async () => (await import("./login.ts")).login,
  },
  {
    name: "logout",
    summary: "Forget a key that login kept",
    load: async () => (await import("./login.ts")).logout,
  },
  {
    name: "serve",
    summary: "Run the server: sites, API, code host and agent jobs",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "logs",
    summary: "Show what the server logged, here or at a server",
    load: async () => (await import("./logs.ts")).logs,
  },
  {
    name: "projects",
    summary: "Create, list and set up docs projects",
    load: async () => (await import("./projects.ts")).projects,
  },
  {
    name: "admin",
    summary: "Open the server's own pages in a browser, where projects are made",
    load: async () => (await import("./admin.ts")).admin,
  },
  {
    name: "github-app",
    summary: "List the GitHub Apps of this server and their repositories",
    load: async () => (await import("./github-app.ts")).githubApp,
  },
  {
    name: "deployments",
    summary: "List what was live of a site, and pin it to a commit",
    load: async () => (await import("./deployments.ts")).deployments,
  },
  {
    name: "keys",
    summary: "Create, list and revoke a project's API keys",
    load: async () => (await import("./keys.ts")).keys,
  },
  {
    name: "jobs",
    summary: "Create agent jobs and look at them",
    load: async () => (await import("./jobs.ts")).jobs,
  },
  {
    name: "automations",
    summary: "Let the agent do something again and again",
    load: async () => (await import("./automations.ts")).automations,
  },
  {
    name: "webhooks",
    summary: "Tell other servers what jobs do",
    load: async () => (await import("./webhooks.ts")).webhooks,
  },
  {
    name: "mcp",
    summary: "Let an agent in an editor create and follow jobs",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "analytics",
    summary: "Import access logs, count visitors again, erase an address, count sites hosted elsewhere",
    load: async () => (await import("./analytics.ts")).analytics,
  },
  {
    name: "check",
    summary: "Look through the docs of a directory for what is wrong",
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "dev",
    summary: "Show the docs of a directory in the browser while they are written",
    load: async () => (await import("./dev.ts")).dev,
  },
  {
    name: "export",
    summary: "Write a site into files that any web server can serve",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  {
    name: "demo",
    summary: "Show the whole path on real files: job, pull request, live page, visitors",
    load: async () => (await import("./demo.ts")).demo,
  },
  {
    name: "completion",
    summary: "Print what completes commands in bash, zsh or fish",
    load: async () => (await import("./completion.ts")).completion,
  },
];
