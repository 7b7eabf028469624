/** Says where a value is not what is expected, as `jobs[0].id`; null where it is. */
export type Shape = (value: unknown, at: string) => string | null;

const kind =
  (name: "string" | "number" | "boolean"): Shape =>
  (value, at) =>
    typeof value === name ? null : at;
const text = kind("string");
const number = kind("number");
const flag = kind("boolean");

/** A field that may be null, or missing, as a server before this one leaves it out. */
const maybe =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null || value === undefined ? null : shape(value, at);

const list =
  (of: Shape): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) return at;
    for (const [index, one] of value.entries()) {
      const wrong = of(one, `${at}[${index}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

/** It may have more fields than these, which are what commands print or go on with. */
const object =
  (fields: Record<string, Shape>): Shape =>
  (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return at || "all of it";
    for (const [name, shape] of Object.entries(fields)) {
      const wrong = shape((value as Record<string, unknown>)[name], at === "" ? name : `${at}.${name}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const page = (name: string, of: Shape): Shape => object({ [name]: list(of), nextCursor: maybe(text) });

const trouble = maybe(object({ code: text, message: text, hint: maybe(text) }));
export const JOB = object({
  id: text,
  createdAt: text,
  status: text,
  phase: text,
  title: maybe(text),
  summary: maybe(text),
  source: object({ ref: maybe(text) }),
  prLink: maybe(text),
  previewLink: maybe(text),
  pullRequest: maybe(object({ number, state: text })),
  error: trouble,
  lastMessage: object({ error: trouble }),
});
export const JOBS = page("jobs", JOB);
export const JOB_CHANGES = object({ files: list(object({ path: text })) });

const key = { id: text, name: text, hint: text, scope: text, allow: maybe(list(text)), lastUsedAt: maybe(text), expiresAt: maybe(text), revokedAt: maybe(text) }; // oxfmt-ignore
export const NEW_KEY = object({ ...key, key: text });
export const KEYS = page("keys", object(key));

export const PROJECT = object({
  id: text,
  slug: text,
  name: text,
  branch: text,
  siteUrl: text,
  repository: object({ url: text, host: text, source: maybe(text) }),
  settings: object({}),
  secrets: list(text),
  access: object({ mode: text }),
  domains: list(text),
  createdAt: text,
  connection: maybe(object({ host: text })),
});
export const PROJECTS = page("projects", PROJECT);
/** What a project is found by, and no more. */
export const PROJECT_NAMES = page("projects", object({ id: text, slug: text }));

const webhook = { id: text, url: text, enabled: flag, failingSince: maybe(text), events: list(text) };
export const NEW_WEBHOOK = object({ ...webhook, secret: text });
export const WEBHOOKS = page("webhooks", object(webhook));
export const DELIVERY = object({
  id: text,
  createdAt: text,
  type: text,
  status: text,
  attempts: list(object({ status: maybe(number), error: maybe(text) })),
});
export const DELIVERIES = object({ deliveries: list(DELIVERY) });

export const AUTOMATION = object({
  id: text,
  name: text,
  trigger: object({ kind: text }),
  enabled: flag,
  runs: number,
  nextRunAt: maybe(text),
});
export const AUTOMATIONS = page("automations", AUTOMATION);
export const STARTED_JOB = object({ id: text });
export const RUNS = page("runs", object({ number, jobId: maybe(text), messageSeq: maybe(number), note: maybe(text) }));

export const PIN = object({ commit: text });
export const DEPLOYMENTS = object({
  deployments: list(
    object({ number, commit: text, noticedAt: text, liveAt: maybe(text), live: flag, state: text, author: text, subject: text }), // oxfmt-ignore
  ),
  pin: maybe(PIN),
});

const counts = { human: number, ai: number, total: number };
const pages = list(object({ path: text, ...counts }));
export const REPORTS = {
  visitors: object({ totals: object(counts), visitors: pages, hasMore: flag }),
  views: object({ totals: object(counts), views: pages, hasMore: flag }),
  searches: object({ searches: list(object({ searchQuery: text, hits: number })), totalSearches: number }),
};

export const SOURCE = object({
  id: text,
  name: text,
  host: text,
  url: text,
  branch: text,
  syncedAt: maybe(text),
  trouble: maybe(text),
});
export const SOURCES = page("sources", SOURCE);
export const SITE_LINK = object({ url: text, token: text, expiresAt: text });
const description = { address: text, readAt: maybe(text), sizeBytes: maybe(number), trouble: maybe(text) };
export const API_ADDRESSES = object({
  hosts: list(text),
  proxy: flag,
  addresses: list(object(description)),
  nextCursor: maybe(text),
});
export const ASKED_ADDRESSES = object({ addresses: number });
export const ERASURE = object({
  address: text,
  visitors: number,
  views: number,
  days: number,
  feedback: number,
  damagedFiles: maybe(number),
  notReached: list(text),
});
export const SNIPPET = object({ snippet: text, allowedOrigins: list(text) });

export const LOG_LINES = page(
  "lines",
  object({ id: text, node: text, time: text, level: text, message: text, fields: object({}) }),
);
/** What tells a login that a server takes its key. */
export const A_PAGE = { projects: page("projects", object({ id: text })), jobs: page("jobs", object({ id: text })) };
