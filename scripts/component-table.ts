// Writes the table of components in the documentation from their registry; `npm run fix` runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "#content/components/component.ts";
import { COMPONENTS } from "#content/components/registry.ts";

export const docsPage = join(import.meta.dirname, "..", "docs", "sites", "components.mdx");
const HEAD = "| Component | Attributes | Use |\n|---|---|---|\n";

/** The page with its table as the registry has it. */
export function withComponentTable(page: string): string {
  const start = page.indexOf(HEAD);
  const end = page.indexOf("\n\n", start);
  if (start === -1 || end === -1) throw new Error(`${docsPage} has no table that starts with ${HEAD.split("\n")[0]}`);
  return `${page.slice(0, start)}${HEAD}${COMPONENTS.map(row).join("\n")}${page.slice(end)}`;
}

export function writeComponentTable(): void {
  const page = readFileSync(docsPage, "utf8");
  const written = withComponentTable(page);
  if (written !== page) writeFileSync(docsPage, written);
}

function row({ names, attributes, anchor, summary }: Component): string {
  const own = Object.entries(attributes).map(([name, { kind, fallback }]) =>
    fallback === undefined || (kind === "flag" && fallback === "false") ? code(name) : `${code(name)} (${fallback})`,
  );
  const all = anchor === "none" ? own : [...own, code("id")];
  return `| ${names.map(code).join(", ")} | ${all.join(", ")} | ${summary} |`;
}

const code = (text: string) => `\`${text}\``;
