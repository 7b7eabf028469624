import { createHash } from "node:crypto";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import { dayOf } from "#features/visitors/day.ts";
import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { readClient } from "#features/visitors/clients/agents.ts";
import { classOf, maskOf, storedClass, viewClasses } from "#features/visitors/clients/rules.ts";
import { unlistedAddress } from "#features/visitors/clients/verify-agent.ts";
import { visitorNumber } from "#features/visitors/clients/visitor-key.ts";
import {
  type Fact,
  rewriteFacts,
  type Source,
  sources,
  type Surface,
  surfaces,
  verifications,
} from "#features/visitors/facts.ts";
import { facets } from "#features/visitors/labels.ts";
import { readKeptSecrets, type VisitorSecret } from "#features/visitors/secrets.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Logger } from "#lib/logger.ts";
import { createNumberTest } from "./address-keys.ts";
import { createIndexStores } from "./index-store.ts";
import { lockProject } from "./project-row.ts";
import { rewriteDay } from "./retally.ts";
import { ipv6Groups } from "#lib/network/network-address.ts";

/** Per version of IP; 4 µs each. ChatGPT-User has 3,840. Views of an agent with more are not judged again. */
const MAX_ADDRESSES = 200_000;

interface JudgeDeps {
  database: Database;
  vault: KeyVault;
  logger: Logger;
  /** The list of agents in use; what comes with Docent by default. */
  agents?: AgentList;
}

/**
 * Judges views again whose agent's address was on no list, with the current list. No address is stored: the visitor
 * numbers of all listed addresses are computed, and a view with one of them is verified. The others are spoofed if the
 * list is recent enough to be certain. If a count changes, the visitor index becomes due for a rebuild.
 */
