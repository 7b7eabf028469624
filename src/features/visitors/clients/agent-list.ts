import { readFileSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { dayOf, dayText } from "#features/visitors/day.ts";
import { replaceFile } from "#lib/durable-file.ts";
import type { Logger } from "#lib/logger.ts";
import { type KnownAgent, knownAgents } from "./agents.ts";
import { createAgentFinder } from "./agent-finder.ts";
import {
  AddressRange,
  isPublication,
  keepPublishedAddresses,
  MAX_LIST_BYTES,
  MAX_RANGES,
  parsePublishedAddresses,
  PUBLICATIONS,
  type PublishedAddresses,
  publishedAddressesFile,
  publishedRanges,
} from "./published-addresses.ts";

/** The agents that Docent distinguishes, with the addresses that their operators publish. */
export interface AgentList {
  /** `YYYY-MM-DD`: the date of the addresses, except for the agents in `dates`. */
  date: string;
  dates: ReadonlyMap<string, string>;
  agents: readonly KnownAgent[];
  /** CIDR ranges by agent name. */
  networks: ReadonlyMap<string, readonly string[]>;
}

/** The file in the data directory with an operator's newer list. */
export const agentListFile = (dataDirectory: string): string => path.join(dataDirectory, "agents.json");

const RECHECK_MS = 10_000;

const text = (maxLength: number) => z.string().trim().min(1).max(maxLength);
const Agent = z.strictObject({
  token: text(64).min(3).refine(isNoBrowser, "must not be a word of browsers' user agents"),
  name: text(64).optional(),
  operator: text(64),
  category: z.enum(["assistant", "search", "training", "other_bot"]),
});
const Shape = z.strictObject({
  about: z.string().optional(),
  date: z.iso.date(),
  agents: z.array(Agent).max(1_000).default([]),
  networks: z.record(text(64), z.array(AddressRange).min(1).max(MAX_RANGES)).default({}),
});

const BROWSERS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
];

function isNoBrowser(token: string): boolean {
  const find = createAgentFinder([{ token, name: token, operator: "", category: "other_bot" }]);
  return BROWSERS.every((browser) => find(browser.toLowerCase()) === undefined);
}

const builtIn: AgentList = parse(readFileSync(new URL("./agent-networks.json", import.meta.url), "utf8"));
/** The list that comes with Docent. */
export const builtInAgents: AgentList = { ...builtIn, agents: knownAgents };

function parse(json: string): AgentList {
  const { date, agents, networks } = Shape.parse(JSON.parse(json));
  return {
    date,
    dates: new Map(),
    agents: agents.map(({ name, ...agent }) => ({ ...agent, name: name ?? agent.token })),
    networks: new Map(Object.entries(networks)),
  };
}

/** The file's agents come first. If several lists have addresses of one agent, the newest one counts. */
function onTopOfBuiltIn(file: AgentList | null, published: ReadonlyMap<string, PublishedAddresses>): AgentList {
  const lists = new Map<string, PublishedAddresses>();
  const add = (agent: string, list: PublishedAddresses) => {
    const known = lists.get(agent);
    if (known === undefined || known.date <= list.date) lists.set(agent, list);
  };
  for (const list of [builtInAgents, file]) {
    if (list === null) continue;
    for (const [agent, ranges] of list.networks) add(agent, { date: list.date, ranges });
  }
  for (const [agent, list] of published) add(agent, list);
  return {
    date: file?.date ?? builtInAgents.date,
    dates: new Map([...lists].map(([agent, { date }]) => [agent, date])),
    agents: [...(file?.agents ?? []), ...knownAgents],
    networks: new Map([...lists].map(([agent, { ranges }]) => [agent, ranges])),
  };
}

/**
 * The list in use: that of the data directory, or the one that comes with Docent. Its files are checked for changes
 * every ten seconds; an unreadable one changes nothing and is logged. Returns the same object until the list changes.
 */
export function createAgentLists(deps: { dataDirectory: string; clock: Clock; logger: Logger }): () => AgentList {
  const own = watchedFile(agentListFile(deps.dataDirectory), { parse, none: null, logger: deps.logger });
  const published = watchedFile<ReadonlyMap<string, PublishedAddresses>>(publishedAddressesFile(deps.dataDirectory), {
    parse: parsePublishedAddresses,
    none: new Map(),
    logger: deps.logger,
  });
  let current = builtInAgents;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = deps.clock.now().getTime();
    if (Math.abs(now - checkedAt) < RECHECK_MS) return current;
    checkedAt = now;
    const isChanged = [own.look(), published.look()].includes(true);
    if (!isChanged) return current;
    const isBuiltIn = own.content() === null && published.content().size === 0;
    current = isBuiltIn ? builtInAgents : onTopOfBuiltIn(own.content(), published.content());
    return current;
  };
}

