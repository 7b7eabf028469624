/** Tags that group the operations of the document, in page order. */
export const TAGS = [
  {
    name: "Agent jobs",
    description: "Have the agent edit the documentation, follow its work, and review its changes.",
  },
  { name: "Webhooks", description: "Receive events about jobs." },
  { name: "Automations", description: "Start jobs automatically." },
  { name: "Analytics", description: "Exact counts of visitors and views, searches and feedback." },
  {
    name: "Search and pages",
    description: "Find and read the pages of a site, for programs that answer readers.",
  },
  { name: "Deployments", description: "The live version of a site, previews of branches, and the pinned commit." },
  { name: "Projects", description: "Create and configure projects." },
  { name: "Sources", description: "Additional repositories that the agent reads." },
  { name: "Members", description: "People with a role in a project, and the audit log." },
  { name: "API keys", description: "Keys that give access to this API." },
  { name: "Server", description: "The log of the server." },
  { name: "API descriptions", description: "API descriptions that the docs reference by URL." },
];