export async function judgeViewsAgain(
  { database, vault, logger, agents: list = builtInAgents }: JudgeDeps,
  projectId: ProjectId,
  signal?: AbortSignal,
): Promise<void> {
  const row = await database.kysely
    .selectFrom("analytics_project")
    .select(["number", "judged_by"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (!row) return;
  const version = createHash("sha256")
    .update(JSON.stringify([...list.networks]))
    .digest("base64url");
  const { kept, destroyedUntil } = await readKeptSecrets({ queryable: database.kysely, vault }, projectId);
  const doubtful = await readDoubtful(database, row.number, list);
  const stores = createIndexStores(database);
  let judged = 0;
  for (const [product, days] of doubtful) {
    const listed = addressesInRanges(list.networks.get(product) ?? [], MAX_ADDRESSES);
    const addresses = [...(listed.ipv4 ?? []), ...(listed.ipv6 ?? [])];
    const isListed = createNumberTest(listedNumbers({ addresses, product, secrets: kept }));
    const isComplete = (isIpv6: boolean) => (isIpv6 ? listed.ipv6 : listed.ipv4) !== null;
    for (const [day, { labels, isUnverified }] of days) {
      signal?.throwIfAborted();
      // Numbers for a destroyed secret cannot be computed.
      if (destroyedUntil !== null && day <= dayOf(destroyedUntil)) continue;
      const isCertain = unlistedAddress(list, product, day) === "spoofed";
      if (row.judged_by === version && !(isUnverified && isCertain)) continue;
      const judge = (fact: Fact) =>
        judgement(fact, {
          labels,
          isCertain: isCertain && isComplete(fact.isIpv6),
          isListed: (number) => isListed(day, number),
        });
      judged += await database.transaction(async (transaction) => {
        const { number } = await lockProject(database, transaction, projectId);
        return judgeDay({ transaction, stores }, { projectId, number, day, judge });
      });
    }
  }
  if (row.judged_by !== version) {
    await database.kysely
      .updateTable("analytics_project")
      .set({ judged_by: version })
      .where("project_id", "=", projectId)
      .execute();
  }
  if (judged > 0) logger.info({ projectId, views: judged }, "views of agents were judged again by newer lists");
}

interface DoubtfulDay {
  /** Labels of the agent, with the category that its views were assigned. */
  labels: Map<number, ReturnType<typeof readClient>["category"]>;
  isUnverified: boolean;
}

/** Days with unverified or spoofed views, by agents with known addresses. */
async function readDoubtful(
  { kysely }: Database,
  project: number,
  { networks }: AgentList,
): Promise<Map<string, Map<number, DoubtfulDay>>> {
  const rows = await kysely
    .selectFrom("view_tally as t")
    .innerJoin("analytics_label as l", (join) => join.onRef("l.project", "=", "t.project").onRef("l.id", "=", "t.item"))
    .select(["t.day", "t.item", "t.other", "l.text"])
    .where("t.project", "=", project)
    .where("t.facet", "=", facets.verification)
    .where((expression) => expression.or([expression("t.ai", ">", 0), expression("t.other", ">", 0)]))
    .orderBy("t.day")
    .execute();
  const doubtful = new Map<string, Map<number, DoubtfulDay>>();
  for (const { day, item, other, text } of rows) {
    const { product, category } = readClient(text, []); // as it was judged then
    if (!networks.has(product)) continue;
    const days = doubtful.get(product) ?? new Map<number, DoubtfulDay>();
    const known = days.get(day) ?? { labels: new Map(), isUnverified: false };
    known.labels.set(item, category);
    known.isUnverified ||= Number(other) > 0;
    days.set(day, known);
    doubtful.set(product, days);
  }
  return doubtful;
}

/** The numbers of an agent's visitors at listed addresses. */
function listedNumbers(given: { addresses: readonly string[]; product: string; secrets: readonly VisitorSecret[] }) {
  const numbersOf = (mode: "stable" | "daily", day: number) =>
    new Set(
      given.secrets.flatMap((secret) =>
        given.addresses.map((address) =>
          visitorNumber({ mode, secret, address, product: given.product, cookie: null, isPrivate: false, day }),
        ),
      ),
    );
  return { stable: numbersOf("stable", 0), ofDay: (day: number) => numbersOf("daily", day) };
}

type Judgement = Pick<Fact, "verification" | "viewClass" | "isIpv6">;

interface Judging {
  labels: DoubtfulDay["labels"];
  /** Whether the list is recent enough to tell that such a view is spoofed. */
  isCertain: boolean;
  isListed(number: number): boolean;
}

/** The fact as judged by the current list; null when it does not change. */
function judgement(fact: Fact, { labels, isCertain, isListed }: Judging): Judgement | null {
  const category = labels.get(fact.client);
  const isUnverified = fact.verification === verifications.unverified;
  if (category === undefined || !(isUnverified || fact.verification === verifications.spoofed)) return null;
  const isFound = isListed(fact.visitor);
  if (!isFound && !(isUnverified && isCertain)) return null;
  const viewClass = classOf({
    category,
    source: nameOf<Source>(sources, fact.source),
    surface: nameOf<Surface>(surfaces, fact.surface),
    isSpoofed: !isFound,
    isAutomated: false, // browsers only
    isNavigation: false,
  });
  if (viewClass === "unconfirmed") return null; // browsers only
  const verification = isFound ? verifications.verified : verifications.spoofed;
  return { verification, viewClass: viewClasses[viewClass], isIpv6: fact.isIpv6 && !isFound };
}

const nameOf = <Name extends string>(numbers: Record<Name, number>, number: number): Name =>
  (Object.keys(numbers) as Name[]).find((name) => numbers[name] === number)!;

/** Judges the views of one day, and returns how many changed. The caller holds the project's write lock. */
async function judgeDay(
  { transaction, stores }: { transaction: DatabaseTransaction; stores: ReturnType<typeof createIndexStores> },
  given: { projectId: ProjectId; number: number; day: number; judge(fact: Fact): Judgement | null },
): Promise<number> {
  let changed = 0;
  let isCountChanged = false;
  await rewriteDay({ transaction, stores }, given, (segment) => {
    const content = rewriteFacts(segment, (fact) => {
      const judgedNow = given.judge(fact);
      if (judgedNow === null) return null;
      changed++;
      const [before, after] = [fact.viewClass, judgedNow.viewClass].map((each) => maskOf(storedClass(each)));
      isCountChanged ||= before !== after;
      return judgedNow;
    });
    return content && { content };
  });
  if (isCountChanged) {
    // Makes the index due for a rebuild, even if this process dies now. A running rebuild has read outdated facts, so
    // it ends.
    await transaction
      .updateTable("analytics_project")
      .set({ rules_version: 0, next_index: null })
      .where("project_id", "=", given.projectId)
      .execute();
  }
  return changed;
}

/** Addresses by version; null for a version that has too many. */
interface ListedAddresses {
  ipv4: string[] | null;
  ipv6: string[] | null;
}

/**
 * The addresses of ranges as visitor numbers distinguish them: every IPv4 address, one per /64 of IPv6. At most `max`
 * per version.
 */
function addressesInRanges(ranges: readonly string[], max: number): ListedAddresses {
  const { ipv4 = [], ipv6 = [] } = Object.groupBy(ranges, (range) => (range.includes(":") ? "ipv6" : "ipv4"));
  return { ipv4: addressesIn(ipv4, { max, width: 32 }), ipv6: addressesIn(ipv6, { max, width: 64 }) };
}

/** `width`: the bits that distinguish addresses. */
function addressesIn(ranges: readonly string[], { max, width }: { max: number; width: 32 | 64 }): string[] | null {
  const addresses: string[] = [];
  for (const range of ranges) {
    const [network = "", bits] = range.split("/", 2);
    const groups = width === 64 ? ipv6Groups(network)?.slice(0, 4) : network.split(".").map(Number);
    if (!groups) continue;
    const prefix = Math.min(bits === undefined ? width : Number(bits), width);
    const size = 2 ** (width - prefix);
    if (addresses.length + size > max) return null;
    let first = 0n;
    for (const group of groups) first = (first << BigInt(width / 4)) | BigInt(group);
    first = (first >> BigInt(width - prefix)) << BigInt(width - prefix);
    for (let index = 0; index < size; index++) addresses.push(addressText(first + BigInt(index), width));
  }
  return addresses;
}

function addressText(number: bigint, width: 32 | 64): string {
  const unit = width / 4;
  const groups = [3, 2, 1, 0].map((place) => Number((number >> BigInt(place * unit)) & BigInt(2 ** unit - 1)));
  return width === 64 ? `${groups.map((group) => group.toString(16)).join(":")}::` : groups.join(".");
}
