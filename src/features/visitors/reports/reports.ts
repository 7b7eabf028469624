import type { Database } from "#db/database.ts";
import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import type { ClientCategory } from "#features/visitors/clients/agents.ts";
import { readClient } from "#features/visitors/clients/client-label.ts";
import { dayText } from "#features/visitors/day.ts";
import { type Surface, surfaces } from "#features/visitors/facts.ts";
import { readFacet, type ReportQuery, type ViewsByClass } from "./report-rows.ts";
import { type Exclusion, exclusions } from "#features/visitors/clients/rules.ts";

interface ReportDeps {
  database: Database;
  /** The list of agents in use; what comes with Docent by default. */
  agents?(): AgentList;
}

export interface AgentReportRow extends ViewsByClass {
  name: string;
  operator: string | null;
  category: ClientCategory;
  /** Views signed with a key of the operator, or from an address that it publishes. */
  verified: number;
  /** Views with a signature that is wrong, or from elsewhere by an agent whose operator publishes all its addresses. */
  spoofed: number;
  /** Views from elsewhere while the list of its addresses was too old to be sure. They count. */
  unverified: number;
  /** `YYYY-MM-DD` of the last view in the range. */
  lastSeen: string;
}

/** Clients other than browsers: assistants, crawlers and programs, by views. */
export async function reportAgents(
  { database, agents = () => builtInAgents }: ReportDeps,
  query: ReportQuery,
): Promise<AgentReportRow[]> {
  const verified = new Map((await readFacet(database.kysely, query, "verification")).map((row) => [row.item, row]));
  const byAgent = new Map<string, AgentReportRow>();
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

export interface SurfaceReportRow {
  surface: Surface;
  human: number;
  ai: number;
}

/** Counted views by where the content was read: HTML, Markdown, llms.txt. */
export async function reportSurfaces({ database }: ReportDeps, query: ReportQuery): Promise<SurfaceReportRow[]> {
  const rows = new Map((await readFacet(database.kysely, query, "surface")).map((row) => [row.item, row]));
  return (Object.keys(surfaces) as Surface[]).map((surface) => {
    const row = rows.get(surfaces[surface]);
    return { surface, human: row?.human ?? 0, ai: row?.ai ?? 0 };
  });
}

export interface ReferrerReportRow {
  /** Host, without `www.`; null for views that came from nowhere. */
  referrer: string | null;
  human: number;
  ai: number;
}

/** Counted views by referring host. */
export async function reportReferrers({ database }: ReportDeps, query: ReportQuery): Promise<ReferrerReportRow[]> {
  const rows = await readFacet(database.kysely, query, "referrer");
  return rows.map((row) => ({ referrer: row.item === 0 ? null : row.text, human: row.human, ai: row.ai }));
}

export interface MissingReportRow {
  path: string;
  ai: number;
  other: number;
  lastSeen: string;
}

/** Paths that AI readers asked for and that are not there, by how often. */
export async function reportMissing({ database }: ReportDeps, query: ReportQuery): Promise<MissingReportRow[]> {
  const rows = await readFacet(database.kysely, query, "missing");
  return rows
    .filter((row) => row.ai > 0)
    .map((row) => ({ path: row.text ?? "", ai: row.ai, other: row.human + row.other, lastSeen: dayText(row.lastDay) }))
    .sort((a, b) => b.ai - a.ai || (a.path < b.path ? -1 : 1));
}

export interface ExcludedReportRow {
  reason: Exclusion;
  /** A sentence for people. */
  explanation: string;
  views: number;
}

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
  prefetch: "A browser fetched the page ahead; nobody may have seen it.",
  shed: "Lost: more came than could be written, or the disk was full.",
  not_collected: "The reader asked not to be counted, and the project honours that.",
  too_old: "The view is older than what the project keeps.",
  spoofed: "The address or the signature contradicts the agent that the client names.",
  automated: "A program drove the browser.",
  flood: "More came from one address in a minute than is believed.",
};

/** What was not counted, and why. */
export async function reportExcluded({ database }: ReportDeps, query: ReportQuery): Promise<ExcludedReportRow[]> {
  const rows = new Map((await readFacet(database.kysely, query, "excluded")).map((row) => [row.item, row.other]));
  return (Object.keys(exclusions) as Exclusion[])
    .map((reason) => ({ reason, explanation: EXPLANATIONS[reason], views: rows.get(exclusions[reason]) ?? 0 }))
    .filter((row) => row.views > 0)
    .sort((a, b) => b.views - a.views);
}
