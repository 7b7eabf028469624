/**
 * The documentation repository that every sentence of the corpus speaks about: the docs of “Harbor”, a tool that runs services.
 * Its names are traps on purpose: pages called “Redirects”, “Search” and “Changelog”, groups called “Guides” and “All pages”, a
 * page file `guides/replace.md`, two pages whose file is an `overview`, headings that equal page titles, and “Harbormaster”, which holds the product's name.
 */
interface Page {
  /** From the root, with its ending. */
  file: string;
  title: string;
  headings: string[];
  /** Front matter beside the title. */
  keys?: Record<string, string | boolean | string[]>;
  body?: string;
}

export const pages: readonly Page[] = [
  { file: "index.mdx", title: "Introduction", headings: ["What is Harbor", "Next steps"], keys: { icon: "anchor" } },
  { file: "quickstart.mdx", title: "Quickstart", headings: ["Before you begin", "Install", "Next steps"] },
  { file: "install/linux.mdx", title: "Install on Linux", headings: ["Requirements", "Uninstall"] },
  { file: "install/docker.mdx", title: "Install with Docker", headings: ["Requirements", "Compose file"] },
  { file: "install/windows.mdx", title: "Install on Windows", headings: ["Requirements", "Known issues"] },
  { file: "guides/deploy.mdx", title: "Deploy a service", headings: ["Prerequisites", "Roll back", "Next steps"] },
  { file: "guides/replace.md", title: "Replace a node", headings: ["Drain the node", "Swap the disk"] },
  { file: "guides/redirects.mdx", title: "Redirects", headings: ["Add a redirect", "Limits"] },
  { file: "guides/search.mdx", title: "Search", headings: ["Synonyms", "Limits"] },
  { file: "guides/backups.mdx", title: "Back up a cluster", headings: ["Schedule", "Restore", "Secrets"] },
  { file: "guides/migrate.mdx", title: "Migrate from Dockhand", headings: ["Export", "Import"] },
  { file: "guides/advanced/scaling.mdx", title: "Scaling", headings: ["Autoscaling", "Limits"] },
  { file: "guides/advanced/tls.mdx", title: "Custom certificates", headings: ["Renewal", "Troubleshooting"] },
  { file: "concepts/berths.mdx", title: "Berths", headings: ["Lifecycle", "Naming"] },
  { file: "concepts/networking.mdx", title: "Networking", headings: ["Ports", "DNS", "TLS"] },
  { file: "concepts/access-control.mdx", title: "Access control", headings: ["Roles", "Tokens"] },
  { file: "concepts/secrets.mdx", title: "Secrets", headings: ["Rotation", "Limits"], keys: { tag: "Beta" } },
  { file: "reference/cli.mdx", title: "CLI reference", headings: ["harbor up", "harbor down", "Exit codes"] },
  { file: "reference/config.mdx", title: "Configuration", headings: ["Environment variables", "Defaults"] },
  { file: "reference/environment.mdx", title: "Environment variables", headings: ["Proxy", "Logging"] },
  { file: "api/overview.mdx", title: "API overview", headings: ["Authentication", "Rate limits"] },
  { file: "api/tokens.mdx", title: "Tokens", headings: ["Create a token", "Scopes"], keys: { keywords: ["token"] } },
  { file: "api/errors.mdx", title: "Errors", headings: ["Error codes"] },
  { file: "operate/overview.mdx", title: "Operations overview", headings: ["On call", "Next steps"] },
  { file: "operate/monitoring.mdx", title: "Monitoring", headings: ["Metrics", "Alerts"] },
  { file: "operate/upgrade.mdx", title: "Upgrade Harbor", headings: ["Before you begin", "Known issues"] },
  { file: "operate/harbormaster.mdx", title: "Harbormaster", headings: ["Roles", "Limits"] },
  { file: "support/faq.mdx", title: "FAQ", headings: ["Billing", "Can I self-host?"] },
  { file: "support/troubleshooting.mdx", title: "Troubleshooting", headings: ["Logs", "Error codes"] },
  { file: "changelog.mdx", title: "Changelog", headings: ["2.6", "2.5"] },
  { file: "drafts/roadmap.mdx", title: "Roadmap", headings: ["Next steps"], keys: { hidden: true } },
];

/** The pages whose path does not begin so. */
export function pagesOutside(start: string): string[] {
  return pages.map(({ file }) => file.replace(/\.mdx?$/, "")).filter((path) => !path.startsWith(start));
}

/** The navigation; `drafts/roadmap` is an orphan. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  "Get started": ["index", "quickstart", "install/linux", "install/docker", "install/windows"],
  Guides: ["guides/deploy", "guides/replace", "guides/redirects", "guides/search", "guides/backups", "guides/migrate"],
  Advanced: ["guides/advanced/scaling", "guides/advanced/tls"],
  Concepts: ["concepts/berths", "concepts/networking", "concepts/access-control", "concepts/secrets"],
  Reference: ["reference/cli", "reference/config", "reference/environment"],
  API: ["api/overview", "api/tokens", "api/errors"],
  Operations: ["operate/overview", "operate/monitoring", "operate/upgrade", "operate/harbormaster"],
  "All pages": ["support/faq", "support/troubleshooting", "changelog"],
};

const redirects = [
  { source: "/setup", destination: "/quickstart" },
  { source: "/guides/backup", destination: "/guides/backups" },
  { source: "/help", destination: "/support/faq" },
] as const;

export const images = [
  "images/console.svg",
  "images/topology.png",
  "images/sign-in.png",
  "images/divider.svg",
] as const;

/** Components that the pages use: never terms without quotes. */
const components = ["Tabs", "Tab", "Accordion", "Card", "CardGroup", "Steps", "Note", "Warning", "CodeGroup"] as const;

/** What the text of the pages says, so that a reader of the files may know these as words of theirs. */
const prose = [
  "Harbor Cloud runs your services. Each service has a berth; Harbor assigns berths when you log in to the console.",
  "The config file names your workers. A worker without a heartbeat is evicted, and the Harbormaster is told by webhook.",
  "Use an access token from the dashboard. The control plane checks the access token and the whitelist on every call.",
] as const;

/** The file of every page by its path, and `docs.json`: what a checkout of the repository holds. */
export function files(): Map<string, string> {
  const navigation = { groups: Object.entries(groups).map(([group, own]) => ({ group, pages: own })) };
  const found = new Map([["docs.json", JSON.stringify({ name: "Harbor", navigation, redirects }, null, 2)]]);
  for (const { file, title, headings, keys = {}, body = prose.join("\n\n") } of pages) {
    const matter = Object.entries({ title, ...keys }).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const shown = components.map((name) => `<${name}>${name}</${name}>`);
    const sections = headings.map((heading) => `## ${heading}\n\nSee the [quickstart](/quickstart).`);
    found.set(file, `---\n${matter.join("\n")}\n---\n\n${[body, ...shown, ...sections].join("\n\n")}\n`);
  }
  for (const image of images) found.set(image, "");
  return found;
}
