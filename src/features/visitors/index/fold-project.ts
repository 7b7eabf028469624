import type { DatabaseTransaction } from "#db/database.ts";
import { DAY_MS } from "#lib/clock.ts";
import {
  type Classify,
  type ClientFacts,
  UNNAMED_AGENT,
  editorFacts,
  isEditorFetch,
} from "#features/visitors/clients/classify.ts";
import { clientText } from "#features/visitors/clients/agents.ts";
import { dayOf } from "#features/visitors/day.ts";
import {
  type Fact,
  preferences,
  sources,
  surfaces,
  type Verification,
  verifications,
} from "#features/visitors/facts.ts";
import type { IndexStore } from "./index-store.ts";
import type { LabelStore, WantedLabels } from "./label-store.ts";
import { type LabelKind, labelKinds } from "#features/visitors/labels.ts";
import { classOf, type Exclusion, maskOf, type ViewClass, viewClasses } from "#features/visitors/clients/rules.ts";
import type { VisitorSecret } from "#features/visitors/secrets.ts";
import type { SegmentStore } from "./segments.ts";
import type { AnalyticsSettings } from "#features/visitors/settings.ts";
import { createTally, type Tally, tallyView } from "./tally.ts";
import type { ServedPagesRecord, JournalRecord, ViewRecord } from "#features/visitors/view-record.ts";
import type { createAgentVerifier } from "#features/visitors/clients/verify-agent.ts";
import { type Appearance, addAppearances } from "./visitor-index.ts";
import { type createVisitorNumbers, eventNumber } from "#features/visitors/clients/visitor-key.ts";

/** The state of a project before its records are read. */
export interface ProjectContext {
  number: number;
  /** See `LabelledProject`. */
  labelVersion: number;
  /** The visitor index, and the next one during a rebuild. */
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

/** A record with the client that its headers describe. */
interface Judged {
  record: ViewRecord;
  day: number;
  /** Stored text of the client: category and product. */
  client: string;
  keyProduct: string;
  verification: Verification;
  /** Class of the view if the page exists. */
  viewClass: ViewClass | "unconfirmed";
  event: number;
}

type KeptView = Judged & { viewClass: ViewClass };

/** The results for some records; they add up to the number of records. */
export interface FoldOutcome {
  /** Human or AI. */
  counted: number;
  /** Stored, but neither: crawlers and programs. */
  uncounted: number;
  /** Counted before. */
  known: number;
  tooOld: number;
  /** From excluded addresses, readers who opt out, or a project that counts nothing. */
  refused: number;
}

export const emptyOutcome = (): FoldOutcome => ({ counted: 0, uncounted: 0, known: 0, tooOld: 0, refused: 0 });

/**
 * Folds the records of one project and returns how many rows of counts that added to each index. The caller holds its
 * write lock and the transaction.
 */
export async function foldProject(
  tools: FoldTools,
  context: ProjectContext,
  records: readonly JournalRecord[],
  outcome: FoldOutcome = emptyOutcome(),
): Promise<Map<number, number>> {
  const changed = new Map<number, number>();
  if (!context.settings.collect) {
    outcome.refused += records.length;
    return changed;
  }
  const tally = createTally();
  const judged: Judged[] = [];
  for (const record of records) {
    if ("shed" in record) tally.exclude("shed", dayOf(record.time), record.shed);
    else if ("delivered" in record) tallyServedPages(context, record, tally);
    else judged.push(judge(tools, record));
  }
  const admitted = judged.filter(({ record, day }) => {
    const exclusion = context.settings.isExcluded(record.address) ? "own_traffic" : refusal(context, record, day);
    if (exclusion !== null) {
      tally.exclude(exclusion, day);
      outcome[exclusion === "too_old" ? "tooOld" : "refused"]++;
    }
    return exclusion === null;
  });
  const fresh = await withoutRepeats(tools, context.number, admitted, tally);
  outcome.known += admitted.length - fresh.length;
  await tools.labels.ensure(tools.transaction, context, wantedLabels(fresh));

  const facts = new Map<number, Fact[]>();
  const appearances: Appearance[] = [];
  for (const one of fresh) {
    if (!isKept(one)) {
      outcome.uncounted++;
      tallyUnkept(tally, one, (path) => tools.labels.get(context.number, "missing", path));
      continue;
    }
    const fact = factOf(tools, context, one);
    tallyView(tally, { day: one.day, fact });
    // The page is among those that wait for this confirmation. Of two days, the earlier one keeps it and the later one
    // lacks it.
    if (one.record.isOfServedPage && isOfBrowser(one.viewClass)) tally.exclude("unconfirmed", one.day, -1);
    const ofDay = facts.get(one.day);
    if (ofDay) ofDay.push(fact);
    else facts.set(one.day, [fact]);
    const mask = maskOf(one.viewClass);
    outcome[mask === 0 ? "uncounted" : "counted"]++;
    if (mask !== 0) appearances.push({ visitor: fact.visitor, page: fact.page, day: one.day, mask });
  }
  for (const index of context.indexes) changed.set(index, await addAppearances(tools.store, index, appearances));
  for (const [day, ofDay] of facts) {
    await tools.segments.append(tools.transaction, { project: context.number, day }, ofDay);
  }
  await tools.store.addTallies(context.number, tally.rows());
  return changed;
}

function judge({ classify, verify }: FoldTools, record: ViewRecord): Judged {
  const facts = unmask(classify(record.userAgent, record.signatureAgent), record);
  const { category } = facts;
  const verification = category === "browser" ? "unknown" : verify(facts.product, record);
  return {
    record,
    day: dayOf(record.time),
    client: clientText(facts.category, facts.product),
    keyProduct: facts.keyProduct,
    verification,
    viewClass: classOf({
      category,
      source: record.source,
      surface: record.surface,
      isSpoofed: verification === "spoofed",
      isAutomated: record.isAutomated ?? false,
      isNavigation: record.isNavigation ?? false,
    }),
    event: record.event === null ? 0 : eventNumber(record.event),
  };
}

/** No browser prefers Markdown. Coding agents with a browser's user agent do: OpenCode, November 2026. */
function unmask(facts: ClientFacts, record: ViewRecord): ClientFacts {
  const { preference, source, isNavigation = false } = record;
  if (facts.category === "browser" && isEditorFetch(record)) return editorFacts(record.userAgent);
  const isMasked = facts.category === "browser" && preference === "markdown" && source !== "confirmed" && !isNavigation;
  return isMasked ? UNNAMED_AGENT : facts;
}

/** Why a view is not a reader's, whatever the client; only the number of such views is stored. Null for all others. */
function refusal(
  { settings, keptFrom }: ProjectContext,
  { isPrefetch, isPrivate }: Pick<ServedPagesRecord, "isPrefetch" | "isPrivate">,
  day: number,
): Exclusion | null {
  if (isPrefetch) return "prefetch";
  if (isPrivate && !settings.countPrivate) return "not_collected";
  return day < Math.max(1, keptFrom) ? "too_old" : null;
}

function tallyServedPages(context: ProjectContext, record: ServedPagesRecord, tally: Tally): void {
  const day = dayOf(record.time);
  tally.exclude(refusal(context, record, day) ?? (record.isFlood ? "flood" : "unconfirmed"), day, record.delivered);
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
    // `delete` returns whether it was there: the first of equal events removes it.
    if (one.event === 0 || !isKept(one) || newOfDay.get(one.day)?.delete(one.event)) return true;
    tally.exclude("duplicate", one.day);
    return false;
  });
}

