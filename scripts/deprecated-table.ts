import { DEPRECATED } from "#kit/http/deprecation.ts";
import { code, type DocsTable } from "./docs-table.ts";

/** The operations that are deprecated, and what to call in their place. */
export const deprecatedTable: DocsTable = {
  page: "interface/versions.md",
  head: "| Operation | Until | In its place |\n|---|---|---|\n",
  rows: () =>
    DEPRECATED.map(({ method, path, use, until }) => {
      const verb = method.toUpperCase();
      return `| ${code(`${verb} ${path}`)} | ${dayOf(until)} | ${code(`${verb} ${use}`)} |`;
    }),
};

const dayOf = (day: string) =>
  new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
