const mechanism = ["db", "git", "models", "content"];
const domain = ["code-hosts", "accounts", "analytics", "search"];

/**
 * The import table: the folders of `src/` and what each may import besides itself. Everything not
 * written here is refused. Arrows point from product to mechanism, never back; an import between
 * folders of one tier stands here by name.
 *
 * `src/main.ts`, `src/compose/` and `src/cli/` see everything; tests, `*.contract.ts`, `src/testing/`, `test/` and
 * `bench/` are exempt.
 */
export const importTable: Record<string, readonly string[]> = {
  lib: [],
  // Runs elsewhere: in a reader's browser. Of lib it may use what needs nothing of Node.
  browser: ["lib"],
  // `clients/typescript/src`: it runs in programs that call our API, and the command line is one of them.
  client: [],

  db: ["lib"],
  git: ["lib"],
  models: ["lib"],
  content: ["lib"],

  "code-hosts": ["lib", "db", "git"],
  accounts: ["lib", "db"],
  analytics: ["lib", "db", "content"],

  search: ["lib", "db"],

  projects: ["lib", ...mechanism, ...domain],

  agent: ["lib", ...mechanism, ...domain, "projects"],
  sites: ["lib", ...mechanism, ...domain, "projects"],

  jobs: ["lib", ...mechanism, ...domain, "projects", "agent", "sites"],

  http: ["lib", ...mechanism, ...domain, "projects", "agent", "sites", "jobs", "dashboard"],
  dashboard: ["lib", ...mechanism, ...domain, "projects", "agent", "sites", "jobs"],

  // What one server on one data directory is. Nobody below may know of it: values reach a folder as arguments.
  instance: ["lib", ...mechanism, ...domain, "projects", "jobs"],
};

/**
 * The rooms of a folder, each with those that it must not import. A room inside a room comes after it.
 */
export const closedRooms: Record<string, readonly string[]> = {
  content: ["content/api", "content/markup", "content/components", "content/links", "content/render"],
  "content/api": [
    "content/api/channels",
    "content/api/reading",
    "content/markup",
    "content/components",
    "content/links",
    "content/render",
  ],
  "content/api/channels": [
    "content/api/reading",
    "content/markup",
    "content/components",
    "content/links",
    "content/render",
  ],
  "content/api/reading": ["content/markup", "content/components", "content/links", "content/render"],
  "content/words": ["content/api", "content/markup", "content/components", "content/links", "content/render"],
  "content/markup": ["content/components", "content/links", "content/render"],
  "content/components": ["content/links", "content/render"],
  "content/links": ["content/render"],
  "content/render": ["content/render/process"],
  "content/render/evaluate": ["content/components", "content/links", "content/render"],
  "content/render/process": ["content/components", "content/links"],
};

/** The rooms of these folders, each with those beside it that it may import; the folder's own files import none of them. */
export const openRooms: Record<string, Record<string, readonly string[]>> = {
  lib: { secrets: [], network: [], waiting: [], mcp: ["network"], logs: [] },
  jobs: {
    transitions: [],
    queue: ["transitions"],
    requests: ["transitions", "queue"],
    turn: ["transitions", "queue", "requests"],
    publishing: ["transitions", "queue", "requests", "turn"],
    worker: ["transitions", "queue", "requests", "turn", "publishing"],
    automations: ["transitions", "queue", "requests"],
    comments: ["transitions", "queue", "requests"],
    webhooks: ["transitions", "queue"],
  },
  analytics: {
    clients: [],
    journal: [],
    searches: [],
    feedback: ["clients"],
    index: ["clients", "journal", "feedback"],
    reports: ["clients", "index"],
    collect: ["clients", "journal", "index", "reports"],
  },
  sites: {
    discovery: [],
    media: [],
    "api-addresses": [],
    "api-proxy": [],
    theme: ["discovery"],
    report: ["theme"],
    search: ["theme"],
    feedback: ["theme"],
    deployments: ["report"],
    mcp: ["search"],
    serving: ["api-proxy", "discovery", "media", "theme", "report", "search", "feedback", "mcp"],
    entrance: ["theme", "serving"],
    export: ["media", "theme", "search", "serving"],
    reference: ["search", "serving", "entrance", "mcp"],
  },
};

for (const [folder, rooms] of Object.entries(openRooms)) {
  const others = (open: readonly string[]) =>
    Object.keys(rooms)
      .filter((name) => !open.includes(name))
      .map((name) => `${folder}/${name}`);
  closedRooms[folder] = others([]);
  for (const [room, open] of Object.entries(rooms)) closedRooms[`${folder}/${room}`] = others([room, ...open]);
}

/** Adapters of the ports, as paths under `src/`: `src/compose/` alone imports them. */
export const adapters = [
  "code-hosts/embedded",
  "code-hosts/github",
  "code-hosts/gitlab",
  "code-hosts/gitea",
  "search/sqlite-search",
  "search/postgres-search",
  "models/providers",
  "models/builtin-rules",
];

/** The one folder that may import a package: nothing of an SDK leaves it. */
export const packageOwners: Record<string, string> = {
  ai: "models",
  "@ai-sdk": "models",
};
