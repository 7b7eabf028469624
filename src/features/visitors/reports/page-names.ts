import type { Queryable } from "#db/database.ts";
import { compareCodePoints } from "#features/visitors/code-point-order.ts";
import { labelKinds } from "#features/visitors/labels.ts";

/** The pages of a project by label, with their places in path order. Labels are never changed, only added. */
export interface PageNames {
  /** Larger than every label in it. */
  size: number;
  paths: Map<number, string>;
  /** Place of each label among all paths in code point order. */
  rank: Uint32Array;
}

/** Reads the page labels of a project, only those added since `known`. */
export async function readPageNames(
  queryable: Queryable,
  project: number,
  known: PageNames | undefined,
): Promise<PageNames> {
  const rows = await queryable
    .selectFrom("analytics_label")
    .select(["id", "text"])
    .where("project", "=", project)
    .where("kind", "=", labelKinds.page)
    .where("id", ">=", known?.size ?? 0)
    .execute();
  if (known && rows.length === 0) return known;
  const paths = new Map(known?.paths);
  let size = known?.size ?? 1;
  for (const row of rows) {
    paths.set(row.id, row.text);
    size = Math.max(size, row.id + 1);
  }
  const rank = new Uint32Array(size);
  const ordered = [...paths].sort(([, left], [, right]) => compareCodePoints(left, right));
  for (const [place, [label]] of ordered.entries()) rank[label] = place;
  return { size, paths, rank };
}
