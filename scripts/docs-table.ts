import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A table of the documentation that is made from code: `npm run fix` writes it, a test keeps it true. */
export interface DocsTable {
  page: string;
  /** Its first line and the line under that. */
  head: string;
  rows(): string[];
}

export const readDocsPage = ({ page }: DocsTable) => readFileSync(pathOf(page), "utf8");

/** The page with its table as the code has it. */
export function withTable({ page, head, rows }: DocsTable, text: string): string {
  const start = text.indexOf(head);
  const end = text.indexOf("\n\n", start);
  if (start === -1 || end === -1) throw new Error(`docs/${page} has no table that starts with ${head.split("\n")[0]}`);
  return `${text.slice(0, start)}${head}${rows().join("\n")}${text.slice(end)}`;
}

export function writeTable(table: DocsTable): void {
  const text = readDocsPage(table);
  const written = withTable(table, text);
  if (written !== text) writeFileSync(pathOf(table.page), written);
}

const pathOf = (page: string) => join(import.meta.dirname, "..", "docs", page);

export const code = (text: string) => `\`${text}\``;
