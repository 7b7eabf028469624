import { z } from "@hono/zod-openapi";
import { builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { readClient } from "#features/visitors/clients/agents.ts";
import { type Exclusion, exclusions } from "#features/visitors/clients/rules.ts";
import { dayText } from "#features/visitors/day.ts";
import { type Surface, surfaces } from "#features/visitors/facts.ts";
import { amount } from "#kit/http/schemas.ts";
import {
  day,
  MAX_REPORT_ROWS,
  readFacet,
  type VisitorReport,
  type TableReport,
  type ReportDeps,
  type ReportQuery,
  type ViewsByClass,
} from "./report.ts";
import { series } from "./series.ts";

const namesOf = <Name extends string>(names: Record<Name, number>) => Object.keys(names) as [Name, ...Name[]];
const human = amount.openapi({ description: "Number of views by people." });
const ai = amount.openapi({ description: "Number of views by AI assistants and agents." });

const AgentRow = z.object({
  name: z.string().openapi({ description: "Product name, as the client states it." }),
  operator: z.string().nullable().openapi({ description: "Operator of the client. `null` if unknown." }),
  category: z
    .enum(["assistant", "search", "training", "other_bot", "browser", "http_client"])
    .openapi({ description: "Purpose for which the client reads." }),
  human,
  ai,
  other: amount.openapi({ description: "Number of views counted neither as `human` nor as `ai`." }),
  verified: amount.openapi({ description: "Number of the client's views that are proven to come from the operator." }),
  spoofed: amount.openapi({
    description: "Number of the client's views that are proven not to come from the operator.",
  }),
  unverified: amount.openapi({
    description:
      "Number of the client's views from an address that is on none of the operator's lists, while the list was old. These views are counted.",
  }),
  lastSeen: day("Last day with a view by the client."),
});
type AgentRow = z.infer<typeof AgentRow>;

/** Clients other than browsers: assistants, crawlers and programs, by views. */
export async function reportAgents(
  { database, agents = () => builtInAgents }: Pick<ReportDeps, "database" | "agents">,
  query: ReportQuery,
): Promise<AgentRow[]> {
  const verified = new Map((await readFacet(database.kysely, query, "verification")).map((row) => [row.item, row]));
  const byAgent = new Map<string, AgentRow>();
  for (const row of await readFacet(database.kysely, query, "client")) {
    const client = readClient(row.text ?? "", agents().agents);
    if (client.category === "browser") continue;
    const known = byAgent.get(`${client.category}/${client.product}`);
    const lastSeen = dayText(row.lastDay);
    byAgent.set(`${client.category}/${client.product}`, {
      name: client.product,
      operator: client.operator,
      category: client.category,
      human: row.human + (known?.human ?? 0),
      ai: row.ai + (known?.ai ?? 0),
      other: row.other + (known?.other ?? 0),
      verified: (verified.get(row.item)?.human ?? 0) + (known?.verified ?? 0),
      spoofed: (verified.get(row.item)?.ai ?? 0) + (known?.spoofed ?? 0),
      unverified: (verified.get(row.item)?.other ?? 0) + (known?.unverified ?? 0),
      lastSeen: known && known.lastSeen > lastSeen ? known.lastSeen : lastSeen,
    });
  }
  return [...byAgent.values()].sort((a, b) => views(b) - views(a) || (a.name < b.name ? -1 : 1));
}

const views = ({ human, ai, other }: ViewsByClass) => human + ai + other;

const KINDS: Record<AgentRow["category"], string> = {
  assistant: "assistant",
  search: "search index",
  training: "training",
  other_bot: "robot",
  browser: "browser",
  http_client: "program",
};

const agents: TableReport<AgentRow> = {
  path: "agents",
  field: "agents",
  operation: {
    id: "getAgents",
    summary: "List the agents that read the docs",
    description:
      "Lists assistants, crawlers and programs by number of views, with whether their identity was verified.",
  },
  row: AgentRow,
  name: "Agents",
  rows: "Clients other than browsers, by number of views.",
  maxRows: MAX_REPORT_ROWS,
  columns: ["name", "operator", "category", "human", "ai", "other", "verified", "spoofed", "lastSeen", "unverified"],
  read: reportAgents,
  table: {
    title: "Agents",
    columns: ["Agent", "Operator", "Kind", "Views", "Verified", "Unverified", "Spoofed"],
    cells: (row) => [
      row.name === "none" ? "(no user agent)" : row.name,
      row.operator ?? "",
      KINDS[row.category],
      views(row),
      row.verified,
      row.unverified,
      row.spoofed,
    ],
  },
};

const SurfaceRow = z.object({
  surface: z.enum(namesOf<Surface>(surfaces)).openapi({ description: "Form in which the content was read." }),
  human,
  ai,
});
type SurfaceRow = z.infer<typeof SurfaceRow>;

/** Counted views by the form in which the content was read: HTML, Markdown, llms.txt. */
export async function reportSurfaces(
  { database }: Pick<ReportDeps, "database">,
  query: ReportQuery,
): Promise<SurfaceRow[]> {
  const rows = new Map((await readFacet(database.kysely, query, "surface")).map((row) => [row.item, row]));
  return namesOf<Surface>(surfaces).map((surface) => {
    const row = rows.get(surfaces[surface]);
    return { surface, human: row?.human ?? 0, ai: row?.ai ?? 0 };
  });
}

const SURFACE_TITLES: Record<Surface, string> = { html: "HTML", markdown: "Markdown", llms: "llms.txt" };

const bySurface: TableReport<SurfaceRow> = {
  path: "surfaces",
  field: "surfaces",
  operation: {
    id: "getSurfaces",
    summary: "Get views by form of the content",
    description:
      "Returns the counted views of pages, Markdown, llms.txt and the other forms in which the content is read.",
  },
  row: SurfaceRow,
  name: "Surfaces",
  rows: "Views of each form in which the content is read.",
  columns: ["surface", "human", "ai"],
  read: reportSurfaces,
  table: {
    title: "Surfaces",
    columns: ["Surface", "Views by people", "by AI"],
    cells: (row) => [SURFACE_TITLES[row.surface], row.human, row.ai],
  },
};

const ReferrerRow = z.object({
  referrer: z.string().nullable().openapi({
    description: "Host that readers came from, without `www.`. `null` if the views have no referring host.",
  }),
  human,
  ai,
});
type ReferrerRow = z.infer<typeof ReferrerRow>;

/** Counted views by referring host. */
export async function reportReferrers(
  { database }: Pick<ReportDeps, "database">,
  query: ReportQuery,
): Promise<ReferrerRow[]> {
  const rows = await readFacet(database.kysely, query, "referrer");
  return rows.map((row) => ({ referrer: row.item === 0 ? null : row.text, human: row.human, ai: row.ai }));
}

const referrers: TableReport<ReferrerRow> = {
  path: "referrers",
  field: "referrers",
  operation: {
    id: "getReferrers",
    summary: "Get views by referring host",
    description: "Returns the counted views by the host that readers came from.",
  },
  row: ReferrerRow,
  name: "Referrers",
  rows: "Referring hosts, by number of views.",
  maxRows: MAX_REPORT_ROWS,
  columns: ["referrer", "human", "ai"],
  read: reportReferrers,
  table: {
    title: "Where readers came from",
    columns: ["Site", "Views by people", "by AI"],
    cells: (row) => [row.referrer ?? "(no other site)", row.human, row.ai],
  },
};

const MissingRow = z.object({
  path: z.string().openapi({ description: "Path that was requested." }),
  ai,
  other: amount.openapi({ description: "Number of requests for the path by anyone else." }),
  lastSeen: day("Last day on which the path was requested."),
});
type MissingRow = z.infer<typeof MissingRow>;

/** Missing paths that AI readers requested, by frequency. */
export async function reportMissing(
  { database }: Pick<ReportDeps, "database">,
  query: ReportQuery,
): Promise<MissingRow[]> {
  const rows = await readFacet(database.kysely, query, "missing");
  return rows
    .filter((row) => row.ai > 0)
    .map((row) => ({ path: row.text ?? "", ai: row.ai, other: row.human + row.other, lastSeen: dayText(row.lastDay) }))
    .sort((a, b) => b.ai - a.ai || (a.path < b.path ? -1 : 1));
}

const missing: TableReport<MissingRow> = {
  path: "missing",
  field: "missing",
  operation: {
    id: "getMissingPages",
    summary: "List missing pages that AI readers request",
    description: "Lists paths without a page that AI readers requested, by number of requests.",
  },
  row: MissingRow,
  name: "MissingPages",
  rows: "Paths without a page, most requested first.",
  maxRows: MAX_REPORT_ROWS,
  columns: ["path", "ai", "other", "lastSeen"],
  read: reportMissing,
  table: {
    title: "Pages AI agents did not find",
    columns: ["Path", "AI", "Others"],
    cells: (row) => [row.path, row.ai, row.other],
  },
};

const ExcludedRow = z.object({
  reason: z
    .enum(namesOf<Exclusion>(exclusions))
    .openapi({ description: "Reason why the views were not counted. Use this field, not `explanation`, in programs." }),
  explanation: z.string().openapi({ description: "Explanation of the reason for people." }),
  views: amount.openapi({ description: "Number of views." }),
});
type ExcludedRow = z.infer<typeof ExcludedRow>;

const EXPLANATIONS: Record<Exclusion, string> = {
  search: "Search indexers are not readers.",
  training: "Crawlers that collect training data are not readers.",
  other_bot: "Other robots (link previews, monitors, SEO tools) are not readers.",
  unconfirmed: "A page went to a browser, and its script did not confirm that it was seen.",
  http_client: "A program fetched HTML; programs count when they read Markdown.",
  own_traffic: "The address is on the project's list of own networks.",
  not_found: "There was no such page.",
  duplicate: "The same event was sent again.",
  counted_when_served: "The agent's view was counted when the page was served.",
  prefetch: "A browser fetched the page in advance; it may not have been shown.",
  shed: "Lost: more came than could be written, or the disk was full.",
  not_collected: "The reader asked not to be counted, and the project honours that.",
  too_old: "The view is older than what the project keeps.",
  spoofed: "The address or the signature contradicts the agent that the client names.",
  automated: "A program drove the browser.",
  flood: "More views came from one address within a minute than a person makes.",
};

/** Excluded views, with the reasons. */
export async function reportExcluded(
  { database }: Pick<ReportDeps, "database">,
  query: ReportQuery,
): Promise<ExcludedRow[]> {
  const rows = new Map((await readFacet(database.kysely, query, "excluded")).map((row) => [row.item, row.other]));
  return namesOf<Exclusion>(exclusions)
    .map((reason) => ({ reason, explanation: EXPLANATIONS[reason], views: rows.get(exclusions[reason]) ?? 0 }))
    .filter((row) => row.views > 0)
    .sort((a, b) => b.views - a.views);
}

const excluded: TableReport<ExcludedRow> = {
  path: "not-counted",
  field: "notCounted",
  operation: {
    id: "getNotCounted",
    summary: "List requests and views that were not counted",
    description:
      "Lists requests and views that were counted neither as human nor as AI, by reason. A page that was sent to a browser is `unconfirmed` until its script reports the view.",
  },
  row: ExcludedRow,
  name: "NotCounted",
  rows: "Reasons with views in the range, most frequent first.",
  columns: ["reason", "views", "explanation"],
  read: reportExcluded,
  table: { title: "Not counted", columns: ["Why", "Views"], cells: (row) => [row.explanation, row.views] },
};

/** In the order of the API's reference, keyed by the names of their CSV in the dashboard. */
export const REPORTS = { days: series, agents, surfaces: bySurface, referrers, missing, excluded } satisfies Record<
  string,
  VisitorReport
>;
