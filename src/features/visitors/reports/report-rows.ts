import type { Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { type Facet, facets } from "#features/visitors/labels.ts";
import type { DayRange } from "#features/visitors/range.ts";

/** What a report is about. */
export type ReportQuery = { projectId: ProjectId } & DayRange;

export interface ViewsByClass {
  human: number;
  ai: number;
  /** Views that count in neither. */
  other: number;
}

export interface FacetRow extends ViewsByClass {
  item: number;
  /** Label of the item; null where items are numbers of a list. */
  text: string | null;
  lastDay: number;
}

const MAX_ROWS = 10_000;

/** Views of a range by the items of a facet, most first. */
export async function readFacet(queryable: Queryable, query: ReportQuery, facet: Facet): Promise<FacetRow[]> {
  const rows = await queryable
    .selectFrom("analytics_project as p")
    .innerJoin("view_tally as t", "t.project", "p.number")
    .leftJoin("analytics_label as l", (join) => join.onRef("l.project", "=", "t.project").onRef("l.id", "=", "t.item"))
    .select(({ fn }) => [
      "t.item",
      "l.text",
      fn.sum<number>("t.human").as("human"),
      fn.sum<number>("t.ai").as("ai"),
      fn.sum<number>("t.other").as("other"),
      fn.max("t.day").as("lastDay"),
    ])
    .where("p.project_id", "=", query.projectId)
    .where("t.facet", "=", facets[facet])
    .where("t.day", ">=", query.from ?? 0)
    .where("t.day", "<", query.to ?? 0xffff)
    .groupBy(["t.item", "l.text"])
    .orderBy(({ fn }) => fn.sum("t.human"), "desc")
    .limit(MAX_ROWS)
    .execute();
  return rows
    .map((row) => ({ ...row, human: Number(row.human), ai: Number(row.ai), other: Number(row.other) }))
    .sort((a, b) => b.human + b.ai + b.other - (a.human + a.ai + a.other) || a.item - b.item);
}
