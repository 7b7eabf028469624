import type { DatabaseTransaction } from "#db/database.ts";
import { monthStart } from "#features/visitors/day.ts";
import type { createIndexStores } from "./index-store.ts";
import { sumMonth, tallyDay } from "./retally.ts";

/**
 * Changes segments of a day, and tallies the day and its month again where there was something to change. `change` answers
 * with what of a segment is another; null for one that stays. The caller holds the project's write lock.
 */
export async function rewriteDay(
  { transaction, stores }: { transaction: DatabaseTransaction; stores: ReturnType<typeof createIndexStores> },
  { number, day }: { number: number; day: number },
  change: (content: Uint8Array) => { content: Uint8Array; views?: number } | null,
): Promise<void> {
  let isChanged = false;
  const segments = await transaction
    .selectFrom("view_segment")
    .select(["seq", "content"])
    .where("project", "=", number)
    .where("day", "=", day)
    .execute();
  for (const { seq, content } of segments) {
    const changed = change(content);
    if (changed === null) continue;
    isChanged = true;
    await transaction
      .updateTable("view_segment")
      .set(changed)
      .where("project", "=", number)
      .where("day", "=", day)
      .where("seq", "=", seq)
      .execute();
  }
  if (!isChanged) return;
  await tallyDay({ transaction, stores }, { number, day });
  await sumMonth(transaction, { project: number, month: monthStart(day) });
}
