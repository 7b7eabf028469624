import type { DatabaseTransaction } from "#db/database.ts";
import type { ClientCategory } from "./agents.ts";
import type { Classify } from "./classify.ts";
import { clientText } from "./client-label.ts";
import { DAY_MS, dayOf } from "./day.ts";
import { type Fact, preferences, sources, surfaces, verifications } from "./facts.ts";
import type { IndexStore } from "./index-store.ts";
import type { LabelStore } from "./label-store.ts";
import type { LabelKind } from "./labels.ts";
import { classOf, type Exclusion } from "./rules.ts";
import type { VisitorSecret } from "./secrets.ts";
import type { SegmentStore } from "./segments.ts";
import type { AnalyticsSettings } from "./settings.ts";
import { createTally, type Tally, tallyView } from "./tally.ts";
import type { DeliveryRecord, JournalRecord, ViewRecord } from "./view-record.ts";
import type { createAgentVerifier } from "./verify-agent.ts";
import { type Appearance, addAppearances } from "./visitor-index.ts";
import { type createVisitorNumbers, eventNumber } from "./visitor-key.ts";

/** What is known of a project before its records are looked at. */
export interface ProjectContext {
  number: number;
  /** The visitor index, and the next one while a rebuild makes it. */
  indexes: readonly number[];
  /** First day that is kept. */
  keptFrom: number;
  settings: AnalyticsSettings;
  secret: VisitorSecret;
}

interface FoldTools {
  transaction: DatabaseTransaction;
  store: IndexStore;
  labels: LabelStore;
  segments: SegmentStore;
  classify: Classify;
  visitorNumberOf: ReturnType<typeof createVisitorNumbers>;
  verify: ReturnType<typeof createAgentVerifier>;
}

/** A record with what its headers say about the client. */
interface Judged {
  record: ViewRecord;
  day: number;
  /** Stored text of the client: category and product. */
  client: string;
  product: string;
  category: ClientCategory;
  /** Class of the view if the page is there. */
  mask: number;
  exclusion: Exclusion | null;
  event: number;
}

/**
 * Folds the records of one project and returns how many rows of counts that made in each index. The caller holds its write lock and
 * the transaction.
 */
export async function foldProject(
  tools: FoldTools,
  context: ProjectContext,
  records: readonly JournalRecord[],
): Promise<Map<number, number>> {
  const changed = new Map<number, number>();
  if (!context.settings.collect) return changed;
  const tally = createTally();
  const judged: Judged[] = [];
  for (const record of records) {
    if ("shed" in record) tally.exclude("shed", dayOf(record.time), record.shed);
    else if ("delivered" in record) tallyDeliveries(context, record, tally);
    else judged.push(judge(tools.classify, record));
  }
  const admitted = judged.filter(({ record, day }) => {
    const exclusion = context.settings.isExcluded(record.address) ? "own_traffic" : refusal(context, record, day);
    if (exclusion !== null) tally.exclude(exclusion, day);
    return exclusion === null;
  });
  const fresh = await withoutRepeats(tools, context.number, admitted, tally);
  await tools.labels.ensure(tools.transaction, context.number, wantedLabels(fresh));

  const facts = new Map<number, Fact[]>();
  const appearances: Appearance[] = [];
  for (const one of fresh) {
    if (!isKept(one)) {
      tallyUnkept(tally, one, (path) => tools.labels.get(context.number, "missing", path));
      continue;
    }
    const fact = factOf(tools, context, one);
    tallyView(tally, { day: one.day, fact, mask: one.mask, exclusion: one.exclusion });
    const ofDay = facts.get(one.day);
    if (ofDay) ofDay.push(fact);
    else facts.set(one.day, [fact]);
    if (one.mask !== 0) appearances.push({ visitor: fact.visitor, page: fact.page, day: one.day, mask: one.mask });
  }
  for (const index of context.indexes) changed.set(index, await addAppearances(tools.store, index, appearances));
  for (const [day, ofDay] of facts) {
    await tools.segments.append(tools.transaction, { project: context.number, day }, ofDay);
  }
  await tools.store.addTallies(context.number, tally.rows());
  return changed;
}

