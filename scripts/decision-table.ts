import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DocsTable } from "./docs-table.ts";

const FOLDER = join(import.meta.dirname, "..", "docs", "decisions");

/** Every decision by its title. */
export const decisionTable: DocsTable = {
  page: "decisions/README.md",
  head: "| | Decision |\n|---|---|\n",
  rows: () =>
    globSync("[0-9]*.md", { cwd: FOLDER })
      .toSorted()
      .map((file) => {
        const [, number, title] = /^# (\d+)\. (.+)$/m.exec(readFileSync(join(FOLDER, file), "utf8")) ?? [];
        return `| ${number} | [${title}](${file}) |`;
      }),
};
