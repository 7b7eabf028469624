import { csvText } from "#lib/csv.ts";
import { z } from "@hono/zod-openapi";
import type { Database, Queryable } from "#db/database.ts";
import type { AgentList } from "#features/visitors/clients/agent-list.ts";
import { type Facet, facets } from "#features/visitors/labels.ts";
import type { DayRange } from "#features/visitors/range.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { CountsCache } from "./counts-cache.ts";

/** The scope of a report. */
export type ReportQuery = { projectId: ProjectId } & DayRange;

export interface ReportDeps {
  database: Database;
  cache: CountsCache;
  /** The list of agents in use; what comes with Docent by default. */
  agents?(): AgentList;
}

/**
 * A report by days: `GET /v1/analytics/{projectId}/{path}`, and a CSV of the dashboard. To add one, define an object in
 * `reports.ts`, list it in `REPORTS` there, and place it on the dashboard's page.
 */
export interface VisitorReport<Row extends object = object> {
  path: string;
  /** The field of the response with the rows. */
  field: string;
  /** For the OpenAPI document. */
  operation: { id: string; summary: string; description: string };
  /** Schema of a row, the name of the rows' schema in the document, and a description. */
  row: z.ZodType;
  name: string;
  rows: string;
  /** The limit for the number of rows, if there is one. */
  maxRows?: number;
  /** The fields of a row that are columns of its CSV, in order; append new ones. */
  columns: readonly string[];
  read(deps: ReportDeps, query: ReportQuery): Promise<readonly Row[]>;
  /** Converts rows to columns that are not fields of a row. */
  csvRows?(rows: readonly Row[]): readonly object[];
}

/** A report that is also a table of the dashboard. */
export interface TableReport<Row extends object = object> extends VisitorReport<Row> {
  table: { title: string; columns: readonly string[]; cells(row: Row): readonly (string | number)[] };
}

/** The schema of a UTC day. */
export const day = (description: string) =>
  z.string().openapi({ description, pattern: "^\\d{4}-\\d{2}-\\d{2}$", example: "2026-11-20" });
/** Rows of a report with the fields of its columns. */
export const csvRowsOf = <Row extends object>(
  { csvRows }: VisitorReport<Row>,
  rows: readonly Row[],
): readonly object[] => csvRows?.(rows) ?? rows;

/** The columns of a list of pages. */
export const PAGE_COLUMNS = ["path", "human", "ai", "total"] as const;

type CsvRow = Record<string, string | number | null>;

/** Any rows as CSV, with their fields as columns. */
export function reportCsv(columns: readonly string[], rows: readonly object[]): string {
  return csvText(
    columns,
    (rows as readonly CsvRow[]).map((row) => columns.map((column) => row[column] ?? null)),
  );
}

export interface ViewsByClass {
  human: number;
  ai: number;
  /** Views that count as neither. */
  other: number;
}

export interface FacetRow extends ViewsByClass {
  item: number;
  /** Label of the item; null when items are numbers of a fixed list. */
  text: string | null;
  lastDay: number;
}

/** Further items are not listed separately. */
export const MAX_REPORT_ROWS = 10_000;

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
    .limit(MAX_REPORT_ROWS)
    .execute();
  return rows
    .map((row) => ({ ...row, human: Number(row.human), ai: Number(row.ai), other: Number(row.other) }))
    .sort((a, b) => b.human + b.ai + b.other - (a.human + a.ai + a.other) || a.item - b.item);
}