function wantedLabels(judged: readonly Judged[]): WantedLabels {
  const wanted = new Map((Object.keys(labelKinds) as LabelKind[]).map((kind) => [kind, new Map<string, number>()]));
  const want = (kind: LabelKind, text: string) => {
    const texts = wanted.get(kind);
    texts?.set(text, (texts.get(text) ?? 0) + 1);
  };
  for (const one of judged) {
    const { record, client } = one;
    if (!record.found) want("missing", record.path);
    if (!isKept(one)) continue;
    want("page", record.path);
    want("client", client);
    if (record.referrer !== null) want("referrer", record.referrer);
  }
  return wanted;
}

function factOf({ labels, visitorNumberOf }: FoldTools, context: ProjectContext, one: KeptView): Fact {
  const { record, day, viewClass } = one;
  const { number, settings, secret } = context;
  return {
    timeOfDay: record.time - day * DAY_MS,
    page: labels.get(number, "page", record.path),
    visitor: visitorNumberOf(number, {
      mode: settings.identity,
      secret,
      address: record.address,
      product: one.keyProduct,
      cookie: record.cookie,
      isPrivate: record.isPrivate,
      day,
    }),
    client: labels.get(number, "client", one.client),
    referrer: record.referrer === null ? 0 : labels.get(number, "referrer", record.referrer),
    source: sources[record.source],
    surface: surfaces[record.surface],
    preference: preferences[record.preference],
    verification: verifications[one.verification],
    viewClass: viewClasses[viewClass],
    found: true, // otherwise nothing is kept
    isPrivate: record.isPrivate,
    isIpv6: isDoubtful(one.verification) && record.address.includes(":"),
    event: one.event,
  };
}

/** The verifications that `judgeViewsAgain` revisits. */
const isDoubtful = (verification: Verification) => verification === "unverified" || verification === "spoofed";

/** A browser's request for a page only precedes its confirmation, and a missing page is not a view. */
function isKept(view: Judged): view is KeptView {
  return view.record.found && view.viewClass !== "unconfirmed";
}

/** The classes that a browser's confirmation can have: for other clients each page is a record when it is served. */
const isOfBrowser = (viewClass: ViewClass) => viewClass === "human" || viewClass === "automated";

function tallyUnkept(tally: Tally, { day, viewClass, record }: Judged, missingPage: (path: string) => number): void {
  if (record.found) return tally.exclude("unconfirmed", day);
  tally.add("missing", day, missingPage(record.path), maskOf(viewClass));
  tally.exclude("not_found", day);
}
