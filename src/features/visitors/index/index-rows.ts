import type { DatabaseTransaction } from "#db/database.ts";
import { type CountRow, decodePack, packRows, packSpans } from "./pack.ts";

/** All rows of an index, packed or not: "day/page/previous" to "human/ai/total". For comparing two indexes. */
export async function readIndexRows(transaction: DatabaseTransaction, index: number): Promise<Map<string, string>> {
  const sums = new Map<string, { human: number; ai: number; total: number }>();
  const add = (day: number, row: CountRow) => {
    const key = `${day}/${row.page}/${row.previous}`;
    const sum = sums.get(key) ?? { human: 0, ai: 0, total: 0 };
    sums.set(key, { human: sum.human + row.human, ai: sum.ai + row.ai, total: sum.total + row.total });
  };
  const packs = await transaction
    .selectFrom("visitor_pack")
    .select(["day", "content"])
    .where("project", "=", index)
    .where("span", "in", [packSpans.day, packSpans.dayOfPackedMonth])
    .execute();
  for (const { day, content } of packs) for (const row of packRows(decodePack(content))) add(day, row);
  const rows = await transaction.selectFrom("visitor_count").selectAll().where("project", "=", index).execute();
  for (const row of rows) add(row.day, row);
  const texts = new Map<string, string>();
  for (const [key, { human, ai, total }] of sums) {
    if (human !== 0 || ai !== 0 || total !== 0) texts.set(key, `${human}/${ai}/${total}`);
  }
  return texts;
}
