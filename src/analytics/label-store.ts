import type { DatabaseTransaction } from "#db/database.ts";
import { BoundedMap } from "./counts-cache.ts";
import { type LabelKind, labelKinds } from "./labels.ts";

/** How many texts of a kind a project may have; what comes after shares one label. */
const LIMITS: Record<LabelKind, number> = { page: 200_000, client: 5_000, referrer: 5_000, missing: 5_000 };
/** Stands for every text beyond the limit. */
export const OTHER_LABEL = "(other)";

const MAX_REMEMBERED = 300_000;
const CHUNK = 500;

/** Numbers of texts, made when new. Used under a project's write lock; `forget` after a transaction that failed. */
export interface LabelStore {
  /** Makes sure that `text` of every entry has a number. */
  ensure(transaction: DatabaseTransaction, project: number, wanted: ReadonlyMap<LabelKind, Set<string>>): Promise<void>;
  /** A number that `ensure` made sure of. */
  get(project: number, kind: LabelKind, text: string): number;
  forget(): void;
}

export function createLabelStore(): LabelStore {
  const known = new BoundedMap<string, number>(MAX_REMEMBERED);
  const sizes = new Map<string, number>();
  const keyOf = (project: number, kind: LabelKind, text: string) => `${project}/${labelKinds[kind]}/${text}`;

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

  const insert = async (transaction: DatabaseTransaction, project: number, kind: LabelKind, texts: string[]) => {
    const { last } = await transaction
      .selectFrom("analytics_label")
      .select(({ fn }) => fn.max("id").as("last"))
      .where("project", "=", project)
      .executeTakeFirstOrThrow();
    let id = Number(last ?? 0);
    const rows = texts.map((text) => ({ project, id: ++id, kind: labelKinds[kind], text }));
    for (let start = 0; start < rows.length; start += CHUNK) {
      await transaction
        .insertInto("analytics_label")
        .values(rows.slice(start, start + CHUNK))
        .execute();
    }
    for (const row of rows) known.set(keyOf(project, kind, row.text), row.id);
  };

  const sizeOf = async (transaction: DatabaseTransaction, project: number, kind: LabelKind) => {
    const { size } = await transaction
      .selectFrom("analytics_label")
      .select(({ fn }) => fn.countAll<number>().as("size"))
      .where("project", "=", project)
      .where("kind", "=", labelKinds[kind])
      .executeTakeFirstOrThrow();
    return Number(size);
  };

  const useOther = async (transaction: DatabaseTransaction, project: number, kind: LabelKind, texts: string[]) => {
    const key = keyOf(project, kind, OTHER_LABEL);
    if (!known.has(key)) await find(transaction, project, kind, [OTHER_LABEL]);
    if (!known.has(key)) await insert(transaction, project, kind, [OTHER_LABEL]);
    const other = known.get(key) ?? 0;
    for (const text of texts) known.set(keyOf(project, kind, text), other);
  };

  return {
    async ensure(transaction, project, wanted) {
      for (const [kind, texts] of wanted) {
        const unknown = [...texts].filter((text) => !known.has(keyOf(project, kind, text)));
        if (unknown.length === 0) continue;
        await find(transaction, project, kind, unknown);
        const fresh = unknown.filter((text) => !known.has(keyOf(project, kind, text)));
        if (fresh.length === 0) continue;
        const sizeKey = `${project}/${kind}`;
        const size = sizes.get(sizeKey) ?? (await sizeOf(transaction, project, kind));
        const room = Math.max(0, LIMITS[kind] - size);
        const added = fresh.slice(0, room);
        sizes.set(sizeKey, size + added.length);
        if (added.length > 0) await insert(transaction, project, kind, added);
        if (added.length < fresh.length) await useOther(transaction, project, kind, fresh.slice(room));
      }
    },
    get(project, kind, text) {
      const id = known.get(keyOf(project, kind, text));
      if (id === undefined) throw new Error(`no label was made for a ${kind}`);
      return id;
    },
    forget() {
      known.clear();
      sizes.clear();
    },
  };
}
