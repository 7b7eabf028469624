import type { DatabaseTransaction } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { findSecrets } from "#lib/secrets/secret-scan.ts";
import { dayOf } from "#features/visitors/day.ts";
import { type CappedKind, type LabelKind, labelKinds } from "#features/visitors/labels.ts";
import { countLabels, ensureOtherLabel, insertLabels, leastUsedLabels, mergeLabels } from "./label-rows.ts";

/**
 * How many texts of a kind are kept. Beyond that, those with the fewest views become "(other)". Not for pages: visitors
 * are counted by them.
 */
const KEPT = { client: 5_000, referrer: 5_000, missing: 5_000 } as const satisfies Record<CappedKind, number>;
/** How many labels are freed at a time, and how many new texts one batch of views may bring. */
const MADE_ROOM = 1_000;
/** New texts of a kind per day, so that a project's numbers for them last (2 ** 31) and its table stays small. */
const NEW_PER_DAY: Record<LabelKind, number> = { page: 200_000, client: 50_000, referrer: 50_000, missing: 50_000 };

const MAX_REMEMBERED = 300_000;
const CHUNK = 500;

/** A project's labels, according to its locked row. */
export interface LabelledProject {
  number: number;
  /** Incremented when labels were deleted: cached numbers may be gone. */
  labelVersion: number;
}

/** Texts with the number of their uses. */
export type WantedLabels = ReadonlyMap<LabelKind, ReadonlyMap<string, number>>;

/**
 * Numbers of texts, created on first use. Call it under a project's write lock; call `forget` after a failed
 * transaction.
 */
export interface LabelStore {
  /** Ensures that every text has a number: its own, or that of "(other)". */
  ensure(transaction: DatabaseTransaction, project: LabelledProject, wanted: WantedLabels): Promise<void>;
  /** A number that the project's last `ensure` has resolved. */
  get(project: number, kind: LabelKind, text: string): number;
  forget(): void;
}

export function createLabelStore({ clock }: { clock: Clock }): LabelStore {
  const known = createLruCache<string, number>({ maxWeight: MAX_REMEMBERED });
  const versions = new Map<number, number>();
  const sizes = new Map<string, number>();
  /** "(other)" by kind, for texts of the last `ensure` without a number of their own. */
  const others = new Map<LabelKind, number>();
  const madeOn = new Map<string, { day: number; labels: number }>();
  const keyOf = (project: number, kind: LabelKind, text: string) =>
    `${project}/${versions.get(project) ?? 0}/${labelKinds[kind]}/${text}`;

  const find = async (transaction: DatabaseTransaction, project: number, kind: LabelKind, texts: string[]) => {
    for (let start = 0; start < texts.length; start += CHUNK) {
      const rows = await transaction
        .selectFrom("analytics_label")
        .select(["id", "text"])
        .where("project", "=", project)
        .where("kind", "=", labelKinds[kind])
        .where("text", "in", texts.slice(start, start + CHUNK))
        .execute();
      for (const row of rows) known.set(keyOf(project, kind, row.text), row.id);
    }
  };

  const remember = (project: number, kind: LabelKind, added: ReadonlyMap<string, number>) => {
    for (const [text, id] of added) known.set(keyOf(project, kind, text), id);
  };

  const missingTexts = (project: number, kind: LabelKind, texts: ReadonlyMap<string, number>) =>
    [...texts.keys()].filter((text) => known.get(keyOf(project, kind, text)) === undefined);

  const findAll = async (transaction: DatabaseTransaction, project: number, wanted: WantedLabels) => {
    for (const [kind, texts] of wanted) await find(transaction, project, kind, missingTexts(project, kind, texts));
  };

  /** How many new texts of a kind may still be created today; `use` consumes some. */
  const roomToday = (project: number, kind: LabelKind) => {
    const day = dayOf(clock.now().getTime());
    const key = `${project}/${kind}`;
    const before = madeOn.get(key);
    const made = before?.day === day ? before : { day, labels: 0 };
    madeOn.set(key, made);
    const left = Math.max(0, NEW_PER_DAY[kind] - made.labels);
    return {
      left: kind === "page" ? left : Math.min(left, MADE_ROOM),
      use: (labels: number) => (made.labels += labels),
    };
  };

  /** Merges the least used labels of a kind into "(other)" when `added` more would be too many. */
  const makeRoom = async (transaction: DatabaseTransaction, project: number, kind: CappedKind, added: number) => {
    const sizeKey = `${project}/${kind}`;
    const size = sizes.get(sizeKey) ?? (await countLabels(transaction, project, kind));
    sizes.set(sizeKey, size + added);
    if (size + added <= KEPT[kind]) return;
    const into = await ensureOtherLabel(transaction, project, kind);
    const ids = await leastUsedLabels(transaction, { project, kind, keep: KEPT[kind] - MADE_ROOM - added });
    if (ids.length > 0) versions.set(project, await mergeLabels(transaction, { project, kind, ids, into }));
    sizes.set(sizeKey, size + added - ids.length);
  };

  return {
    async ensure(transaction, { number: project, labelVersion }, wanted) {
      if (versions.get(project) !== labelVersion) for (const kind of wanted.keys()) sizes.delete(`${project}/${kind}`);
      versions.set(project, labelVersion);
      others.clear();
      await findAll(transaction, project, wanted);
      for (const [kind, texts] of wanted) {
        const added = Math.min(missingTexts(project, kind, texts).length, roomToday(project, kind).left);
        if (kind !== "page" && added > 0) await makeRoom(transaction, project, kind, added);
      }
      await findAll(transaction, project, wanted); // no query needed, unless labels were merged
      for (const [kind, texts] of wanted) {
        // The most used first, among equals the newest: a flood of unique texts displaces no others.
        const fresh = missingTexts(project, kind, texts).reverse();
        fresh.sort((a, b) => (texts.get(b) ?? 0) - (texts.get(a) ?? 0));
        const today = roomToday(project, kind);
        const added = fresh.slice(0, today.left);
        // Clients choose their own names, and which paths they ask for.
        const named = added.filter((text) => findSecrets(text).length === 0);
        remember(project, kind, await insertLabels(transaction, { project, kind, texts: named }));
        today.use(added.length);
        if (named.length < fresh.length) others.set(kind, await ensureOtherLabel(transaction, project, kind));
      }
    },
    get(project, kind, text) {
      const id = known.get(keyOf(project, kind, text)) ?? others.get(kind);
      if (id === undefined) throw new Error(`no label was made for a ${kind}`);
      return id;
    },
    forget() {
      for (const memory of [known, versions, sizes, others]) memory.clear();
    },
  };
}
