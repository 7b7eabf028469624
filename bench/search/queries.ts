/** A query on a site, and the intended pages, one of which should be among the first results. */
export interface Query {
  query: string;
  expected: readonly string[];
}

export interface SearchedSite {
  /** A checkout; null for this repository. */
  repository: string | null;
  contentRoot: string;
  /** The reader's current page. */
  from?: string;
  /** The version that a reader who knows of it would select. */
  version?: string;
  /** The queries for which the ranking was tuned. */
  queries: readonly Query[];
  /** The queries that were only used to measure it. */
  heldOut: readonly Query[];
}

const q = (query: string, ...expected: string[]): Query => ({ query, expected });

/** Each was written before a search was run on it. */
export const SITES: Readonly<Record<string, SearchedSite>> = {
  docent: {
    repository: null,
    contentRoot: "docs",
    heldOut: [
      q("favicon", "/sites/docs-json"),
      q("rss feed", "/sites/found"),
      q("math formulas", "/sites/formulas"),
      q("dry run", "/jobs/requests", "/operate/cli"),
      q("bitbucket", "/compare"),
      q("subpath hosting", "/sites/domains"),
      q("robots.txt", "/sites/found"),
      q("export static html", "/sites/export"),
      q("delete project", "/operate/projects-over-http", "/api/projects/delete-a-project"),
      q("bot traffic", "/analytics/counting"),
      q("If-Match", "/interface/conditional-requests"),
    ],
    queries: [
      q("retry", "/interface/rate-limits", "/interface/idempotency", "/interface/errors", "/jobs/webhooks"),
      q("install", "/quickstart", "/operate/deployment"),
      q("sso", "/compare", "/sites/private-sites", "/interface/authentication"),
      q("privacy", "/analytics/privacy"),
      q("docs.json", "/sites/docs-json"),
      q("callouts", "/sites/components"),
      q("webhooks", "/jobs/webhooks"),
      q("webhook delivery", "/jobs/webhooks"),
      q("webhook signature", "/jobs/webhooks"),
      q("redirect", "/sites/redirects"),
      q("code block", "/sites/code-blocks"),
      q("postgresql", "/operate/deployment"),
      q("backup", "/operate/deployment"),
      q("upgrade", "/operate/deployment"),
      q("environment variables", "/operate/configuration"),
      q("gitlab", "/code-hosts/gitlab"),
      q("github app", "/code-hosts/github"),
      q("how do I connect a repository", "/code-hosts/connect"),
      q("pull request", "/concepts", "/code-host"),
      q("quickstart", "/quickstart"),
      q("automation", "/jobs/automations"),
      q("typescript", "/jobs/typescript-client"),
      q("python sdk", "/jobs/python-client"),
      q("llms.txt", "/sites/markdown"),
      q("erase a reader", "/analytics/privacy"),
      q("troubelshooting", "/operate/troubleshooting"),
      q("privcay", "/analytics/privacy"),
      q("custom domain", "/sites/domains"),
      q("password", "/sites/private-sites"),
      q("api keys", "/interface/authentication"),
      q("pagination", "/interface/paging"),
      q("createJob", "/jobs/typescript-client", "/api/agent-jobs/create-an-agent-job"),
      q("dark mode logo", "/sites/docs-json", "/sites/pages"),
      q("openai model", "/jobs/models"),
      q("unique visitors", "/analytics/visitors", "/analytics/counting"),
      q("mermaid", "/sites/diagrams"),
      q("broken links", "/sites/check"),
      q("rollback", "/sites/deployments"),
      q("preview", "/code-host", "/sites/deployments"),
    ],
  },
  growthbook: {
    repository: "growthbook/growthbook",
    contentRoot: "docs",
    heldOut: [
      q("jira", "/integrations/jira"),
      q("bayesian", "/statistics/overview", "/statistics/details"),
      q("multi armed bandit", "/bandits/overview"),
      q("docker compose", "/self-host"),
      q("cloudflare worker", "/lib/edge/cloudflare"),
      q("GA4", "/guide/GA4-google-analytics", "/kb/google-analytics/google-analytics-ga4-troubleshooting"),
      q("slow queries", "/app/query-optimization"),
      q("holdout", "/app/holdouts", "/kb/experiments/holdouts"),
      q("typescript types", "/lib/js", "/lib/react", "/lib/node"),
    ],
    queries: [
      q("nextjs", "/lib/nextjs"),
      q("Next.js SDK", "/lib/nextjs"),
      q("nodejs", "/lib/node"),
      q("how to install react sdk", "/lib/react"),
      q("CUPED variance reduction", "/statistics/cuped"),
      q("kubernets deploy", "/self-host/kubernetes"),
      q("webhok signature", "/app/webhooks/event-webhooks", "/app/webhooks/sdk-webhooks"),
      q("sso", "/sso"),
      q("audit log", "/account/audit-logs"),
      q("feature flags", "/app/features", "/features/basics"),
      q("sticky bucketing", "/app/sticky-bucketing"),
      q("bigquery", "/guide/bigquery"),
      q("environment variables", "/self-host/env"),
      q("python", "/lib/python"),
      q("slack notifications", "/integrations/slack"),
      q("sequential testing", "/statistics/sequential"),
      q("migrate launchdarkly", "/guide/importing"),
      q("user permissions", "/account/user-permissions"),
      q("visual editor", "/app/visual"),
      q("getFeatureValue", "/lib/js", "/lib/node", "/lib/react"),
    ],
  },
  modelcontextprotocol: {
    repository: "modelcontextprotocol/modelcontextprotocol",
    contentRoot: "docs",
    version: "Version 2026-07-28 (latest)",
    heldOut: [
      q("cancel request", "/specification/2026-07-28/basic/patterns/cancellation"),
      q("debugging", "/docs/2026-07-28/tools/debugging"),
      q("logging level", "/specification/2026-07-28/server/utilities/logging"),
      q("resource templates", "/specification/2026-07-28/server/resources"),
      q("oauth client registration", "/specification/2026-07-28/basic/authorization/client-registration"),
      q("python sdk", "/docs/2026-07-28/sdk"),
    ],
    queries: [
      q("sampling create message", "/specification/2026-07-28/client/sampling"),
      q("tools list changed notification", "/specification/2026-07-28/server/tools"),
      q("progress tokn", "/specification/2026-07-28/basic/patterns/progress"),
      q("elicitation", "/specification/2026-07-28/client/elicitation"),
      q("streamable http", "/specification/2026-07-28/basic/transports/streamable-http"),
      q("stdio", "/specification/2026-07-28/basic/transports/stdio"),
      q("authorization", "/specification/2026-07-28/basic/authorization"),
      q("build a server", "/docs/2026-07-28/develop/build-server"),
      q("inspector", "/docs/2026-07-28/tools/inspector"),
      q("pagination", "/specification/2026-07-28/server/utilities/pagination"),
      q("schema reference", "/specification/2026-07-28/schema"),
      q("roots", "/specification/2026-07-28/client/roots"),
    ],
  },
  vitepress: {
    repository: "vuejs/vitepress",
    contentRoot: "docs",
    from: "/en/guide/markdown",
    heldOut: [
      q("syntax highlighting", "/en/guide/markdown"),
      q("public directory", "/en/guide/asset-handling"),
      q("edit link", "/en/reference/default-theme-edit-link"),
      q("vuepress", "/en/guide/migration-from-vuepress"),
    ],
    queries: [
      q("algolia", "/en/reference/default-theme-search"),
      q("deploy github pages", "/en/guide/deploy"),
      q("code groups", "/en/guide/markdown"),
      q("sitemap", "/en/guide/sitemap-generation"),
      q("frontmatter", "/en/guide/frontmatter"),
      q("i18n", "/en/guide/i18n"),
      q("getting started", "/en/guide/getting-started"),
      q("dark mode", "/en/reference/site-config", "/en/reference/default-theme-config"),
    ],
  },
};
