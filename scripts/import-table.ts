/**
 * The folders of `src/` and what each may import besides itself. An import that is not listed is refused. Features
 * stand above mechanisms and never the other way round.
 *
 * `src/main.ts`, `src/app/` and `src/cli/` see everything; tests, `*.contract.ts`, `src/testing/`, `test/` and
 * `bench/` are exempt.
 */
export const importTable: Record<string, readonly string[]> = {
  lib: [],
  // Runs in a reader's browser: of lib it may use what needs nothing of Node.
  browser: ["lib"],
  // `clients/typescript/src`: it runs in programs that call our API, and the command line is one of them.
  client: [],

  db: ["lib"],
  git: ["lib"],
  models: ["lib"],
  docs: ["lib"],
  search: ["lib", "db"],
  kit: ["lib", "db", "docs"],

  "object-storage": ["lib"],
  repositories: ["lib", "db", "git", "object-storage"],
  hosts: ["lib", "db", "git"],
  rules: ["lib", "models"],
  tools: ["lib", "git", "docs", "hosts"],
  chores: ["lib", "docs", "tools"],
  agent: ["lib", "docs", "models", "chores", "tools"],

  features: ["lib", "db", "git", "models", "docs", "search", "kit", "hosts", "tools", "agent"],
};

/**
 * For a folder, its subfolders and which of their siblings each may import. A subfolder may import its folder's own files;
 * those (`"."`) import no subfolder that is not listed.
 */
export const subfolders: Record<string, Record<string, readonly string[]>> = {
  lib: { secrets: [], waiting: [], network: ["waiting"], mcp: ["network"], logs: [], threads: [] },
  docs: {
    evaluate: ["markup"],
    dialects: ["evaluate", "markup"],
    words: [],
    config: ["dialects", "words"],
    tree: ["config", "dialects"],
    markup: [],
    syntax: ["markup"],
    api: ["config", "tree"],
    components: ["markup", "words"],
    links: ["config", "tree", "markup", "components", "syntax"],
    render: ["evaluate", "tree", "api", "markup", "syntax", "words", "components", "links"],
  },
  "docs/dialects": {
    ".": ["reading"],
    reading: [],
    docusaurus: ["reading"],
    starlight: ["reading"],
    vitepress: ["reading"],
    mkdocs: ["reading"],
    gitbook: ["reading"],
    nextra: ["reading"],
    fumadocs: ["reading"],
  },
  "docs/api": { channels: [], reading: ["channels"], pages: [] },
  "docs/render": {
    ".": ["formulas", "operation", "styles"],
    formulas: [],
    operation: [],
    picture: [],
    styles: [],
    process: ["formulas", "operation", "picture", "styles"],
  },
  git: {
    ".": ["process", "objects", "history", "refs", "transfer", "mirror"],
    process: [],
    objects: ["process"],
    history: ["process", "objects"],
    refs: ["process", "objects"],
    transfer: [],
    mirror: ["process", "objects", "refs", "transfer"],
  },
  kit: { limits: [], tasks: [], pages: [], http: ["pages"] },
  hosts: { embedded: [], remote: [], github: ["remote"], gitlab: ["remote"], gitea: ["remote"], sources: ["remote"] },
  tools: { sources: [], web: [] },
  chores: { ".": ["edits", "moving"], edits: [], moving: ["edits"] },
  "chores/edits": { navigation: [], terms: [] },
  features: {
    logs: [],
    projects: [],
    accounts: [],
    keys: ["projects", "accounts"],
    mail: [],
    people: ["accounts", "keys", "mail"],
    settings: ["projects", "keys"],
    sources: ["projects", "keys"],
    connections: ["projects", "accounts", "keys"],
    jobs: ["projects", "keys", "mail"],
    webhooks: ["projects", "keys", "jobs"],
    visitors: ["projects", "keys"],
    sites: ["projects", "keys", "visitors"],
    "pull-requests": ["projects", "accounts", "keys", "jobs", "sites"],
    "page-editor": ["projects", "keys", "jobs", "sites", "pull-requests"],
    overview: ["projects", "keys", "settings", "jobs", "visitors", "sites", "pull-requests"],
  },
  "features/projects": { ".": ["site"], site: [] },
  "features/jobs": {
    transitions: [],
    queue: ["transitions"],
    requests: ["transitions", "queue"],
    turn: ["transitions", "queue", "requests"],
    publishing: ["transitions", "queue", "requests", "turn"],
    worker: ["transitions", "queue", "requests", "turn", "publishing"],
    http: ["transitions", "requests"],
    chores: ["turn", "http"],
    pages: ["transitions", "requests", "chores"],
    automations: ["transitions", "queue", "requests", "http"],
    comments: ["transitions", "queue", "requests"],
  },
  "features/visitors": {
    clients: [],
    journal: [],
    searches: [],
    feedback: ["clients"],
    index: ["clients", "journal", "feedback"],
    reports: ["clients", "index"],
    collect: ["clients", "journal", "index", "reports"],
    http: ["clients", "journal", "searches", "feedback", "reports", "collect"],
    pages: ["clients", "searches", "feedback", "reports", "collect"],
  },
  "features/sites": {
    discovery: [],
    media: [],
    "api-proxy": [],
    theme: ["discovery"],
    report: ["discovery", "theme", "search"],
    search: ["theme"],
    feedback: ["theme"],
    deployments: ["report"],
    "api-addresses": ["deployments"],
    mcp: ["search"],
    serving: ["api-proxy", "discovery", "media", "theme", "report", "search", "feedback", "mcp"],
    entrance: ["theme", "serving"],
    pages: ["api-addresses", "entrance"],
    export: ["media", "theme", "search", "serving"],
    reference: ["search", "serving", "entrance", "mcp"],
  },
};

/** Adapters of the ports, as paths under `src/`: `src/app/` alone imports them. */
export const adapters = [
  "hosts/embedded",
  "hosts/github",
  "hosts/gitlab",
  "hosts/gitea",
  "search/sqlite-search",
  "search/postgres-search",
  "models/providers",
  "rules",
];

/** The folders that may import a package: nothing of an SDK leaves them. The built-in rules speak the SDK's interface of a model. */
export const packageOwners: Record<string, readonly string[]> = {
  ai: ["models"],
  "@ai-sdk": ["models", "rules"],
  "@opentelemetry": ["app"],
  "prom-client": ["app"],
  s3mini: ["object-storage"],
};
