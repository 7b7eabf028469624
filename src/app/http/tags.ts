/** Tags that group the operations of the document, in page order. */
export const TAGS = [
  { name: "Agent jobs", description: "Have the agent edit the documentation, follow it, and see what it changed." },
  { name: "Webhooks", description: "Be told what jobs do." },
  { name: "Automations", description: "Jobs that start by themselves." },
  { name: "Analytics", description: "Exact counts of visitors and views, searches and feedback." },
  {
    name: "Search and pages",
    description: "Find pages of a site and read them, as a program that answers readers does.",
  },
  { name: "Deployments", description: "What is live on a site, previews of branches, and the pin." },
  { name: "Projects", description: "Make projects, and set what they are." },
  { name: "Sources", description: "Further repositories that the agent reads." },
  { name: "Members", description: "Who has which role in a project, and who did what." },
  { name: "API keys", description: "Who may call this interface." },
  { name: "Server", description: "What the server itself does." },
  { name: "API descriptions", description: "Descriptions of APIs that the docs name by address." },
];