/** The content of a file, read again when the file changes. */
function watchedFile<Content>(
  file: string,
  { parse: read, none, logger }: { parse(text: string): Content; none: Content; logger: Logger },
) {
  let content = none;
  let version = "";
  return {
    content: () => content,
    /** Reads the file if it changed; true if that changed the content. */
    look(): boolean {
      const found = statSync(file, { throwIfNoEntry: false });
      const seen = found ? `${found.ino}/${found.mtimeMs}/${found.size}` : "";
      if (seen === version) return false;
      version = seen;
      try {
        content = found ? read(readFileSync(file, "utf8")) : none;
        return true;
      } catch (error) {
        logger.error({ err: error, file }, "the list of agents cannot be read; the one before stays in use");
        return false;
      }
    },
  };
}

/** A list that was saved in the data directory. */
export interface TakenList {
  list: AgentList;
  /** The agents that the addresses belong to, when the file was in the operators' format; empty for one in ours. */
  owners: readonly string[];
}

/**
 * Validates a list, in our format or the operators', and saves it in the data directory, where running servers find it.
 * `agent` names the owner of the addresses in an operator's file, when neither its name nor the addresses do. Throws
 * `AppError invalid` with the problem, and changes nothing in that case.
 */
export async function updateAgentList(
  dataDirectory: string,
  from: string,
  { clock, logger, agent }: { clock: Clock; logger: Logger; agent?: string | undefined },
): Promise<TakenList> {
  const found = await stat(from).catch(() => null);
  if (!found?.isFile()) throw new AppError("invalid", `There is no file ${from}.`);
  if (found.size > MAX_LIST_BYTES) throw new AppError("invalid", "A list of agents has 2 MB at most.");
  const json = (await readFile(from, "utf8")).replace(/^\uFEFF/, "");
  const inUse = createAgentLists({ dataDirectory, clock, logger });
  const content = checked(() => JSON.parse(json) as unknown);
  if (!isPublication(content)) {
    if (agent !== undefined) throw new AppError("invalid", ONLY_PUBLICATIONS);
    checked(() => parse(json));
    await replaceFile(agentListFile(dataDirectory), json);
    return { list: inUse(), owners: [] };
  }
  const ranges = checked(() => publishedRanges(content));
  const owners = agent === undefined ? ownersOf(from, ranges) : [namedAgent(inUse(), agent)];
  // Operators do not update `creationTime` while a list stays the same: Perplexity's of February 2025 was current in
  // September 2026. The file's modification date is more informative.
  const saved = Math.min(found.mtimeMs, clock.now().getTime());
  const published = { date: dayText(dayOf(saved)), ranges };
  await keepPublishedAddresses(dataDirectory, new Map(owners.map((owner) => [owner, published])));
  return { list: createAgentLists({ dataDirectory, clock, logger })(), owners };
}

const ONLY_PUBLICATIONS =
  '--agent is for a file in the form that operators publish: {"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}.';

function namedAgent({ agents }: AgentList, name: string): string {
  const found = agents.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found.name;
  throw new AppError("invalid", `There is no agent "${name}". Agents are named as on the page of the counts.`);
}

/**
 * The agents that a list belongs to: by the file name that the operators use, or by addresses that mostly belong to one
 * agent.
 */
function ownersOf(file: string, ranges: readonly string[]): readonly string[] {
  const published = PUBLICATIONS.find(({ url }) => path.posix.basename(url) === path.basename(file).toLowerCase());
  if (published) return published.agents;
  const known = mostlyOf(ranges);
  if (known !== undefined) return [known];
  throw new AppError(
    "invalid",
    "The file has addresses, but does not name their agent. Name it, for example --agent ChatGPT-User.",
  );
}

function mostlyOf(ranges: readonly string[]): string | undefined {
  for (const [agent, known] of builtInAgents.networks) {
    const set = new Set(known);
    if (ranges.filter((range) => set.has(range)).length > ranges.length / 2) return agent;
  }
  return undefined;
}

function checked<Content>(read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw new AppError("invalid", "The list of agents is not JSON.");
    const details = error.issues.slice(0, 10).map((issue) => ({ path: issue.path.join("."), message: issue.message }));
    const first = details[0];
    throw new AppError("invalid", `The list of agents is not valid: ${first?.path}: ${first?.message}.`, {
      details,
    });
  }
}