function judge(classify: Classify, record: ViewRecord): Judged {
  const facts = classify(record.userAgent, record.signatureAgent);
  const source = sources[record.source];
  const { mask, exclusion } = classOf({ category: facts.category, source, surface: surfaces[record.surface] });
  return {
    record,
    day: dayOf(record.time),
    client: clientText(facts.category, facts.product),
    product: facts.product,
    category: facts.category,
    mask,
    exclusion,
    event: record.event === null ? 0 : eventNumber(record.event),
  };
}

/** Why something is no traffic of readers at all, whoever sent it; nothing is stored of that but the number. */
function refusal(
  { settings, keptFrom }: ProjectContext,
  { isPrefetch, isPrivate }: Pick<DeliveryRecord, "isPrefetch" | "isPrivate">,
  day: number,
): Exclusion | null {
  if (isPrefetch) return "prefetch";
  if (isPrivate && !settings.countPrivate) return "not_collected";
  return day < Math.max(1, keptFrom) ? "too_old" : null;
}

function tallyDeliveries(context: ProjectContext, record: DeliveryRecord, tally: Tally): void {
  const day = dayOf(record.time);
  tally.exclude(refusal(context, record, day) ?? "unconfirmed", day, record.delivered);
}

async function withoutRepeats(
  { segments, transaction }: FoldTools,
  project: number,
  judged: readonly Judged[],
  tally: Tally,
): Promise<Judged[]> {
  const newOfDay = new Map<number, Set<number>>();
  for (const [day, ofDay] of Map.groupBy(judged, (one) => one.day)) {
    const events = ofDay
      .filter(isKept)
      .map((one) => one.event)
      .filter((event) => event !== 0);
    if (events.length > 0) newOfDay.set(day, await segments.newEvents(transaction, { project, day }, events));
  }
  return judged.filter((one) => {
    // `delete` says whether it was there: the first of equal events takes it.
    if (one.event === 0 || !isKept(one) || newOfDay.get(one.day)?.delete(one.event)) return true;
    tally.exclude("duplicate", one.day);
    return false;
  });
}

function wantedLabels(judged: readonly Judged[]): Map<LabelKind, Set<string>> {
  const wanted = new Map<LabelKind, Set<string>>([
    ["page", new Set()],
    ["missing", new Set()],
    ["client", new Set()],
    ["referrer", new Set()],
  ]);
  for (const one of judged) {
    const { record, client } = one;
    if (!record.found) wanted.get("missing")?.add(record.path);
    if (!isKept(one)) continue;
    wanted.get("page")?.add(record.path);
    wanted.get("client")?.add(client);
    if (record.referrer !== null) wanted.get("referrer")?.add(record.referrer);
  }
  return wanted;
}

function factOf({ labels, visitorNumberOf, verify }: FoldTools, context: ProjectContext, one: Judged): Fact {
  const { record, day } = one;
  const { number, settings, secret } = context;
  return {
    timeOfDay: record.time - day * DAY_MS,
    page: labels.get(number, "page", record.path),
    visitor: visitorNumberOf(number, {
      mode: settings.identity,
      secret,
      address: record.address,
      product: one.product,
      cookie: record.cookie,
      isPrivate: record.isPrivate,
      day,
    }),
    client: labels.get(number, "client", one.client),
    referrer: record.referrer === null ? 0 : labels.get(number, "referrer", record.referrer),
    source: sources[record.source],
    surface: surfaces[record.surface],
    preference: preferences[record.preference],
    verification: one.category === "browser" ? verifications.unknown : verifications[verify(one.product, record)],
    found: true, // else nothing is kept
    isPrivate: record.isPrivate,
    event: one.event,
  };
}

/** A browser's fetch of a page is only the forerunner of its confirmation, and what was not found is no view. */
function isKept({ record, exclusion }: Judged): boolean {
  return record.found && exclusion !== "unconfirmed";
}

function tallyUnkept(tally: Tally, { day, mask, record }: Judged, missingPage: (path: string) => number): void {
  if (record.found) return tally.exclude("unconfirmed", day);
  tally.add("missing", day, missingPage(record.path), mask);
  tally.exclude("not_found", day);
}
