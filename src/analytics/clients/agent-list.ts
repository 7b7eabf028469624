import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { open, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { flushFolder } from "#lib/durable-file.ts";
import type { Logger } from "#lib/logger.ts";
import { type KnownAgent, knownAgents } from "./agents.ts";
import { createAgentFinder } from "./agent-finder.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";

/** The agents that are told apart, and the addresses that their operators publish. */
export interface AgentList {
  /** `YYYY-MM-DD`: of when the addresses are. */
  date: string;
  agents: readonly KnownAgent[];
  /** CIDR ranges by the agent's name. */
  networks: ReadonlyMap<string, readonly string[]>;
}

/** The file in the data directory that an operator's newer list is kept in. */
export const agentListFile = (dataDirectory: string): string => path.join(dataDirectory, "agents.json");

const MAX_BYTES = 2 * 1024 * 1024;
const MIN_PREFIX = { ipv4: 8, ipv6: 19 }; // of the widest ranges that a registry ever gave to one holder
const RECHECK_MS = 10_000;

const text = (maxLength: number) => z.string().trim().min(1).max(maxLength);
const Range = z
  .string()
  .refine(isRange, "must be an address range such as 192.0.2.0/24, and not wider than /8 (IPv6: /19)");
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
  networks: z.record(text(64), z.array(Range).min(1).max(20_000)).default({}),
});

function isRange(range: string): boolean {
  try {
    parseAddressRanges([range]);
  } catch {
    return false;
  }
  const bits = range.split("/")[1];
  return bits === undefined || Number(bits) >= (range.includes(":") ? MIN_PREFIX.ipv6 : MIN_PREFIX.ipv4);
}

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
/** What comes with Docent. */
export const builtInAgents: AgentList = { ...builtIn, agents: knownAgents };

function parse(json: string): AgentList {
  const { date, agents, networks } = Shape.parse(JSON.parse(json));
  return {
    date,
    agents: agents.map(({ name, ...agent }) => ({ ...agent, name: name ?? agent.token })),
    networks: new Map(Object.entries(networks)),
  };
}

/** The file's agents come first; its addresses take the place of those of the agents that it names. */
const onTopOfBuiltIn = ({ date, agents, networks }: AgentList): AgentList => ({
  date,
  agents: [...agents, ...knownAgents],
  networks: new Map([...builtInAgents.networks, ...networks]),
});

/**
 * The list in use: that of the data directory, or what comes with Docent. Looks every ten seconds whether the file is
 * another; one that cannot be read changes nothing and is named in the log. The same object until it changes.
 */
export function createAgentLists(deps: { dataDirectory: string; clock: Clock; logger: Logger }): () => AgentList {
  const file = agentListFile(deps.dataDirectory);
  let current = builtInAgents;
  let version = "";
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = deps.clock.now().getTime();
    if (Math.abs(now - checkedAt) < RECHECK_MS) return current;
    checkedAt = now;
    const found = statSync(file, { throwIfNoEntry: false });
    const seen = found ? `${found.ino}/${found.mtimeMs}/${found.size}` : "";
    if (seen === version) return current;
    version = seen;
    try {
      current = found ? onTopOfBuiltIn(parse(readFileSync(file, "utf8"))) : builtInAgents;
    } catch (error) {
      deps.logger.error({ err: error, file }, "the list of agents cannot be read; the one before stays in use");
    }
    return current;
  };
}

/**
 * Checks a list and puts it into the data directory, where running servers find it. Throws `AppError invalid` that names
 * what is wrong, and leaves everything as it was.
 */
export async function updateAgentList(dataDirectory: string, from: string): Promise<AgentList> {
  const found = await stat(from).catch(() => null);
  if (!found?.isFile()) throw new AppError("invalid", `There is no file ${from}.`);
  if (found.size > MAX_BYTES) throw new AppError("invalid", "A list of agents has 2 MB at most.");
  const json = await readFile(from, "utf8");
  const list = checked(json);
  const file = agentListFile(dataDirectory);
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(json);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await flushFolder(dataDirectory);
  return onTopOfBuiltIn(list);
}

function checked(json: string): AgentList {
  try {
    return parse(json);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw new AppError("invalid", "The list of agents is not JSON.");
    const details = error.issues.slice(0, 10).map((issue) => ({ path: issue.path.join("."), message: issue.message }));
    const first = details[0];
    throw new AppError("invalid", `The list of agents is not as it should be: ${first?.path}: ${first?.message}.`, {
      details,
    });
  }
}
