import { readFileSync } from "node:fs";
import path from "node:path";
import { code, type DocsTable } from "./docs-table.ts";

/** The operations that are deprecated, and what to call in their place. */
export const deprecatedTable: DocsTable = {
  page: "interface/versions.md",
  head: "| Operation | Until | In its place |\n|---|---|---|\n",
  rows: () =>
    deprecatedOperations().map(({ method, address, use, until }) => {
      const verb = method.toUpperCase();
      return `| ${code(`${verb} ${address}`)} | ${dayOf(until)} | ${code(`${verb} ${use}`)} |`;
    }),
};

interface Document {
  paths: Record<string, Record<string, { deprecated?: boolean; description?: string }>>;
}

function deprecatedOperations() {
  const file = path.join(import.meta.dirname, "..", "docs", "openapi.json");
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as Document;
  return Object.entries(paths).flatMap(([address, item]) =>
    Object.entries(item).flatMap(([method, { deprecated, description = "" }]) => {
      const [, use, until] =
        /^Use `(.+)` instead\. This operation remains available until at least ([\d-]+)\./.exec(description) ?? [];
      return deprecated === true && use !== undefined && until !== undefined ? [{ method, address, use, until }] : [];
    }),
  );
}

const dayOf = (day: string) =>
  new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
