import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { replaceFile } from "#lib/durable-file.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";

/** The addresses that an operator published for an agent. */
export interface PublishedAddresses {
  /** `YYYY-MM-DD`: the last day on which they were known to be published. */
  date: string;
  ranges: readonly string[];
}

/** Where operators publish the addresses of their agents, according to their own documentation (November 2026). */
export const PUBLICATIONS: readonly { url: string; agents: readonly string[] }[] = [
  { url: "https://openai.com/chatgpt-user.json", agents: ["ChatGPT-User"] },
  { url: "https://openai.com/searchbot.json", agents: ["OAI-SearchBot"] },
  { url: "https://openai.com/gptbot.json", agents: ["GPTBot"] },
  { url: "https://claude.com/crawling/bots.json", agents: ["ClaudeBot", "Claude-SearchBot", "Claude-User"] },
  { url: "https://www.perplexity.com/perplexity-user.json", agents: ["Perplexity-User"] },
  { url: "https://www.perplexity.com/perplexitybot.json", agents: ["PerplexityBot"] },
  { url: "https://mistral.ai/mistralai-user-ips.json", agents: ["MistralAI-User"] },
  { url: "https://mistral.ai/mistralai-index-ips.json", agents: ["MistralAI-Index"] },
  {
    url: "https://developers.google.com/static/crawling/ipranges/user-triggered-agents.json",
    agents: ["Google-Agent"],
  },
  { url: "https://developers.google.com/static/crawling/ipranges/common-crawlers.json", agents: ["Googlebot"] },
  { url: "https://www.bing.com/toolbox/bingbot.json", agents: ["Bingbot"] },
  { url: "https://duckduckgo.com/duckassistbot.json", agents: ["DuckAssistBot"] },
  { url: "https://duckduckgo.com/duckduckbot.json", agents: ["DuckDuckBot"] },
  { url: "https://search.developer.apple.com/applebot.json", agents: ["Applebot"] },
  { url: "https://index.commoncrawl.org/ccbot.json", agents: ["CCBot"] },
];

/** For a file in any format. */
export const MAX_LIST_BYTES = 2 * 1024 * 1024;
export const MAX_RANGES = 20_000;
const MIN_PREFIX = { ipv4: 8, ipv6: 19 }; // the widest range that a registry has ever assigned to one holder

/** A range of addresses that could belong to one operator. */
export const AddressRange = z
  .string()
  .refine(isRange, "must be an address range such as 192.0.2.0/24, and not wider than /8 (IPv6: /19)");

function isRange(range: string): boolean {
  try {
    parseAddressRanges([range]);
  } catch {
    return false;
  }
  const bits = range.split("/")[1];
  return bits === undefined || Number(bits) >= (range.includes(":") ? MIN_PREFIX.ipv6 : MIN_PREFIX.ipv4);
}

// The operators' format: Google's of 2021, which the others adopted. Some add members of their own.
const Publication = z.looseObject({
  prefixes: z
    .array(
      z
        .looseObject({ ipv4Prefix: AddressRange.nullish(), ipv6Prefix: AddressRange.nullish() })
        .refine(
          ({ ipv4Prefix, ipv6Prefix }) => ipv4Prefix ?? ipv6Prefix,
          "has neither an ipv4Prefix nor an ipv6Prefix",
        ),
    )
    .min(1)
    .max(MAX_RANGES),
});

/** Whether a parsed file claims to be in the operators' format. */
export const isPublication = (content: unknown): boolean =>
  typeof content === "object" && content !== null && "prefixes" in content;

/** The ranges of a file in the operators' format. Throws a `ZodError`. */
export function publishedRanges(content: unknown): string[] {
  const { prefixes } = Publication.parse(content);
  return prefixes.flatMap(({ ipv4Prefix, ipv6Prefix }) => [ipv4Prefix ?? [], ipv6Prefix ?? []]).flat();
}

/** The file in the data directory with the lists that were fetched, or provided in the operators' own format. */
export const publishedAddressesFile = (dataDirectory: string): string =>
  path.join(dataDirectory, "agent-addresses.json");

const Kept = z.record(
  z.string(),
  z.strictObject({ date: z.iso.date(), ranges: z.array(AddressRange).min(1).max(MAX_RANGES) }),
);

/** Parses that file's content. Throws when it is damaged. */
export const parsePublishedAddresses = (json: string): Map<string, PublishedAddresses> =>
  new Map(Object.entries(Kept.parse(JSON.parse(json))));

/** The stored lists by agent; empty when the file is missing or damaged. */
export async function readPublishedAddresses(dataDirectory: string): Promise<Map<string, PublishedAddresses>> {
  const file = publishedAddressesFile(dataDirectory);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return new Map();
  try {
    return parsePublishedAddresses(await readFile(file, "utf8"));
  } catch {
    return new Map(); // `createAgentLists` logs it; the next write replaces the file
  }
}

/** Stores the lists of some agents; those of others stay. */
export async function keepPublishedAddresses(
  dataDirectory: string,
  lists: ReadonlyMap<string, PublishedAddresses>,
): Promise<void> {
  const all = new Map([...(await readPublishedAddresses(dataDirectory)), ...lists]);
  await replaceFile(publishedAddressesFile(dataDirectory), JSON.stringify(Object.fromEntries(all)));
}
